import { createSecretKey } from 'node:crypto';
import { HostLine } from '@tillbridge/gateway/core/acquirers/iso8583/link/host-line.js';
import {
  decideStandIn,
  type StandInRule,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-stand-in.js';
import { seededRandom } from '@tillbridge/hardware-sim/faults/seeded-random.js';
import { HostIssuer } from '@tillbridge/hardware-sim/hosts/acquirer/issuer/issuer.js';
import { HostKeys } from '@tillbridge/hardware-sim/hosts/acquirer/keys/host-keys.js';
import { firstKeySet } from '@tillbridge/hardware-sim/hosts/acquirer/keys/key-set.js';
import { HostLedger } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import { MemoryHostStore } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/memory-host-store.js';
import { HostFaults } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { HostSession } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-session.js';
import { TVR } from '@tillbridge/wire/emv/bit-fields.js';
import { hasBit } from '@tillbridge/wire/emv/bits.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { DIALECTS, type Dialect } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import {
  coveredByMac,
  macBytes,
  packExchange,
  putMac,
} from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { writeZoneKey } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { framed } from '@tillbridge/wire/iso8583/message-frames.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { type FuzzTarget, fuzzTargets, PropertyError } from './target.js';

const NOW_MS = Date.UTC(2026, 10, 23, 7, 22, 0);
const AT = '20261123072200';
const REQUEST = { isAdvice: false, isResponse: false, isRepeat: false, at: AT } as const;
const SIGN_ON: ExchangeMessage = { ...REQUEST, kind: 'network', network: 'sign-on', stan: '000001' };
const SALE: ExchangeMessage = {
  ...REQUEST,
  kind: 'financial',
  stan: '000002',
  transaction: 'purchase',
  amount: { minor: 1234, currency: 'EUR' },
  entryMode: 'keyed',
  pan: '4200000000000000',
  expiry: '3112',
  pinBlock: '0011223344556677',
  iccData: '9F270180',
  terminalId: 'T1001',
  merchantId: 'M1',
};
const CORPUS: readonly ExchangeMessage[] = [
  SALE,
  {
    ...SALE,
    kind: 'reversal',
    isAdvice: true,
    original: { type: { kind: 'financial', isAdvice: false }, stan: '000002', at: AT },
  },
  {
    ...REQUEST,
    kind: 'network',
    network: 'key-exchange',
    stan: '000003',
    zoneKey: writeZoneKey({ use: 'mac' }),
  },
];

/** A host in memory with a gateway that has signed on; `deliver` sends it bytes and returns what became of its ledger. */
async function openHost(dialect: Dialect) {
  const clock = new VirtualClock(NOW_MS);
  const random = seededRandom(1);
  const database = new MemoryHostStore();
  const keys = new HostKeys({ save: () => undefined, clock, random }, firstKeySet());
  const hashKey = createSecretKey(Buffer.alloc(32, 1));
  const ledger = new HostLedger({ database, issuer: new HostIssuer(keys), hashKey, clock, random });
  const [near, far] = memoryPipe('host');
  const faults: unknown[] = [];
  const line = { dialect, keys, ledger, faults: new HostFaults(), rules: () => [], clock } as const;
  new HostSession(
    {
      ...line,
      hasCodes: true,
      keyForm: () => 'tr31',
      cutOver: async () => '20261124',
      onBad: () => undefined,
      onFault: (error) => faults.push(error),
    },
    far,
  );
  const deliver = async (bytes: Uint8Array): Promise<number> => {
    await near.write(framed(bytes)).catch(() => undefined);
    await new Promise(setImmediate);
    await database.exclusively(async () => undefined);
    if (faults.length > 0) throw faults[0];
    return (await database.transactions()).length + (await database.reversals()).length;
  };
  const sealed = (bytes: Buffer): Buffer => {
    putMac(dialect, bytes, keys.mac(coveredByMac(dialect, bytes)));
    return bytes;
  };
  await deliver(sealed(packExchange(dialect, SIGN_ON, true)));
  return { deliver, sealed, close: () => near.close() };
}

/** Whatever comes, the host stays up; without a true authentication code nothing is written into its ledger. */
function hostTarget(dialect: Dialect): FuzzTarget {
  return {
    name: `iso8583/host-${dialect.name}`,
    corpus: CORPUS.map((message) => packExchange(dialect, message, true)),
    refusals: [],
    run: async (input) => {
      if (input.length <= macBytes(dialect)) return;
      const host = await openHost(dialect);
      if ((await host.deliver(input)) > 0)
        throw new PropertyError('a message without a code was carried out');
      await host.deliver(host.sealed(Buffer.from(input)));
      await host.close();
    },
  };
}

