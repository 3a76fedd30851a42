import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METHODS } from '../../../app/http/docs/methods.js';
import { CARD, type HttpHarness, openHttpHarness } from '../../../app/http/http-harness.test.support.js';
import { setRiskRules } from '../../../features/risk/entity-rules.js';
import { readRiskRules } from '../../../features/risk/rules/risk-rules.js';
import { answerFrame } from '../../../kernel/http/request/answer-frame.js';
import { allRows } from '../../../kernel/store/all-rows.js';
import type { EventRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { withCommit } from '../../../kernel/store/with-commit.js';
import { ENTITY } from '../payment-harness.test.support.js';
import { draftPayment, NO_CARD } from '../rules/drafts.js';
import { verificationColumn, verificationResultsOf } from '../rules/verification-results.js';
import { SHIPPED_BIN_TABLE } from '../shipped-bin-table.js';
import { paymentAnswer } from '../view/payment-view.js';
import { eventPayload, framedPayload } from './event-payload.js';
import { notificationFields, registrationOf } from './payment-notification.js';

/** The text that the event of a payment had, made of the payment as it is in the commit. */
function textAtCommit(
  kind: string,
  payment: PaymentRow,
  { ndc, nowMs, name }: { readonly ndc: string; readonly nowMs: number; readonly name: string },
): string {
  const frame = answerFrame(payment.resultCode, { buildNumber: 'test', ndc, nowMs });
  const answer = paymentAnswer(payment, frame, { bins: SHIPPED_BIN_TABLE, entityName: name });
  if (kind !== 'registration-created')
    return JSON.stringify({ ...answer, ...notificationFields(payment, name) });
  return JSON.stringify(registrationOf(answer, verificationResultsOf(payment).registrationId ?? ''));
}

/** The texts of the events of a commit, by their ids. */
function textsOf(changes: readonly Change[], name: string): [string, string][] {
  const rows = changes.flatMap((change) => (change.op === 'insert' ? [change] : []));
  const events = rows.flatMap(({ table, row }) => (table === 'events' ? [row as EventRow] : []));
  const payments = rows.flatMap(({ table, row }) => (table === 'payments' ? [row as PaymentRow] : []));
  return events.flatMap((event): [string, string][] => {
    const payment = payments.find(({ id }) => id === event.paymentId);
    if (!payment) return [];
    const [first] = events.filter(({ paymentId }) => paymentId === payment.id);
    const about = { ndc: first?.id ?? '', nowMs: event.createdAtMs, name };
    return [[event.id, textAtCommit(event.kind, payment, about)]];
  });
}

/** Makes payments of every method, each with what follows it. */
async function payInEveryWay({ post }: HttpHarness): Promise<void> {
  const amount = (value: string) => ({ amount: value, currency: 'EUR' });
  for (const { brands, pays, refused = {}, outcome } of METHODS) {
    if (outcome !== 'at once') continue;
    const brand = 'paymentBrand' in pays || !brands[0] ? {} : { paymentBrand: brands[0] };
    const form = { ...amount('12.34'), ...brand, ...pays };
    const pay = (more: Readonly<Record<string, string>>) => {
      const own = { 'threeDSecure.verificationId': randomBytes(20).toString('base64') };
      return post('/v1/payments', { ...form, ...('threeDSecure.verificationId' in form && own), ...more });
    };
    const { body: debit } = await pay({ paymentType: 'DB', merchantTransactionId: 'order 1' });
    await post(`/v1/payments/${debit.id}`, { paymentType: 'RF', ...amount('1.00') });
    await post(`/v1/payments/${debit.id}`, { paymentType: 'RV' });
    const { body: reserved } = await pay({ paymentType: 'PA', 'customParameters[10]': 'ten' });
    await post(`/v1/payments/${reserved.id}`, { paymentType: 'CP', ...amount('2.00') });
    await post(`/v1/payments/${reserved.id}`, { paymentType: 'RV', ...amount('1.00') });
    await pay({ paymentType: 'DB', ...refused });
    await pay({ paymentType: 'DB', amount: '600.00' });
  }
}

it('has the text that the payment had in its commit, whatever became of the payment, its entity and the table of issuers', async () => {
  const texts = new Map<string, string>();
  const names = { now: '' };
  const memory = new MemoryStore();
  const store = withCommit(memory, async (changes) => {
    await memory.commit(changes);
    for (const [id, text] of textsOf(changes, names.now)) texts.set(id, text);
  });
  const harness = await openHttpHarness(() => store);
  const entity = await memory.get('entities', [ENTITY]);
  names.now = entity?.name ?? '';
  const rules = [{ name: 'rule', kind: 'amount', currency: 'EUR', above: '500.00', action: 'refuse' }];
  await setRiskRules(harness, ENTITY, readRiskRules(JSON.stringify({ rules })));
  await payInEveryWay(harness);
  await harness.post('/v1/payments', { ...CARD, createRegistration: 'true' });
  await harness.post('/v1/payments', { ...CARD, 'forex.amount': '14', 'forex.currency': 'USD' });
  await harness.post('/v1/payments', { ...CARD, descriptor: 'a shop', paymentType: 'PA.CP' });
  const before = await memory.get('entities', [ENTITY]);
  if (before)
    await memory.commit([{ op: 'update', table: 'entities', row: { ...before, name: 'another name' } }]);

  const events = (await allRows(memory, 'events')).filter(({ id }) => texts.has(id));
  const kinds = new Set(events.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['payment', 'registration-created', 'risk-checked']);
  expect(events).toHaveLength(texts.size);
  expect(events.length).toBeGreaterThan(50);
  for (const event of events) {
    const payment = await memory.get('payments', [event.paymentId ?? '']);
    expect(eventPayload(event, payment)).toBe(texts.get(event.id));
    expect(event.payload.length).toBeLessThan(300);
  }
  await harness.dispose();
});

const PAYMENT_ID = 'a'.repeat(32);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const text = fc.string({ maxLength: 20 });
const minor = fc.integer({ min: 0, max: 1_000_000 });
const STATES = ['authorized', 'captured', 'credited', 'completed', 'declined', 'reversed'] as const;
const GENERATED: fc.Arbitrary<Partial<PaymentRow>> = fc.record({
  state: fc.constantFrom(...STATES),
  resultCode: fc.constantFrom('000.100.110', '800.100.152', '100.400.325', '000.400.101'),
  approvalCode: optional(text),
  responseCode: optional(fc.constantFrom('00', '05', '51')),
  acquirerReference: optional(text),
  captureReference: optional(text),
  referencedId: optional(text),
  terminalId: optional(text),
  iccDataResponse: optional(text),
  offline: optional(fc.constantFrom('card-approved', 'deferred')),
  numberType: optional(fc.constantFrom('PAN', 'DPAN')),
  bin: optional(fc.constantFrom('420000', '4200', '541333', '999999')),
  brand: optional(fc.constantFrom('VISA', 'MASTER', 'DIRECTDEBIT_SEPA')),
  holder: optional(text),
  last4Digits: optional(fc.constantFrom('0000')),
  amountMinor: minor,
});
const CHANGED = fc.record({
  /** Of what was not declined; that stays declined. */
  state: fc.constantFrom(...STATES.filter((state) => state !== 'declined')),
  authorizedMinor: minor,
  capturedMinor: minor,
  refundedMinor: minor,
  chargedBackMinor: minor,
  reversedMinor: minor,
  captureCount: minor,
  capturesClosed: fc.constantFrom<0 | 1>(0, 1),
  lockedBy: optional(text),
  vaultId: fc.constant(null),
  version: fc.constant(7),
});
const RESULTS = fc.record(
  {
    avsResponse: fc.constantFrom('A', 'N'),
    cvvResponse: fc.constantFrom('M', 'N'),
    riskScore: fc.integer({ min: -99, max: 999 }),
    registrationId: fc.constant('r1'),
    balanceMinor: minor,
    acquirerDetails: fc.dictionary(text, text, { maxKeys: 3 }),
    extendedDescription: text,
    initialTransactionId: text,
  },
  { requiredKeys: [] },
);
const ECHO = fc.dictionary(
  fc.constantFrom('amount', 'descriptor', 'customParameters', 'card', 'pos', 'source', 'forex', 'merchant'),
  fc.oneof(text, fc.dictionary(fc.constantFrom('1', '0', 'holder', 'amount', 'currency'), text)),
);

it('has the same text for any payment whose state, amounts, lock and card in the vault have changed since', () => {
  const origin = { kind: 'rest', entityId: ENTITY } as const;
  const amount = { minor: 1, currency: 'EUR' };
  const made = { id: PAYMENT_ID, acquirer: 'INTERNAL', acquirerReference: null, nowMs: 5 };
  fc.assert(
    fc.property(
      fc.record({ row: GENERATED, later: CHANGED, results: RESULTS, echo: ECHO, name: text }),
      fc.constantFrom('payment', 'offline-sale-declined', 'risk-checked', 'registration-created'),
      ({ row, later, results, echo, name }, kind) => {
        const draft = draftPayment({ type: 'DB', origin, amount, echo }, made, NO_CARD, 'v1');
        const payment: PaymentRow = { ...draft, ...row, ...verificationColumn(results as object) };
        const about = { ndc: 'e1', nowMs: 1_700_000_000_000, name };
        const sources = { ...about, entityName: name, buildNumber: 'test', bins: SHIPPED_BIN_TABLE };
        const id = kind === 'payment' ? 'e1' : 'e2';
        const event: EventRow = {
          ...{ id, entityId: ENTITY, kind, paymentId: PAYMENT_ID, expiresAtMs: null, version: 1 },
          createdAtMs: about.nowMs,
          payload: JSON.stringify(framedPayload(payment, id, sources)),
        };
        const refundsClosed = { ...verificationResultsOf(payment), refundsClosed: true };
        const state: PaymentRow['state'] = payment.state === 'declined' ? 'declined' : later.state;
        const now = { ...payment, ...later, state, ...verificationColumn(refundsClosed as object) };
        expect(eventPayload(event, now)).toBe(textAtCommit(kind, payment, about));
      },
    ),
    { numRuns: 2_000 },
  );
});
