import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Alerts } from '../../kernel/alerts/alerts.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { SettlementRecordRow, SettlementRow } from '../../kernel/store/rows.js';
import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { withCommit } from '../../kernel/store/with-commit.js';
import { closeSettlements } from './close-settlements.js';
import {
  directionOf,
  type Entry,
  GeneratedLedger,
  insertIntent,
  insertPayment,
} from './generated-ledger.test.support.js';
import { RunFaults } from './run-faults.js';
import { type NewRate, setRates } from './set-rates.js';
import { settleLedger } from './settle-ledger.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DIGITS = { JPY: 0, EUR: 2, KWD: 3, CLF: 4 } as const;
type Code = keyof typeof DIGITS;
const CODES = Object.keys(DIGITS) as Code[];
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
/** Two merchants, and a channel of the first one. */
const ENTITIES = ['a', 'b', 'c'].map((each) => each.repeat(32));
const MERCHANT_OF = [0, 1, 0] as const;

/** One of them comes often: what is remembered of it is used again. */
const code = fc.constantFrom<Code>('JPY', 'JPY', 'JPY', ...CODES);
const minor = fc.integer({ min: 1, max: 500_000 });
/** Which of the entries, the last one first: what follows at once is met most. */
const pick = fc.oneof(fc.nat({ max: 2 }), fc.nat({ max: 30 }));
const KINDS = ['DB', 'PA', 'credit', 'advice'] as const;
const FOLLOWERS = [
  'capture',
  'refund',
  'reversal',
  'reversal',
  'increment',
  'receipt',
  'chargeback',
  'chargeback-reversal',
] as const;

