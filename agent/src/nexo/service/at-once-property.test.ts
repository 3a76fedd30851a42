import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chipCard } from '../../sale/sale.test.support.js';
import { type Answer, NexoHarness, paymentBody } from './nexo-harness.test.support.js';

const TILLS = ['till-1', 'till-2'] as const;
const TERMINALS = ['11', '22'] as const;
const AMOUNTS = [5, 7.5] as const;

const PAYMENT = fc.record({
  do: fc.constant('pay' as const),
  till: fc.constantFrom(...TILLS),
  terminal: fc.constantFrom(...TERMINALS),
  service: fc.constantFrom('1', '2', '3'),
  transaction: fc.constantFrom('a', 'a', 'b'),
  amount: fc.constantFrom(...AMOUNTS),
});
const REVERSAL = fc.record({
  do: fc.constant('reverse' as const),
  till: fc.constantFrom(...TILLS),
  terminal: fc.constantFrom(...TERMINALS),
  service: fc.constantFrom('1', 'r1', 'r2'),
  /** Which of the payments that went well. */
  of: fc.constantFrom(0, 0, 1, 1, 2, 3),
  /** Absent: all of it. */
  part: fc.constantFrom(undefined, undefined, 1, 2),
});
/** Requests that come together, each so much after the one before, in milliseconds. */
const BATCH = fc.record({
  requests: fc.array(
    fc.record({
      request: fc.oneof({ weight: 3, arbitrary: PAYMENT }, { weight: 2, arbitrary: REVERSAL }),
      /** What comes under the same ServiceID at the same time. */
      second: fc.constantFrom('none' as const, 'same' as const, 'other' as const),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  apartMs: fc.constantFrom(0, 0, 1, 60),
  crash: fc.boolean(),
});
type Payment = typeof PAYMENT extends fc.Arbitrary<infer T> ? T : never;
type Reversal = typeof REVERSAL extends fc.Arbitrary<infer T> ? T : never;

/** What is sold first, so that there is something to reverse. */
const FIRST: readonly Payment[] = TERMINALS.map((terminal) => ({
  do: 'pay',
  till: 'till-1',
  terminal,
  service: '3',
  transaction: 'a',
  amount: 5,
}));

/** Another request under the same ServiceID. */
function otherOf(request: Payment | Reversal): Payment | Reversal {
  if (request.do === 'reverse')
    return request.part === 1 ? { ...request, part: 2 } : { ...request, of: request.of === 0 ? 1 : 0 };
  return { ...request, transaction: request.transaction === 'a' ? 'b' : 'a' };
}

/** A payment that went well, as its till was answered. */
interface Sold {
  readonly reference: string;
  readonly minor: number;
  readonly poiData: Answer;
  /** Of the request that began it. */
  readonly key: string;
  isReversed: boolean;
}

/** Requests that came together, and the payments that had gone well before. */
interface Batch {
  readonly sent: readonly (Payment | Reversal)[];
  readonly sold: readonly Sold[];
}

/** Under which name a till finds a request again. */
function keyOf({ till, terminal, service }: Payment | Reversal): string {
  return JSON.stringify([till, terminal, service]);
}

/** What makes two requests the same. */
function contentOf(request: Payment | Reversal, sold: readonly Sold[]): string {
  return JSON.stringify(
    request.do === 'pay'
      ? ['pay', request.transaction, request.amount]
      : ['reverse', sold[request.of]?.reference, request.part],
  );
}

/** Tills that send at once, and what the test itself keeps of their requests. */
class Tills {
  readonly agent = new NexoHarness({ terminals: TERMINALS });
  readonly sold: Sold[] = [];
  /** What a ServiceID of a till at a terminal stands for, once it went well. */
  readonly requests = new Map<string, { readonly content: string; readonly answer: string }>();
  /** What a ServiceID stands for, also where its request was refused. */
  readonly #stands = new Map<string, string>();
  /** ServiceIDs of refunds that found the terminal busy. */
  readonly #mayStand = new Set<string>();
  /** Parts that were given back, by the request. */
  readonly refunds = new Map<string, number>();

  async open(): Promise<this> {
    await this.agent.boot();
    this.#ready();
    return this;
  }

  async crash(): Promise<void> {
    await this.agent.crash();
    this.#ready();
  }

  #ready(): void {
    for (const terminal of TERMINALS)
      this.agent.sale.driver(terminal).reads = () => ({ kind: 'online-required', card: chipCard() });
  }

  async batch(requests: readonly (Payment | Reversal)[], apartMs: number): Promise<void> {
    const sold = [...this.sold];
    const answers: Promise<Answer>[] = [];
    for (const request of requests) {
      answers.push(this.#send(request, sold));
      if (apartMs > 0) await this.agent.sale.clock.advance(apartMs);
    }
    const all = await this.agent.sale.during(Promise.all(answers));
    for (const [at, request] of requests.entries()) this.#judge(request, all[at], { sent: requests, sold });
    this.#compare();
  }

  async #send(request: Payment | Reversal, sold: readonly Sold[]): Promise<Answer> {
    const header = { SaleID: request.till, POIID: request.terminal, ServiceID: request.service };
    if (request.do === 'pay') {
      const answer = await this.agent.send(
        'Payment',
        paymentBody(request.transaction, request.amount),
        header,
      );
      return answer.PaymentResponse;
    }
    const original = sold[request.of];
    if (!original) return undefined;
    const { part } = request;
    const body = {
      OriginalPOITransaction: { POITransactionID: original.poiData.POITransactionID },
      ReversalReason: 'CustCancel',
      ...(part !== undefined && {
        ReversedAmount: part,
        SaleData: {
          SaleTransactionID: { TransactionID: 'refund', TimeStamp: '2026-11-23T08:00:00Z' },
          SaleToAcquirerData: 'currency=EUR',
        },
      }),
    };
    return (await this.agent.send('Reversal', body, header)).ReversalResponse;
  }

  #judge(request: Payment | Reversal, answer: Answer, { sent, sold }: Batch): void {
    if (answer === undefined) return;
    const key = keyOf(request);
    const content = contentOf(request, sold);
    const before = this.requests.get(key);
    if (answer.Response.Result !== 'Success') {
      this.#refused(request, answer.Response.ErrorCondition, { sent, sold });
      return;
    }
    expect(this.#stands.get(key) ?? content, 'another request under the same ServiceID went well').toBe(
      content,
    );
    const text = JSON.stringify(request.do === 'pay' ? answer.POIData.POITransactionID : answer);
    expect(before?.answer ?? text, 'the same request again').toBe(text);
    this.requests.set(key, { content, answer: text });
    this.#stands.set(key, content);
    if (before) return;
    if (request.do === 'pay') this.#paid(request, answer);
    else if (request.part === undefined) this.#reversed(request, sold);
    else this.refunds.set(key, request.part * 100);
  }

  /** A refusal has its reason in what stands under the ServiceID, in what was reversed, or in what came at the same time. */
  #refused(request: Payment | Reversal, condition: string, { sent, sold }: Batch): void {
    const key = keyOf(request);
    const content = contentOf(request, sold);
    const stands = this.#stands.get(key);
    const original = request.do === 'reverse' ? sold[request.of] : this.sold.find((each) => each.key === key);
    switch (condition) {
      case 'Busy': {
        // Nothing is journaled of a payment: its ServiceID stays free.
        if (request.do === 'reverse') this.#mayStand.add(key);
        // Another one under the same ServiceID is no reason: that is not allowed.
        const others = sent.filter((each) => each.terminal === request.terminal && keyOf(each) !== key);
        expect(others.length, 'busy with nothing').toBeGreaterThan(0);
        return;
      }
      case 'Cancel':
        expect(original?.isReversed, 'cancelled without a reversal').toBe(true);
        return;
      case 'NotAllowed': {
        const isShared = sent.some((each) => keyOf(each) === key && contentOf(each, sold) !== content);
        const isOther = (stands !== undefined && stands !== content) || this.#mayStand.has(key);
        const isOfReversed =
          request.do === 'reverse' && (original?.isReversed || this.#isReversedNow(original, sent, sold));
        expect(isShared || isOther || isOfReversed, `${key} was refused: it stands for ${stands}`).toBe(true);
        if (!isShared && !isOther) this.#stands.set(key, content);
        return;
      }
      default:
        expect(condition).toBe('none other');
    }
  }

  #isReversedNow(original: Sold | undefined, sent: Batch['sent'], sold: Batch['sold']): boolean {
    return sent.some(
      (each) => each.do === 'reverse' && each.part === undefined && sold[each.of] === original,
    );
  }

  #paid(request: Payment, answer: Answer): void {
    const [reference = ''] = answer.POIData.POITransactionID.TransactionID.split('.');
    expect(this.sold.map((each) => each.reference)).not.toContain(reference);
    const [key, minor] = [keyOf(request), request.amount * 100];
    this.sold.push({ reference, minor, poiData: answer.POIData, key, isReversed: false });
  }

  #reversed({ of }: Reversal, sold: readonly Sold[]): void {
    const original = sold[of];
    if (original) original.isReversed = true;
  }

  /** The acquirer has each payment once, none that was reversed, and each part that was given back once. */
  #compare(): void {
    const { ledger, faults } = this.agent.sale;
    const standing = [...ledger.entries.values()].filter(({ approved, reversed }) => approved && !reversed);
    const wanted = [
      ...this.sold.filter(({ isReversed }) => !isReversed).map(({ minor }) => minor),
      ...this.refunds.values(),
    ];
    expect(standing.map(({ minor }) => minor).sort()).toEqual(wanted.sort());
    for (const { reference, isReversed } of this.sold)
      expect(ledger.standing(reference)).toHaveLength(isReversed ? 0 : 1);
    expect(faults).toEqual([]);
  }
}

it('have one effect and one answer a ServiceID, however many requests come at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(BATCH, { minLength: 1, maxLength: 6 }), async (batches) => {
      const tills = await new Tills().open();
      await tills.batch(FIRST, 0);
      for (const { requests, apartMs, crash } of batches) {
        const sent = requests.flatMap(({ request, second }) =>
          second === 'none' ? [request] : [request, second === 'same' ? request : otherOf(request)],
        );
        await tills.batch(sent, apartMs);
        if (crash) await tills.crash();
      }
    }),
    propertyRuns(20),
  );
});
