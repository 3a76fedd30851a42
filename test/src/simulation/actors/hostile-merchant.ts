import type { CardData, PaymentRequest, PosData } from '@tillbridge/gateway/payments/decide/requests.js';
import type { PaymentService } from '@tillbridge/gateway/payments/payment-service.js';
import { StoreUnavailableError } from '@tillbridge/gateway/store/store.js';
import type { Envelope } from '@tillbridge/protocol/bridge/messages.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { TEST_CARDS } from '@tillbridge/protocol/payment/test-cards.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import type { Trace } from '../kernel/trace.js';

/** Terminal data of a store that leaked. */
type Stolen = NonNullable<Envelope<'authorizationRequest'>['body']['pos']>;

/** What one attempt sends beside amount and origin. */
type Attempt = Pick<PaymentRequest, 'card' | 'pos'>;

const PAUSE_MS = { min: 3_000, max: 20_000 } as const;
/** Messages that are remembered. */
const REMEMBERED = 16;
const AMOUNT = { minor: 99_999, currency: 'EUR' } as const;
const OWN_TERMINAL = '9901';
const DEVICE_TYPE = 'GERTEC_PPC930';
/** How far ahead the counter of a card is guessed. */
const COUNTERS_AHEAD = 3;

/** What a hostile merchant is run with. */
export interface HostileMerchantParts {
  readonly entityId: string;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly trace: Trace;
  /** The gateway's service, as REST calls it; undefined while it is down. */
  readonly service: () => PaymentService | undefined;
}

/** A merchant with a token of its own that pays over REST with what leaked from others' terminals. No attempt may move money. */
export class HostileMerchant {
  readonly #with: HostileMerchantParts;
  #stolen: Stolen[] = [];
  #ended = false;

  constructor(parts: HostileMerchantParts) {
    this.#with = parts;
  }

  /** A message of a store leaked. */
  saw({ kind, body }: Envelope): void {
    if (kind !== 'authorizationRequest' || !body.pos?.sred) return;
    this.#stolen = [structuredClone(body.pos), ...this.#stolen].slice(0, REMEMBERED);
  }

  /** Tries again and again, until the end. */
  begin(): void {
    const { clock, random } = this.#with;
    clock.setTimer(random.whole(PAUSE_MS.min, PAUSE_MS.max), () => {
      if (this.#ended) return;
      void this.#try();
      this.begin();
    });
  }

  end(): void {
    this.#ended = true;
  }

  async #try(): Promise<void> {
    const { random, service, trace, entityId } = this.#with;
    if (this.#stolen.length === 0) return;
    const name = random.pick(Object.keys(ATTEMPTS) as (keyof typeof ATTEMPTS)[]);
    const attempt = ATTEMPTS[name](random.pick(this.#stolen), random);
    const gateway = service();
    if (!attempt || !gateway) return;
    try {
      const result = await gateway.authorize({
        origin: { kind: 'rest', entityId },
        type: 'DB',
        amount: AMOUNT,
        ...attempt,
      });
      trace.add('hostile', `${name}: ${result.disposition} ${result.resultCode}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!(error instanceof StoreUnavailableError)) trace.add('hostile', `${name}: ${error.name}`);
    }
  }
}

/** What a merchant can make of leaked terminal data and a card number that it knows. */
const ATTEMPTS = {
  'another plaintext under a foreign KSN': ({ sred }, random) =>
    sred && {
      pos: { ...magstripe(OWN_TERMINAL), sred: { ksn: sred.ksn, data: random.bytes(sred.data.length) } },
    },
  'a replayed ciphertext as a magstripe': ({ sred }) => sred && { pos: { ...magstripe(OWN_TERMINAL), sred } },
  'a replayed ciphertext of a foreign terminal': ({ sred, terminalId, entryMode, iccData }) =>
    sred && { pos: { terminalId, entryMode, deviceType: DEVICE_TYPE, sred, iccData } },
  'a typed card with the counter of a chip': ({ iccData }, random) => {
    const counter = iccData.length > 0 ? findTlv(decodeTlv(iccData), '9F36') : undefined;
    if (counter?.length !== 2) return undefined;
    const next = Buffer.alloc(2);
    next.writeUInt16BE(Buffer.from(counter).readUInt16BE() + random.whole(1, COUNTERS_AHEAD));
    const guess = encodeTlv([tlv('9F36', next), tlv('5F34', Buffer.from([1]))]);
    return { card: typed(random), pos: { terminalId: OWN_TERMINAL, entryMode: 'MANUAL', iccData: guess } };
  },
  'a typed card with a foreign PIN block': ({ pin }, random) =>
    pin && { card: typed(random), pos: { terminalId: OWN_TERMINAL, entryMode: 'MANUAL', pin } },
} as const satisfies Readonly<Record<string, (stolen: Stolen, random: SeededRandom) => Attempt | undefined>>;

function magstripe(terminalId: string): PosData {
  return { terminalId, entryMode: 'MAGSTRIPE', deviceType: DEVICE_TYPE };
}

/** A card of the customers, as printed. */
function typed(random: SeededRandom): CardData {
  const { pan } = random.pick(Object.values(TEST_CARDS));
  return { number: pan, expiryMonth: '12', expiryYear: '2031' };
}
