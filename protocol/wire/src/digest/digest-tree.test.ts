import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import {
  consistencyProof,
  type LeafRange,
  peaksOf,
  rangeProof,
  rootOfRanges,
  rootsOfConsistency,
  subtree,
  withLeaf,
} from './digest-tree.js';
import { nodeDigest } from './node-digest.js';

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array =>
  createHash('sha256').update(Buffer.concat(parts)).digest();
const leafOf = (data: Uint8Array): Uint8Array => sha256(Uint8Array.of(0), data);

/** MTH of RFC 6962 §2.1, word for word: the reference that everything here is compared with. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only && leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Uint8Array.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

const nodesOf = (leaves: readonly Uint8Array[]) => (level: number, index: number) => {
  const width = 2 ** level;
  return naiveRoot(leaves.slice(index * width, (index + 1) * width));
};

const numbered = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, at) => leafOf(Buffer.from(`leaf ${at}`)));

/** Inputs and roots that implementations of RFC 6962 test with (Certificate Transparency). */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696A6B6C6D6E6F',
];
const ROOTS = [
  '6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D',
  'FAC54203E7CC696CF0DFCB42C92A1D9DBAF70AD9E621F4BD8D98662F00E3C125',
  'AEB6BCFE274B70A14FB067A5E5578264DB0FA9B51AF5E0BA159158F329E06E77',
  'D37EE418976DD95753C1C73862B9398FA2A2CF9B4FF0FDFE8B30CD95209614B7',
  '4E3BBB1F7B478DCFE71FB631631519A3BCA12C9AEFCA1612BFCE4C13A86264D4',
  '76E67DADBCDF1E10E1B74DDC608ABD2F98DFB16FBCE75277B5232A127F2087EF',
  'DDB89BE403809E325750D3D263CD78929C2942B7942A34B77E122C9594A74C8C',
  '5DC9DA79A70659A9AD559CB701DED9A2AB9D823AAD2F4960CFE370EFF4604328',
];

describe('the digest tree of RFC 6962', () => {
  const leaves = INPUTS.map((hex) => leafOf(fromHex(hex)));

  test.each(ROOTS.map((root, at) => [at + 1, root] as const))(
    'has the published root of %i leaves',
    (size, root) => {
      const some = leaves.slice(0, size);
      expect(toHex(subtree({ from: 0, to: size }, nodesOf(some), nodeDigest))).toBe(root);
    },
  );

  test('has the audit paths of §2.1.3: d0, d3, d4 and d6 of seven leaves', () => {
    const seven = leaves.slice(0, 7);
    const node = (from: number, to: number) => toHex(naiveRoot(seven.slice(from, to)));
    const [a, b, c, d, e, f, g, h, i, j, k, l] = [
      ...[node(0, 1), node(1, 2), node(2, 3), node(3, 4), node(4, 5), node(5, 6)],
      ...[node(0, 2), node(2, 4), node(4, 6), node(6, 7), node(0, 4), node(4, 7)],
    ];
    const path = (index: number) =>
      rangeProof(7, [{ from: index, to: index + 1 }], nodesOf(seven), nodeDigest)
        .map(toHex)
        .sort();
    expect(path(0)).toEqual([b, h, l].sort());
    expect(path(3)).toEqual([c, g, l].sort());
    expect(path(4)).toEqual([f, j, k].sort());
    expect(path(6)).toEqual([i, k].sort());
    expect([a, d, e]).toHaveLength(3);
  });

  test('has the consistency proofs of §2.1.3: 3, 4 and 6 of seven leaves, in their order', () => {
    const seven = leaves.slice(0, 7);
    const node = (from: number, to: number) => toHex(naiveRoot(seven.slice(from, to)));
    const proof = (from: number) => consistencyProof(from, 7, nodesOf(seven), nodeDigest).map(toHex);
    expect(proof(3)).toEqual([node(2, 3), node(3, 4), node(0, 2), node(4, 7)]);
    expect(proof(4)).toEqual([node(4, 7)]);
    expect(proof(6)).toEqual([node(4, 6), node(6, 7), node(0, 4)]);
    expect(proof(7)).toEqual([]);
  });
});

const SIZE = fc.integer({ min: 1, max: 70 });

