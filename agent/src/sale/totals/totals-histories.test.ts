import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SaleType } from '../machine/state/answer.js';
import { chipCard, DEFERRING, tappedCard } from '../sale.test.support.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import { SaleError } from '../service/sale-service.js';
import { NO_FAULTS } from '../wire.test.support.js';
import { TOTAL_KINDS, type TotalKind, type TotalsGroup } from './totals.js';

/** Which sale, the last one first. */
const pick = fc.oneof(fc.constant(0), fc.nat({ max: 9 }));
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      type: fc.constantFrom<SaleType>('sale', 'refund', 'preauthorization'),
      minor: fc.integer({ min: 2, max: 2_400 }),
      word: fc.constantFrom('all', 'all', 'half', 'no', 'call'),
      isTapped: fc.boolean(),
      isReferring: fc.boolean(),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('capture' as const),
      pick,
      share: fc.integer({ min: 1, max: 100 }),
      final: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('reverse' as const), pick }),
  fc.record({ do: fc.constant('voice' as const), pick }),
  fc.record({ do: fc.constant('link' as const), state: fc.constantFrom('up', 'down', 'down') }),
  fc.record({ do: fc.constant('answers' as const), areLost: fc.boolean() }),
  fc.record({
    do: fc.constant('gateway' as const),
    declinesRecords: fc.boolean(),
    takesCaptures: fc.constantFrom(true, true, false),
  }),
  fc.record({ do: fc.constant('restart' as const) }),
);
const history = fc.record({
  partialApproval: fc.constantFrom('accept', 'accept', 'reverse'),
  declinesRecords: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 16 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Sale {
  readonly reference: string;
  readonly type: SaleType;
  readonly minor: number;
}

/** A store with a till, and what its acquirer did. */
class Life {
  readonly harness: SaleHarness;
  readonly sales: Sale[] = [];
  readonly #words = new Map<string, 'all' | 'half' | 'no' | 'call'>();
  #declinesRecords: boolean;
  #areAnswersLost = false;
  #isTapped = false;
  #count = 0;

  constructor({ partialApproval, declinesRecords }: Omit<History, 'steps'>) {
    this.#declinesRecords = declinesRecords;
    const policy = { ...DEFERRING, partialApproval, openAnswerWaitMs: 100 };
    this.harness = new SaleHarness({ policy });
    const { ledger } = this.harness;
    ledger.word = (reference) => this.#words.get(reference) ?? 'all';
    ledger.approves = () => !this.#declinesRecords;
  }

  async do(each: Step): Promise<unknown> {
    const { harness } = this;
    switch (each.do) {
      case 'sell':
        return this.#sell(each);
      case 'capture': {
        const sale = this.#picked(each.pick);
        if (!sale) return;
        const minor = Math.ceil((sale.minor * each.share) / 100);
        const options = { captureReference: this.#next('C'), final: each.final };
        return this.#allowed(harness.service.capture(sale.reference, { minor, currency: 'EUR' }, options));
      }
      case 'reverse': {
        const sale = this.#picked(each.pick);
        return sale && this.#allowed(harness.service.reverse(sale.reference));
      }
      case 'voice': {
        const sale = this.#picked(each.pick);
        return sale && this.#allowed(harness.service.approveByVoice(sale.reference, '123456'));
      }
      case 'link':
        return harness.wire.set(each.state);
      case 'answers':
        this.#areAnswersLost = each.areLost;
        return this.#line();
      case 'gateway':
        this.#declinesRecords = each.declinesRecords;
        harness.ledger.takesCaptures = each.takesCaptures;
        return;
      case 'restart':
        await harness.crash(harness.wire.state);
        return this.#line();
    }
  }

  /** The acquirer is reached, and all that waits ends. */
  async calm(): Promise<void> {
    this.#areAnswersLost = false;
    this.#line();
    this.harness.wire.set('down');
    this.harness.wire.set('up');
    await this.harness.clock.advance(300_000);
  }

  async #sell(each: Extract<Step, { do: 'sell' }>): Promise<void> {
    const { type, minor, word, isReferring } = each;
    this.#isTapped = each.isTapped;
    this.#line();
    const reference = this.#next('S');
    const original = isReferring && type === 'refund' ? this.#picked(each.pick) : undefined;
    this.#words.set(reference, word);
    const amount = { minor, currency: 'EUR' };
    const named = original && { originalReference: original.reference };
    const done = await this.#allowed(this.harness.sell({ reference, type, amount, ...named }));
    if (done) this.sales.push({ reference, type, minor });
  }

  /** Whether the agent took the call; a refusal changes nothing. */
  async #allowed(call: Promise<unknown>): Promise<boolean> {
    try {
      await this.harness.during(call);
      return true;
    } catch (error) {
      if (error instanceof SaleError) return false;
      throw error;
    }
  }

  #line(): void {
    const { harness } = this;
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => this.#areAnswersLost };
    const card = this.#isTapped ? tappedCard() : chipCard();
    harness.driver().reads = () => ({ kind: 'online-required', card });
  }

  #picked(at: number): Sale | undefined {
    return this.sales.at(-1 - (at % Math.max(1, this.sales.length)));
  }

  #next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}

