import type { KeyObject } from 'node:crypto';
import { headBytes } from './head-bytes.js';
import { identityKeyOf, isSignedBy, signBytes, spkiOf } from './identity-key.js';
import type { WireCountersignedHead } from './messages.js';

/** A head of an agent's journal, signed by the gateway's Ed25519 identity key. */
export function countersignHead(
  agentId: string,
  head: Omit<WireCountersignedHead, 'key' | 'signature'>,
  identityKey: KeyObject,
): WireCountersignedHead {
  const unsigned = { ...head, key: spkiOf(identityKey) };
  return { ...unsigned, signature: signBytes(headBytes(agentId, unsigned), identityKey) };
}

/** Whether a head is of this agent's journal, and signed by one of these keys (SubjectPublicKeyInfo in DER). */
export function isHeadOf(
  agentId: string,
  head: WireCountersignedHead,
  identityKeys: readonly Uint8Array[],
): boolean {
  if (!identityKeys.some((spki) => Buffer.compare(spki, head.key) === 0)) return false;
  const key = identityKeyOf(head.key);
  return key !== undefined && isSignedBy(headBytes(agentId, head), head.signature, key);
}
