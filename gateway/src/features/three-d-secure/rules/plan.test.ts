import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readDeviceInfo } from '../../../core/payments/three-d-secure/device-info.js';
import { authenticatedAmount, foreignProof } from '../../../core/payments/three-d-secure/foreign-proof.js';
import { neededOf, type Sent } from '../../../core/payments/three-d-secure/sent.js';
import { planOf } from './plan.js';

const PAN = '4200000000000091';
const RANGE = {
  startRange: PAN,
  endRange: PAN,
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: '2.2.0',
  threeDSMethodURL: 'https://acs.example/method',
};

const DIRECTORY = { startVersion: '2.1.0', endVersion: '2.2.0' };

function planned(
  sent: Sent,
  { pan = PAN, range = RANGE, directory = DIRECTORY, enrolledByTest = false } = {},
) {
  const verdict = planOf({
    transId: 't',
    pan,
    sent,
    directory: { ranges: [range], ...directory },
    isOutside: (each) => each === '4532497088771651',
    enrolledByTest,
  });
  return verdict.kind === 'plan' ? verdict.plan : verdict.resultCode;
}

it('plans the highest version that all speak, and none above what the request allows', () => {
  expect(planned({})).toEqual({
    transId: 't',
    version: '2.2.0',
    channel: '02',
    category: '01',
    methodUrl: 'https://acs.example/method',
  });
  expect(planned({ 'threeDSecure.version': '2.1.0' })).toMatchObject({ version: '2.1.0' });
  expect(planned({}, { range: { ...RANGE, acsEndProtocolVersion: '2.1.0' } })).toMatchObject({
    version: '2.1.0',
  });
  expect(planned({}, { range: { ...RANGE, acsStartProtocolVersion: '2.3.1' } })).toBe('000.400.113');
});

it('plans the highest of our versions that lies between the ends of all others', () => {
  // In order: what a party speaks is all from one place of the list to another.
  const versions = ['2.0.0', '2.1.0', '2.2.0', '2.3.1'];
  const place = fc.nat(versions.length - 1);
  const span = fc.tuple(place, place).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
  fc.assert(
    fc.property(span, span, fc.option(place), ([low = 0, high = 0], [from = 0, to = 0], atMost) => {
      const common = [1, 2].filter(
        (at) => at >= low && at <= high && at >= from && at <= to && at <= (atMost ?? at),
      );
      const version = (at: number) => versions[at] ?? '';
      const plan = planned(atMost === null ? {} : { 'threeDSecure.version': version(atMost) }, {
        range: { ...RANGE, acsStartProtocolVersion: version(low), acsEndProtocolVersion: version(high) },
        directory: { startVersion: version(from), endVersion: version(to) },
      });
      const highest = common.at(-1);
      if (highest === undefined) expect(plan).toBe('000.400.113');
      else expect(plan).toMatchObject({ version: version(highest) });
    }),
    propertyRuns(300),
  );
});

it('refuses a card outside the ranges, unless a test enrols it', () => {
  expect(planned({}, { pan: '4200000000000000' })).toBe('000.400.109');
  expect(planned({}, { pan: '4532497088771651' })).toBe('000.400.101');
  expect(planned({}, { pan: '4200000000000000', enrolledByTest: true })).not.toHaveProperty('methodUrl');
});

it('calls no method without a browser', () => {
  expect(planned({ 'threeDSecure.threeRIInd': 'RECURRING' })).toMatchObject({ channel: '03' });
  expect(planned({ 'threeDSecure.threeRIInd': 'RECURRING' })).not.toHaveProperty('methodUrl');
  expect(planned({ 'threeDSecure.deviceInfo': '{}' })).toMatchObject({ channel: '01' });
  expect(planned({ 'threeDSecure.npa': 'true' })).toMatchObject({ category: '02' });
});

it.each([
  ['01', '02'],
  ['02', '05'],
  ['03', '08'],
  ['04', '02'],
])('requests exemption %s by challenge indicator %s, from 2.2.0 on', (exemptionFlag, challengeInd) => {
  const sent = { 'threeDSecure.exemptionFlag': exemptionFlag };
  expect(planned(sent)).toMatchObject({ exemptionFlag, challengeInd });
  expect(planned({ ...sent, 'threeDSecure.challengeIndicator': '04' })).toMatchObject({ challengeInd: '04' });
  const older = planned({ ...sent, 'threeDSecure.version': '2.1.0' });
  expect(older).not.toHaveProperty('exemptionFlag');
  expect(older).not.toHaveProperty('challengeInd');
});

