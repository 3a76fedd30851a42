import { randomUUID } from 'node:crypto';
import { decodeMessage, encodeMessage } from '@tillbridge/wire/three-d-secure/messages/codec.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GatedPayment } from '../../core/payments/gates/gate.js';
import {
  ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
} from '../../core/payments/payment-harness.test.support.js';
import { threeDSecureAddresses } from './addresses.js';
import { Authenticator } from './authenticator.js';
import { DirectoryClient, RANGES_LIFETIME_MS } from './directory-client.js';
import { ThreeDSecureGate } from './gate.js';

const PAN = '4200000000000026';
const IDS = {
  messageVersion: '2.2.0',
  threeDSServerTransID: randomUUID(),
  acsTransID: randomUUID(),
  dsTransID: randomUUID(),
};

let harness: PaymentHarness;
/** Types of the messages that the directory server got. */
let directoryMessages: string[];
let isDirectoryThere: boolean;
let gate: ThreeDSecureGate;
let directory: DirectoryClient;

/** A directory server on the other end of the line: one card takes part, and is authenticated. */
async function answer(_url: string, text: string): Promise<string> {
  if (!isDirectoryThere) throw new Error('refused');
  const { messageType } = decodeMessage(text, ['PReq', 'AReq'] as const);
  directoryMessages.push(messageType);
  if (messageType === 'PReq')
    return encodeMessage('PRes', {
      messageType: 'PRes',
      ...IDS,
      dsStartProtocolVersion: '2.1.0',
      dsEndProtocolVersion: '2.2.0',
      cardRangeData: [
        { startRange: PAN, endRange: PAN, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.2.0' },
      ],
    });
  return encodeMessage('ARes', {
    messageType: 'ARes',
    ...IDS,
    acsReferenceNumber: 'ACS',
    dsReferenceNumber: 'DS',
    transStatus: 'Y',
    authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
    eci: '05',
  });
}

beforeEach(async () => {
  harness = await openPaymentHarness();
  directoryMessages = [];
  isDirectoryThere = true;
  const { store, clock } = harness;
  const { waitSeal: seal, fingerprint } = harness.context;
  directory = new DirectoryClient({
    url: 'http://ds.example/',
    post: answer,
    newTransId: randomUUID,
    clock,
    onFault: () => undefined,
  });
  const addresses = () => threeDSecureAddresses('http://127.0.0.1:1');
  const authenticator = new Authenticator({
    store,
    directory,
    addresses,
    newTransId: randomUUID,
    clock,
    mode: 'test',
  });
  gate = new ThreeDSecureGate({ authenticator, store, fingerprint, seal, clock });
});
afterEach(() => harness.dispose());

const SENT = {
  'customer.browser.acceptHeader': '*/*',
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '1',
  'customer.browser.screenWidth': '1',
  'customer.browser.timezone': '0',
  'customer.browser.userAgent': 'x',
  'customer.browser.javaEnabled': 'false',
};

const gated = (
  threeDSecure: Readonly<Record<string, string>> | undefined,
  more: object = {},
): GatedPayment => ({
  paymentId: 'f'.repeat(32),
  request: {
    ...restPayment(),
    origin: { kind: 'rest', entityId: ENTITY },
    ...(threeDSecure && { threeDSecure }),
  },
  instrument: { kind: 'card', pan: PAN, expiryYear: '2031', expiryMonth: '12', ...more },
});

it('lets a payment pass with the proof of its authentication', async () => {
  const result = await gate.pass(gated(SENT));
  expect(result).toMatchObject({
    verdict: 'pass',
    request: { authentication: { eci: '05', status: 'Y', dsTransactionId: IDS.dsTransID } },
    shown: { threeDSecure: { authenticationStatus: 'Y', flow: 'frictionless', version: '2.2.0' } },
  });
  expect(JSON.stringify('shown' in result ? result.shown : '')).not.toContain('AAECAw');
  expect(directoryMessages).toEqual(['PReq', 'AReq']);
});

it.each([
  ['where 3D Secure is not processed', gated(undefined)],
  ['with a network token', gated(SENT, { numberType: 'DPAN' })],
  ['with the proof of a wallet', gated(SENT, { proof: { cryptogram: 'x' } })],
])('lets a payment pass without a message %s', async (_case, payment) => {
  const { verdict, ...rest } = await gate.pass(payment);
  expect(verdict).toBe('pass');
  expect(rest).not.toHaveProperty('request.authentication');
  expect(directoryMessages).toEqual([]);
});

it('refuses while the directory server has never been reached, and uses its last answer when it is gone', async () => {
  isDirectoryThere = false;
  expect(await gate.pass(gated(SENT))).toMatchObject({ verdict: 'refuse', resultCode: '000.400.107' });
  isDirectoryThere = true;
  expect(await directory.directory()).toMatchObject({ startVersion: '2.1.0' });
  await harness.clock.advance(RANGES_LIFETIME_MS);
  isDirectoryThere = false;
  expect(await directory.directory()).toMatchObject({ startVersion: '2.1.0' });
  expect(await gate.pass(gated(SENT))).toMatchObject({ verdict: 'refuse', resultCode: '000.400.107' });
});

it('refuses a request that lacks what its message needs', async () => {
  const { 'customer.browser.userAgent': _, ...lacking } = SENT;
  expect(await gate.pass(gated(lacking))).toMatchObject({
    verdict: 'refuse',
    resultCode: '100.390.115',
    detail: 'customer.browser.userAgent: must be sent for 3D Secure (field browserUserAgent)',
  });
});
