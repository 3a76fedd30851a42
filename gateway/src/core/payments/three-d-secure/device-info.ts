import { ruledText, text } from '@tillbridge/platform/schema/fields.js';
import { faultReader } from '@tillbridge/platform/schema/reader.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** What the 3DS SDK of an app sends (EMV 3DS SDK specification, AuthenticationRequestParameters). */
const DEVICE_INFO = Type.Object({
  sdkAppID: text('a UUID', UUID),
  /** Compact serialisation of what is enciphered (RFC 7516, section 3.1). */
  sdkEncData: text('a JWE', /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/),
  sdkEphemPubKey: Type.Unsafe<Readonly<Record<string, unknown>>>(
    ruledText('a public key on P-256 as a JWK', (value) => (isPublicKey(value) ? undefined : {})),
  ),
  sdkReferenceNumber: text('a text', /^.{1,32}$/),
  sdkTransID: text('a UUID', UUID),
  sdkMaxTimeout: text('minutes', /^(0[5-9]|[1-9]\d)$/),
});
const read = faultReader(DEVICE_INFO);

/** Minutes; the least that the standard allows. */
const DEFAULT_TIMEOUT = '05';

/**
 * The SDK's data out of `threeDSecure.deviceInfo`: its members as a JSON object, as it is or in base64 or base64url.
 * @returns the text of what is wrong where it is none
 */
export function readDeviceInfo(text: string): Static<typeof DEVICE_INFO> | string {
  const object = objectOf(text);
  if (!object) return 'must be the parameters of the 3DS SDK as a JSON object, as it is or in base64';
  const { sdkAppID, sdkEphemPubKey: key, sdkReferenceNumber, sdkTransID } = object;
  const found = read({
    ...{ sdkAppID, sdkReferenceNumber, sdkTransID },
    sdkEncData: object.sdkEncData ?? object.deviceData,
    sdkEphemPubKey: typeof key === 'string' ? objectOf(key) : key,
    sdkMaxTimeout: object.sdkMaxTimeout ?? DEFAULT_TIMEOUT,
  });
  if ('value' in found) return found.value;
  const wrong = new Set(found.faults.map(({ path: [name] }) => name));
  const names = Object.keys(DEVICE_INFO.properties).filter((name) => wrong.has(name));
  return `must have ${names.join(', ')} as the 3DS SDK gives them`;
}

function isText(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

/** A public key on P-256 as a JWK, and nothing private. */
function isPublicKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kty, crv, x, y, d } = value as Record<string, unknown>;
  return (
    kty === 'EC' && crv === 'P-256' && isText(x, /^[\w-]{43}$/) && isText(y, /^[\w-]{43}$/) && d === undefined
  );
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const json of [text, Buffer.from(text, 'base64').toString('utf8')]) {
    try {
      const value: unknown = JSON.parse(json);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as never;
    } catch {
      // the other form
    }
  }
  return undefined;
}
