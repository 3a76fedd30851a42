import type { AgentRow, DeviceRow, TokenRow } from '../../kernel/store/rows.js';
import { withNewKey } from '../agents/agent-row.js';
import { type AgentEntry, type DeviceEntry, isInUse, keyDigest, type TokenEntry } from './trust-entry.js';

/** The token as it was before the database was put back; undefined where it is so. Pure. */
export function tokenAgain(row: TokenRow, { atMs }: TokenEntry): TokenRow | undefined {
  return row.revokedAtMs === null ? { ...row, revokedAtMs: atMs } : undefined;
}

/**
 * The agent with what it had lost before the database was put back: a key that was replaced is of no use, and an older generation is fenced.
 * Undefined where nothing is to be put right. Pure.
 */
export function agentAgain(row: AgentRow, entry: AgentEntry): AgentRow | undefined {
  const isOlder = row.epoch < entry.epoch;
  const isSameKey = keyDigest(row.publicKey) === entry.key;
  const generation = Math.max(row.generation, entry.generation);
  const epoch = Math.max(row.epoch, entry.epoch) + 1;
  const revoked = { ...row, state: 'revoked', generation, epoch, nodeId: null } as const;
  if (entry.isRevoked)
    return row.state === 'active' && (isSameKey || isOlder)
      ? { ...revoked, allowedGeneration: null, allowedUntilMs: null }
      : undefined;
  if (row.state === 'revoked') return undefined;
  if (!isSameKey && isOlder) {
    const { nextPublicKey } = row;
    const isNext = nextPublicKey !== null && keyDigest(nextPublicKey) === entry.key;
    // A new key that was never stored here: `agents replace` brings the agent back.
    return isNext ? { ...withNewKey(row, nextPublicKey), generation, epoch } : revoked;
  }
  return generation === row.generation ? undefined : { ...row, generation, epoch };
}

/** The device in the state that it had before the database was put back; undefined where it is out of use since as long. Pure. */
export function deviceAgain(row: DeviceRow, { state, atMs }: DeviceEntry): DeviceRow | undefined {
  if (isInUse(state) || row.stateSinceMs >= atMs) return undefined;
  return row.state === state ? undefined : { ...row, state, stateSinceMs: atMs };
}
