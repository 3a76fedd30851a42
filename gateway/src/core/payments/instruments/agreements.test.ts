import { describe, expect, it } from 'vitest';
import {
  agreementBreach,
  agreementChanges,
  agreementRow,
  type NewAgreement,
  referencesOf,
} from './agreements.js';

const AGREEMENT: NewAgreement = {
  merchantId: 'e',
  card: 'c',
  numberType: 'PAN',
  type: 'RECURRING',
  expiry: '2027-01-01',
  standing: {},
} as NewAgreement;
const BY = { paymentId: 'p', nowMs: 5 };

describe('a repeated payment', () => {
  type Repetition = Parameters<typeof agreementBreach>[0];
  const breach = (more: Partial<Repetition> = {}, stored: Partial<NewAgreement> = {}) =>
    agreementBreach(
      {
        standing: { type: 'RECURRING' },
        card: 'c',
        numberType: 'PAN',
        today: '2026-11-20',
        ...more,
      } as Repetition,
      { ...AGREEMENT, ...stored } as NewAgreement,
    );

  it('fits its agreement', () => {
    expect(breach()).toBeUndefined();
    expect(breach({ standing: {} })).toBeUndefined();
    expect(breach({}, { type: null, expiry: null })).toBeUndefined();
    expect(breach({ today: '2027-01-01' })).toBeUndefined();
  });

  it('of an agreement that is not ours is for the network to judge', () => {
    expect(
      agreementBreach({ standing: {}, card: 'x', numberType: null, today: 't' } as never, undefined),
    ).toBeUndefined();
  });

  it('is of the card of the first one', () => {
    expect(breach({ card: 'other' })).toEqual({
      resultCode: '100.150.300',
      detail: 'standingInstruction.initialTransactionId: must be that of a payment with this card',
    });
    // A network token of the same card has another number.
    expect(breach({ card: 'other', numberType: 'DPAN' } as never)).toBeUndefined();
  });

  it('is of the type of the first one, and before its end', () => {
    expect(breach({ standing: { type: 'INSTALLMENT' } } as never)).toEqual({
      resultCode: '600.200.501',
      detail: 'standingInstruction.type: must be RECURRING, as at first',
    });
    expect(breach({ today: '2027-01-02' })).toEqual({
      resultCode: '600.200.501',
      detail: 'standingInstruction.expiry: must not be over: the agreement has ended',
    });
  });
});

describe('the references of an agreement', () => {
  it('are the number of the network, and the id that it takes as well', () => {
    expect(referencesOf(AGREEMENT, 'VISA', 'N1')).toStrictEqual({ initialTransactionId: 'N1' });
    expect(referencesOf(AGREEMENT, 'MASTER', 'N1')).toEqual({
      initialTransactionId: 'N1',
      agreementId: 'N1',
    });
    const own = { ...AGREEMENT, standing: { agreementId: 'A' } } as NewAgreement;
    expect(referencesOf(own, 'VISA', 'N1')).toEqual({ initialTransactionId: 'N1', agreementId: 'A' });
  });

  it('have a row each', () => {
    const row = (reference: string) => agreementRow(AGREEMENT, reference, 'made', BY);
    const change = (reference: string) => ({
      op: 'claim-agreement',
      row: row(reference),
      otherwise: 'leave',
    });
    expect(agreementChanges(AGREEMENT, { initialTransactionId: 'N1' }, BY)).toEqual([change('N1')]);
    expect(agreementChanges(AGREEMENT, { initialTransactionId: 'N1', agreementId: 'A' }, BY)).toEqual([
      change('N1'),
      change('A'),
    ]);
    expect(row('N1')).toEqual({
      merchantId: 'e',
      reference: 'N1',
      state: 'made',
      card: 'c',
      numberType: 'PAN',
      type: 'RECURRING',
      expiry: '2027-01-01',
      paymentId: 'p',
      createdAtMs: 5,
      version: 1,
    });
  });
});
