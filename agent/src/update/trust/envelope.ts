import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { section, text } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';

/** Most signatures that a document may carry: each costs a verification. */
export const MAX_SIGNATURES = 32;

/** An Ed25519 public key, 32 bytes in lowercase hex: its own name. */
export const KEY = text('a public key of Ed25519: 64 lowercase hex digits', /^[0-9a-f]{64}$/);

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** A document with signatures over its bytes, in the form of DSSE: what is signed is never parsed before it is verified. */
export const ENVELOPE = section({
  payloadType: text('1 to 80 letters, digits and -./', /^[a-z0-9./-]{1,80}$/),
  payload: text('bytes in base64', BASE64),
  signatures: Type.Array(
    section({
      key: KEY,
      signature: text('64 bytes in base64', /^[A-Za-z0-9+/]{86}==$/),
    }),
    { minItems: 0, maxItems: MAX_SIGNATURES, expected: `a list of at most ${MAX_SIGNATURES} signatures` },
  ),
});

/** See {@link ENVELOPE}. */
export type Envelope = Static<typeof ENVELOPE>;

/** The bytes that are signed: type and document with their lengths, so that a document of one type never passes for another (DSSE, "PAE"). */
function signedBytes(payloadType: string, document: Uint8Array): Uint8Array {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${document.length} `;
  return Buffer.concat([Buffer.from(head), document]);
}

/** Signs a document with each of the keys. */
export function sealEnvelope(
  payloadType: string,
  document: Uint8Array,
  keys: readonly KeyObject[],
): Envelope {
  const bytes = signedBytes(payloadType, document);
  return {
    payloadType,
    payload: Buffer.from(document).toString('base64'),
    signatures: keys.map((key) => ({
      key: publicKeyText(key),
      signature: sign(null, bytes, key).toString('base64'),
    })),
  };
}

/** The document inside. Pure. */
export function documentOf({ payload }: Envelope): Uint8Array {
  return Buffer.from(payload, 'base64');
}

/** Those of the keys that have signed the document, each once however often it signed. Pure. */
export function signersOf(envelope: Envelope, keys: readonly string[]): ReadonlySet<string> {
  const bytes = signedBytes(envelope.payloadType, documentOf(envelope));
  const signers = new Set<string>();
  for (const { key, signature } of envelope.signatures) {
    if (signers.has(key) || !keys.includes(key)) continue;
    const publicKey = keyObject(key);
    if (publicKey && verify(null, bytes, publicKey, Buffer.from(signature, 'base64'))) signers.add(key);
  }
  return signers;
}

/** The name of a key: its public half. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('hex');
}

/** Undefined for bytes that are no point of the curve. */
function keyObject(key: string): KeyObject | undefined {
  const x = Buffer.from(key, 'hex').toString('base64url');
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
