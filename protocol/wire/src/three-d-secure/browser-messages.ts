import { decodeMessage, encodeMessage, ThreeDSError } from './messages/codec.js';
import { form, UUID, url } from './messages/formats.js';
import type { Message } from './messages/tables.js';

/*
 * What passes through the cardholder's browser: JSON in base64url without padding (RFC 4648, section 5), in form fields `creq`, `cres` and
 * `threeDSMethodData` (EMV 3DS Protocol and Core Functions Specification, sections 5.8.1, 6.4 and table A.2).
 */

/** Longest text taken, in characters. */
const MAX_LENGTH = 16 * 1024;
const BASE64URL = form('base64url', /^[A-Za-z0-9_-]+$/);
const FACTS = { version: '2.1.0' } as const;
const NOTIFICATION_URL = url(256);

/** Data to the browser for the method call. */
export interface MethodData {
  readonly threeDSServerTransID: string;
  readonly threeDSMethodNotificationURL: string;
}

/** `threeDSMethodData` of the method call. */
export function encodeMethodData(data: MethodData): string {
  return encode(JSON.stringify(data));
}

/** `threeDSMethodData` as the access control server reads it. @throws ThreeDSError */
export function decodeMethodData(field: string): MethodData {
  const { threeDSServerTransID } = decodeMethodNotification(field);
  const { threeDSMethodNotificationURL } = JSON.parse(decode(field)) as Record<string, unknown>;
  if (!NOTIFICATION_URL.fits(threeDSMethodNotificationURL, FACTS))
    throw new ThreeDSError('203', 'threeDSMethodNotificationURL');
  return { threeDSServerTransID, threeDSMethodNotificationURL };
}

/** `threeDSMethodData` of the notification: whose method call has ended. @throws ThreeDSError */
export function decodeMethodNotification(field: string): Pick<MethodData, 'threeDSServerTransID'> {
  const data = parse(decode(field));
  const { threeDSServerTransID } = data;
  if (!UUID.fits(threeDSServerTransID, FACTS)) throw new ThreeDSError('203', 'threeDSServerTransID');
  return { threeDSServerTransID };
}

/** The notification's own `threeDSMethodData`. */
export function encodeMethodNotification(threeDSServerTransID: string): string {
  return encode(JSON.stringify({ threeDSServerTransID }));
}

/** Form field `creq`. @throws ThreeDSError */
export function encodeCReq(message: Message<'CReq'>): string {
  return encode(encodeMessage('CReq', message));
}

/** @throws ThreeDSError */
export function decodeCReq(field: string): Message<'CReq'> {
  return decodeMessage(decode(field), ['CReq']);
}

/** Form field `cres`. @throws ThreeDSError */
export function encodeCRes(message: Message<'CRes'>): string {
  return encode(encodeMessage('CRes', message));
}

/** An ACS that cannot go on sends an error message in its place. @throws ThreeDSError */
export function decodeCRes(field: string): Message<'CRes'> | Message<'Erro'> {
  return decodeMessage(decode(field), ['CRes', 'Erro'] as const);
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** @throws ThreeDSError */
function decode(field: string): string {
  // Some access control servers pad.
  const bare = field.replace(/={1,2}$/, '');
  if (field.length > MAX_LENGTH || !BASE64URL.fits(bare, FACTS))
    throw new ThreeDSError('101', 'the field is no base64url');
  return Buffer.from(bare, 'base64url').toString('utf8');
}

function parse(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ThreeDSError('101', 'the field is no JSON');
  }
  if (typeof value !== 'object' || value === null)
    throw new ThreeDSError('101', 'the field is no JSON object');
  return value as Readonly<Record<string, unknown>>;
}
