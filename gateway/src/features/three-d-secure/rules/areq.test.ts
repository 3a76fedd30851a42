import { encodeMessage } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import { testFlowOf } from '@tillbridge/wire/three-d-secure/test-flow.js';
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
  const sent = { 'threeDSecure.deviceInfo': JSON.stringify(sdk) };
  const message = areq({ channel: '01' }, sent);
  expect(message).toMatchObject({ deviceChannel: '01', ...sdk, sdkMaxTimeout: '05' });
  expect(message).not.toHaveProperty('notificationURL');
  // Native and HTML challenges, of each kind: the SDK chooses.
  expect(message.deviceRenderOptions).toEqual({
    ...{ sdkInterface: '03', sdkUiType: ['01', '02', '03', '04', '05'] },
  });
  // The requestor alone has no device, whatever its request has.
  const alone = areq({ channel: '03' }, { ...sent, 'threeDSecure.threeRIInd': 'RECURRING' });
  expect(Object.keys(alone).filter((name) => /^(sdk|deviceRender)/.test(name))).toEqual([]);
});

it.each(['frictionless', 'challenge'] as const)('requests the course %s of a test', (flow) => {
  expect(testFlowOf(areq({}, BROWSER, { testFlow: flow }))).toBe(flow);
  expect(testFlowOf(areq({}, BROWSER))).toBeUndefined();
});

it('has no data of the French scheme from other parameters', () => {
  const sent = {
    ...BROWSER,
    'customer.threeDSecure.schemeData[CB-USECASE]': '01',
    'threeDSecure.schemeData[CB-USECASE].more': '01',
  };
  expect(areq({}, sent)).not.toHaveProperty('messageExtension');
});

it.each([
  ['PAYMENT', {}, {}, '01'],
  ['RECURRING', {}, {}, '02'],
  ['INSTALLMENT', {}, {}, '03'],
  ['ADD_CARD', {}, {}, '04'],
  ['MAINTAIN_CARD', {}, {}, '05'],
  ['EMV_ID', {}, {}, '06'],
  ['BILLING_AGREEMENT', {}, {}, '07'],
  // No code of its own before 2.2.0.
  ['BILLING_AGREEMENT', { version: '2.1.0' }, {}, '01'],
  ['RECURRING', { version: '2.1.0' }, {}, '02'],
  ['PAYMENT', { category: '02' }, {}, '01'],
  [undefined, {}, { 'standingInstruction.type': 'RECURRING' }, '02'],
  [undefined, {}, { 'standingInstruction.type': 'UNSCHEDULED' }, '01'],
  [undefined, { category: '02' }, { 'standingInstruction.type': 'RECURRING' }, '04'],
  [undefined, {}, {}, '01'],
] as const)('authenticates for %s of %j with %j as %s', (named, plan, sent, expected) => {
  const asked = named === undefined ? {} : { 'threeDSecure.authenticationInd': named };
  expect(areq(plan, { ...BROWSER, ...asked, ...sent })).toMatchObject({
    threeDSRequestorAuthenticationInd: expected,
  });
});

it.each([
  ['RECURRING', '01'],
  ['SPLIT_SHIPMENT', '06'],
  ['DELAYED_SHIPMENT', '06'],
  ['TOP_UP', '05'],
  [undefined, '05'],
])('a request of the requestor alone for %s is %s', (named, expected) => {
  const sent = named === undefined ? {} : { 'threeDSecure.threeRIInd': named };
  const message = areq({ channel: '03' }, sent);
  expect(message.threeRIInd).toBe(expected);
  expect(message).not.toHaveProperty('threeDSRequestorAuthenticationInd');
});

it.each([
  [
    { 'threeDSecure.merchant.url': 'https://a.example/', 'merchant.url': 'https://b.example/' },
    'https://a.example/',
  ],
  [{ 'merchant.url': 'https://b.example/', shopperResultUrl: 'https://c.example/' }, 'https://b.example/'],
  [{ shopperResultUrl: 'http://c.example/' }, 'http://c.example/'],
  [{ shopperResultUrl: 'com.shop.app:/done' }, 'https://merchant.invalid/'],
  // The scheme of an app that ends like one of the web.
  [{ shopperResultUrl: 'com.shop+https://done' }, 'https://merchant.invalid/'],
  [{ 'merchant.url': 'no address' }, 'https://merchant.invalid/'],
  [{}, 'https://merchant.invalid/'],
])('the shop of %j is at %s', (sent, expected) => {
  expect(areq({}, { ...BROWSER, ...sent }).threeDSRequestorURL).toBe(expected);
});

it.each([
  [{ 'threeDSecure.merchant.name': 'Own', 'merchant.name': 'Sent' }, 'Own'],
  [{ 'threeDSecure.merchant.name': '', 'merchant.name': 'Sent' }, 'Sent'],
  [{ 'merchant.name': 'n'.repeat(41) }, 'n'.repeat(40)],
  [{}, 'A shop'],
])('with %j the merchant is %s, and its requestor too', (sent, expected) => {
  expect(areq({}, { ...BROWSER, ...sent })).toMatchObject({
    ...{ merchantName: expected, threeDSRequestorName: expected },
    ...{ threeDSRequestorID: 'a'.repeat(32), acquirerMerchantID: 'a'.repeat(32), acquirerBIN: '400000' },
  });
});