/** Whatever a host sends, a link stays up, and believes nothing without a true authentication code. */
function linkTarget(dialect: Dialect): FuzzTarget {
  const answers = CORPUS.map((message) => ({ ...message, isResponse: true, responseCode: '00' }));
  return {
    name: `iso8583/link-${dialect.name}`,
    corpus: answers.map((message) => packExchange(dialect, message, true)),
    refusals: [],
    run: async (input) => {
      const clock = new VirtualClock(NOW_MS);
      const keys = new HostKeys({ save: () => undefined, clock, random: seededRandom(1) }, firstKeySet());
      const [near, far] = memoryPipe('link');
      const faults: unknown[] = [];
      let believed = 0;
      new HostLine(near, {
        dialect,
        clock,
        seal: {
          mac: async (covered) => keys.mac(covered),
          verify: async (covered, mac) => keys.isMacRight(covered, mac),
        },
        observer: {
          bad: () => undefined,
          lateApproval: () => undefined,
          detailsLeftOut: () => undefined,
          withoutCard: () => undefined,
          notWritten: () => undefined,
          fault: (error) => faults.push(error),
        },
        onAnswer: () => {
          believed += 1;
        },
        onRequest: async (request) => {
          believed += 1;
          return answerTo(request, { responseCode: '12' });
        },
      });
      await far.write(framed(input));
      await new Promise(setImmediate);
      if (faults.length > 0) throw faults[0];
      if (believed > 0 && input.length > macBytes(dialect)) {
        const covered = coveredByMac(dialect, Buffer.from(input));
        if (!keys.isMacRight(covered, input.subarray(covered.length)))
          throw new PropertyError('a message without a code was believed');
      }
      const whole = Buffer.from(input);
      if (whole.length > macBytes(dialect)) {
        putMac(dialect, whole, keys.mac(coveredByMac(dialect, whole)));
        await far.write(framed(whole)).catch(() => undefined);
        await new Promise(setImmediate);
        if (faults.length > 0) throw faults[0];
      }
      await far.close();
    },
  };
}

const STAND_IN_RULE: StandInRule = {
  limits: { EUR: { paymentMinor: 1_000, cardDayMinor: 1_000, dayMinor: 1_000 } },
  cardDayCount: 1,
  dayCount: 1,
  cards: 'all',
};
const STOOD_IN_CARD = {
  kind: 'card',
  pan: '4200000000000000',
  expiryYear: '2031',
  expiryMonth: '12',
} as const;
const STOOD_IN_SALE = {
  kind: 'authorization',
  acquirerReference: 'a'.repeat(32),
  amount: { minor: 1_000, currency: 'EUR' },
} as const;
const FACTS = { nowMs: Date.UTC(2026, 10, 23), history: [] };

/** Terminal data of cards that the gateway may approve by itself: they count only when complete and without a fault. */
const STAND_IN_TARGETS = fuzzTargets([], {
  'stand-in/chip': {
    corpus: [Buffer.from('9F2608A1A2A3A4A5A6A7A89F2701809505800000800082021980', 'hex')],
    run: (input) => {
      const iccData = Buffer.from(input);
      const pos = { terminalId: 'T1', entryMode: 'ICC', iccData };
      if (!decideStandIn(STAND_IN_RULE, { ...STOOD_IN_SALE, instrument: STOOD_IN_CARD, pos }, FACTS).approved)
        return;
      const nodes = decodeTlv(iccData);
      const results = findTlv(nodes, '95');
      const isOnlineRequest = (findTlv(nodes, '9F27')?.[0] ?? 0x80) >>> 6 === 2;
      if (!findTlv(nodes, '9F26') || !results || !isOnlineRequest || hasBit(results, TVR.cdaFailed))
        throw new PropertyError('a chip was believed that did not request an online decision');
    },
  },
  'stand-in/track2': {
    corpus: ['4200000000000000D31121010000', '4200000000000000=3112201123'].map((text) => Buffer.from(text)),
    run: (input) => {
      const track2 = Buffer.from(input).toString('latin1');
      const pos = { terminalId: 'T1', entryMode: 'MAGSTRIPE' };
      const { approved } = decideStandIn(
        STAND_IN_RULE,
        { ...STOOD_IN_SALE, instrument: { ...STOOD_IN_CARD, track2 }, pos },
        FACTS,
      );
      if (approved && !/^\d+[D=]\d{4}[15]0[1267]/i.test(track2))
        throw new PropertyError('a magstripe was believed whose service code demands more');
    },
  },
});

/** The simulated acquirer's host, the gateway's line to such a one, and what it approves without one. */
export const ACQUIRER_HOST_TARGETS: readonly FuzzTarget[] = [
  ...DIALECT_NAMES.flatMap((name) => [hostTarget(DIALECTS[name]), linkTarget(DIALECTS[name])]),
  ...STAND_IN_TARGETS,
];
