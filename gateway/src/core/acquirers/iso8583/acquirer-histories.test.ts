import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AcquirerAnswer, type AcquirerMoneyRequest, AcquirerUnreachableError } from '../acquirer.js';
import { Iso8583Acquirer } from './iso8583-acquirer.js';
import type { HostLink } from './link/host-link.js';
import type { ExchangeRecord } from './rules/exchange-record.js';
import {
  ANSWER_TIMEOUT_MS,
  GeneratedHost,
  type Held,
  keyOf,
  type RequestPlan,
  type ReversalPlan,
} from './testing/generated-host.test.support.js';
import { MemoryLinkJournal } from './testing/memory-link-journal.js';

/** Two-digit codes that acknowledge no reversal. */
const REFUSALS = Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
  (code) => !['00', '21', '25', '94'].includes(code),
) as `${number}`[];

const requestPlan = fc.constantFrom<RequestPlan>(
  'approve',
  'part',
  'part',
  'decline',
  'lost',
  'silent',
  'late',
  'overtaken',
);
const reversalPlan = fc.oneof(
  fc.constantFrom<ReversalPlan>('carry-out', 'silent', 'unknown', 'duplicate', '91', '12'),
  fc.constantFrom<ReversalPlan>(...REFUSALS),
);
/** Which payment, the last one first. */
const pick = fc.oneof(fc.constant(0), fc.nat({ max: 9 }));
const step = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    isSale: fc.boolean(),
    minor: fc.integer({ min: 2, max: 90_000 }),
    partialAllowed: fc.boolean(),
    plan: requestPlan,
  }),
  fc.record({
    do: fc.constant('capture' as const),
    pick,
    share: fc.integer({ min: 1, max: 100 }),
  }),
  fc.record({ do: fc.constant('reverse' as const), pick }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1_000, ANSWER_TIMEOUT_MS + 2, 60_000) }),
  fc.record({ do: fc.constant('restart' as const) }),
);
const history = fc.record({
  hasStrays: fc.boolean(),
  reversals: fc.array(reversalPlan, { maxLength: 12 }),
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A payment, and what the acquirer answered. */
interface Payment {
  readonly reference: string;
  readonly isSale: boolean;
  /** In minor units; undefined: no answer, so that its caller reverses it. */
  approved: number | undefined;
  captured: number;
  isReversed: boolean;
}

/** An acquirer with its link, its journal and its host. */
class Life {
  readonly clock = new VirtualClock(Date.UTC(2026, 10, 23, 7, 22, 0));
  readonly host = new GeneratedHost(this.clock);
  readonly journal = new MemoryLinkJournal();
  readonly payments: Payment[] = [];
  link!: HostLink;
  acquirer!: Iso8583Acquirer;
  #count = 0;

  async open(): Promise<void> {
    this.link = await this.host.open(this.journal);
    const { link, journal } = this;
    this.acquirer = new Iso8583Acquirer({
      name: 'HOST',
      link,
      journal: journal as unknown as ConstructorParameters<typeof Iso8583Acquirer>[0]['journal'],
      mode: 'test',
    });
  }

  async do(each: Step): Promise<void> {
    switch (each.do) {
      case 'pay':
        return this.#pay(each);
      case 'capture':
        return this.#capture(each);
      case 'reverse': {
        const payment = this.#picked(each.pick);
        return payment && this.reverse(payment);
      }
      case 'wait':
        return this.clock.advance(each.ms);
      case 'restart':
        await this.link.close();
        return this.open();
    }
  }

  async #pay({ isSale, minor, partialAllowed, plan }: Extract<Step, { do: 'pay' }>): Promise<void> {
    const reference = this.#reference();
    this.host.plan = plan;
    const payment: Payment = { reference, isSale, approved: undefined, captured: 0, isReversed: false };
    this.payments.push(payment);
    const answer = await this.#answer({
      kind: 'authorization',
      acquirerReference: reference,
      amount: { minor, currency: 'EUR' },
      instrument: { kind: 'card', pan: '4200000000000000', expiryMonth: '12', expiryYear: '2031' },
      merchant: { merchantId: 'M1', terminalId: 'T1', category: '5999', name: 'M', city: 'C', country: 'DE' },
      ...(isSale && { captureNow: true }),
      partialAllowed,
    });
    if (answer) payment.approved = answer.approved ? (answer.approvedMinor ?? minor) : 0;
  }

  /** Captures of a whole share of what is left: the host takes what happened, as an advice. */
  async #capture({ pick, share }: Extract<Step, { do: 'capture' }>): Promise<void> {
    const payment = this.#picked(pick);
    if (!payment || payment.isSale || payment.isReversed || !payment.approved) return;
    const minor = Math.ceil(((payment.approved - payment.captured) * share) / 100);
    if (minor <= 0) return;
    const answer = await this.#answer({
      kind: 'capture',
      acquirerReference: this.#reference(),
      originalReference: payment.reference,
      amount: { minor, currency: 'EUR' },
    });
    if (answer?.approved) payment.captured += minor;
  }

  /** Reverses a payment, once more where the host had not acknowledged it in time. */
  async reverse(payment: Payment): Promise<void> {
    const isUsedUp = payment.captured > 0 && payment.captured === payment.approved;
    payment.isReversed ||= !isUsedUp;
    const answer = await this.#waited(
      this.acquirer.send({
        kind: 'reversal',
        acquirerReference: this.#reference(),
        originalReference: payment.reference,
      }),
    );
    if (answer && !payment.isReversed) expect(answer.approved, 'all of it was captured').toBe(false);
  }

  #answer(request: AcquirerMoneyRequest): Promise<AcquirerAnswer | undefined> {
    return this.#waited(this.acquirer.send(request));
  }

  /** The answer; undefined where none came. Time goes on until then. */
  async #waited(sent: Promise<AcquirerAnswer>): Promise<AcquirerAnswer | undefined> {
    let isOver = false;
    const answer = sent
      .catch((error: unknown) => {
        if (error instanceof AcquirerUnreachableError) return undefined;
        throw error;
      })
      .finally(() => {
        isOver = true;
      });
    for (let turn = 0; !isOver && turn < 1_000; turn += 1) await this.clock.advance(turn < 10 ? 0 : 1_000);
    return answer;
  }

  heldOf(record: ExchangeRecord | undefined): Held | undefined {
    return record?.request && this.host.held.get(keyOf(record.request));
  }

  #picked(pick: number): Payment | undefined {
    return this.payments.at(-1 - (pick % Math.max(1, this.payments.length)));
  }

  #reference(): string {
    this.#count += 1;
    return this.#count.toString(16).padStart(32, '0');
  }
}

