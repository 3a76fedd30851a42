import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { message, NOW_MS, restPayment } from '../payment-harness.test.support.js';
import { draftPayment, NO_CARD } from './drafts.js';
import { type IntentDetail, type IntentOutcome, openIntent } from './intent-detail.js';
import { placeOf } from './message-changes.js';
import { recordOutcome } from './record-outcome.js';
import type { PaymentRequest } from './requests.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';

const ID = '1'.repeat(32);
const made = { id: ID, acquirer: 'INTERNAL', acquirerReference: 'i1', captureReference: 'c1', nowMs: 1 };
const APPROVED: IntentOutcome = { approved: true, resultCode: '000.100.110', responseCode: '00' };
const DECLINED: IntentOutcome = { approved: false, resultCode: '800.100.152', responseCode: '05' };
const EVENT: Change = { op: 'insert', table: 'events', row: {} } as never;

type Outcome = Parameters<typeof recordOutcome>[0];
const intentOf = (request: Partial<PaymentRequest> = {}, more: Partial<IntentDetail> = {}) => {
  const draft = draftPayment(
    { ...restPayment(), ...request } as PaymentRequest,
    made,
    { ...NO_CARD, brand: 'VISA' },
    'v1',
  );
  const detail = { draft, recovery: 'fence', fenceReference: 'f1', ...more } as const;
  return openIntent('i1', 'authorization', null, detail, 'n1');
};
const record = (intent: Outcome['intent'], answer: IntentOutcome, more: Partial<Outcome> = {}) =>
  recordOutcome({ intent, answer, nowMs: NOW_MS, eventOf: () => [EVENT], ...more });
const rowsOf = (changes: readonly Change[], table: string) =>
  changes.flatMap((each) => ('table' in each && each.table === table && 'row' in each ? [each.row] : []));
const paymentOf = (changes: readonly Change[]) => rowsOf(changes, 'payments')[0] as PaymentRow;

describe('an approval', () => {
  it.each([
    ['PA', { state: 'authorized', authorizedMinor: 1_234, capturedMinor: 0 }],
    [
      'DB',
      { state: 'captured', authorizedMinor: 1_234, capturedMinor: 1_234, captureCount: 0, capturesClosed: 0 },
    ],
    ['PA.CP', { state: 'captured', capturedMinor: 1_234, captureCount: 1, capturesClosed: 1 }],
    ['CD', { state: 'credited', authorizedMinor: 1_234, capturedMinor: 0 }],
  ] as const)('of a %s has its amounts', (type, amounts) => {
    const { changes } = record(intentOf({ type }), APPROVED);
    expect(paymentOf(changes)).toMatchObject({ ...amounts, amountMinor: 1_234 });
  });

  it('of a part has the amount of that', () => {
    for (const type of ['PA', 'DB'] as const) {
      const { changes } = record(intentOf({ type }), { ...APPROVED, approvedMinor: 1_000 });
      expect(paymentOf(changes)).toMatchObject({ amountMinor: 1_000, authorizedMinor: 1_000 });
    }
  });

  it('has what the acquirer has answered', () => {
    const iccDataResponse = Uint8Array.of(0x8a, 0x02);
    const answer = {
      ...APPROVED,
      approvalCode: '123456',
      iccDataResponse,
      avsResponse: 'N',
      cvvResponse: 'M',
    };
    const { changes, result } = record(intentOf(), {
      ...answer,
      riskScore: 5,
      balanceMinor: 7,
      detail: 'd',
      details: { A: 'b' },
    });
    const payment = paymentOf(changes);
    expect(payment).toMatchObject({
      resultCode: '000.100.110',
      approvalCode: '123456',
      responseCode: '00',
      iccDataResponse: '8A02',
      createdAtMs: NOW_MS,
    });
    expect(verificationResultsOf(payment)).toEqual({
      avsResponse: 'N',
      cvvResponse: 'M',
      riskScore: 5,
      balanceMinor: 7,
      extendedDescription: 'd',
      acquirerDetails: { A: 'b' },
    });
    expect(result.payment).toBe(payment);
    expect(rowsOf(changes, 'intents')).toMatchObject([{ state: 'done', owner: null }]);
    expect(changes.at(-1)).toBe(EVENT);
    expect(paymentOf(record(intentOf(), APPROVED).changes)).toMatchObject({
      approvalCode: null,
      iccDataResponse: null,
    });
  });

  it('has the code that a test requested, and a decline its own', () => {
    const intent = intentOf({}, { approvedAs: '000.400.000' });
    expect(record(intent, APPROVED).result.resultCode).toBe('000.400.000');
    expect(record(intent, DECLINED).result.resultCode).toBe('800.100.152');
  });

  it('whose code requires it goes to a person', () => {
    const review = { ...APPROVED, resultCode: '000.400.000' };
    expect(rowsOf(record(intentOf(), review).changes, 'approvalReviews')).toMatchObject([
      { paymentId: ID, resultCode: '000.400.000', createdAtMs: NOW_MS, version: 1 },
    ]);
    expect(rowsOf(record(intentOf(), APPROVED).changes, 'approvalReviews')).toEqual([]);
    expect(rowsOf(record(intentOf(), { ...review, approved: false }).changes, 'approvalReviews')).toEqual([]);
  });

  it('uses the counter of its card, unless another sale has', () => {
    const atc = { card: 'c', counter: 7, sale: 's', paymentId: ID };
    const intent = intentOf({}, { atc });
    expect(rowsOf(record(intent, APPROVED).changes, 'usedAtcs')).toMatchObject([atc]);
    expect(rowsOf(record(intent, DECLINED).changes, 'usedAtcs')).toEqual([]);
    expect(rowsOf(record(intentOf(), APPROVED).changes, 'usedAtcs')).toEqual([]);
    const usedAtc = { ...atc, sale: 'other', paymentId: 'p', createdAtMs: 1, version: 1 };
    expect(rowsOf(record(intent, APPROVED, { usedAtc }).changes, 'usedAtcs')).toEqual([]);
  });

  it('keeps the reference of a transfer with the account that was paid to', () => {
    const intent = intentOf();
    const draft = {
      ...JSON.parse(JSON.stringify({ ...paymentOf(record(intent, APPROVED).changes) })),
      ...verificationColumn({ payee: { reference: 'T1' } as never }),
    };
    const waited = openIntent(
      'i1',
      'authorization',
      null,
      { draft: { ...draft, state: 'pending' }, recovery: 'fence', fenceReference: 'f1' },
      null,
    );
    const payee = { iban: 'DE1' } as never;
    expect(verificationResultsOf(paymentOf(record(waited, { ...APPROVED, payee }).changes)).payee).toEqual({
      reference: 'T1',
      iban: 'DE1',
    });
    expect(verificationResultsOf(paymentOf(record(waited, APPROVED).changes)).payee).toBeUndefined();
  });
});

