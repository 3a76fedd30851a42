import { expect, test } from 'vitest';
import { driftOf, merged } from './reference.js';

const MACHINE = { processor: 'P', cores: 2, memoryGiB: 8, system: 'linux x64', node: 'v20.19.0' };
const row = (name: string, ratio: number) => ({
  name,
  value: ratio,
  unit: '1/s',
  baseline: 1,
  ratio,
  goal: 1,
});

test('rows of a run replace those of their names, and the others stay', () => {
  const first = merged(undefined, MACHINE, [row('a', 1), row('b', 2)], '2026-01-01');
  const second = merged(first, MACHINE, [row('b', 3)], '2026-01-02');
  expect(second.rows.map(({ name, ratio, measured }) => [name, ratio, measured])).toEqual([
    ['a', 1, '2026-01-01'],
    ['b', 3, '2026-01-02'],
  ]);
});

test('rows of another machine are removed when this one records', () => {
  const first = merged(undefined, MACHINE, [row('a', 1)], '2026-01-01');
  const second = merged(first, { ...MACHINE, cores: 4 }, [row('b', 3)], '2026-01-02');
  expect(second.rows.map(({ name }) => name)).toEqual(['b']);
});

test('drift is the change of the ratio in percent, and unknown where the reference has no such row', () => {
  const reference = merged(undefined, MACHINE, [row('a', 0.5)], '2026-01-01');
  expect(driftOf([row('a', 0.4), row('b', 1)], reference)).toEqual([
    { name: 'a', ratio: 0.4, reference: 0.5, driftPercent: -20 },
    { name: 'b', ratio: 1, reference: undefined, driftPercent: undefined },
  ]);
});
