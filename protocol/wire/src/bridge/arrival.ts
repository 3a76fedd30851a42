import type { KeyObject } from 'node:crypto';
import { canonicalBytes } from './canonical-bytes.js';
import { isSignedBy, signBytes } from './identity-key.js';

/** Header of the request that opens the WebSocket: which agent comes, with its signature. */
export const ARRIVAL_HEADER = 'x-tillbridge-agent';

const ARRIVAL_CONTEXT = 'tillbridge.v1 arrival';
/** The id, and an Ed25519 signature in base64url. */
const ARRIVAL = /^([^\s]{1,128})\.([A-Za-z0-9_-]{86})$/;

/** The claimed identity of an opening connection. */
interface Arrival {
  readonly agentId: string;
  readonly signature: Uint8Array;
}

/**
 * The headers of an agent that opens a WebSocket. They are the same each time, and open no session: with them it has places among the unproven
 * sockets that strangers of its address do not have.
 */
export function arrivalHeaders(agentId: string, privateKey: KeyObject): Readonly<Record<string, string>> {
  const signature = signBytes(arrivalBytes(agentId), privateKey);
  return { [ARRIVAL_HEADER]: `${agentId}.${Buffer.from(signature).toString('base64url')}` };
}

/** Reads the value of {@link ARRIVAL_HEADER}; undefined for any other text. */
export function readArrival(text: string): Arrival | undefined {
  const [, agentId, signature] = ARRIVAL.exec(text) ?? [];
  if (agentId === undefined || signature === undefined) return undefined;
  return { agentId, signature: Buffer.from(signature, 'base64url') };
}

/** True when the agent's key made it. */
export function isArrivalOf({ agentId, signature }: Arrival, publicKey: KeyObject): boolean {
  return isSignedBy(arrivalBytes(agentId), signature, publicKey);
}

function arrivalBytes(agentId: string): Uint8Array {
  return canonicalBytes([ARRIVAL_CONTEXT, agentId]);
}
