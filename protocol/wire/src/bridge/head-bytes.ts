import { canonicalBytes } from './canonical-bytes.js';
import type { WireCountersignedHead } from './messages.js';

/** Separates this signature from any other that the gateway's identity key makes. */
const HEAD_CONTEXT = 'tillbridge.v1 journal head';

/** Canonical bytes under the signature of a head of an agent's journal; for a browser, too. */
export function headBytes(agentId: string, head: Omit<WireCountersignedHead, 'signature'>): Uint8Array {
  const { generation, row, hash, root, timeMs, key } = head;
  return canonicalBytes([HEAD_CONTEXT, agentId, generation, row, hash, root, timeMs, key]);
}
