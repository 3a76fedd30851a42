import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcquirerMoneyRequest } from '../../core/acquirers/acquirer.js';
import { NO_TOTALS } from '../../core/acquirers/iso8583/rules/day-totals.js';
import {
  AGENT,
  ENGINES,
  followUp,
  MASTERCARD_DECLINED,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  QUIET,
  restPayment,
  storeOf,
  tillReversal,
  tillSale,
} from '../../core/payments/payment-harness.test.support.js';
import { clearAlert, raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import type { InboxRow, LinkExchangeRow, LinkTotalsRow, PaymentRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';
import { DIFFERENCE_KINDS, type DifferenceKind, nameOf } from './difference.js';
import { CHECK_LIMITS, InvariantCheck } from './invariant-check.js';

const UNKNOWN = 'f'.repeat(32);
/** What a link has journaled of a sale that the host has approved. */
const EXCHANGE = {
  ...{ reference: 'd'.repeat(32), acquirer: 'EXTERNAL', sequence: 1, stan: '000001', rrn: '632707000001' },
  ...{ transmittedAt: '20261123072200', original: null, reversalReference: null },
  state: 'answered',
  request: JSON.stringify({ kind: 'financial', transaction: 'purchase' }),
  ...{
    card: null,
    entityId: null,
    purpose: null,
    answer: null,
    reversal: null,
    standIn: null,
    sealed: null,
    keyId: null,
    bookedDay: 20261123,
    bookedMinor: 1_234,
  },
  ...{ reversedDay: null, reversedMinor: null, lateApprovals: 0, owner: null, createdAtMs: 1, version: 1 },
} as const;
const euros = (minor: number) => ({ minor, currency: 'EUR' });

describe.each(ENGINES)('the invariant check on the %s store', (engine) => {
  let harness: PaymentHarness;
  let check: InvariantCheck;
  let logged: string[];
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
    harness.mayDiffer = true;
    logged = [];
    const log = {
      warn: (_about: object, text: string) => logged.push(text),
      error: (_about: object, text: string) => logged.push(text),
    };
    // Few rows a step: every walk has to go on several times.
    const limits = { batch: 3 };
    check = new InvariantCheck({
      store: harness.store,
      records: [harness.record],
      clock: harness.clock,
      log,
      limits,
      alerts: harness.alerts,
    });
  });
  afterEach(async () => {
    await check.stop();
    await harness.dispose();
  });

  /** Steps until everything was looked at once more. */
  async function round(): Promise<string[]> {
    const before = check.completedAtMs;
    await harness.clock.advance(1);
    for (let step = 0; check.completedAtMs === before; step += 1) {
      if (step > 1_000) throw new Error('the check does not come to an end');
      await check.step();
    }
    await check.step();
    return check.known.list().map(({ kind, subject }) => `${kind} ${nameOf(subject)}`);
  }

  async function sale(messageId = 'm1', reference = 'R-1'): Promise<PaymentRow> {
    const { paymentId = '' } = await harness.service.authorize(tillSale(messageId, reference));
    return stored(paymentId);
  }

  async function stored(id: string): Promise<PaymentRow> {
    const payment = await harness.store.get('payments', [id]);
    if (!payment) throw new Error(`no payment ${id}`);
    return payment;
  }

  async function answerOf(messageId: string): Promise<InboxRow> {
    const answer = await harness.store.get('inbox', [AGENT, messageId]);
    if (!answer) throw new Error(`no answer to ${messageId}`);
    return answer;
  }

  const alertsAboutDifferences = async () =>
    (await openAlerts(harness.store)).map((line) => line.replace('unexplained-difference ', ''));

  /** A payment whose amount is another one than the acquirer's. */
  async function differing() {
    const payment = await sale();
    const wrong = { ...payment, amountMinor: 1, capturedMinor: 1, authorizedMinor: 1 };
    await change({ op: 'update', table: 'payments', row: wrong });
    const mend = () => change({ op: 'update', table: 'payments', row: { ...payment, version: 2 } });
    return { payment, mend };
  }

  const change = (...changes: Change[]) => harness.store.commit(changes);

  it('finds nothing in a life of payments of every kind', async () => {
    await sale();
    await harness.service.authorize(
      tillSale('m2', 'R-2', { card: { number: MASTERCARD_DECLINED, expiryMonth: '12', expiryYear: '2031' } }),
    );
    await harness.service.followUp(tillReversal('m3', 'm1'));
    await harness.service.followUp(tillReversal('m4', 'never', 2));
    await harness.service.authorize(
      tillSale('m5', 'R-5', { origin: message('m5', 3), offline: { kind: 'deferred', decidedAtMs: NOW_MS } }),
    );
    await harness.service.authorize(tillSale('m6', 'R-5'));
    const { paymentId: pa } = await harness.service.authorize(restPayment());
    const { paymentId: cp } = await harness.service.followUp(followUp('CP', pa, 1_000));
    await harness.service.followUp(followUp('RF', cp, 300));
    await harness.service.followUp(followUp('RF', cp, 9_999));
    const { paymentId: rf } = await harness.service.followUp(followUp('RF', pa, 200));
    await harness.service.followUp(followUp('RV', rf));
    await harness.service.followUp(followUp('RV', pa));
    const { paymentId: other } = await harness.service.authorize(restPayment({ type: 'CD' }));
    await harness.service.followUp(followUp('RV', other));
    await harness.service.authorize(restPayment({ type: 'DB', testMode: 'EXTERNAL' }));
    harness.line.fault = 'request-lost';
    await harness.service.authorize(restPayment());
    harness.line.fault = 'answer-lost';
    await harness.service.authorize(restPayment({ type: 'DB' }));
    const { paymentId: lost } = await harness.service.authorize(restPayment());
    harness.line.fault = 'request-lost';
    await harness.service.followUp(followUp('CP', lost, 500));
    expect((await harness.transactions()).length).toBeGreaterThan(14);
    expect(await round()).toEqual([]);
    expect(logged).toEqual([]);
  });

  it('does not judge what is under way, nor what is not resolved yet', async () => {
    const { paymentId: pa } = await harness.service.authorize(restPayment());
    harness.line.fault = 'answer-lost';
    harness.line.status = () => Promise.reject(new Error('silent'));
    await expect(harness.service.followUp(followUp('CP', pa, 500))).rejects.toThrow('not known');
    expect(await harness.record.entry((await stored(pa ?? '')).acquirerReference ?? '')).toMatchObject({
      capturedMinor: 500,
    });
    expect(await round()).toEqual([]);
  });

  const planted: Readonly<
    Record<DifferenceKind, () => Promise<{ readonly found: string[]; readonly mend: () => Promise<unknown> }>>
  > = {
    'payment-not-at-acquirer': async () => {
      const payment = await sale();
      await change({ op: 'update', table: 'payments', row: { ...payment, acquirerReference: UNKNOWN } });
      const mend = async () => change({ op: 'update', table: 'payments', row: { ...payment, version: 2 } });
      return { found: [`payment-not-at-acquirer payment/${payment.id}`], mend };
    },
    'acquirer-only': async () => {
      await harness.line.send(request({ acquirerReference: UNKNOWN }));
      const name = `acquirer-only entry/${UNKNOWN}`;
      const row = {
        kind: 'acquirer-only',
        subject: `entry/${UNKNOWN}`,
        note: 'a test of ours',
        createdAtMs: 1,
        version: 1,
      };
      return { found: [name], mend: () => change({ op: 'insert', table: 'explanations', row }) };
    },
    'outcome-differs': async () => {
      const payment = await sale();
      const wrong = { ...payment, state: 'declined', resultCode: '800.100.155' } as const;
      await change({ op: 'update', table: 'payments', row: wrong });
      const mend = () => change({ op: 'update', table: 'payments', row: { ...payment, version: 2 } });
      return {
        found: [`outcome-differs payment/${payment.id}`, `answer-differs payment/${payment.id}`],
        mend,
      };
    },
    'amount-differs': async () => {
      const payment = await sale();
      const originalReference = payment.acquirerReference ?? '';
      const refund = request({
        kind: 'refund',
        acquirerReference: UNKNOWN,
        originalReference,
        amount: euros(100),
      });
      await harness.line.send(refund);
      const found = [`acquirer-only entry/${UNKNOWN}`, `amount-differs payment/${payment.id}`];
      const back = {
        kind: 'reversal',
        acquirerReference: 'e'.repeat(32),
        originalReference: UNKNOWN,
      } as const;
      const explain = (reference: string): Change => ({
        op: 'insert',
        table: 'explanations',
        row: {
          kind: 'acquirer-only',
          subject: `entry/${reference}`,
          note: 'mended by an operator',
          createdAtMs: 1,
          version: 1,
        },
      });
      const mend = async () => {
        await harness.line.send(back);
        await change(explain(UNKNOWN), explain('e'.repeat(32)));
      };
      return { found, mend };
    },
    'intent-without-payment': async () => {
      const { paymentId = '' } = await harness.service.authorize(restPayment());
      const payment = await stored(paymentId);
      await change({ op: 'delete', table: 'payments', key: [payment.id], version: 1 });
      const mend = () => change({ op: 'insert', table: 'payments', row: payment });
      return { found: [`intent-without-payment entry/${payment.acquirerReference ?? ''}`], mend };
    },
    'intent-overdue': async () => {
      harness.line.cut = true;
      await expect(harness.service.authorize(restPayment())).rejects.toThrow('not known');
      await harness.clock.advance(CHECK_LIMITS.overdueMs - 10);
      expect(await round()).toEqual([]);
      await harness.clock.advance(10);
      const [open] = await harness.store.find('intents', 'state', ['open']);
      harness.line.cut = false;
      return {
        found: [`intent-overdue intent/${open?.id ?? ''}`],
        mend: () => harness.service.resolveOpen(),
      };
    },
    'answer-missing': async () => {
      const payment = await sale();
      const answer = await answerOf('m1');
      await change({ op: 'delete', table: 'inbox', key: [AGENT, 'm1'], version: 1 });
      const mend = () => change({ op: 'insert', table: 'inbox', row: answer });
      return { found: [`answer-missing payment/${payment.id}`], mend };
    },
    'answer-differs': async () => {
      const payment = await sale();
      const answer = await answerOf('m1');
      const other = { ...JSON.parse(answer.result), disposition: 'declined' };
      await change({ op: 'update', table: 'inbox', row: { ...answer, result: JSON.stringify(other) } });
      const mend = () => change({ op: 'update', table: 'inbox', row: { ...answer, version: 2 } });
      return { found: [`answer-differs payment/${payment.id}`], mend };
    },
    'answer-without-payment': async () => {
      const payment = await sale();
      await change({ op: 'delete', table: 'payments', key: [payment.id], version: 1 });
      const found = [
        `intent-without-payment entry/${payment.acquirerReference ?? ''}`,
        `answer-without-payment answer/${AGENT}/m1`,
      ];
      return { found, mend: () => change({ op: 'insert', table: 'payments', row: payment }) };
    },
    'totals-differ': async () => {
      const totals = (minor: number) => JSON.stringify({ ...NO_TOTALS, debits: { number: 1, minor } });
      const row: LinkTotalsRow = {
        ...{ acquirer: 'EXTERNAL', day: 20261123, acceptorId: 'M1', currency: 'EUR' },
        state: 'different',
        ...{ ours: totals(1), theirs: totals(2), attempts: 1, dueAtMs: 1, createdAtMs: 1, version: 1 },
      };
      await change({ op: 'insert', table: 'linkTotals', row });
      const mend = () => change({ op: 'update', table: 'linkTotals', row: { ...row, state: 'equal' } });
      return { found: ['totals-differ totals/EXTERNAL/20261123/M1/EUR'], mend };
    },
    'settlement-incomplete': async () => {
      const alert = {
        code: 'settlement-incomplete',
        subject: 'file/m-1.csv',
        detail: 'Error: full',
      } as const;
      await change(raiseAlert(alert, NOW_MS));
      const mend = () => change(clearAlert(alert.code, alert.subject, NOW_MS));
      return { found: ['settlement-incomplete file/m-1.csv'], mend };
    },
    'not-settled': () => settled('not-settled', []),
    'settled-twice': () => settled('settled-twice', [1_234, 1_234]),
    'settled-differs': () => settled('settled-differs', [1_000]),
    'settled-unexpected': () =>
      settled('settled-unexpected', [1_234], { bookedDay: null, bookedMinor: null }),
  };

  /** An exchange that has moved 1,234, and the lines about it in the file of its day. */
  async function settled(
    kind: DifferenceKind,
    lines: readonly number[],
    values: Partial<LinkExchangeRow> = {},
  ) {
    const exchange = { ...EXCHANGE, ...values };
    const day = EXCHANGE.bookedDay;
    const file = { acquirer: 'EXTERNAL', day, createdAtMs: 1, version: 1 };
    await change(
      { op: 'insert', table: 'linkExchanges', row: exchange },
      { op: 'insert', table: 'linkFiles', row: file },
      ...lines.map((minor, at): Change => {
        const row = { ...file, id: `line${at}`, exchange: exchange.reference, minor, currency: 'EUR' };
        return { op: 'insert', table: 'linkSettled', row };
      }),
    );
    const sum = lines.reduce((total, minor) => total + minor, 0);
    const mend = () =>
      change(
        sum === 0
          ? { op: 'delete', table: 'linkFiles', key: ['EXTERNAL', day], version: 1 }
          : { op: 'update', table: 'linkExchanges', row: { ...exchange, bookedDay: day, bookedMinor: sum } },
      );
    return { found: [`${kind} exchange/${exchange.reference}`], mend };
  }

  it('finds a line of a file that no exchange is known of', async () => {
    const file = { acquirer: 'EXTERNAL', day: 20261123, createdAtMs: 1, version: 1 };
    const row = { ...file, id: 'line', exchange: null, minor: 1, currency: 'EUR' };
    await change({ op: 'insert', table: 'linkSettled', row });
    expect(await round()).toEqual(['settled-unexpected line/line']);
  });

  it.each(Object.entries(planted))(
    'counts and names %s, and clears it once it is mended',
    async (kind, plant) => {
      await sale('m7', 'R-7');
      await harness.service.authorize(restPayment());
      expect(await round()).toEqual([]);
      const { found, mend } = await plant();
      expect((await round()).sort()).toEqual(found.sort());
      expect(check.known.counts()[kind as DifferenceKind]).toBe(1);
      expect(logged).toEqual(found.map(() => 'difference between payments, answers and acquirer'));
      expect(await round()).toHaveLength(found.length);
      expect((await alertsAboutDifferences()).sort()).toEqual(found.sort());
      await mend();
      expect(await round()).toEqual([]);
      expect(await alertsAboutDifferences()).toEqual([]);
      expect(logged.slice(found.length)).toEqual(found.map(() => 'difference cleared'));
      expect(Object.values(check.known.counts())).toEqual(Object.keys(DIFFERENCE_KINDS).map(() => 0));
    },
  );

  it('clears the alerts of an earlier process once a whole round has not found their differences', async () => {
    const { payment, mend } = await differing();
    await round();
    const subject = `amount-differs payment/${payment.id}`;
    expect(await alertsAboutDifferences()).toContain(subject);
    await mend();
    const { store, record, clock, alerts } = harness;
    const next = new InvariantCheck({ store, records: [record], clock, alerts, log: QUIET });
    await next.full();
    expect(await alertsAboutDifferences()).toEqual([]);
  });

  it('finds a new entry with the next step, however many there are already', async () => {
    for (let at = 0; at < 7; at += 1) await sale(`m${at}`, `R-${at}`);
    await round();
    await harness.line.send(request({ acquirerReference: UNKNOWN }));
    await check.step();
    expect(check.known.list().map(({ kind }) => kind)).toEqual(['acquirer-only']);
  });

  it('pauses eleven times as long as a step takes, and longer between rounds', async () => {
    for (let at = 0; at < 4; at += 1) await sale(`m${at}`, `R-${at}`);
    const pauses: number[] = [];
    const stepMs = 30;
    let nowMs = 0;
    const clock = {
      nowMs: () => NOW_MS,
      monotonicMs: () => {
        nowMs += stepMs;
        return nowMs;
      },
      setTimer: (delayMs: number, done: () => void) => {
        pauses.push(delayMs);
        if (pauses.length < 3) queueMicrotask(done);
        return { cancel: () => undefined };
      },
    };
    const { store, record } = harness;
    const paced = new InvariantCheck({ store, records: [record], clock, log: QUIET, limits: { batch: 3 } });
    paced.start();
    await expect.poll(() => pauses.length).toBe(3);
    await paced.stop();
    expect(paced.fault).toBeUndefined();
    expect(pauses).toEqual([11 * stepMs, CHECK_LIMITS.intervalMs, 11 * stepMs]);
  });

  it('goes on by itself, through faults of the acquirer', async () => {
    await sale();
    const { entriesAfter } = harness.record;
    harness.record.entriesAfter = () => Promise.reject(new Error('the line is cut'));
    check.start();
    await expect
      .poll(async () => {
        await harness.clock.advance(CHECK_LIMITS.intervalMs);
        return logged;
      })
      .toEqual(['invariants cannot be checked now']);
    expect(check.fault).toContain('the line is cut');
    harness.record.entriesAfter = entriesAfter;
    await harness.line.send(request({ acquirerReference: UNKNOWN }));
    await expect
      .poll(async () => {
        await harness.clock.advance(CHECK_LIMITS.intervalMs);
        return { known: check.known.list().length, fault: check.fault };
      })
      .toEqual({ known: 1, fault: undefined });
  });
});

/** A request that the service knows nothing of. */
function request(
  overrides: Partial<AcquirerMoneyRequest> & { readonly acquirerReference: string },
): AcquirerMoneyRequest {
  return {
    kind: 'authorization',
    amount: euros(1_234),
    instrument: { kind: 'card', pan: '4200000000000000', expiryYear: '2031', expiryMonth: '12' },
    ...overrides,
  };
}
