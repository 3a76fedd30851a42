import { generateKeyPairSync } from 'node:crypto';
import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import type { WireCountersignedHead, WireJournalTree } from '@tillbridge/wire/bridge/messages.js';
import { consistencyProof, subtree } from '@tillbridge/wire/digest/digest-tree.js';
import { leafDigest, nodeDigest } from '@tillbridge/wire/digest/node-digest.js';

/** By which heads of the tests are signed. */
export const KEY = generateKeyPairSync('ed25519').privateKey;
export const GENERATION = 2;

/** A journal whose row n has a hash of its own; `name` tells journals apart. */
export function journalOf(name: string) {
  const hashOf = (row: number): Uint8Array => leafDigest(Buffer.alloc(32, row), name);
  const nodeAt = (level: number, index: number): Uint8Array => {
    const width = 2 ** level;
    const leaves = Array.from({ length: width }, (_, at) => leafDigest(hashOf(index * width + at + 1), 'R'));
    let nodes = leaves;
    while (nodes.length > 1)
      nodes = nodes.flatMap((left, at) => (at % 2 === 0 ? [nodeDigest(left, nodes[at + 1] ?? left)] : []));
    return nodes[0] ?? new Uint8Array();
  };
  const root = (row: number) => subtree({ from: 0, to: row }, nodeAt, nodeDigest);
  return {
    hashOf,
    tree: (row: number, since?: WireCountersignedHead): WireJournalTree => ({
      row,
      hash: hashOf(row),
      root: root(row),
      consistency: since ? [...consistencyProof(since.row, row, nodeAt, nodeDigest)] : [],
      ...(since && { since }),
    }),
    signed: (row: number, timeMs = 0, key = KEY) =>
      countersignHead('a1', { generation: GENERATION, row, hash: hashOf(row), root: root(row), timeMs }, key),
  };
}
