import { expect, it } from 'vitest';
import { canonicalText, Parts } from './canonical.js';
import { Edges } from './reachability.js';
import { collisionBound, NONE, VisitedStates } from './visited.js';

it('a state is new once, also after the table has grown', () => {
  const visited = new VisitedStates();
  let fresh = 0;
  for (let state = 0; state < 100_000; state += 1)
    if (visited.visit(`state ${state}`, state === 0 ? NONE : state - 1, state % 7).isNew) fresh += 1;
  expect(fresh).toBe(100_000);
  expect(visited.visit('state 77777', 0, 0)).toEqual({ number: 77_777, isNew: false });
  expect(visited.size).toBe(100_000);
  expect(visited.pathTo(8)).toEqual([1, 2, 3, 4, 5, 6, 0, 1]);
});

it('two states are taken for one with less than one in a thousand millions, of two hundred thousand', () => {
  expect(collisionBound(1)).toBe(0);
  expect(collisionBound(200_000)).toBeLessThan(2e-9);
  expect(collisionBound(2 ** 32)).toBeGreaterThan(0.4);
});

it('goals are reached against the direction of the steps', () => {
  const edges = new Edges();
  for (const [from, to] of [
    [0, 1],
    [1, 2],
    [3, 1],
    [2, 4],
    [5, 5],
  ] as const)
    edges.add(from, to);
  expect([...edges.reaching(Uint8Array.from([0, 0, 1, 0, 0, 0]))]).toEqual([1, 1, 1, 1, 0, 0]);
});

it('equal values have one text, and different ones have two', () => {
  const value = { b: [1, undefined], a: new Map([['x', Uint8Array.of(1)]]), c: undefined };
  expect(canonicalText(value)).toBe(
    canonicalText({ a: new Map([['x', Uint8Array.of(1)]]), b: [1, undefined] }),
  );
  expect(canonicalText('1')).not.toBe(canonicalText(1));
  expect(canonicalText([[1], 2])).not.toBe(canonicalText([[1, 2]]));
  expect(() => canonicalText({ call: () => undefined })).toThrow('holds no function');
});

it('a part of the same content is the same object, also within another one', () => {
  const parts = new Parts();
  const inner = parts.one({ a: 1 });
  expect(parts.one({ a: 1 })).toBe(inner);
  expect(parts.one({ inner: { a: 1 } })).toBe(parts.one({ inner }));
  expect(parts.one([{ inner: { a: 1 } }, 2])[0]).toEqual({ inner });
  expect(parts.one({ deep: [{ a: 1 }] }).deep[0]).toBe(inner);
  expect(parts.one([{ a: 1 }, { a: 2 }])).toBe(parts.one([{ a: 1 }, { a: 2 }]));
  expect(parts.number({ a: 1 })).not.toBe(parts.number({ a: 2 }));
});

it('bytes count by their content, and are never shared', () => {
  const parts = new Parts();
  const bytes = () => ({ bytes: Uint8Array.of(1, 2) });
  const [first, second] = [bytes(), { of: bytes().bytes }];
  expect(parts.one(first)).toBe(parts.one(bytes()));
  expect(parts.one(second).of).toBe(second.of);
  expect(parts.number({ of: Uint8Array.of(1) })).not.toBe(parts.number(second));
});