/** At any time: what the link takes for reversed is not with the host any more. */
function judgeReversed(life: Life): void {
  for (const record of life.journal.records.values()) {
    const held = life.heldOf(record);
    if (record.state !== 'reversed' || !held || held.isAnswerLost) continue;
    expect(held.approved - held.givenBack, record.reference).toBe(record.reversal?.remaining?.minor ?? 0);
  }
}

const HOLD = { do: 'pay', isSale: false, minor: 1_000, partialAllowed: true, plan: 'approve' } as const;
const WAIT = { do: 'wait', ms: ANSWER_TIMEOUT_MS + 2 } as const;
/** Rare ones, which every run begins with. */
const EXAMPLES: readonly History[] = [
  // What was captured of an authorization stays.
  {
    hasStrays: false,
    reversals: ['silent', '91'],
    steps: [HOLD, { do: 'capture', pick: 0, share: 40 }, { do: 'reverse', pick: 0 }],
  },
  // All of what was approved was captured: there is nothing to reverse.
  {
    hasStrays: false,
    reversals: [],
    steps: [
      { ...HOLD, plan: 'part' },
      { do: 'capture', pick: 0, share: 100 },
      { do: 'reverse', pick: 0 },
    ],
  },
  // A host that knows no such request ends its reversal, also where the request arrives after it.
  { hasStrays: false, reversals: ['unknown'], steps: [{ ...HOLD, plan: 'lost' }, WAIT] },
  { hasStrays: true, reversals: ['unknown'], steps: [{ ...HOLD, plan: 'overtaken' }, WAIT, WAIT] },
];

it('leaves of each payment at the host what it answered, and what it reversed is given back', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ hasStrays, reversals, steps }) => {
      const life = new Life();
      life.host.hasStrays = hasStrays;
      life.host.reversalPlans.push(...reversals);
      await life.open();
      for (const each of steps) {
        await life.do(each);
        for (let turn = 0; turn < 5; turn += 1) await life.clock.advance(0);
        judgeReversed(life);
      }
      // The host is well again; repeats of reversals are five minutes apart.
      await life.clock.advance(ANSWER_TIMEOUT_MS + 2);
      for (const payment of life.payments) if (payment.approved === undefined) await life.reverse(payment);
      for (let turn = 0; turn < 20; turn += 1) await life.clock.advance(300_000);
      judgeReversed(life);
      for (const { reference, approved, captured, isReversed } of life.payments) {
        const record = life.journal.records.get(reference);
        const held = life.heldOf(record);
        if (held?.isAnswerLost) continue;
        const standing = held ? held.approved - held.givenBack : 0;
        expect(standing, reference).toBe(isReversed ? captured : (approved ?? 0));
        if (isReversed) expect(record?.state).toBe('reversed');
      }
      expect(life.host.faults).toEqual([]);
      await life.link.close();
    }),
    { ...propertyRuns(60), examples: EXAMPLES.map((each) => [each] as [History]) },
  );
});
