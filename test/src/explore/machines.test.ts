import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MACHINE_NAMES, MACHINES } from './machines.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { storyOf } from './story.js';
import { keptTraces, TRACES } from './traces.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Of each planted bug that the quick bound shows: the length of its shortest trace. */
const SHORTEST: Readonly<Record<string, number>> = {};

describe('within the quick bound', () => {
  it.each(MACHINE_NAMES)('every state of %s keeps its promises', async (name) => {
    const found = await MACHINES[name].explore('quick');
    expect(storyOf(found)).toEqual([]);
    expect(found.endedBy).toBe('all');
  });

  it.each(Object.entries(SHORTEST))('%s: %i actions', async (bug, length) => {
    const place = Object.entries(PLANTED_BUGS).find(([name]) => name === bug)?.[1];
    if (place === undefined || typeof place === 'string') throw new Error(`${bug} is not planted`);
    const { violation } = await MACHINES[place.machine].explore('quick', place.seams);
    expect(violation?.trace).toHaveLength(length);
  });
});

it.each([...keptTraces(join(ROOT, TRACES))])('%s breaks no promise any more', async (_, kept) => {
  expect(await MACHINES[kept.machine].replay(kept.bound, kept.trace)).toBeUndefined();
});
