import { toHex } from '@tillbridge/wire/bytes.js';
import { describe, expect, it } from 'vitest';
import { decisionOf, standInDecision } from './exchange-answer.js';
import type { StoredMessage } from './exchange-record.js';

const ANSWER: StoredMessage = {
  kind: 'financial',
  isAdvice: false,
  isResponse: true,
  isRepeat: false,
  stan: '000001',
  at: '20261123072200',
  responseCode: '00',
};
const decided = (values: Partial<StoredMessage> & { readonly iccData?: string }) =>
  decisionOf({ ...ANSWER, ...values }, '000.100.112');

it.each([
  ['00', true, '000.100.112'],
  ['08', true, '000.100.112'],
  ['11', true, '000.100.112'],
  ['16', true, '000.100.112'],
  ['10', true, '000.400.040'],
  ['51', false, '800.100.203'],
  ['XY', false, '800.100.100'],
])('takes response code %s', (responseCode, approved, resultCode) => {
  expect(decided({ responseCode, amount: { minor: 1, currency: 'EUR' } })).toMatchObject({
    approved,
    resultCode,
    responseCode,
    ...(responseCode === '10' && { approvedMinor: 1 }),
  });
});

describe('data for the card', () => {
  it('are only those of its issuer, without what the host gives back', () => {
    const { iccDataResponse } = decided({
      iccData: '5A0842000000000000005712420000000000000091084141414141414141',
    });
    expect(iccDataResponse).toBeUndefined();
    const echoed = decided({ iccData: '5A084200000000000000910A1122334455667788303072049F180100' });
    expect(toHex(echoed.iccDataResponse ?? Buffer.of())).toBe('910A1122334455667788303072049F180100');
  });

  it.each(['FFFF', '9108', 'no'])('are none where the host sends %s', (iccData) => {
    expect(decided({ iccData })).toMatchObject({ approved: true });
    expect(decided({ iccData }).iccDataResponse).toBeUndefined();
  });
});

describe('what an answer has in addition', () => {
  it('has the names of its amounts and of the dialect; the first amount of a type counts', () => {
    const amount = (minor: number, currency = 'EUR') => ({ minor, currency });
    const { details } = decided({
      resultTexts: { HostMessage: 'APPROVED' },
      additionalAmounts: [
        { account: '30', type: '02', amount: amount(-1_250) },
        { account: '00', type: '02', amount: amount(1) },
        { account: '00', type: '40', amount: amount(500, 'JPY') },
        { account: '00', type: '99', amount: amount(7) },
      ],
    });
    expect(details).toEqual({
      HostMessage: 'APPROVED',
      AvailableBalance: '-12.50 EUR',
      CashBackAmount: '500 JPY',
    });
  });

  it('is nothing where there is none', () => {
    expect(decided({}).details).toBeUndefined();
  });
});

it('names a part alone by its amount, and none of a whole approval', () => {
  const amount = { minor: 5, currency: 'EUR' };
  expect(decided({ responseCode: '10', amount }).approvedMinor).toBe(5);
  expect(decided({ responseCode: '10' })).not.toHaveProperty('approvedMinor');
  expect(decided({ responseCode: '00', amount })).not.toHaveProperty('approvedMinor');
});

it('approves by itself at the merchant’s risk', () => {
  expect(standInDecision('123456')).toEqual({
    approved: true,
    isStandIn: true,
    resultCode: '000.400.060',
    responseCode: '00',
    approvalCode: '123456',
  });
});
