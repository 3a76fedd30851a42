import { expect, test } from 'vitest';
import { FaultRegistry } from '../faults/fault-registry.js';
import { memorySlot } from '../state/state-slot.js';
import { faultsOf, MAX_SCENARIOS, type Scenario } from './scenario.js';
import { parseScenarios, ScenarioStore } from './scenario-store.js';

const FLAKY: Scenario = {
  name: 'flaky',
  seed: 7,
  faults: [
    { name: 'corrupt-crc', skip: 2, times: 40, delayMs: 0, ratePercent: 30 },
    { name: 'delay', skip: 0, times: 40, delayMs: 250, ratePercent: 20 },
  ],
};
const FRAME = Buffer.from('0102030405', 'hex');

/** Which of a hundred frames are struck, and how. */
function struck(seed: number, terminal = 0): string {
  const registry = new FaultRegistry();
  registry.lay(faultsOf(FLAKY, seed, terminal));
  return Array.from({ length: 100 }, () => {
    const { pieces, delayMs } = registry.strike(FRAME);
    const isBent = !Buffer.from(pieces[0] ?? []).equals(FRAME);
    return `${isBent ? 'c' : '.'}${delayMs > 0 ? 'd' : '.'}`;
  }).join(' ');
}

test('the same seed strikes the same frames, another seed and another terminal others', () => {
  expect(struck(7)).toBe(struck(7));
  expect(struck(8)).not.toBe(struck(7));
  expect(struck(7, 1)).not.toBe(struck(7));
});

test('a rate strikes about so many frames, none of those that pass first, and ends after its times', () => {
  const marks = struck(7).split(' ');
  expect(marks.slice(0, 2).join('')).not.toContain('c');
  const bent = marks.filter((mark) => mark.includes('c')).length;
  expect(bent).toBeGreaterThan(15);
  expect(bent).toBeLessThanOrEqual(40);
});

test('scenarios are kept by name, and no more than their limit', () => {
  const store = new ScenarioStore(memorySlot());
  store.save(FLAKY);
  store.save({ ...FLAKY, seed: 9 });
  expect(store.list).toEqual([{ ...FLAKY, seed: 9 }]);
  for (let at = 1; at < MAX_SCENARIOS; at += 1) store.save({ ...FLAKY, name: `s${at}` });
  expect(() => store.save({ ...FLAKY, name: 'more' })).toThrow('remove some');
  store.remove('flaky');
  expect(() => store.find('flaky')).toThrow('no scenario');
  expect(() => parseScenarios([{ name: '../x', seed: 1, faults: [] }])).toThrow(TypeError);
});