const entryStep = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    kind: fc.constantFrom(...KINDS),
    entity: fc.nat({ max: ENTITIES.length - 1 }),
    currency: code,
    minor,
    /** How far the acquirer's clock was behind when it was recorded. */
    behindMs: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
    isDeclined: fc.constantFrom(false, false, false, true),
    isLate: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('follow' as const),
    kind: fc.constantFrom(...FOLLOWERS),
    pick,
    minor,
    isLate: fc.boolean(),
    isFence: fc.boolean(),
  }),
);
const rateStep = fc.record({
  do: fc.constant('rate' as const),
  currency: code,
  /** Whose currency it is changed into. */
  merchant: fc.nat({ max: 1 }),
  rate: fc.oneof(fc.integer({ min: 1, max: 5_000_000 }), fc.constant(1_000_000)),
  aheadMs: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
  lastsMs: fc.option(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }))),
});
const lateStep = fc.record({ do: fc.constant('payments' as const), pick });
const moment = fc.oneof({ weight: 6, arbitrary: entryStep }, rateStep, lateStep);
const runStep = fc.record({
  do: fc.constant('run' as const),
  batch: fc.constantFrom<number>(1, 1, 2, 3, 6),
  /** What happens while the run goes on, before each of its pages is worked on. */
  meanwhile: fc.array(moment, { maxLength: 10 }),
  conflicts: fc.nat({ max: 2 }),
  isTwice: fc.boolean(),
});
const fees = fc.record({
  basisPoints: fc.nat({ max: 500 }),
  fixedMinor: fc.nat({ max: 60 }),
  perOperation: fc.record({
    AUTH_FEE: fc.nat({ max: 60 }),
    CAPTURE_FEE: fc.nat({ max: 60 }),
    CANCEL_FEE: fc.nat({ max: 60 }),
    REFUND_FEE: fc.nat({ max: 60 }),
  }),
});
const account = fc.record({ currency: fc.option(code, { freq: 4 }), fees });
const history = fc.record({
  accounts: fc.tuple(account, account),
  steps: fc.array(fc.oneof({ weight: 8, arbitrary: moment }, runStep), { minLength: 6, maxLength: 60 }),
  /** Of the runs that settle what is left. */
  lastBatch: fc.constantFrom<number>(1, 4, 100),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof moment extends fc.Arbitrary<infer T> ? T : never;
type Run = typeof runStep extends fc.Arbitrary<infer T> ? T : never;
type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

/** A life of two merchants on a store in memory. */
class Life {
  readonly store = new MemoryStore();
  readonly clock = new VirtualClock(NOW_MS);
  readonly ledger = new GeneratedLedger();
  readonly rates: NewRate[] = [];
  readonly accounts: readonly Account[];

  constructor(accounts: readonly Account[]) {
    this.accounts = accounts;
  }

  async begin(): Promise<void> {
    const entities = ENTITIES.map((id, at): Change => {
      const parentId = MERCHANT_OF[at] === at ? null : (ENTITIES[MERCHANT_OF[at] ?? 0] ?? null);
      const kind = parentId === null ? 'merchant' : 'channel';
      const about = { name: id, compatibility: 'specification', createdAtMs: NOW_MS, version: 1 } as const;
      return { op: 'insert', table: 'entities', row: { id, kind, parentId, ...about } };
    });
    const accounts = this.accounts.map(({ currency, fees: table }, at): Change => {
      const row = { entityId: ENTITIES[at] ?? '', currency, fees: JSON.stringify(table), version: 1 };
      const none = { aboveId: null, clearingMerchantId: null, ftpPassword: null };
      return { op: 'insert', table: 'settlementAccounts', row: { ...row, ...none } };
    });
    await this.store.commit([...entities, ...accounts]);
  }

  async do(step: Step | Run): Promise<void> {
    await this.clock.advance(1);
    switch (step.do) {
      case 'pay': {
        const { kind, minor: amount, currency, isDeclined } = step;
        const base = kind === 'DB' || kind === 'PA' ? ('authorization' as const) : kind;
        const entityId = ENTITIES[step.entity] ?? '';
        const wanted = { kind: base, entityId, currency, minor: amount, declined: isDeclined };
        return this.#recorded({ ...wanted, captureNow: kind === 'DB' }, step, step.behindMs);
      }
      case 'follow': {
        const { entries } = this.ledger;
        const original = entries.at(-1 - (step.pick % Math.max(1, entries.length)));
        if (!original) return;
        const { currency, entityId } = original;
        // The gateway sends nothing after a payment that it does not have; a fence and a chargeback come without it.
        const comesWithout = step.kind === 'chargeback' || (step.kind === 'reversal' && step.isFence);
        if (!comesWithout)
          for (const each of [original.root, original]) if (each) await insertPayment(this.store, each);
        return this.#recorded({ kind: step.kind, entityId, currency, minor: step.minor, original }, step);
      }
      case 'rate':
        return this.#setRate(step);
      case 'payments': {
        const late = this.ledger.entries.filter(({ hasPayment }) => !hasPayment);
        const entry = late[step.pick % Math.max(1, late.length)];
        return entry && insertPayment(this.store, entry);
      }
      case 'run':
        return this.run(step);
    }
  }

  async #recorded(
    wanted: Omit<Parameters<GeneratedLedger['record']>[0], 'atMs'>,
    { isLate, ...step }: { readonly isLate: boolean; readonly isFence?: boolean },
    behindMs = 0,
  ): Promise<void> {
    const entry = this.ledger.record({ ...wanted, atMs: this.clock.nowMs() - behindMs });
    if (!entry) return;
    const isFence = entry.kind === 'reversal' && step.isFence === true;
    if (!isFence) await insertIntent(this.store, entry);
    if (isFence) entry.hasPayment = true;
    else if (!isLate) await insertPayment(this.store, entry);
  }

  /** A rate begins later than all that was recorded before it was set: it is no question what it counts for. */
  async #setRate({ currency, merchant, rate, aheadMs, lastsMs }: Extract<Step, { do: 'rate' }>) {
    const settlementCurrency = this.accounts[merchant]?.currency ?? currency;
    const fromMs = this.clock.nowMs() + 1 + aheadMs;
    const untilMs = lastsMs === null ? null : fromMs + lastsMs;
    const isTaken = this.rates.some(
      (each) =>
        each.currency === currency &&
        each.settlementCurrency === settlementCurrency &&
        each.fromMs === fromMs,
    );
    if (currency === settlementCurrency || isTaken) return;
    const set = { currency, settlementCurrency, rate, fromMs, untilMs };
    await setRates({ store: this.store, clock: this.clock, random, actor: 'operator' }, [set], 'bank.csv');
    this.rates.push(set);
  }

  async run({ batch, meanwhile, conflicts, isTwice }: Omit<Run, 'do'>): Promise<void> {
    const left = [...meanwhile];
    this.ledger.onPage = async () => {
      const next = left.shift();
      if (next) await this.do(next);
    };
    const { clock, ledger: record } = this;
    const alerts = new Alerts({ store: this.store, clock, log: QUIET });
    const faults = new RunFaults({ store: this.store, alerts });
    const deps = { store: losing(this.store, conflicts), clock, record, random, faults, batch };
    const settle = async () => {
      await settleLedger(deps);
      await closeSettlements(deps);
    };
    await Promise.all(isTwice ? [settle(), settle()] : [settle()]);
    this.ledger.onPage = async () => undefined;
    expect(faults.failed).toEqual([]);
  }
}

