import { describe, expect, it } from 'vitest';
import { type JournalRow, JournalUnavailable } from '../../journal/journal.js';
import type { SalePolicy } from '../machine/state/policy.js';
import {
  AAC,
  ARQC,
  chipCard,
  DEFERRING,
  iccData,
  SeededRandom,
  TC,
  tappedCard,
} from '../sale.test.support.js';
import { SaleHarness, TERMINALS } from '../sale-harness.test.support.js';
import { SaleError } from '../service/sale-service.js';
import { NO_FAULTS } from '../wire.test.support.js';

const SEEDS = 80;
const STEPS = 60;
const LIMITS = { perSaleMinor: 3_000, sumMinor: 6_000, perCardMinor: 4_000 };
const DEFERRED_LIMITS = { perSaleMinor: 2_000, sumMinor: 3_000, perCardMinor: 3_000 };

const POLICY: SalePolicy = {
  ...DEFERRING,
  offline: {
    ...DEFERRING.offline,
    limits: { EUR: LIMITS },
    maxCount: 4,
    maxPerCard: 2,
    deferred: { ...DEFERRING.offline.deferred, limits: { EUR: DEFERRED_LIMITS }, maxCount: 2 },
  },
};

const CARDS = ['0001', '0002', '0003'] as const;

interface Taken {
  readonly terminalId: string;
  readonly minor: number;
  readonly approval: string;
  readonly fingerprint: string;
}

/** What was taken without the gateway by the rows on disk and is not acknowledged. */
function unconfirmed(rows: readonly JournalRow[]): Taken[] {
  const acknowledged = new Set(
    rows.filter(({ kind }) => kind === 'acknowledged').map(({ statusOf }) => statusOf),
  );
  return rows
    .filter((row) => row.kind === 'offline-record' && !acknowledged.has(row.messageId))
    .map(({ terminalId, data }) => ({
      terminalId,
      minor: Number((data.amount as { minor: number }).minor),
      approval: String(data.approval),
      fingerprint: String(data.fingerprint),
    }));
}

/** The limits that the disk exceeds. Called after each of thousands of steps: `expect` would cost more than the steps. */
function exceeded(rows: readonly JournalRow[]): readonly string[] {
  const all = unconfirmed(rows);
  const faults: string[] = [];
  const limit = (what: string, taken: readonly Taken[], sumMinor: number, count: number): void => {
    const sum = taken.reduce((total, { minor }) => total + minor, 0);
    if (sum > sumMinor) faults.push(`sum of ${what}: ${sum} > ${sumMinor}`);
    if (taken.length > count) faults.push(`count of ${what}: ${taken.length} > ${count}`);
  };
  for (const terminalId of TERMINALS) {
    const here = all.filter((each) => each.terminalId === terminalId);
    limit(terminalId, here, LIMITS.sumMinor, 4);
    const deferred = here.filter(({ approval }) => approval === 'deferred');
    limit(`deferrals of ${terminalId}`, deferred, DEFERRED_LIMITS.sumMinor, 2);
  }
  for (const card of new Set(all.map(({ fingerprint }) => fingerprint))) {
    const its = all.filter(({ fingerprint }) => fingerprint === card);
    limit(`card ${card}`, its, LIMITS.perCardMinor, 2);
  }
  return faults;
}

/** Any of three cards on any terminal, inserted or tapped, and chips that take their time. */
function unruly(harness: SaleHarness, random: SeededRandom): void {
  const later = <T>(make: () => T): Promise<T> =>
    new Promise((resolve) => {
      harness.clock.setTimer(random.pick([0, 5, 300, 2_000]), () => resolve(make()));
    });
  for (const driver of harness.drivers.values()) {
    driver.reads = () =>
      later(() => {
        const facts = { ...chipCard().facts, last4Digits: random.pick(CARDS) };
        const tapped = { ...facts, entryMode: 'NFC_ICC' } as const;
        return random.pick([
          { kind: 'online-required', card: chipCard(ARQC, { facts }) },
          { kind: 'online-required', card: tappedCard({ facts: tapped }) },
          { kind: 'approved-offline', card: chipCard(TC, { facts }) },
        ] as const);
      });
    driver.completes = ({ kind }) =>
      later(() =>
        kind === 'declined' || random.next() < 0.3
          ? ({ kind: 'declined', iccData: iccData(AAC) } as const)
          : ({ kind: 'approved', iccData: iccData(TC) } as const),
      );
  }
}

