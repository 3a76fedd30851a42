import { isHeadOf } from '@tillbridge/wire/bridge/countersigned-head.js';
import type { WireCountersignedHead, WireJournalTree } from '@tillbridge/wire/bridge/messages.js';
import { equalConstantTime, fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { DIGEST_BYTES } from '@tillbridge/wire/digest/digest-bytes.js';
import { rootsOfConsistency } from '@tillbridge/wire/digest/digest-tree.js';
import { nodeDigest } from '@tillbridge/wire/digest/node-digest.js';
import type { CountersignedHeadRow } from '../../../kernel/store/rows.js';

/** Limits of countersigning, by name. */
export const COUNTERSIGN_LIMITS = {
  /** Between two heads of one agent: each is a row that is kept for a year and more. */
  intervalMs: 60_000,
} as const;

/** What an agent offers, and what the gateway has of it. */
export interface OfferedTree {
  readonly agentId: string;
  readonly generation: number;
  /** The last row of the journal, which the gateway has just found to go on from the one it stores. */
  readonly journalRow: number;
  readonly tree: WireJournalTree;
  /** The last head of this generation that the gateway has signed. */
  readonly last: WireCountersignedHead | undefined;
  /** SubjectPublicKeyInfo of the gateway's own keys. */
  readonly ownKeys: readonly Uint8Array[];
  readonly nowMs: number;
}

/** What becomes of a tree that an agent offers. */
export type TreeDecision =
  | { readonly kind: 'sign' }
  /** The agent has to prove from this head; the same one again where the answer was lost. */
  | { readonly kind: 'answer'; readonly head: WireCountersignedHead }
  /** The tree does not go on from what was signed. */
  | { readonly kind: 'forked' }
  /** Not now, or nothing that makes sense. */
  | { readonly kind: 'none' };

/**
 * Decides on a tree. A head is signed only where it goes on from the last one that this gateway signed. A database that was put back knows an
 * older one: then the gateway's own signature on a later one counts. The first of a generation needs no proof: a person has allowed it.
 */
export function decideTree(offered: OfferedTree): TreeDecision {
  const { tree, last, journalRow, nowMs } = offered;
  const { row, hash, root, since } = tree;
  const isWhole = row > 0 && row <= journalRow && [hash, root].every(({ length }) => length === DIGEST_BYTES);
  if (!isWhole) return { kind: 'none' };
  const from = startOf(offered);
  if (from === 'unknown') return last ? { kind: 'answer', head: last } : { kind: 'none' };
  if (last && last.row === row) return sameOr(last, tree);
  if (last && nowMs - last.timeMs < COUNTERSIGN_LIMITS.intervalMs && nowMs >= last.timeMs)
    return { kind: 'none' };
  if (!from) return { kind: 'sign' };
  if (since && since.row > row) return { kind: 'forked' };
  return goesOn(from, tree) ? { kind: 'sign' } : { kind: 'forked' };
}

/** The head that the proof begins at; undefined where none is needed, `unknown` for one that this gateway did not sign. */
function startOf({ agentId, generation, tree: { since }, last, ownKeys }: OfferedTree) {
  if (!since) return last ? 'unknown' : undefined;
  if (last && isSame(last, since)) return last;
  const isLater = since.generation === generation && since.row > (last?.row ?? 0);
  if (isLater && isHeadOf(agentId, since, ownKeys)) return since;
  // A gateway that knows nothing of this journal, not even its own former key, begins anew.
  return last ? 'unknown' : undefined;
}

function sameOr(last: WireCountersignedHead, tree: WireJournalTree): TreeDecision {
  return isSame(last, tree) ? { kind: 'answer', head: last } : { kind: 'forked' };
}

function isSame(
  a: Pick<WireCountersignedHead, 'row' | 'hash' | 'root'>,
  b: Pick<WireCountersignedHead, 'row' | 'hash' | 'root'>,
): boolean {
  return a.row === b.row && equalConstantTime(a.root, b.root) && equalConstantTime(a.hash, b.hash);
}

function goesOn(from: WireCountersignedHead, { row, root, consistency }: WireJournalTree): boolean {
  const roots = rootsOfConsistency(from.row, row, from.root, consistency, nodeDigest);
  return roots !== undefined && equalConstantTime(roots.from, from.root) && equalConstantTime(roots.to, root);
}

/** A head as it is stored. */
export function storedHead(agentId: string, head: WireCountersignedHead): CountersignedHeadRow {
  const { generation, row: lastRow, hash, root, timeMs: createdAtMs, key, signature } = head;
  const bytes = { hash: toHex(hash), root: toHex(root), key: toHex(key), signature: toHex(signature) };
  return { agentId, generation, lastRow, ...bytes, createdAtMs, version: 1 };
}

/** A stored head as it is sent. */
export function sentHead(row: CountersignedHeadRow): WireCountersignedHead {
  const { generation, lastRow, createdAtMs: timeMs } = row;
  const bytes = {
    hash: fromHex(row.hash),
    root: fromHex(row.root),
    key: fromHex(row.key),
    signature: fromHex(row.signature),
  };
  return { generation, row: lastRow, timeMs, ...bytes };
}
