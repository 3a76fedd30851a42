import type { CardData, PaymentRequest, PosData } from '@tillbridge/gateway/core/payments/rules/requests.js';
import {
  magstripeWithoutPin,
  track2Of,
} from '@tillbridge/gateway/security/module/card-example.test.support.js';
import type { Envelope } from '@tillbridge/wire/bridge/messages.js';
import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import type { SeededRandom } from '../kernel/seeded-random.js';
import { HOSTILE } from '../parts/seed-store.js';
import type { CounterTerminals } from './counter-terminals.js';

/** Terminal data of a store that leaked. */
export type Stolen = NonNullable<Envelope<'authorizationRequest'>['body']['pos']>;

/** What one attempt sends in addition to amount and origin. */
export type Attempt = Pick<PaymentRequest, 'card' | 'pos'> & {
  /** Its account data are not taken: the answer must be the one that all such data get. */
  readonly isRefusedWhole?: true;
};

/** The attempts of an attack, one after the other; undefined where the stolen data are no use for it. */
type Attack = (
  stolen: Stolen,
  random: SeededRandom,
  terminals: CounterTerminals,
) => readonly Attempt[] | undefined;

const OWN_TERMINAL = HOSTILE.counter.terminalId;
const DEVICE_TYPE = 'GERTEC_PPC930';
/** How far ahead the counter of a card is guessed. */
const AHEAD = [1, 2, 3] as const;
const CRYPTOGRAM_BYTES = 8;

/** What a merchant can make of leaked terminal data, of card numbers that it knows, and of its own terminals. */
export const ATTACKS = {
  'another plaintext under a foreign KSN': ({ sred }, random) =>
    sred &&
    refusedWhole({
      ...magstripe(OWN_TERMINAL),
      sred: { ksn: sred.ksn, data: random.bytes(sred.data.length) },
    }),
  'a replayed ciphertext as a magstripe': ({ sred }) =>
    sred && refusedWhole({ ...magstripe(OWN_TERMINAL), sred }),
  'a replayed ciphertext of a foreign terminal': ({ sred, terminalId, entryMode, iccData }) =>
    sred && refusedWhole({ terminalId, entryMode, deviceType: DEVICE_TYPE, sred, iccData }),
  'a typed card with the counter of a chip': ({ iccData }, random) => {
    const guess = withCounter(iccData, random.pick(AHEAD), random);
    return (
      guess && [
        { card: typed(random), pos: { terminalId: OWN_TERMINAL, entryMode: 'MANUAL', iccData: guess } },
      ]
    );
  },
  'a typed card with a foreign PIN block': ({ pin }, random) =>
    pin && [{ card: typed(random), pos: { terminalId: OWN_TERMINAL, entryMode: 'MANUAL', pin } }],
  // Changed data are sent under a KSN that genuine data use later.
  'two ciphertexts under one KSN': (_stolen, random, terminals) => {
    const sred = terminals.encipher('forges', magstripeWithoutPin(numberOf(random)));
    const changed = { ...sred, data: random.bytes(sred.data.length) };
    return [changed, sred].flatMap((each) => refusedWhole({ ...magstripe(OWN_TERMINAL), sred: each }));
  },
  // A card that was made of a number, with the counters that the customer's card comes to next.
  'a made chip with the counter of a customer': ({ iccData }, random, terminals) => {
    const pan = numberOf(random);
    return AHEAD.flatMap((ahead) => {
      const guess = withCounter(iccData, ahead, random);
      const sred = terminals.encipher('clones', track2Of(pan, '1234'));
      return guess ? [{ pos: { ...magstripe(OWN_TERMINAL), entryMode: 'ICC', iccData: guess, sred } }] : [];
    });
  },
  'an own terminal under the name of another': ({ terminalId }, random, terminals) =>
    refusedWhole({
      ...magstripe(terminalId),
      sred: terminals.encipher('travels', magstripeWithoutPin(numberOf(random))),
    }),
} as const satisfies Readonly<Record<string, Attack>>;

function refusedWhole(pos: PosData): readonly Attempt[] {
  return [{ pos, isRefusedWhole: true }];
}

/** Chip data whose counter is so far ahead, under a cryptogram that is none; undefined without a counter. */
function withCounter(iccData: Uint8Array, ahead: number, random: SeededRandom): Buffer | undefined {
  const counter = iccData.length > 0 ? findTlv(decodeTlv(iccData), '9F36') : undefined;
  if (counter?.length !== 2) return undefined;
  const next = Buffer.alloc(2);
  next.writeUInt16BE(Buffer.from(counter).readUInt16BE() + ahead);
  const values: Readonly<Record<string, Uint8Array>> = {
    '9F36': next,
    '9F26': random.bytes(CRYPTOGRAM_BYTES),
    '5F34': Buffer.from([1]),
  };
  const kept = decodeTlv(iccData).filter(({ tag }) => values[tag] === undefined);
  return encodeTlv([...kept, ...Object.entries(values).map(([tag, value]) => tlv(tag, value))]);
}

function magstripe(terminalId: string): PosData {
  return { terminalId, entryMode: 'MAGSTRIPE', deviceType: DEVICE_TYPE };
}

/** The number of a customer's card. */
function numberOf(random: SeededRandom): string {
  return random.pick(Object.values(TEST_CARDS)).pan;
}

/** A card of the customers, as printed. */
function typed(random: SeededRandom): CardData {
  return { number: numberOf(random), expiryMonth: '12', expiryYear: '2031' };
}