describe('a decline', () => {
  it('has no amounts, and frees the reference of its sale', () => {
    const claim = { agentId: 'a', reference: 'R-1', paymentId: ID, released: 0, version: 1 } as const;
    const { changes, result } = record(intentOf(), DECLINED, { claim });
    expect(paymentOf(changes)).toMatchObject({ state: 'declined', authorizedMinor: 0, capturedMinor: 0 });
    expect(rowsOf(changes, 'claims')).toEqual([{ ...claim, released: 1 }]);
    expect(result.disposition).toBe('declined');
    expect(rowsOf(record(intentOf(), APPROVED, { claim }).changes, 'claims')).toEqual([]);
  });
});

describe('a registration', () => {
  const registers = 'g'.repeat(32);
  const idOf = (answer: IntentOutcome, more: Partial<Outcome> = {}) =>
    verificationResultsOf(paymentOf(record(intentOf({}, { registers }), answer, more).changes));

  it('is named by an approval alone', () => {
    expect(idOf(APPROVED)).toEqual({ registrationId: registers });
    expect(idOf(DECLINED)).toEqual({});
  });
});

describe('a registration that a payment makes', () => {
  const REGISTRATION = {
    id: 'g'.repeat(32),
    merchantId: 'e',
    state: 'pending',
    paymentId: ID,
    fingerprint: 'f',
    activeFingerprint: null,
    echo: '{}',
    version: 3,
  } as never as NonNullable<Outcome['registration']>;
  const recorded = (answer: IntentOutcome, more: Partial<Outcome> = {}, detail: Partial<IntentDetail> = {}) =>
    record(intentOf({}, { registers: REGISTRATION.id, ...detail }), answer, {
      registration: REGISTRATION,
      ...more,
    }).changes;
  const shown = (changes: readonly Change[]) => verificationResultsOf(paymentOf(changes));

  it('is active and new with an approval, and gone with a decline', () => {
    const changes = recorded(APPROVED);
    expect(rowsOf(changes, 'registrations')).toMatchObject([
      { state: 'active', activeFingerprint: 'f', updatedAtMs: NOW_MS },
    ]);
    expect(shown(changes)).toEqual({ registrationId: REGISTRATION.id, registrationIsNew: true });
    const declined = recorded(DECLINED);
    expect(declined.filter(({ op }) => op === 'delete')).toEqual([
      { op: 'delete', table: 'registrations', key: [REGISTRATION.id], version: 3 },
    ]);
    expect(shown(declined)).toEqual({});
  });

  it('is not new where another request, or another payment, has made it', () => {
    const sameRegistration = { ...REGISTRATION, id: 's'.repeat(32), state: 'active' } as typeof REGISTRATION;
    expect(shown(recorded(APPROVED, { sameRegistration }))).toEqual({ registrationId: sameRegistration.id });
    const registration = { ...REGISTRATION, paymentId: 'other', state: 'active' } as typeof REGISTRATION;
    expect(shown(recorded(APPROVED, { registration }))).toEqual({ registrationId: REGISTRATION.id });
  });

  it('holds the agreement that the payment begins', () => {
    const agreement = {
      merchantId: 'e',
      card: 'c',
      numberType: null,
      type: 'RECURRING',
      expiry: '2027-01-01',
      standing: { agreementId: 'A' },
    } as never;
    const answer = { ...APPROVED, networkTransactionId: 'N1' };
    const [row] = rowsOf(recorded(answer, {}, { agreement }), 'registrations') as never as [
      { readonly echo: string },
    ];
    expect(JSON.parse(row.echo).standingInstruction).toEqual({
      mode: 'INITIAL',
      source: 'CIT',
      type: 'RECURRING',
      expiry: '2027-01-01',
      agreementId: 'A',
      initialTransactionId: 'N1',
    });
    const [plain] = rowsOf(recorded(answer), 'registrations') as never as [{ readonly echo: string }];
    expect(plain.echo).toBe('{}');
  });
});