/** A size, and ranges within it. */
const WITH_RANGES = SIZE.chain((size) =>
  fc.record({
    size: fc.constant(size),
    ranges: fc.uniqueArray(fc.integer({ min: 0, max: size }), { minLength: 2, maxLength: 6 }).map((cuts) => {
      const sorted = [...cuts].sort((x, y) => x - y);
      return sorted.flatMap((from, at): LeafRange[] =>
        at % 2 === 0 && sorted[at + 1] !== undefined ? [{ from, to: sorted[at + 1] as number }] : [],
      );
    }),
  }),
);

describe('any digest tree', () => {
  test('has the root of the reference, also by its peaks', () => {
    fc.assert(
      fc.property(SIZE, (size) => {
        const leaves = numbered(size);
        const root = toHex(naiveRoot(leaves));
        expect(toHex(subtree({ from: 0, to: size }, nodesOf(leaves), nodeDigest))).toBe(root);
        const grown = leaves.reduce(
          (peaks: readonly Uint8Array[], leaf, at) => withLeaf(at, peaks, leaf, nodeDigest),
          [],
        );
        expect(grown.map(toHex)).toEqual(
          peaksOf(size).map(([level, index]) => toHex(nodesOf(leaves)(level, index))),
        );
      }),
    );
  });

  test('proves ranges of its leaves, and no other leaf, order or length', () => {
    fc.assert(
      fc.property(WITH_RANGES, fc.nat(), ({ size, ranges }, pick) => {
        const leaves = numbered(size);
        const root = toHex(naiveRoot(leaves));
        const proof = rangeProof(size, ranges, nodesOf(leaves), nodeDigest);
        const found = (leafAt: (index: number) => Uint8Array, nodes = proof) => {
          const computed = rootOfRanges(size, ranges, leafAt, nodes, nodeDigest);
          return computed && toHex(computed);
        };
        const at = (index: number) => leaves[index] ?? new Uint8Array();
        expect(found(at)).toBe(root);
        const shown = ranges.flatMap(({ from, to }) =>
          Array.from({ length: to - from }, (_, each) => from + each),
        );
        const wrong = shown[pick % shown.length] ?? 0;
        expect(found((index) => (index === wrong ? leafOf(Buffer.from('other')) : at(index)))).not.toBe(root);
        if (shown.length > 1) {
          const next = shown[(pick + 1) % shown.length] ?? 0;
          const swapped = new Map([
            [wrong, next],
            [next, wrong],
          ]);
          expect(found((index) => at(swapped.get(index) ?? index))).not.toBe(root);
        }
        expect(found(at, [...proof, proof[0] ?? new Uint8Array(32)])).toBeUndefined();
        if (proof.length > 0) expect(found(at, proof.slice(1))).not.toBe(root);
      }),
    );
  });

  test('proves that it goes on from every smaller one, and from no other', () => {
    const pair = SIZE.chain((size) => fc.tuple(fc.integer({ min: 1, max: size }), fc.constant(size)));
    fc.assert(
      fc.property(pair, fc.nat(), ([from, size], pick) => {
        const leaves = numbered(size);
        const old = naiveRoot(leaves.slice(0, from));
        const proof = consistencyProof(from, size, nodesOf(leaves), nodeDigest);
        const roots = rootsOfConsistency(from, size, old, proof, nodeDigest);
        expect(roots && [toHex(roots.from), toHex(roots.to)]).toEqual([toHex(old), toHex(naiveRoot(leaves))]);
        const changed = proof.map((node, at) => (at === pick % proof.length ? leafOf(node) : node));
        const other = rootsOfConsistency(from, size, old, changed, nodeDigest);
        if (proof.length > 0)
          expect(other && [toHex(other.from), toHex(other.to)]).not.toEqual([
            toHex(old),
            toHex(naiveRoot(leaves)),
          ]);
        expect(rootsOfConsistency(from, size, old, [...proof, old], nodeDigest)).toBeUndefined();
        expect(rootsOfConsistency(size + 1, size, old, proof, nodeDigest)).toBeUndefined();
        expect(rootsOfConsistency(0, size, old, proof, nodeDigest)).toBeUndefined();
      }),
    );
  });
});
