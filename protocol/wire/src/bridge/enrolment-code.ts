import { createHash, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';
import { concatBytes, equalConstantTime, toHex, toLowerHex, withSecret } from '../bytes.js';
import { FINGERPRINT_BYTES } from './identity-key.js';
import { EnrolmentPurpose } from './messages.js';

/**
 * A one-time code by which an agent becomes known to its gateway. It is the seed of a key pair: the gateway keeps the public half, the agent
 * signs with the private one, and the code itself never leaves the agent's machine.
 */
export interface EnrolmentCode {
  readonly purpose: EnrolmentPurpose;
  /** By which the gateway finds it; 10 hex digits. */
  readonly id: string;
  readonly secret: Uint8Array;
  /** Fingerprint of the gateway's identity key. */
  readonly gateway: Uint8Array;
  /** Of a gateway in live mode. */
  readonly isLive: boolean;
  /** Where agents reach the gateway: `wss:`, or `ws:` on loopback; absent where the gateway does not know it. */
  readonly bridgeUrl?: string;
}

/** The text is no code; the message has the remedy, and never quotes the text. */
export class EnrolmentCodeError extends Error {
  override readonly name = 'EnrolmentCodeError';
}

/** Bytes of the parts of a code. */
export const CODE_BYTES = { id: 5, secret: 16, checksum: 2 } as const;

const BYTES = 1 + CODE_BYTES.id + CODE_BYTES.secret + FINGERPRINT_BYTES + CODE_BYTES.checksum;
/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHARACTERS = (BYTES * 8) / 5;
const GROUP = /.{8}(?=.)/g;
/** Stands between the address and the groups. */
const ADDRESS_END = '#';
/** Most characters of the address in a code. */
export const MAX_CODE_ADDRESS = 256;
/** The bit of the first byte that tells a gateway in live mode. */
const LIVE = 0x80;

/** Ed25519 private key in PKCS #8, up to its 32 bytes (RFC 8410 §7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_CONTEXT = 'tillbridge.v1 enrolment code';

/** The code as a person copies it: the address and `#` where the gateway knows it, then 64 characters in eight groups. */
export function formatEnrolmentCode(code: EnrolmentCode): string {
  const { purpose, id, secret, gateway, isLive, bridgeUrl } = code;
  const first = purpose | (isLive ? LIVE : 0);
  const body = concatBytes(Uint8Array.of(first), Buffer.from(id, 'hex'), secret, gateway);
  const groups = toBase32(concatBytes(body, checksum(body, bridgeUrl))).replace(GROUP, '$&-');
  return bridgeUrl === undefined ? groups : `${bridgeUrl}${ADDRESS_END}${groups}`;
}

/**
 * Reads a code; blanks are skipped, in the groups hyphens too, and either case is taken there.
 * @throws EnrolmentCodeError
 */
export function parseEnrolmentCode(text: string): EnrolmentCode {
  const written = text.replace(/\s/g, '');
  const end = written.lastIndexOf(ADDRESS_END);
  const bridgeUrl = end < 0 ? undefined : written.slice(0, end);
  const bytes = fromBase32(written.slice(end + 1).replaceAll('-', ''));
  const body = bytes?.subarray(0, -CODE_BYTES.checksum);
  const isWhole =
    bytes && body && equalConstantTime(checksum(body, bridgeUrl), bytes.subarray(-CODE_BYTES.checksum));
  if (!isWhole || (bridgeUrl !== undefined && !isCodeAddress(bridgeUrl)))
    throw new EnrolmentCodeError(
      'this is no enrolment code: copy it again, with the address in front where it has one, and all eight groups of eight',
    );
  const [first = 0] = body;
  const purpose = first & ~LIVE;
  const secretAt = 1 + CODE_BYTES.id;
  const gatewayAt = secretAt + CODE_BYTES.secret;
  if (purpose === EnrolmentPurpose.ENROLMENT_PURPOSE_UNSPECIFIED || !(purpose in EnrolmentPurpose))
    throw new EnrolmentCodeError('this code is for a newer agent: update tillbridge-agent');
  return {
    purpose,
    id: toLowerHex(body.subarray(1, secretAt)),
    secret: body.subarray(secretAt, gatewayAt),
    gateway: body.subarray(gatewayAt),
    isLive: first !== purpose,
    ...(bridgeUrl !== undefined && { bridgeUrl }),
  };
}

/** Whether a code can carry an address: `ws:` or `wss:`, as `URL` writes it, without user, query and fragment. */
export function isCodeAddress(text: string): boolean {
  if (text.length > MAX_CODE_ADDRESS || !/^wss?:/.test(text) || !URL.canParse(text)) return false;
  const { href, username, password, search, hash } = new URL(text);
  return href === text && `${username}${password}${search}${hash}` === '';
}

/** The private key that a code stands for: HKDF-SHA-256 of its secret as the seed of Ed25519. */
export function codeKey({ id, secret }: Pick<EnrolmentCode, 'id' | 'secret'>): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, id, KEY_CONTEXT, 32));
  return withSecret(concatBytes(ED25519_PKCS8, seed), (der) => {
    seed.fill(0);
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  });
}

function checksum(body: Uint8Array, bridgeUrl = ''): Uint8Array {
  return createHash('sha256').update(body).update(bridgeUrl).digest().subarray(0, CODE_BYTES.checksum);
}

function toBase32(bytes: Uint8Array): string {
  let value = BigInt(`0x${toHex(bytes)}`);
  let text = '';
  for (let at = 0; at < CHARACTERS; at += 1) {
    text = `${ALPHABET[Number(value & 31n)]}${text}`;
    value >>= 5n;
  }
  return text;
}

function fromBase32(text: string): Buffer | undefined {
  if (text.length !== CHARACTERS) return undefined;
  let value = 0n;
  for (const letter of text.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return undefined;
    value = (value << 5n) | BigInt(digit);
  }
  return Buffer.from(value.toString(16).padStart(2 * BYTES, '0'), 'hex');
}
