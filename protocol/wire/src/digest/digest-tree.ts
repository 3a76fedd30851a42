/**
 * The shape of a digest tree (RFC 6962 §2.1): which node stands where, and what a proof consists of. Nothing here computes a hash: `T` is a
 * node as the caller has it, bytes or a promise of them, and `combine` gives the node above two others.
 */

/** The node above two others. */
export type Combine<T> = (left: T, right: T) => T;

/** The whole subtree over the leaves from `index * 2 ** level` on, `2 ** level` of them. Level 0 is a leaf. */
export type NodeAt<T> = (level: number, index: number) => T;

/** Leaves from `from` up to, not including, `to`; the first leaf is 0. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** Leaves that a tree may have: numbers of rows stay exact. */
export const MAX_TREE_SIZE = 2 ** 48;

/** The node over leaves `from` up to `to`, a subtree of a tree of this shape. */
export function subtree<T>({ from, to }: LeafRange, nodeAt: NodeAt<T>, combine: Combine<T>): T {
  const size = to - from;
  const level = levelOf(size);
  if (level !== undefined) return nodeAt(level, from / size);
  const middle = from + leftSize(size);
  const left = subtree({ from, to: middle }, nodeAt, combine);
  return combine(left, subtree({ from: middle, to }, nodeAt, combine));
}

/** The whole subtrees that a tree of this size consists of, from the left, each as its level and index. */
export function peaksOf(size: number): readonly (readonly [level: number, index: number])[] {
  const peaks: (readonly [number, number])[] = [];
  for (let from = 0; from < size; ) {
    let level = 0;
    while (from + 2 ** (level + 1) <= size) level += 1;
    peaks.push([level, from / 2 ** level]);
    from += 2 ** level;
  }
  return peaks;
}

/** The peaks of a tree after one more leaf. `size` and `peaks` are those before it. */
export function withLeaf<T>(size: number, peaks: readonly T[], leaf: T, combine: Combine<T>): readonly T[] {
  const next = [...peaks];
  let node = leaf;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) node = combine(next.pop() as T, node);
  next.push(node);
  return next;
}

/**
 * Nodes that prove the leaves of the ranges: every largest subtree without any of them, from the left. For a single leaf these are the nodes
 * of its audit path (RFC 6962 §2.1.1). The ranges are sorted and lie within the tree.
 */
export function rangeProof<T>(
  size: number,
  ranges: readonly LeafRange[],
  nodeAt: NodeAt<T>,
  combine: Combine<T>,
): readonly T[] {
  const proof: T[] = [];
  const walk = (range: LeafRange): void => {
    if (!meetsAny(range, ranges)) proof.push(subtree(range, nodeAt, combine));
    else if (range.to - range.from > 1) for (const half of halves(range)) walk(half);
  };
  if (size > 0) walk({ from: 0, to: size });
  return proof;
}

/** The root of a tree of this size out of the leaves of the ranges and a {@link rangeProof}; undefined where the proof has another length. */
export function rootOfRanges<T>(
  size: number,
  ranges: readonly LeafRange[],
  leafAt: (index: number) => T,
  proof: readonly T[],
  combine: Combine<T>,
): T | undefined {
  const rest = [...proof];
  const walk = (range: LeafRange): T | undefined => {
    if (!meetsAny(range, ranges)) return rest.shift();
    if (range.to - range.from === 1) return leafAt(range.from);
    const [left, right] = halves(range).map(walk);
    return left === undefined || right === undefined ? undefined : combine(left, right);
  };
  const root = size > 0 ? walk({ from: 0, to: size }) : undefined;
  return rest.length === 0 ? root : undefined;
}

/** Nodes that prove that a tree begins with one of `from` leaves (RFC 6962 §2.1.2); 0 < `from` <= `size`. */
export function consistencyProof<T>(
  from: number,
  size: number,
  nodeAt: NodeAt<T>,
  combine: Combine<T>,
): readonly T[] {
  const proof: T[] = [];
  const walk = (range: LeafRange, isOldRoot: boolean): void => {
    if (from === range.to) {
      if (!isOldRoot) proof.push(subtree(range, nodeAt, combine));
      return;
    }
    const [left, right] = halves(range);
    if (from <= left.to) {
      walk(left, isOldRoot);
      proof.push(subtree(right, nodeAt, combine));
    } else {
      walk(right, false);
      proof.push(subtree(left, nodeAt, combine));
    }
  };
  walk({ from: 0, to: size }, true);
  return proof;
}

/** Roots of the old and the new tree out of the old root and a {@link consistencyProof}; undefined where the proof has another length. */
export function rootsOfConsistency<T>(
  from: number,
  size: number,
  oldRoot: T,
  proof: readonly T[],
  combine: Combine<T>,
): { readonly from: T; readonly to: T } | undefined {
  if (from < 1 || from > size || size > MAX_TREE_SIZE) return undefined;
  const rest = [...proof];
  const walk = (range: LeafRange, isOldRoot: boolean): { from: T; to: T } | undefined => {
    if (from === range.to) {
      const node = isOldRoot ? oldRoot : rest.shift();
      return node === undefined ? undefined : { from: node, to: node };
    }
    const [left, right] = halves(range);
    const isLeft = from <= left.to;
    const within = walk(isLeft ? left : right, isOldRoot && isLeft);
    const other = rest.shift();
    if (!within || other === undefined) return undefined;
    if (isLeft) return { from: within.from, to: combine(within.to, other) };
    return { from: combine(other, within.from), to: combine(other, within.to) };
  };
  const roots = walk({ from: 0, to: size }, true);
  return rest.length === 0 ? roots : undefined;
}

function halves({ from, to }: LeafRange): readonly [LeafRange, LeafRange] {
  const middle = from + leftSize(to - from);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

/** The largest power of two below a size above 1 (RFC 6962 §2.1: k < n <= 2k). */
function leftSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

function levelOf(size: number): number | undefined {
  let level = 0;
  while (2 ** level < size) level += 1;
  return 2 ** level === size ? level : undefined;
}

function meetsAny({ from, to }: LeafRange, ranges: readonly LeafRange[]): boolean {
  return ranges.some((range) => range.from < to && from < range.to);
}
