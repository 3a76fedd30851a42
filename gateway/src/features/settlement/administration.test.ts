import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_KEY } from '../../app/http/http-harness.test.support.js';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
} from '../../core/payments/payment-harness.test.support.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { createToken } from '../access-tokens/service.js';
import { accountOf, createOrganisation, readFees, setAccount } from './administration.js';
import { STANDARD_FEES } from './rules/fees.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

const parts = () => ({ store: harness.store, clock: harness.clock, random, actor: 'operator' });

describe('the account of a merchant', () => {
  it('stands under the PSP of the gateway, else under the PSP or division that it is put under', async () => {
    const standard = await accountOf(parts(), ENTITY);
    expect(standard).toMatchObject({ currency: null, fees: STANDARD_FEES });
    expect((await accountOf(parts(), ENTITY)).pspId).toBe(standard.pspId);
    const psp = await createOrganisation(parts(), { name: 'PSP' });
    const division = await createOrganisation(parts(), { name: 'North', pspId: psp.id });
    await setAccount(parts(), ENTITY, { aboveId: psp.id });
    expect(await accountOf(parts(), ENTITY)).toMatchObject({ pspId: psp.id });
    await setAccount(parts(), ENTITY, {
      aboveId: division.id,
      currency: 'EUR',
      clearingMerchantId: '4711-0815',
    });
    expect(await accountOf(parts(), ENTITY)).toMatchObject({
      pspId: psp.id,
      divisionId: division.id,
      currency: 'EUR',
      clearingMerchantId: '4711-0815',
    });
    const audited = await allRows(harness.store, 'audit');
    expect(audited.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      ['operator', 'settlement account', ENTITY],
      ['operator', 'settlement account', ENTITY],
    ]);
  });

  it.each([
    [{ clearingMerchantId: '1234' }, '5 to 64'],
    [{ clearingMerchantId: 'x'.repeat(65) }, '5 to 64'],
    [{ currency: 'euro' }, 'no currency'],
    [{ aboveId: ENTITY }, 'no PSP or division'],
  ])('refuses %j', async (change, why) => {
    await expect(setAccount(parts(), ENTITY, change)).rejects.toThrow(why);
  });

  it('is only of merchants; a PSP gets no tokens', async () => {
    const psp = await createOrganisation(parts(), { name: 'PSP' });
    await expect(accountOf(parts(), psp.id)).rejects.toThrow('is no merchant');
    await expect(createOrganisation(parts(), { name: 'North', pspId: ENTITY })).rejects.toThrow(
      'there is no PSP',
    );
    const actor = { name: 'operator', maySeeTokens: true };
    const about = { entityId: psp.id, label: 'psp', rights: ['pay'] as const };
    await expect(createToken({ ...parts(), tokenKey: TOKEN_KEY, actor }, about)).rejects.toThrow('is a psp');
  });
});

describe('fees', () => {
  it('left out are as they are for everybody', () => {
    expect(readFees('{"fixedMinor": 0, "perOperation": {"AUTH_FEE": 7}}')).toEqual({
      ...STANDARD_FEES,
      fixedMinor: 0,
      perOperation: { ...STANDARD_FEES.perOperation, AUTH_FEE: 7 },
    });
  });

  it.each([
    [{ basisPoints: 10_001 }, 'basisPoints must be a whole number from 0 to 10000, not 10001'],
    [{ fixedMinor: -1 }, 'fixedMinor must be a whole number'],
    [{ fixedMinor: 0.5 }, 'fixedMinor must be a whole number'],
    [{ perOperation: { CANCEL: 1 } }, 'perOperation.CANCEL is no known field; expected AUTH_FEE'],
    [{ fixed: 1 }, 'fixed is no known field'],
    [[], 'the schedule of fees must be an object'],
  ])('%j are refused', (value, why) => expect(() => readFees(JSON.stringify(value))).toThrow(why));
});
