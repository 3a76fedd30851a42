import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../command-line/command-line.js';
import { SIMULATION_COMMAND, simulationOptions } from './options.js';

function read(...args: string[]) {
  const parsed = parseArguments(SIMULATION_COMMAND, args);
  if (parsed === 'help') throw new Error('parsed as a request for help');
  return simulationOptions(parsed);
}

describe('command line of the simulation', () => {
  it('runs many simulations from a seed on, or replays one', () => {
    const threads = availableParallelism();
    expect(read('--seeds', '2000')).toEqual({ kind: 'many', seeds: 2000, from: 1, isRandom: false, threads });
    expect(read('--from', '7', '--seeds', '3')).toEqual({
      kind: 'many',
      seeds: 3,
      from: 7,
      isRandom: false,
      threads,
    });
    expect(read('--threads', '1')).toMatchObject({ kind: 'many', threads: 1 });
    expect(read('--seed', '42')).toEqual({ kind: 'one', seed: 42 });
    expect(read()).toMatchObject({ kind: 'many', from: 1 });
    expect(read('--bugs')).toEqual({ kind: 'bugs', seeds: 200, from: 1 });
    expect(read('--link', '--seeds', '5', '--from', '9')).toEqual({
      kind: 'link',
      seeds: 5,
      from: 9,
      isTraced: false,
    });
    expect(read('--link', '--seed', '9')).toEqual({ kind: 'link', seeds: 1, from: 9, isTraced: true });
    expect(read('--incident', 'file.json')).toEqual({ kind: 'incident', file: 'file.json' });
    expect(read('--incidents', '--from', '9')).toEqual({ kind: 'incidents', seeds: 50, from: 9 });
    expect(read('--from', '9', '--bugs')).toMatchObject({ kind: 'bugs', from: 9 });
  });

  it('picks a first seed at random, and leaves room for the seeds behind it', () => {
    const picked = Array.from({ length: 5 }, () => read('--from', 'random', '--seeds', '10000000'));
    const starts = picked.map((options) => (options.kind === 'many' && options.isRandom ? options.from : 0));
    expect(new Set(starts).size).toBeGreaterThan(1);
    for (const start of starts) {
      expect(start).toBeGreaterThanOrEqual(1);
      expect(start + 10_000_000).toBeLessThanOrEqual(0xffff_ffff);
    }
  });

  it.each([
    [['--seeds'], '--seeds needs a value'],
    [['--seeds', '0'], '--seeds takes a whole number'],
    [['--seed', '1.5'], '--seed takes a whole number'],
    [['--seed', '4294967296'], '--seed takes a whole number'],
    [['--seed', '1', '--from', '2'], '--seed replays one simulation and does not go with --from'],
    [['--seeds', '1', '--seeds', '2'], 'given twice'],
    [['--bugs', '--seed', '1'], '--seed replays one simulation and does not go with --bugs'],
    [['--bugs', '--threads', '2'], '--bugs runs in one thread'],
    [['--link', '--threads', '2'], '--link runs in one thread'],
    [['--incident', 'file.json', '--seeds', '2'], '--incident replays one file'],
    [['--incidents', '--threads', '2'], '--incidents replays journals, in one thread'],
    [['--link', '--bugs'], '--bugs tries those of the link too'],
    [['--bugs', '--from', 'random'], '--from takes a whole number'],
    [['--from', 'rnadom'], '--from takes a whole number'],
    [['--threads', '0'], '--threads takes a whole number'],
    [['--sead', '1'], '--sead is no option; did you mean --seed?'],
    [['7'], '"7" is not expected'],
  ])('%j is refused with the rule and the usage', (args, rule) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(rule);
    expect(() => read(...args)).toThrow('usage: npm run simulate --');
  });
});