/** A store whose first commits of the ledger's place lose their race. */
function losing(store: Store, conflicts: number): Store {
  let left = conflicts;
  return withCommit(store, async (changes) => {
    const isOfLedger = changes.some((change) => 'table' in change && change.table === 'settlementCursors');
    if (isOfLedger && left > 0) {
      left -= 1;
      throw new CommitConflict({ kind: 'version', table: 'settlementCursors', on: 'primary' });
    }
    await store.commit(changes);
  });
}

/** What the rates of a life say of an entry: the last one that began by then, unless it has ended. */
function conversionOf({ rates, accounts }: Life, entry: Entry): { readonly to: Code; readonly rate: number } {
  const isOfNothing = entry.amountMinor === 0;
  const from = (isOfNothing ? (entry.root?.currency ?? entry.currency) : entry.currency) as Code;
  const to = accounts[MERCHANT_OF[ENTITIES.indexOf(entry.entityId)] ?? 0]?.currency ?? from;
  const begun = rates
    .filter((rate) => rate.currency === from && rate.settlementCurrency === to && rate.fromMs <= entry.atMs)
    .sort((one, other) => other.fromMs - one.fromMs)[0];
  const isInForce = begun && (begun.untilMs === null || begun.untilMs > entry.atMs);
  return isInForce && from !== to ? { to, rate: begun.rate } : { to: from, rate: 1_000_000 };
}

/** Minor units of the smallest part that two decimals show. */
const stepOf = (currency: string): bigint => 10n ** BigInt(Math.max(0, DIGITS[currency as Code] - 2));

/** Whether a number of minor units is numerator / denominator, rounded to what two decimals show, a half up. */
function isRounded(shown: number, [numerator, denominator]: readonly [bigint, bigint], currency: string) {
  const step = stepOf(currency);
  const twiceOff = 2n * (BigInt(shown) * denominator - numerator);
  return BigInt(shown) % step === 0n && -step * denominator < twiceOff && twiceOff <= step * denominator;
}

const FEE_OF: Readonly<Record<string, keyof Account['fees']['perOperation']>> = {
  authorization: 'AUTH_FEE',
  increment: 'AUTH_FEE',
  capture: 'CAPTURE_FEE',
  refund: 'REFUND_FEE',
  reversal: 'CANCEL_FEE',
};

/** What the store must hold once everything of a life is settled. */
async function judge(life: Life): Promise<void> {
  const settlements = await allRows(life.store, 'settlements');
  const records = await allRows(life.store, 'settlementRecords');
  const byReference = new Map<string, SettlementRecordRow>();
  for (const record of records) {
    if (record.recordType === 'FEE') continue;
    const { settlementTxId } = JSON.parse(record.detail) as { settlementTxId: string };
    expect(byReference.has(settlementTxId), 'a movement is in one settlement').toBe(false);
    byReference.set(settlementTxId, record);
  }
  for (const entry of life.ledger.entries) judgeEntry(life, entry, byReference);
  expect(byReference.size).toBe(
    life.ledger.entries.filter(({ acquirerReference }) => byReference.has(acquirerReference)).length,
  );
  judgeSums(life, [...byReference.values()]);
  for (const settlement of settlements) judgeSettlement(life, settlement, records);
  judgeOperations(life, settlements);
}