describe('gift cards of an order', () => {
  it('are kept or given back with its outcome', () => {
    const cart = [{ paymentId: 'g', state: 'open' }] as never;
    const states = [APPROVED, DECLINED].map((answer) =>
      rowsOf(record(intentOf(), answer, { cart }).changes, 'cartPayments'),
    );
    expect(states).toMatchObject([[{ state: 'kept' }], [{ state: 'reversing', dueAtMs: NOW_MS }]]);
    expect(rowsOf(record(intentOf(), APPROVED).changes, 'cartPayments')).toEqual([]);
  });
});

describe('decisions', () => {
  it('before the issuer answered and since are in the timeline', () => {
    const before = { step: 'risk', by: 'gateway', rule: 'a', atMs: 5 } as const;
    const intent = intentOf({}, { decisions: [before] });
    const rows = rowsOf(record(intent, { ...DECLINED, riskFound: ['b'] }).changes, 'decisions');
    expect(rows).toMatchObject([
      { position: 0, rule: 'a', code: null, atMs: 5 },
      { position: 1, step: 'risk', by: 'gateway', rule: 'b', code: '800.100.152', atMs: NOW_MS },
    ]);
    expect(rowsOf(record(intentOf(), APPROVED).changes, 'decisions')).toEqual([]);
  });
});

describe('the outcome of a message', () => {
  it('is stored for it, and answered without the payment', () => {
    const place = placeOf(message('m1'));
    const { changes, result } = record(
      intentOf({ origin: message('m1') }, { ...(place && { place }) }),
      APPROVED,
    );
    expect(rowsOf(changes, 'inbox')).toMatchObject([{ messageId: 'm1', createdAtMs: NOW_MS }]);
    expect(result).not.toHaveProperty('payment');
  });
});

describe('the outcome of a wait', () => {
  it('ends it', () => {
    const wait = { paymentId: ID, untilMs: 1, redirect: '{}' } as never;
    expect(rowsOf(record(intentOf(), APPROVED, { wait }).changes, 'waits')).toMatchObject([
      { untilMs: null, redirect: null, endedAtMs: NOW_MS },
    ]);
    expect(rowsOf(record(intentOf(), APPROVED).changes, 'waits')).toEqual([]);
  });
});

