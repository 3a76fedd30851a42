import { describe, expect, it } from 'vitest';
import { SimulationUsageError, simulationOptions } from './options.js';

describe('command line of the simulation', () => {
  it('runs many worlds from a seed on, or replays one', () => {
    expect(simulationOptions(['--seeds', '2000'])).toEqual({ kind: 'many', seeds: 2000, from: 1 });
    expect(simulationOptions(['--from', '7', '--seeds', '3'])).toEqual({ kind: 'many', seeds: 3, from: 7 });
    expect(simulationOptions(['--seed', '42'])).toEqual({ kind: 'one', seed: 42 });
    expect(simulationOptions([])).toMatchObject({ kind: 'many', from: 1 });
    expect(simulationOptions(['--bugs'])).toEqual({ kind: 'bugs', seeds: 500, from: 1 });
    expect(simulationOptions(['--bugs', '--from', '9'])).toMatchObject({ kind: 'bugs', from: 9 });
  });

  it.each([
    [['--seeds'], '--seeds takes a whole number'],
    [['--seeds', '0'], '--seeds takes a whole number'],
    [['--seed', '1.5'], '--seed takes a whole number'],
    [['--seed', '4294967296'], '--seed takes a whole number'],
    [['--seed', '1', '--from', '2'], '--seed replays one world'],
    [['--seeds', '1', '--seeds', '2'], 'given twice'],
    [['--bugs', '--seed', '1'], '--bugs looks through many seeds'],
    [['--sead', '1'], '--sead is no option'],
  ])('%j is refused with the rule and the usage', (args, rule) => {
    expect(() => simulationOptions(args)).toThrow(SimulationUsageError);
    expect(() => simulationOptions(args)).toThrow(rule);
    expect(() => simulationOptions(args)).toThrow('npm run simulate');
  });
});
