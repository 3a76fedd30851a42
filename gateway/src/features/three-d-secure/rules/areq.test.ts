import { encodeMessage } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import { expect, it } from 'vitest';
import { type AReqFacts, areqOf } from './areq.js';
import type { Plan } from './plan.js';

const PLAN: Plan = {
  transId: '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d',
  version: '2.2.0',
  channel: '02',
  category: '01',
};
const BROWSER = {
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '1080',
  'customer.browser.screenWidth': '1920',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'test',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '30',
};

function areq(
  plan: Partial<Plan>,
  sent: AReqFacts['sent'],
  more: Partial<AReqFacts> = {},
  compInd: 'Y' | 'U' = 'U',
) {
  const message = areqOf(
    { ...PLAN, ...plan },
    {
      card: { pan: '4200000000000091', expiryMonth: '12', expiryYear: '2031', holder: 'Jane Jones' },
      amount: { minor: 1234, currency: 'EUR' },
      sent,
      entity: { id: 'a'.repeat(32), name: 'A shop' },
      resultsUrl: 'http://127.0.0.1:1/results',
      notificationUrl: 'http://127.0.0.1:1/back',
      nowMs: Date.UTC(2026, 10, 23, 1, 2, 3),
      ...more,
    },
    compInd,
  );
  // What is sent is checked as a receiver would.
  encodeMessage('AReq', message);
  return message;
}

it('describes the purchase of a browser', () => {
  expect(areq({}, { ...BROWSER, shopperResultUrl: 'https://shop.example/done' }, {}, 'Y')).toMatchObject({
    deviceChannel: '02',
    messageCategory: '01',
    threeDSCompInd: 'Y',
    threeDSRequestorURL: 'https://shop.example/done',
    threeDSRequestorAuthenticationInd: '01',
    acctNumber: '4200000000000091',
    cardExpiryDate: '3112',
    cardholderName: 'Jane Jones',
    purchaseAmount: '1234',
    purchaseCurrency: '978',
    purchaseExponent: '2',
    purchaseDate: '20261123010203',
    merchantName: 'A shop',
    browserJavascriptEnabled: true,
    browserJavaEnabled: false,
    browserTZ: '-60',
    notificationURL: 'http://127.0.0.1:1/back',
  });
  // Older clients say whether scripts run.
  const without = { ...BROWSER, 'customer.browser.javascriptEnabled': 'false' };
  expect(areq({}, without).browserJavascriptEnabled).toBe(false);
  // 30 bits are no value of the specification.
  expect(areq({}, BROWSER)).not.toHaveProperty('browserColorDepth');
});

it('takes the exponent of the currency', () => {
  expect(areq({}, BROWSER, { amount: { minor: 500, currency: 'JPY' } })).toMatchObject({
    purchaseAmount: '500',
    purchaseExponent: '0',
  });
});

it('names requestor, merchant, address and instalments as the request does', () => {
  const sent = {
    ...BROWSER,
    paymentBrand: 'VISA',
    'threeDSecure.v2.VISA.requestorId': 'REQ-1',
    'threeDSecure.v2.VISA.requestorName': 'Requestor',
    'threeDSecure.v2.MASTER.requestorName': 'Other',
    'threeDSecure.merchant.name': 'Own name',
    'threeDSecure.merchant.country': 'FRA',
    'merchant.mcc': '5411',
    'billing.street1': 'High Street',
    'billing.houseNumber1': '5',
    'billing.city': 'Bern',
    'billing.country': 'CH',
    'billing.state': 'BE',
    'standingInstruction.type': 'INSTALLMENT',
    'standingInstruction.numberOfInstallments': '6',
    'standingInstruction.expiry': '2030-01-31',
  };
  expect(areq({ challengeInd: '05' }, sent)).toMatchObject({
    threeDSRequestorID: 'REQ-1',
    threeDSRequestorName: 'Requestor',
    threeDSRequestorChallengeInd: '05',
    threeDSRequestorAuthenticationInd: '03',
    merchantName: 'Own name',
    merchantCountryCode: '250',
    mcc: '5411',
    billAddrLine1: 'High Street 5',
    billAddrCity: 'Bern',
    billAddrCountry: '756',
    billAddrState: 'BE',
    purchaseInstalData: '6',
    recurringExpiry: '20300131',
  });
});

it('sends no browser where only the merchant is present, and no purchase without a payment', () => {
  const alone = areq({ channel: '03' }, { 'threeDSecure.threeRIInd': 'RECURRING' });
  expect(alone).toMatchObject({ deviceChannel: '03', threeRIInd: '01' });
  expect(Object.keys(alone).filter((name) => /^browser|notification|CompInd/.test(name))).toEqual([]);
  const free = areq({ category: '02' }, BROWSER);
  expect(free.threeDSRequestorAuthenticationInd).toBe('04');
  expect(free).not.toHaveProperty('purchaseAmount');
});

it('requests decoupled authentication, and carries data of the domestic French scheme', () => {
  const sent = {
    ...BROWSER,
    'threeDSecure.schemeData[CB-USECASE]': '01',
    'threeDSecure.schemeData[CB-ITEMSNB]': '03',
  };
  expect(areq({ decoupled: true }, sent)).toMatchObject({
    threeDSRequestorDecReqInd: 'Y',
    threeDSRequestorDecMaxTime: '00010',
    messageExtension: [{ criticalityIndicator: false, data: { 'CB-USECASE': '01', 'CB-ITEMSNB': '03' } }],
  });
});

it('passes on what the SDK of an app sends', () => {
  const sdk = {
    sdkAppID: PLAN.transId,
    sdkEncData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
    sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'a'.repeat(43), y: 'b'.repeat(43) },
    sdkReferenceNumber: 'SDK',
    sdkTransID: PLAN.transId,
  };
  const message = areq({ channel: '01' }, { 'threeDSecure.deviceInfo': JSON.stringify(sdk) });
  expect(message).toMatchObject({ deviceChannel: '01', ...sdk, sdkMaxTimeout: '05' });
  expect(message).not.toHaveProperty('notificationURL');
});
