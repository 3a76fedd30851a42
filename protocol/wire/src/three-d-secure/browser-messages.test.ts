import { expect, it } from 'vitest';
import {
  decodeCReq,
  decodeCRes,
  decodeMethodData,
  decodeMethodNotification,
  encodeCReq,
  encodeCRes,
  encodeMethodData,
  encodeMethodNotification,
} from './browser-messages.js';
import { ThreeDSError } from './messages/codec.js';

const IDS = {
  messageVersion: '2.2.0',
  threeDSServerTransID: '7a6a1c5e-3b3a-4d1c-9d7e-0f5c6a1b2c3d',
  acsTransID: '1b4f0b7e-2c1d-4b8e-8a54-97e2b3c4d5e6',
};
const CREQ = { messageType: 'CReq', ...IDS, challengeWindowSize: '03' } as const;
const CRES = { messageType: 'CRes', ...IDS, transStatus: 'Y' } as const;

it('carries messages through the browser without padding', () => {
  const creq = encodeCReq(CREQ);
  expect(creq).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(JSON.parse(Buffer.from(creq, 'base64url').toString())).toEqual(CREQ);
  expect(decodeCReq(creq)).toEqual(CREQ);
  expect(decodeCRes(encodeCRes(CRES))).toEqual(CRES);
});

it('takes padding of others', () => {
  const padded = Buffer.from(JSON.stringify({ ...CRES, extra: 'ab' }))
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  expect(decodeCRes(padded)).toEqual(CRES);
});

it('carries the method call and its notification', () => {
  const data = {
    threeDSServerTransID: IDS.threeDSServerTransID,
    threeDSMethodNotificationURL: 'http://127.0.0.1:8080/notified',
  };
  expect(decodeMethodData(encodeMethodData(data))).toEqual(data);
  const notification = encodeMethodNotification(IDS.threeDSServerTransID);
  expect(decodeMethodNotification(notification)).toEqual({ threeDSServerTransID: IDS.threeDSServerTransID });
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

it.each([
  ['what is no base64url', '!!'],
  ['nothing', ''],
  ['what is no JSON', Buffer.from('{').toString('base64url')],
  ['an endless text', 'A'.repeat(20_000)],
  ['an id that is none', encoded({ threeDSServerTransID: 'x' })],
])('refuses %s', (_case, field) => {
  expect(() => decodeMethodNotification(field)).toThrow(ThreeDSError);
  expect(() => decodeCRes(field)).toThrow(ThreeDSError);
});

it('refuses a notification address that is no web address', () => {
  const data = {
    threeDSServerTransID: IDS.threeDSServerTransID,
    threeDSMethodNotificationURL: 'javascript:1',
  };
  expect(() => decodeMethodData(encodeMethodData(data))).toThrow(ThreeDSError);
});