const HOLD = {
  do: 'sell',
  type: 'preauthorization',
  minor: 1_000,
  word: 'all',
  isTapped: false,
  isReferring: false,
  pick: 0,
} as const;
const CAPTURE = { do: 'capture', pick: 0, share: 50, final: false } as const;
const USUAL = { partialApproval: 'accept', declinesRecords: false } as const;
/** Rare ones, which every run begins with. */
const EXAMPLES: readonly History[] = [
  // A capture that waits is no sale yet.
  { ...USUAL, steps: [HOLD, { do: 'link', state: 'down' }, CAPTURE] },
  // What is set free is held no more, and what was captured stays.
  { ...USUAL, steps: [HOLD, CAPTURE, { do: 'reverse', pick: 0 }] },
  // A capture that the gateway refuses is none.
  { ...USUAL, steps: [HOLD, { do: 'gateway', declinesRecords: false, takesCaptures: false }, CAPTURE] },
  // What a till reverses before the acquirer declines it never stood there.
  {
    ...USUAL,
    declinesRecords: true,
    steps: [
      { do: 'link', state: 'down' },
      { ...HOLD, type: 'sale' },
      { do: 'reverse', pick: 0 },
    ],
  },
  // A part was approved, and the answer was lost.
  {
    ...USUAL,
    steps: [
      { do: 'answers', areLost: true },
      { ...HOLD, type: 'sale', word: 'half' },
    ],
  },
];

type Sums = Record<TotalKind, { count: number; minor: number }>;

/** What the acquirer has of the sales, added up; what no till waits for any more. */
async function acquirerSums({ harness: { ledger, service }, sales }: Life): Promise<Sums> {
  const sums = Object.fromEntries(TOTAL_KINDS.map((kind) => [kind, { count: 0, minor: 0 }])) as Sums;
  const add = (kind: TotalKind, minor: number, count = 1): void => {
    if (minor <= 0) return;
    sums[kind].count += count;
    sums[kind].minor += minor;
  };
  for (const { reference, type, minor } of sales) {
    const own = [...ledger.entries.values()].filter((entry) => entry.reference === reference);
    const [standing, ...others] = own.filter((entry) => entry.approved && !entry.reversed);
    expect(others).toEqual([]);
    const reversed = own.findLast((entry) => entry.reversed);
    if (standing && type === 'preauthorization') {
      const captures = ledger.captured.filter((messageId) => messageId === standing.messageId);
      add('approved', standing.captured, captures.length);
      const isOver = standing.closed || standing.released;
      add('preauthorized', isOver ? 0 : standing.minor - standing.captured);
    } else if (standing) add(type === 'refund' ? 'refunded' : 'approved', standing.minor);
    else if (own.some((entry) => entry.kind === 'offline' && !entry.approved)) {
      // A till that took it back before counts on no money.
      const { outcome } = await service.get(reference);
      if (outcome !== 'reversed') add('lateDeclined', minor);
    } else if (reversed) add(type === 'refund' ? 'reversedRefunds' : 'reversed', reversed.minor);
  }
  return sums;
}

/** At any time: what counts as approved is with the acquirer, also what is being reversed since. */
function judgeApproved({ harness: { ledger }, sales }: Life, group: TotalsGroup | undefined): void {
  const types = new Map(sales.map(({ reference, type }) => [reference, type]));
  let most = 0;
  for (const { reference, approved, minor, captured } of ledger.entries.values()) {
    const type = types.get(reference);
    if (approved && type !== 'refund') most += type === 'preauthorization' ? captured : minor;
  }
  expect(Math.round(Number(group?.approved.amount ?? 0) * 100)).toBeLessThanOrEqual(most);
}

/** Receipts of money that was taken name the amount that the acquirer approved. */
async function judgeReceipts({ harness: { service, ledger }, sales }: Life): Promise<void> {
  for (const { reference, minor } of sales) {
    const { outcome, receipts } = await service.get(reference);
    const entry = ledger.standing(reference)[0];
    if (outcome !== 'approved' || !receipts || !entry) continue;
    const { amount, requested } = await service.receipt(reference);
    expect(amount, reference).toEqual({ minor: entry.minor, currency: 'EUR' });
    expect(requested?.minor, reference).toBe(entry.minor < minor ? minor : undefined);
  }
}

it('come to what the acquirer has, whatever was sold and however it ended', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, ...about }) => {
      const life = new Life(about);
      const { harness } = life;
      await harness.boot();
      const sinceMs = harness.clock.nowMs();
      const untilMs = (): number => harness.clock.nowMs() + 1;
      const totals = async () =>
        (await harness.service.totals({ sinceMs, untilMs: untilMs() }, 'terminal'))[0];
      for (const each of steps) {
        await life.do(each);
        judgeApproved(life, await totals());
      }
      await life.calm();
      const group = await totals();
      const sums = await acquirerSums(life);
      const decimal = (minor: number): string => (minor / 100).toFixed(2);
      for (const kind of TOTAL_KINDS) {
        const { count, minor } = sums[kind];
        const shown = group?.[kind] ?? { count: 0, amount: '0.00' };
        expect(shown, kind).toEqual({ count, amount: decimal(minor) });
      }
      expect(group?.net ?? '0.00').toBe(decimal(sums.approved.minor - sums.refunded.minor));
      await judgeReceipts(life);
      expect(harness.faults).toEqual([]);
    }),
    { ...propertyRuns(40), examples: EXAMPLES.map((each) => [each] as [History]) },
  );
});
