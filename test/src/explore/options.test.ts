import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../command-line/command-line.js';
import { MACHINE_NAMES } from './machines.js';
import { EXPLORE_COMMAND, exploreOptions } from './options.js';
import { lineOf, storyOf } from './story.js';
import { keepTrace, keptTraces } from './traces.js';

const optionsOf = (...args: readonly string[]) => {
  const parsed = parseArguments(EXPLORE_COMMAND, args);
  if (parsed === 'help') throw new Error('no help was requested');
  return exploreOptions(parsed);
};

describe('the command line', () => {
  it('explores all machines to the full bound unless it says otherwise', () => {
    expect(optionsOf()).toMatchObject({ machines: MACHINE_NAMES, bound: 'full', bugs: false, keep: false });
    expect(optionsOf('--quick', 'link', '--seconds', '7')).toMatchObject({
      machines: ['link'],
      bound: 'quick',
      seconds: 7,
    });
  });

  it.each([
    ['a machine that is none', ['sales'], 'did you mean sale?'],
    ['no seconds', ['--seconds', '0'], '--seconds takes a whole number'],
    ['two bounds', ['--quick', '--deep'], 'does not go with --deep'],
    ['traces of bugs', ['--bugs', '--keep'], 'does not go with --keep'],
  ] as const)('refuses %s', (_, args, text) => {
    expect(() => optionsOf(...args)).toThrow(UsageError);
    expect(() => optionsOf(...args)).toThrow(text);
  });
});

it('a trace that is kept is read again, and does not replace another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-traces-'));
  const kept = { machine: 'sale', bound: 'quick', promise: 'P2: twice', trace: ['a', 'b'] } as const;
  const files = [keepTrace(folder, kept), keepTrace(folder, { ...kept, trace: ['a'] })];
  expect([...keptTraces(folder)]).toEqual([
    [basename(files[0] ?? ''), kept],
    [basename(files[1] ?? ''), { ...kept, trace: ['a'] }],
  ]);
  rmSync(folder, { recursive: true });
});

it('a broken promise is a story, and an exploration a line that names its bound', () => {
  const found = {
    model: 'sale',
    states: 12_345,
    transitions: 2,
    depth: 3,
    ends: 1,
    seconds: 1.25,
    processorSeconds: 0.5,
    memoryMib: 99,
    collisionBound: 1e-12,
    endedBy: 'memoryMib',
  } as const;
  expect(lineOf('sale', found)).toMatch(/^sale +12,345 .*99 +1e-12 the bound of memory$/);
  expect(storyOf(found)).toEqual([]);
  expect(storyOf({ ...found, violation: { promise: 'P2: twice', trace: ['a', 'b'] } })).toEqual([
    'P2: twice',
    '   1. a',
    '   2. b',
  ]);
});