it('has the merchant category, country and name of those that are none', () => {
  expect(
    areq({}, { ...BROWSER, 'merchant.mcc': '54' }, { entity: { id: 'b'.repeat(32), name: '' } }),
  ).toMatchObject({
    ...{ mcc: '5999', merchantCountryCode: '276', merchantName: 'Merchant' },
    threeDSRequestorID: 'b'.repeat(32),
  });
  for (const mcc of ['54111', '05411', 'x5411', '5411x'])
    expect(areq({}, { ...BROWSER, 'merchant.mcc': mcc }).mcc).toBe('5999');
  for (const name of ['merchant.country', 'merchant.countryCode'])
    expect(areq({}, { ...BROWSER, [name]: 'FRA' }).merchantCountryCode).toBe('250');
});

it.each([
  [
    { 'billing.street1': 'High Street', 'billing.street2': 'Back' },
    { billAddrLine1: 'High Street', billAddrLine2: 'Back' },
  ],
  // The number of the house is not the second line.
  [
    { 'billing.street1': 'High Street', 'billing.houseNumber1': '5', 'billing.street2': 'Back' },
    { billAddrLine1: 'High Street 5' },
  ],
  [{ 'billing.houseNumber1': '5' }, { billAddrLine1: '5' }],
  [{ 'billing.street1': 's'.repeat(60) }, { billAddrLine1: 's'.repeat(50) }],
  [
    { 'billing.street1': 's'.repeat(49), 'billing.houseNumber1': '55' },
    { billAddrLine1: `${'s'.repeat(49)} ` },
  ],
  [{ 'billing.postcode': '1'.repeat(17) }, { billAddrPostCode: '1'.repeat(16) }],
  [{ 'billing.city': 'c'.repeat(51) }, { billAddrCity: 'c'.repeat(50) }],
  // A state needs its country, and three characters.
  [{ 'billing.state': 'BE' }, {}],
  [{ 'billing.state': 'Bern', 'billing.country': 'CH' }, { billAddrCountry: '756' }],
  [
    { 'shipping.state': 'BER', 'shipping.country': 'CH', 'shipping.city': 'Bern' },
    { shipAddrState: 'BER', shipAddrCountry: '756', shipAddrCity: 'Bern' },
  ],
])('of the address %j sends %j', (sent, expected) => {
  const message = areq({}, { ...BROWSER, ...sent });
  const address = Object.entries(message).filter(([name]) => /^(bill|ship)Addr/.test(name));
  expect(Object.fromEntries(address)).toEqual(expected);
});

it.each([
  [undefined, undefined],
  ['J', undefined],
  ['Jo', 'Jo'],
  ['J'.repeat(46), 'J'.repeat(45)],
])('of the cardholder %s sends %s', (holder, expected) => {
  const card = { pan: '4200000000000091', expiryMonth: '12', expiryYear: '2031' };
  const message = areq({}, BROWSER, { card: { ...card, ...(holder !== undefined && { holder }) } });
  expect(message.cardholderName).toBe(expected);
});

it('sends what it knows of the browser, in the form of its version', () => {
  const sent = {
    ...BROWSER,
    ...{ 'customer.browser.javaEnabled': 'true', 'customer.browser.screenColorDepth': '24' },
    ...{ 'customer.ip': '203.0.113.9', 'customer.email': 'jane@example.com' },
  };
  expect(areq({}, sent)).toMatchObject({
    ...{ browserAcceptHeader: 'text/html', browserIP: '203.0.113.9', browserJavaEnabled: true },
    ...{ browserLanguage: 'de', browserColorDepth: '24', browserScreenHeight: '1080' },
    ...{ browserScreenWidth: '1920', browserUserAgent: 'test', email: 'jane@example.com' },
    threeDSCompInd: 'U',
  });
  expect(areq({ version: '2.1.0' }, sent)).not.toHaveProperty('browserJavascriptEnabled');
});

it('cuts the address of the browser', () => {
  const sent = { ...BROWSER, 'customer.ip': '1'.repeat(46) };
  expect(areq({}, sent).browserIP).toBe('1'.repeat(45));
});

it('cuts the number of the requestor', () => {
  const sent = { ...BROWSER, paymentBrand: 'VISA', 'threeDSecure.v2.VISA.requestorId': 'R'.repeat(36) };
  expect(areq({}, sent).threeDSRequestorID).toBe('R'.repeat(35));
});

it('asks for nothing that was not sent', () => {
  const message = areq({}, { ...BROWSER, 'standingInstruction.numberOfInstallments': '1' });
  for (const name of ['DecReqInd', 'DecMaxTime', 'ChallengeInd'])
    expect(message).not.toHaveProperty(`threeDSRequestor${name}`);
  for (const name of ['messageExtension', 'recurringExpiry', 'recurringFrequency', 'purchaseInstalData'])
    expect(message).not.toHaveProperty(name);
  const more = {
    ...BROWSER,
    'standingInstruction.frequency': '28',
    'standingInstruction.numberOfInstallments': '2',
  };
  expect(areq({}, more)).toMatchObject({ recurringFrequency: '28', purchaseInstalData: '2' });
});

it('passes on nothing of an app that sends no device data', () => {
  const keys = (message: object) => Object.keys(message).filter((name) => /^(sdk|deviceRender)/.test(name));
  const message = areqOf(
    { ...PLAN, channel: '01' },
    {
      card: { pan: '4200000000000091', expiryMonth: '12', expiryYear: '2031' },
      ...{ amount: { minor: 1, currency: 'EUR' }, sent: {}, entity: { id: 'a', name: 'A' } },
      ...{ resultsUrl: 'http://127.0.0.1:1/', notificationUrl: 'http://127.0.0.1:1/', nowMs: 0 },
    },
    'U',
  );
  expect(keys(message)).toEqual([]);
});