it('sends in 2.1.0 only preferences of that version, and neither decoupled authentication nor shipments', () => {
  const old = { 'threeDSecure.version': '2.1.0' };
  expect(planned({ ...old, 'threeDSecure.challengeIndicator': '4' })).toMatchObject({ challengeInd: '04' });
  expect(planned({ ...old, 'threeDSecure.challengeIndicator': '05' })).not.toHaveProperty('challengeInd');
  expect(planned({ ...old, 'threeDSecure.decoupled': 'true' })).not.toHaveProperty('decoupled');
  expect(planned({ 'threeDSecure.decoupled': 'true' })).toMatchObject({ decoupled: true });
  for (const purpose of ['SPLIT_SHIPMENT', 'DELAYED_SHIPMENT']) {
    expect(planned({ ...old, 'threeDSecure.threeRIInd': purpose })).toBe('000.400.112');
    expect(planned({ 'threeDSecure.threeRIInd': purpose })).toMatchObject({ channel: '03' });
  }
  expect(planned({ ...old, 'threeDSecure.threeRIInd': 'RECURRING' })).toMatchObject({ channel: '03' });
});

const PAID = { minor: 1234, currency: 'EUR' };

it('authenticates threeDSecure.amount, else risk.amount, else what is paid', () => {
  expect(authenticatedAmount({}, PAID)).toEqual(PAID);
  expect(authenticatedAmount({ 'risk.amount': '20.00' }, PAID).minor).toBe(2000);
  const both = { 'risk.amount': '20.00', 'threeDSecure.amount': '30.00', 'threeDSecure.currency': 'USD' };
  expect(authenticatedAmount(both, PAID)).toEqual({ minor: 3000, currency: 'USD' });
});

it('passes on the proof of another server, and wishes for exemptions', () => {
  expect(foreignProof({}, PAID)).toBeUndefined();
  const sent = {
    'threeDSecure.eci': '05',
    'threeDSecure.verificationId': 'x',
    'threeDSecure.exemptionFlag': '02',
  };
  expect(foreignProof(sent, PAID)).toEqual({
    eci: '05',
    verificationId: 'x',
    exemptionFlag: '02',
    amount: PAID,
  });
});

it('keeps of a request what the authentication needs, and no card', () => {
  const values = new Map([
    ['card.number', PAN],
    ['card.cvv', '123'],
    ['customer.browser.language', 'en'],
    ['threeDSecure.amount', '1.00'],
    ['customParameters[3DS2_flow]', 'challenge'],
    ['customParameters[other]', 'x'],
  ]);
  expect(Object.keys(neededOf(values))).toEqual([
    'customer.browser.language',
    'threeDSecure.amount',
    'customParameters[3DS2_flow]',
  ]);
});

const DEVICE_INFO = {
  sdkAppID: '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d',
  deviceData: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d',
  sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'a'.repeat(43), y: 'b'.repeat(43) },
  sdkReferenceNumber: '3DS_LOA_SDK_TEST',
  sdkTransID: '1b4f0b7e-2c1d-4b8e-8a54-97e2b3c4d5e6',
};

it('reads what the SDK of an app sends, as JSON or in base64', () => {
  const { deviceData: sdkEncData, ...rest } = DEVICE_INFO;
  const read = { ...rest, sdkEncData, sdkMaxTimeout: '05' };
  const json = JSON.stringify(DEVICE_INFO);
  for (const text of [json, Buffer.from(json).toString('base64'), Buffer.from(json).toString('base64url')])
    expect(readDeviceInfo(text)).toEqual(read);
});

it.each([
  ['no JSON', 'x', /JSON object/],
  ['a list', '[]', /JSON object/],
  ['no members', '{}', /sdkAppID, sdkEncData, sdkEphemPubKey, sdkReferenceNumber, sdkTransID/],
  [
    'a private key',
    JSON.stringify({ ...DEVICE_INFO, sdkEphemPubKey: { ...DEVICE_INFO.sdkEphemPubKey, d: 'x' } }),
    /sdkEphemPubKey/,
  ],
  ['clear device data', JSON.stringify({ ...DEVICE_INFO, deviceData: 'x' }), /sdkEncData/],
])('refuses %s as device information', (_case, text, message) => {
  expect(readDeviceInfo(text)).toMatch(message);
});