describe('the outcome of a follow-up', () => {
  const root = {
    ...paymentOf(record(intentOf({ type: 'PA' }), APPROVED).changes),
    id: 'root',
    lockedBy: 'i1',
  };
  const capture = (final = false) =>
    intentOf(
      { type: 'DB' },
      {
        draft: {
          ...draftPayment(restPayment(), made, NO_CARD, null),
          type: 'CP',
          amountMinor: 1_000,
          rootId: 'root',
        } as PaymentRow,
        followUp: { type: 'CP', targetId: 'root', amountMinor: 1_000, final, originalReference: 'o1' },
      },
    );
  const changed = (answer: IntentOutcome, more: Partial<Outcome> = {}, final = false) =>
    record(capture(final), answer, { root, target: root, ...more }).changes;

  it('changes its root, which is free again', () => {
    const [own, changedRoot, ...more] = rowsOf(changed(APPROVED), 'payments');
    expect(own).toMatchObject({ id: ID, state: 'completed', capturedMinor: 1_000, capturesClosed: 0 });
    expect(changedRoot).toMatchObject({
      id: 'root',
      state: 'captured',
      capturedMinor: 1_000,
      lockedBy: null,
    });
    expect(more).toEqual([]);
    expect(rowsOf(changed(APPROVED, {}, true), 'payments')[0]).toMatchObject({ capturesClosed: 1 });
  });

  it('closes no captures, where it is none', () => {
    const receipt = intentOf(
      {},
      {
        draft: { ...draftPayment(restPayment(), made, NO_CARD, null), type: 'RC' } as PaymentRow,
        followUp: { type: 'RC', targetId: 'root', amountMinor: 100, final: true, originalReference: 'o1' },
      },
    );
    const { changes } = record(receipt, APPROVED, { root, target: root });
    expect(paymentOf(changes)).toMatchObject({ state: 'completed', capturesClosed: 0 });
  });

  it('that was declined changes nothing of it', () => {
    expect(rowsOf(changed(DECLINED), 'payments')[1]).toEqual({ ...root, lockedBy: null });
  });

  it('needs its root and what it names', () => {
    for (const gone of ['root', 'target'])
      expect(() => changed(APPROVED, { [gone]: undefined })).toThrow(
        'intent i1: the payment it follows is gone',
      );
  });

  it('that takes all back frees the reference of the sale', () => {
    const claim = { agentId: 'a', reference: 'R-1', paymentId: 'root', released: 0, version: 1 } as const;
    const reversal = (amountMinor: number) =>
      intentOf(
        {},
        {
          draft: {
            ...draftPayment(restPayment(), made, NO_CARD, null),
            type: 'RV',
            amountMinor,
          } as PaymentRow,
          followUp: { targetId: 'root', amountMinor, final: false, originalReference: 'o1' },
        },
      );
    const { changes, result } = record(reversal(1_234), APPROVED, { root, target: root, claim });
    expect(rowsOf(changes, 'claims')).toEqual([{ ...claim, released: 1 }]);
    expect(rowsOf(changes, 'payments')[1]).toMatchObject({ state: 'reversed', reversedMinor: 1_234 });
    expect(rowsOf(changes, 'payments')[0]).toMatchObject({ state: 'completed', capturedMinor: 0 });
    expect(result.disposition).toBe('reversed');
    expect(rowsOf(changed(APPROVED, { claim }), 'claims')).toEqual([]);
  });

  it('changes both, where it names a part of its root', () => {
    const target = { ...root, id: 'part', type: 'CP', state: 'completed', capturedMinor: 500 } as PaymentRow;
    const captured = { ...root, state: 'captured', capturedMinor: 500 } as PaymentRow;
    const refund = intentOf(
      {},
      {
        draft: {
          ...draftPayment(restPayment(), made, NO_CARD, null),
          type: 'RF',
          amountMinor: 300,
        } as PaymentRow,
        followUp: { type: 'RF', targetId: 'part', amountMinor: 300, final: false, originalReference: 'o1' },
      },
    );
    const rows = rowsOf(record(refund, APPROVED, { root: captured, target }).changes, 'payments');
    expect(rows.slice(1)).toMatchObject([
      { id: 'root', refundedMinor: 300 },
      { id: 'part', refundedMinor: 300 },
    ]);
  });
});

describe('an agreement', () => {
  const agreement = {
    merchantId: 'e',
    card: 'c',
    numberType: null,
    type: 'RECURRING',
    expiry: null,
    standing: {},
  } as never;
  const changes = (answer: IntentOutcome) => record(intentOf({}, { agreement }), answer).changes;

  it('is made by an approval that the network has numbered', () => {
    const made = changes({ ...APPROVED, networkTransactionId: 'N1' });
    expect(made.filter(({ op }) => op === 'claim-agreement')).toMatchObject([
      { row: { reference: 'N1', paymentId: ID, createdAtMs: NOW_MS } },
    ]);
    expect(verificationResultsOf(paymentOf(made)).initialTransactionId).toBe('N1');
  });

  it.each([
    ['a decline', { ...DECLINED, networkTransactionId: 'N1' }],
    ['an approval without a number', APPROVED],
  ])('is made by no %s', (_what, answer) => {
    expect(changes(answer).filter(({ op }) => op === 'claim-agreement')).toEqual([]);
    expect(verificationResultsOf(paymentOf(changes(answer)))).not.toHaveProperty('initialTransactionId');
  });
});