function judgeEntry(life: Life, entry: Entry, records: ReadonlyMap<string, SettlementRecordRow>): void {
  const record = records.get(entry.acquirerReference);
  const direction = directionOf(entry);
  const { original } = entry;
  if (!entry.approved || direction === 0 || entry.amountMinor === 0)
    return void expect(record, entry.kind).toBeUndefined();
  const ofOriginal = original && records.get(original.acquirerReference);
  if (entry.kind === 'reversal' || entry.kind === 'chargeback-reversal') {
    // Settled with what it takes back, or after it; never without.
    expect(record !== undefined, entry.kind).toBe(ofOriginal !== undefined);
  } else if (entry.reversedMinor < entry.amountMinor) expect(record, entry.kind).toBeDefined();
  if (!record) return;
  const cashflow = direction === 1 ? 'POS' : 'NEG';
  const { amountMinor, currency, entityId } = entry;
  expect(record).toMatchObject({ amountMinor, currency, entityId, cashflow });
  const { to, rate } = conversionOf(life, entry);
  expect(record).toMatchObject({ settlementCurrency: to, rate });
  const { settlementMinor, feeMinor } = record;
  const exact = [
    BigInt(amountMinor) * BigInt(rate) * 10n ** BigInt(DIGITS[to]),
    1_000_000n * 10n ** BigInt(DIGITS[currency as Code]),
  ] as const;
  expect(
    isRounded(settlementMinor, exact, to),
    `${amountMinor} ${currency} is ${settlementMinor} ${to}`,
  ).toBe(true);
  // Debits alone cost a fee: money that comes to the merchant without being given back by a chargeback.
  const isDebit = direction === 1 && entry.kind !== 'chargeback-reversal';
  const { basisPoints, fixedMinor } = feesOf(life, entityId);
  const fee = isDebit ? BigInt(settlementMinor) * BigInt(basisPoints) + BigInt(fixedMinor) * 10_000n : 0n;
  expect(isRounded(feeMinor, [fee, 10_000n], to), `fee ${feeMinor} of ${entry.kind}`).toBe(true);
  if (!isDebit) expect(feeMinor).toBe(0);
}

function feesOf({ accounts }: Life, entityId: string): Account['fees'] {
  const own = accounts[MERCHANT_OF[ENTITIES.indexOf(entityId)] ?? 0];
  if (!own) throw new Error(`no account of ${entityId}`);
  return own.fees;
}

/** In the currencies of the payments: what is settled of each is what the acquirer owes. */
function judgeSums({ ledger }: Life, records: readonly SettlementRecordRow[]): void {
  for (const entityId of ENTITIES)
    for (const currency of CODES) {
      const settled = records
        .filter((record) => record.entityId === entityId && record.currency === currency)
        .reduce(
          (sum, { cashflow, amountMinor }) => sum + (cashflow === 'POS' ? amountMinor : -amountMinor),
          0,
        );
      expect(settled, `settled in ${currency}`).toBe(ledger.owed(entityId, currency));
    }
}

/** The totals of a settlement are those of its records, and its fees for operations are number × fee. */
function judgeSettlement(life: Life, settlement: SettlementRow, all: readonly SettlementRecordRow[]): void {
  const { id, currency, entityId, state, recordCount } = settlement;
  const records = all.filter(({ settlementId }) => settlementId === id);
  const sum = (some: readonly SettlementRecordRow[], of: 'settlementMinor' | 'feeMinor') =>
    some.reduce((total, record) => total + record[of], 0);
  expect(state).toBe('closed');
  expect(records.map(({ position }) => position).sort((a, b) => a - b)).toEqual(
    Array.from({ length: recordCount }, (_, at) => at),
  );
  expect(
    records.every((record) => record.settlementCurrency === currency && record.entityId === entityId),
  ).toBe(true);
  expect(settlement).toMatchObject({
    creditMinor: sum(
      records.filter(({ cashflow }) => cashflow === 'POS'),
      'settlementMinor',
    ),
    debitMinor: sum(
      records.filter(({ cashflow }) => cashflow === 'NEG'),
      'settlementMinor',
    ),
    feeMinor: sum(records, 'feeMinor'),
  });
  const counted = JSON.parse(settlement.operations) as Record<string, number>;
  for (const [type, each] of Object.entries(feesOf(life, entityId).perOperation)) {
    const own = records.filter(
      ({ recordType, transactionType }) => recordType === 'FEE' && transactionType === type,
    );
    const exact = [BigInt(counted[type] ?? 0) * BigInt(each), 1n] as const;
    expect(isRounded(sum(own, 'settlementMinor'), exact, currency), `${type} of ${counted[type]}`).toBe(true);
    expect(own.length).toBeLessThanOrEqual(1);
    expect(own.every(({ cashflow }) => cashflow === 'NEG')).toBe(true);
  }
}

