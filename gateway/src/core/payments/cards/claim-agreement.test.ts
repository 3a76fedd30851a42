import { beforeEach, describe, expect, it } from 'vitest';
import type { AgreementRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { NewAgreement } from '../instruments/agreements.js';
import { claimAgreement, holdAgreement } from './claim-agreement.js';

const AGREEMENT = {
  merchantId: 'e',
  card: 'c',
  numberType: null,
  type: null,
  expiry: null,
  standing: { agreementId: 'A' },
} as NewAgreement;
const BY = { paymentId: 'p', nowMs: 5 };

let agreement: Partial<AgreementRow> | undefined;
let payment: Partial<PaymentRow> | undefined;
beforeEach(() => {
  agreement = undefined;
  payment = undefined;
});
/** Reads what the test has set, under the right keys alone. */
const store = {
  get: async (table: string, key: readonly unknown[]) => {
    if (table === 'agreements') return key.join() === 'e,A' ? agreement : undefined;
    return key.join() === 'before' ? payment : undefined;
  },
} as never;
const claim = () => claimAgreement(store, AGREEMENT, ['A', 'held'], BY);
const other = { card: 'other', numberType: null, paymentId: 'before' } as const;

describe('a reference of an agreement', () => {
  it('is claimed where no card, or the same one, has it', async () => {
    const free = {
      op: 'claim-agreement',
      otherwise: 'conflict',
      row: { reference: 'A', state: 'held', card: 'c' },
    };
    expect(await claim()).toMatchObject(free);
    agreement = { ...other, card: 'c', state: 'made' };
    expect(await claim()).toMatchObject(free);
    expect(await claim()).not.toHaveProperty('instead');
  });

  it('is not claimed where another card has it', async () => {
    agreement = { ...other, state: 'made' };
    payment = { state: 'declined' };
    expect(await claim()).toBeUndefined();
  });

  it('is claimed in place of a payment of another card that was declined', async () => {
    agreement = { ...other, state: 'held' };
    for (const state of ['captured', 'pending'] as const) {
      payment = { state };
      expect(await claim()).toBeUndefined();
    }
    payment = undefined;
    expect(await claim()).toBeUndefined();
    payment = { state: 'declined' };
    expect(await claim()).toMatchObject({ instead: 'before' });
  });
});

describe('a first payment', () => {
  it('holds the id of its agreement', async () => {
    expect(await holdAgreement(store, AGREEMENT, BY)).toMatchObject({
      changes: [{ op: 'claim-agreement', row: { state: 'held', reference: 'A' } }],
    });
  });

  it('is refused where another card has it', async () => {
    agreement = { ...other, state: 'made' };
    const { changes, refusal } = await holdAgreement(store, AGREEMENT, BY);
    expect([changes, refusal?.resultCode]).toEqual([[], '600.200.501']);
  });

  it('holds nothing without one', async () => {
    expect(await holdAgreement(store, undefined, BY)).toEqual({ changes: [] });
    expect(await holdAgreement(store, { ...AGREEMENT, standing: {} }, BY)).toEqual({ changes: [] });
  });
});
