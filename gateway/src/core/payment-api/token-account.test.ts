import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';

let harness: HttpHarness;
beforeEach(async () => {
  harness = await openHttpHarness();
});
afterEach(() => harness.dispose());

const CRYPTOGRAM = 'AgAAAAAAMnJ2E4sAAAAAAAAAAAA=';
const NETWORK = {
  amount: '10.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'VISA',
  'tokenAccount.number': '4895370000000015',
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '12',
  'tokenAccount.expiryYear': '2031',
};
const EXTERNAL = {
  ...NETWORK,
  'tokenAccount.number': '9000000000000019',
  'tokenAccount.type': 'EXTERNAL',
};

const codeOf = async (form: Readonly<Record<string, string>>) =>
  (await harness.post('/v1/payments', form)).body.result.code;

describe('a token account', () => {
  it('pays with a network token and its cryptogram, and with a token of another provider', async () => {
    const { body } = await harness.post('/v1/payments', {
      ...NETWORK,
      'tokenAccount.cryptogram': CRYPTOGRAM,
    });
    expect(body).toMatchObject({
      paymentBrand: 'VISA',
      card: { last4Digits: '0015', expiryMonth: '12', expiryYear: '2031', numberType: 'DPAN' },
      tokenAccount: { type: 'NETWORK' },
      result: { code: '000.100.110' },
    });
    expect(JSON.stringify(body)).not.toMatch(/4895370000000015|AgAAAAAAMnJ2/);
    expect(await codeOf(EXTERNAL)).toBe('000.100.110');
  });

  it.each([
    ['no proof', {}, '800.100.318'],
    ['a code', { 'tokenAccount.dtvc': '123' }, '000.100.110'],
    ['a wrong code', { 'tokenAccount.dtvc': '000' }, '800.100.308'],
    ['an expiry that is over', { 'tokenAccount.expiryYear': '2020' }, '800.100.330'],
    ['a token that is suspended', { 'tokenAccount.number': '4895370000000023' }, '800.100.317'],
    ['a token that has expired', { 'tokenAccount.number': '4895370000000031' }, '800.100.330'],
    [
      'a cryptogram that is not the token’s',
      { 'tokenAccount.number': '4895370000000049', 'tokenAccount.cryptogram': CRYPTOGRAM },
      '800.100.308',
    ],
    ['a wrong check digit', { 'tokenAccount.number': '4895370000000016' }, '800.100.326'],
  ])('with %s', async (_, more, code) => {
    expect(await codeOf({ ...NETWORK, ...more })).toBe(code);
  });

  it('knows tokens of another provider by their type', async () => {
    expect(await codeOf({ ...EXTERNAL, 'tokenAccount.number': '9000000000000027' })).toBe('800.100.326');
  });

  it('is captured, reversed and refunded, and keeps no card that could be used again', async () => {
    const { body } = await harness.post('/v1/payments', { ...EXTERNAL, paymentType: 'PA' });
    const follow = async (form: Readonly<Record<string, string>>) =>
      (await harness.post(`/v1/payments/${body.id}`, { amount: '4.00', currency: 'EUR', ...form })).body
        .result.code;
    expect(await follow({ paymentType: 'CP' })).toBe('000.100.110');
    expect(await follow({ paymentType: 'RF' })).toBe('000.100.110');
    const practice = { 'standingInstruction.industryPractice': 'REAUTHORIZATION' };
    expect(await follow({ paymentType: 'PA', ...practice })).toBe('700.300.100');
    expect(await follow({ paymentType: 'RV', amount: '6.00' })).toBe('000.100.110');
  });

  it('names its brand', async () => {
    const { body } = await harness.post('/v1/payments', { ...EXTERNAL, paymentBrand: '' });
    expect(body.result.parameterErrors.map(({ name }) => name)).toEqual(['paymentBrand']);
  });
});
