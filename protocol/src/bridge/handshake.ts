import { type KeyObject, sign, verify } from 'node:crypto';
import { concatBytes } from '../bytes.js';
import { BRIDGE_VERSIONS } from './limits.js';

/** What `Hello.signature` covers: who speaks, which start of the process and which copy of the journal it is. */
export interface HelloProof {
  readonly nonce: Uint8Array;
  readonly agentId: string;
  readonly bootId: string;
  readonly generation: number;
}

/** Range of bridge versions, both ends included. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** Separates this signature from any other that the same key may make. */
const CONTEXT = 'tillbridge.v1 hello';

/** Canonical bytes under the signature: each part behind its length in four bytes, big endian. */
export function helloBytes(proof: HelloProof): Uint8Array {
  const parts = [CONTEXT, proof.nonce, proof.agentId, proof.bootId, String(proof.generation)];
  return concatBytes(
    ...parts.flatMap((part) => withLength(typeof part === 'string' ? Buffer.from(part) : part)),
  );
}

function withLength(bytes: Uint8Array): readonly Uint8Array[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}

/** Signs the proof with the agent's Ed25519 private key; 64 bytes. */
export function signHello(proof: HelloProof, privateKey: KeyObject): Uint8Array {
  return sign(null, helloBytes(proof), privateKey);
}

/** True when `signature` is the proof's under the agent's registered Ed25519 public key. */
export function verifyHello(proof: HelloProof, signature: Uint8Array, publicKey: KeyObject): boolean {
  if (publicKey.asymmetricKeyType !== 'ed25519') return false;
  return verify(null, helloBytes(proof), publicKey, signature);
}

/** The highest version both sides speak, or undefined when there is none. */
export function negotiateVersion(
  theirs: VersionRange,
  ours: VersionRange = BRIDGE_VERSIONS,
): number | undefined {
  const version = Math.min(theirs.max, ours.max);
  return version >= Math.max(theirs.min, ours.min) ? version : undefined;
}
