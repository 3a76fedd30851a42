import { beforeEach, describe, expect, it } from 'vitest';
import type { IntentRow, WaitRow } from '../../../kernel/store/rows.js';
import { NOW_MS, restPayment } from '../payment-harness.test.support.js';
import { draftPayment, NO_CARD } from './drafts.js';
import { detailOf, openIntent } from './intent-detail.js';
import { verificationColumn, verificationResultsOf } from './verification-results.js';
import {
  endWait,
  goOn,
  NOTHING_SEALED,
  newWait,
  referenceOf,
  waitingRows,
  withDetail,
} from './wait-changes.js';
import { WAITS } from './waits.js';

const made = { id: '1'.repeat(32), acquirer: 'INTERNAL', acquirerReference: 'i1', nowMs: NOW_MS };
const SEALED = { sealed: Uint8Array.of(1), keyId: 'k' } as unknown as Pick<WaitRow, 'sealed' | 'keyId'>;
let intent: IntentRow;
let wait: WaitRow;
beforeEach(() => {
  const draft = {
    ...draftPayment(restPayment(), made, NO_CARD, null),
    ...verificationColumn({ avsResponse: 'N' }),
  };
  const detail = { draft, recovery: 'fence', fenceReference: 'f1' } as const;
  intent = openIntent('i1', 'authorization', null, detail, 'n1');
  wait = newWait(intent, { shopperResultUrl: 'https://shop.example/', checkoutId: 'c' }, NOW_MS);
});

it('begins without a wait', () => {
  expect(wait).toEqual({
    paymentId: intent.paymentId,
    entityId: intent.entityId,
    intentId: 'i1',
    kind: 'redirect',
    shopperResultUrl: 'https://shop.example/',
    checkoutId: 'c',
    redirect: null,
    sealed: null,
    keyId: null,
    untilMs: null,
    dueAtMs: null,
    leasedBy: null,
    claims: 0,
    endedAtMs: null,
    createdAtMs: NOW_MS,
    version: 1,
  });
  expect(newWait(intent, {}, NOW_MS)).toMatchObject({ shopperResultUrl: null, checkoutId: null });
});

describe('a payment that waits', () => {
  const redirect = { url: 'https://bank.example/' } as never;
  const begin = (waiting: object, shown?: never) =>
    waitingRows({ intent, wait, waiting: waiting as never, shown, sealed: SEALED, nowMs: NOW_MS });

  it('is looked at when its time is over', () => {
    const { wait: begun, intent: waiting } = begin({ kind: 'receipt' });
    const untilMs = NOW_MS + WAITS.receipt.lifetimeMs;
    expect(begun).toEqual({ ...wait, kind: 'receipt', ...SEALED, untilMs, dueAtMs: untilMs });
    expect(waiting).toMatchObject({ state: 'waiting', owner: null });
    const { draft, mayWait, fenceReference } = detailOf({ ...waiting });
    expect([mayWait, fenceReference]).toEqual([true, 'f1']);
    expect(draft.resultCode).toBe(WAITS.receipt.pendingCode);
    expect(draft.description).not.toBe('');
    expect(verificationResultsOf(draft)).toEqual({ avsResponse: 'N' });
  });

  it('keeps where its shopper goes, and the account that is paid to', () => {
    const payee = { reference: 'T1' };
    const { wait: begun, intent: waiting } = begin(
      { kind: 'redirect', redirect, payee, untilMs: 5 },
      redirect,
    );
    expect(begun).toMatchObject({ redirect: JSON.stringify(redirect), untilMs: 5, dueAtMs: 5 });
    expect(verificationResultsOf(detailOf({ ...waiting }).draft)).toEqual({
      avsResponse: 'N',
      redirect,
      payee,
    });
  });

  it('keeps nothing sealed when it goes on, and where its shopper goes alone when it ends', () => {
    const { wait: begun } = begin({ kind: 'redirect', redirect });
    const over = { ...NOTHING_SEALED, untilMs: null, dueAtMs: null, leasedBy: null, claims: 0 };
    const leased = { ...begun, leasedBy: 'n', claims: 3 };
    expect(goOn(leased)).toEqual({ op: 'update', table: 'waits', row: { ...begun, ...over } });
    expect(endWait(leased, 9)).toEqual({
      op: 'update',
      table: 'waits',
      row: { ...begun, ...over, redirect: null, endedAtMs: 9 },
    });
  });
});

it('finds a transfer by its reference, where there is one', () => {
  expect(referenceOf({ kind: 'receipt', payee: { reference: 'T1' } } as never, intent, 9)).toEqual([
    {
      op: 'insert',
      table: 'transferReferences',
      row: {
        reference: 'T1',
        entityId: intent.entityId,
        paymentId: intent.paymentId,
        createdAtMs: 9,
        version: 1,
      },
    },
  ]);
  expect(referenceOf({ kind: 'receipt' }, intent, 9)).toEqual([]);
  expect(referenceOf({ kind: 'receipt', payee: {} } as never, intent, 9)).toEqual([]);
});

it('takes another detail', () => {
  const detail = { ...detailOf(intent), fenceReference: 'f2' };
  expect(withDetail(intent, detail)).toEqual({ ...intent, detail: JSON.stringify(detail) });
});
