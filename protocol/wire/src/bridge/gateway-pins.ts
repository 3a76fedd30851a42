import { createHash } from 'node:crypto';
import type { CanonicalPart } from './canonical-bytes.js';
import { identityKeyOf } from './identity-key.js';
import { BRIDGE_LIMITS } from './limits.js';
import type { GatewayPins } from './messages.js';

/** The channel of a connection without TLS: loopback in test mode alone. */
export const NO_TLS = 'none';

/** The gateway's identity keys in a pin set: the one that signs, and its backup. */
const IDENTITY_KEYS = 2;
const TLS_PIN = /^sha256\/[A-Za-z0-9+/]{43}=$/;

/** The pin of a TLS key: `sha256/` and the base64 SHA-256 of its SubjectPublicKeyInfo in DER (RFC 7469 §2.4). */
export function tlsPinOf(spki: Uint8Array): string {
  return `sha256/${createHash('sha256').update(spki).digest('base64')}`;
}

/** Whether a text is the pin of a TLS key. */
export function isTlsPin(text: string): boolean {
  return TLS_PIN.test(text);
}

/** A pin set as parts of what is signed. */
export function pinParts(pins: GatewayPins | undefined): readonly CanonicalPart[] {
  return pins ? [pins.identityKeys, pins.tlsPins, pins.authorities] : [];
}

/** Whether a pin set can be used: two different identity keys, pins of the right form, all within {@link BRIDGE_LIMITS}. */
export function isPinSet({ identityKeys, tlsPins, authorities }: GatewayPins): boolean {
  const [current, backup] = identityKeys;
  if (!current || !backup || identityKeys.length !== IDENTITY_KEYS || isSame(current, backup)) return false;
  return (
    identityKeys.every((spki) => identityKeyOf(spki) !== undefined) &&
    tlsPins.length <= BRIDGE_LIMITS.maxPins &&
    tlsPins.every(isTlsPin) &&
    authorities.length <= BRIDGE_LIMITS.maxPins &&
    authorities.every(({ length }) => length <= BRIDGE_LIMITS.maxCertificateBytes)
  );
}

/**
 * The pin set after a proven Welcome; `known` itself where nothing changes. TLS pins and authorities change by the word of any pinned key,
 * unless the channel in use is not among them; authorities stay where none are sent. Identity keys change by the word of the backup alone: a thief of the key that
 * signs every day cannot move an agent to keys of his own.
 * @param signer place of the key in `known.identityKeys` that signed
 */
export function nextPins(
  known: GatewayPins,
  sent: GatewayPins | undefined,
  signer: number,
  channel: string,
): GatewayPins {
  if (!sent || !isPinSet(sent)) return known;
  const keepsChannel = channel === NO_TLS || sent.tlsPins.includes(channel);
  const servers = keepsChannel ? sent : known;
  const byBackup = signer > 0 && isSame(known.identityKeys[signer], sent.identityKeys[0]);
  const next = {
    identityKeys: byBackup ? sent.identityKeys : known.identityKeys,
    tlsPins: servers.tlsPins,
    authorities: servers.authorities.length > 0 ? servers.authorities : known.authorities,
  };
  return isSameSet(known, next) ? known : next;
}

function isSameSet(a: GatewayPins, b: GatewayPins): boolean {
  return (
    areSame(a.identityKeys, b.identityKeys) &&
    a.tlsPins.join() === b.tlsPins.join() &&
    areSame(a.authorities, b.authorities)
  );
}

function areSame(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((bytes, at) => isSame(bytes, b[at]));
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