/** Each operation of the ledger is counted for one fee, in the currency that its merchant is paid in by then. */
function judgeOperations(life: Life, settlements: readonly SettlementRow[]): void {
  const wanted: Record<string, number> = {};
  const count = (all: Record<string, number>, name: string, more: number): void => {
    all[name] = (all[name] ?? 0) + more;
  };
  for (const entry of life.ledger.entries) {
    const type = FEE_OF[entry.kind];
    if (type) count(wanted, `${entry.entityId} ${conversionOf(life, entry).to} ${type}`, 1);
  }
  const counted: Record<string, number> = {};
  for (const { entityId, currency, operations } of settlements)
    for (const [type, times] of Object.entries(JSON.parse(operations) as Record<string, number>))
      count(counted, `${entityId} ${currency} ${type}`, times);
  const paid = (all: Record<string, number>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isPaid(life, name)));
  expect(paid(counted)).toEqual(paid(wanted));
}

/** A settlement of nothing but operations that cost nothing is not kept. */
function isPaid(life: Life, name: string): boolean {
  const [entityId = '', currency = '', type = ''] = name.split(' ');
  const each = feesOf(life, entityId).perOperation[type as keyof Account['fees']['perOperation']];
  return BigInt(each) * 2n >= stepOf(currency);
}

const FREE = {
  basisPoints: 0,
  fixedMinor: 0,
  perOperation: { AUTH_FEE: 0, CAPTURE_FEE: 0, CANCEL_FEE: 0, REFUND_FEE: 0 },
};
const YEN = { do: 'pay', kind: 'DB', entity: 0, currency: 'JPY', minor: 100 } as const;
const SALE = { ...YEN, behindMs: 0, isDeclined: false, isLate: false } as const;
/** A run has looked the rate of yen up before another one begins, and then comes to a sale for which that one is in force. */
const RATE_BEGINS_DURING_A_RUN: History = {
  lastBatch: 1,
  accounts: [
    { currency: 'EUR', fees: FREE },
    { currency: null, fees: FREE },
  ],
  steps: [
    SALE,
    SALE,
    SALE,
    {
      do: 'run',
      batch: 1,
      meanwhile: [
        { do: 'payments', pick: 0 },
        { do: 'rate', currency: 'JPY', merchant: 0, rate: 6_000, aheadMs: 0, lastsMs: null },
        SALE,
      ],
      conflicts: 0,
      isTwice: false,
    },
  ],
};

const FOLLOWS = { do: 'follow', isLate: false, isFence: false } as const;
/** The acquirer reverses what was not refunded of a sale; all three are on one page. */
const REVERSED_IN_PART: History = {
  lastBatch: 100,
  accounts: RATE_BEGINS_DURING_A_RUN.accounts,
  steps: [
    SALE,
    { ...FOLLOWS, kind: 'refund', pick: 0, minor: 30 },
    { ...FOLLOWS, kind: 'reversal', pick: 1, minor: 1 },
  ],
};

it('settles what the ledger has: each movement once, at its rate, with the fees of its kind', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ accounts, steps, lastBatch }) => {
      const life = new Life(accounts);
      await life.begin();
      for (const step of steps) await life.do(step);
      for (const entry of life.ledger.entries) await insertPayment(life.store, entry);
      for (let last = 0; last < 2; last += 1)
        await life.run({ batch: lastBatch, meanwhile: [], conflicts: 0, isTwice: false });
      await judge(life);
    }),
    { ...propertyRuns(60), examples: [[RATE_BEGINS_DURING_A_RUN], [REVERSED_IN_PART]] },
  );
});