async function live(seed: number): Promise<SaleHarness> {
  const random = new SeededRandom(seed);
  const afterHandOver = random.pick(['decline', 'reverse'] as const);
  const policy = { ...POLICY, offline: { ...POLICY.offline, afterHandOver } };
  const harness = new SaleHarness({ seed, policy, terminals: TERMINALS });
  await harness.boot();
  harness.ledger.approves = () => random.next() < 0.7;
  harness.ledger.parks = () => random.next() < 0.1;
  harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => random.next() < 0.2 };
  harness.wire.set('down');
  unruly(harness, random);
  for (let step = 0; step < STEPS; step += 1) {
    await disturb(harness, random, step);
    for (const fault of exceeded(harness.disk.rows)) harness.faults.push(`step ${step}: ${fault}`);
  }
  return harness;
}

async function disturb(harness: SaleHarness, random: SeededRandom, step: number): Promise<void> {
  const sell = (): void => {
    const minor = random.pick([500, 1_000, 1_900, 2_900]);
    const terminalId = random.pick(TERMINALS);
    const request = {
      reference: `S${step}`,
      type: 'sale',
      amount: { minor, currency: 'EUR' },
      terminalId,
    } as const;
    harness.service.request(request).catch((error: unknown) => {
      if (!(error instanceof SaleError)) harness.faults.push(error);
    });
  };
  const deeds: readonly (() => unknown)[] = [
    ...Array.from({ length: 10 }, () => sell),
    () => harness.wire.set('up'),
    () => harness.wire.set('down'),
    () => harness.wire.set('down'),
    () => harness.journal.fail('io-error'),
    () => harness.journal.repair(),
    () => harness.journal.repair(),
    async () => {
      await harness.crash('down');
      unruly(harness, random);
    },
  ];
  await random.pick(deeds)();
  await harness.clock.advance(random.pick([0, 3, 100, 2_500]));
}

/** Seeds whose lives together reach every limit. */
const REACHING = 20;
/** What these lives left on disk, by their seeds. */
const rowsBySeed = new Map<number, readonly JournalRow[]>();

describe('limits without the gateway', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    'are never exceeded on disk by two terminals at once, seed %i',
    async (seed) => {
      const { faults, disk } = await live(seed);
      if (seed <= REACHING) rowsBySeed.set(seed, disk.rows);
      expect(faults.filter((fault) => !(fault instanceof JournalUnavailable))).toEqual([]);
    },
  );

  it('are reached in these lives, by cards and by deferral', async () => {
    const taken = { 'card-approved': 0, deferred: 0 };
    const refused = new Set<string>();
    for (let seed = 1; seed <= REACHING; seed += 1) {
      for (const { kind, data } of rowsBySeed.get(seed) ?? (await live(seed)).disk.rows) {
        if (kind === 'offline-record') taken[data.approval as keyof typeof taken] += 1;
        if (kind === 'ended' && data.reason === 'offline-not-allowed') refused.add(String(data.detail));
      }
    }
    expect(taken['card-approved']).toBeGreaterThan(20);
    expect(taken.deferred).toBeGreaterThan(10);
    for (const reason of [
      'sum-limit-reached',
      'card-count-limit-reached',
      'card-sum-limit-reached',
      'deferral-sum-limit-reached',
      'card-lost-before',
    ]) {
      expect([...refused].join(' ')).toContain(reason);
    }
  });
});
