import {
  consistencyProof,
  type LeafRange,
  type NodeAt,
  peaksOf,
  rangeProof,
  subtree,
} from '@tillbridge/wire/digest/digest-tree.js';
import { leafDigest, nodeDigest } from '@tillbridge/wire/digest/node-digest.js';
import type { JournalLeaf } from '../journal.js';

/** What compaction has left of the tree over the rows that it removed. */
export interface DigestBase {
  /** The last removed row: so many leaves. */
  readonly row: number;
  readonly peaks: readonly Uint8Array[];
}

/** A journal as its digest tree is computed. */
export interface DigestSource {
  /** Undefined where an older build removed rows before there was a tree. */
  base(): Promise<DigestBase | undefined>;
  leaves(afterRow: number, limit: number): Promise<readonly JournalLeaf[]>;
}

/** The tree cannot be computed: rows that it needs are gone. */
export class DigestUnavailableError extends Error {
  override readonly name = 'DigestUnavailableError';
}

/** Level from which on nodes are remembered: one in so many rows costs a page of memory for a year of sales. */
const TILE_LEVEL = 8;
const TILE = 2 ** TILE_LEVEL;
/** Tiles whose leaves are kept: a proof walks along few of them, a journal of a year has thousands. */
const MAX_READ_TILES = 4;
/** Separates level and index in one number. */
const LEVEL_FACTOR = 2 ** 44;

/**
 * The digest tree over a journal's rows (agent/docs/proofs.md). It follows from the rows: nothing of it is stored but what compaction leaves,
 * and an append costs nothing. Nodes over {@link TILE} rows and more are remembered; those below are computed of the rows each time.
 */
export class JournalDigest {
  readonly #source: DigestSource;
  readonly #nodes = new Map<number, Uint8Array>();
  /** Root and proofs of one size are computed one after the other, of the same leaves. */
  #reader: NodeReader | undefined;
  /** Rows whose whole tiles are remembered. */
  #tiledTo = 0;

  constructor(source: DigestSource) {
    this.#source = source;
  }

  /** Root of the tree over the first `size` rows. @throws DigestUnavailableError, JournalUnavailable */
  async root(size: number): Promise<Uint8Array> {
    return subtree({ from: 0, to: size }, await this.#nodesOf(size), combined);
  }

  /** Proves that the tree over `size` rows begins with that over `from` rows. @throws as {@link root} */
  async consistency(from: number, size: number): Promise<readonly Uint8Array[]> {
    return Promise.all(consistencyProof(from, size, await this.#nodesOf(size), combined));
  }

  /** Proves rows under the root over `size` rows; the ranges count leaves from 0. @throws as {@link root} */
  async ranges(size: number, ranges: readonly LeafRange[]): Promise<readonly Uint8Array[]> {
    return Promise.all(rangeProof(size, ranges, await this.#nodesOf(size), combined));
  }

  async #nodesOf(size: number): Promise<NodeAt<Promise<Uint8Array>>> {
    const base = await this.#source.base();
    if (!base) throw new DigestUnavailableError('an older build removed rows before the journal had a tree');
    const reader = this.#reader?.isOf(base, size)
      ? this.#reader
      : new NodeReader(this.#source, this.#nodes, base, size);
    this.#reader = reader;
    // One after the other: a journal of a year has thousands, and sales come first.
    for (let end = Math.max(this.#tiledTo, base.row - (base.row % TILE)); end + TILE <= size; end += TILE) {
      await reader.node(TILE_LEVEL, end / TILE);
      this.#tiledTo = end + TILE;
    }
    return (level, index) => reader.node(level, index);
  }
}

/** The nodes of one tree, as one computation needs them. */
class NodeReader {
  readonly #source: DigestSource;
  readonly #remembered: Map<number, Uint8Array>;
  readonly #base: DigestBase;
  readonly #size: number;
  readonly #peaks: ReadonlyMap<number, Uint8Array>;
  readonly #leaves = new Map<number, Promise<readonly Uint8Array[]>>();

  constructor(source: DigestSource, remembered: Map<number, Uint8Array>, base: DigestBase, size: number) {
    this.#source = source;
    this.#remembered = remembered;
    this.#base = base;
    this.#size = size;
    const places = peaksOf(base.row);
    this.#peaks = new Map(base.peaks.map((peak, at) => [keyOf(...(places[at] ?? [0, 0])), peak] as const));
  }

  /** Whether it is the reader of this tree, of which compaction has removed no more since. */
  isOf({ row }: DigestBase, size: number): boolean {
    return this.#base.row === row && this.#size === size;
  }

  async node(level: number, index: number): Promise<Uint8Array> {
    const key = keyOf(level, index);
    const from = index * 2 ** level;
    const to = from + 2 ** level;
    const found = this.#remembered.get(key) ?? this.#peaks.get(key);
    if (found) return found;
    if (to <= this.#base.row)
      throw new DigestUnavailableError(`compaction has removed rows ${from + 1} to ${to}`);
    const node = await this.#computed(level, index, { from, to });
    if (level >= TILE_LEVEL) this.#remembered.set(key, node);
    return node;
  }

  async #computed(level: number, index: number, { from, to }: LeafRange): Promise<Uint8Array> {
    if (level > TILE_LEVEL || from < this.#base.row)
      return nodeDigest(await this.node(level - 1, 2 * index), await this.node(level - 1, 2 * index + 1));
    const leaves = (await this.#tile(Math.floor(from / TILE))).slice(-leavesFrom(from, this.#size));
    return over(leaves.slice(0, to - from));
  }

  /** The leaves of a tile that are there, up to the last of the tree. */
  #tile(tile: number): Promise<readonly Uint8Array[]> {
    const known = this.#leaves.get(tile);
    if (known) return known;
    const read = this.#readTile(tile);
    for (const oldest of this.#leaves.keys())
      if (this.#leaves.size >= MAX_READ_TILES) this.#leaves.delete(oldest);
    this.#leaves.set(tile, read);
    // What failed is read again.
    read.catch(() => this.#leaves.delete(tile));
    return read;
  }

  async #readTile(tile: number): Promise<readonly Uint8Array[]> {
    const from = Math.max(tile * TILE, this.#base.row);
    const to = Math.min((tile + 1) * TILE, this.#size);
    const rows = await this.#source.leaves(from, to - from);
    if (rows.length !== to - from || rows[0]?.row !== from + 1)
      throw new DigestUnavailableError(
        `rows ${from + 1} to ${to} are not all there: compaction removes some now`,
      );
    return rows.map(({ hash, reference }) => leafDigest(hash, reference));
  }
}

/** How many leaves of its tile stand at a place and behind it, in a tree of this size. */
function leavesFrom(from: number, size: number): number {
  return Math.min(size, from - (from % TILE) + TILE) - from;
}

/** The node over leaves whose number is a power of two. */
function over(leaves: readonly Uint8Array[]): Uint8Array {
  let nodes = leaves;
  while (nodes.length > 1) nodes = nodes.flatMap((left, at) => pairAt(nodes, left, at));
  return nodes[0] ?? new Uint8Array();
}

function pairAt(nodes: readonly Uint8Array[], left: Uint8Array, at: number): readonly Uint8Array[] {
  const right = nodes[at + 1];
  return at % 2 === 0 && right ? [nodeDigest(left, right)] : [];
}

function keyOf(level: number, index: number): number {
  return level * LEVEL_FACTOR + index;
}

async function combined(left: Promise<Uint8Array>, right: Promise<Uint8Array>): Promise<Uint8Array> {
  return nodeDigest(await left, await right);
}
