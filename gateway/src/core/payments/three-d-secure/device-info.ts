import { present } from '@tillbridge/wire/present.js';

/** What the 3DS SDK of an app tells (EMV 3DS SDK specification, AuthenticationRequestParameters). */
interface DeviceInfo {
  readonly sdkAppID: string;
  readonly sdkEncData: string;
  readonly sdkEphemPubKey: Readonly<Record<string, unknown>>;
  readonly sdkReferenceNumber: string;
  readonly sdkTransID: string;
  readonly sdkMaxTimeout: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Compact serialisation of what is enciphered (RFC 7516, section 3.1). */
const JWE = /^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/;
/** Minutes; the least that the standard allows. */
const DEFAULT_TIMEOUT = '05';

/**
 * The SDK's data out of `threeDSecure.deviceInfo`: its members as a JSON object, as it is or in base64 or base64url.
 * @returns the text of what is wrong where it is none
 */
export function readDeviceInfo(text: string): DeviceInfo | string {
  const object = objectOf(text);
  if (!object) return 'must be the parameters of the 3DS SDK as a JSON object, as it is or in base64';
  const { sdkAppID, sdkEphemPubKey, sdkReferenceNumber, sdkTransID } = object;
  const sdkEncData = object.sdkEncData ?? object.deviceData;
  const sdkMaxTimeout = object.sdkMaxTimeout ?? DEFAULT_TIMEOUT;
  const key = typeof sdkEphemPubKey === 'string' ? objectOf(sdkEphemPubKey) : sdkEphemPubKey;
  const wrong = Object.keys(
    present({
      sdkAppID: isText(sdkAppID, UUID) ? undefined : true,
      sdkEncData: isText(sdkEncData, JWE) ? undefined : true,
      sdkEphemPubKey: isPublicKey(key) ? undefined : true,
      sdkReferenceNumber: isText(sdkReferenceNumber, /^.{1,32}$/) ? undefined : true,
      sdkTransID: isText(sdkTransID, UUID) ? undefined : true,
      sdkMaxTimeout: isText(sdkMaxTimeout, /^(0[5-9]|[1-9]\d)$/) ? undefined : true,
    }),
  );
  if (wrong.length > 0) return `must have ${wrong.join(', ')} as the 3DS SDK gives them`;
  return {
    sdkAppID,
    sdkEncData,
    sdkEphemPubKey: key,
    sdkReferenceNumber,
    sdkTransID,
    sdkMaxTimeout,
  } as DeviceInfo;
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
