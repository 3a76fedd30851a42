import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MACHINE_NAMES, MACHINES } from './machines.js';
import { PLANTED_BUGS } from './planted-bugs.js';
import { storyOf } from './story.js';
import { keptTraces, TRACES } from './traces.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Of planted bugs that show soon: the lengths of their shortest traces. `npm run explore -- --bugs` looks for all of them. */
const SHORTEST: Readonly<Record<string, number>> = {
  'a restart knows its last contact by the time of the store alone': 10,
  'a clock that was set back is believed': 4,
  'a hold that a host begins on a later day is never looked for': 6,
  'totals of a settlement day leave reversals out': 8,
  'what a host carries out on the day after its request is looked for on the day before alone': 8,
  'an older copy of a journal begins a session after a newer one': 13,
  'a session that lost the race for its epoch begins all the same': 14,
  'a Welcome of a connection that was given up counts': 12,
  'an older session may still write': 8,
  'a payment that waits is resolved as if its answer were lost': 5,
  'a deadline ignores a decision that came before it': 7,
  'a return after the end makes a second outcome': 4,
  'no process looks at deadlines': 5,
  'the gateway answers before its commit': 6,
  'the gateway sends a request to a silent acquirer as a new one': 8,
  'a request is sent again when nothing is known of it': 6,
  'no answer counts as a decline': 10,
  'an approval that the card refused is not reversed': 11,
  'an AAC after an approval counts as approved': 11,
  'the queue mixes up the order of a stream': 6,
  'an AAC without the gateway counts as approved': 4,
  'a gateway takes what another one works on': 4,
  'a gateway goes on that others have taken over from': 7,
  'a late commit counts though others have taken over': 7,
  'what a commit relies on may change before it': 7,
  'an approval that comes after its reversal stands': 7,
  'a reversal that is sent again lacks the flag of a repeat': 5,
  'an advice that is repeated is sent as another one': 3,
  'the reversal of a part approval names what was requested': 5,
  'a reversal leaves half of what was approved': 5,
};

/** More states than any quick bound has: a machine without an end fails here, and not by the memory of its worker. */
const LIMITS = { states: 200_000 };

describe('within the quick bound', () => {
  it.each(MACHINE_NAMES)('every state of %s keeps its promises', async (name) => {
    const found = await MACHINES[name].explore('quick', {}, LIMITS);
    expect(storyOf(found)).toEqual([]);
    expect(found.endedBy).toBe('all');
  });

  it.each(Object.entries(SHORTEST))('%s: %i actions', async (bug, length) => {
    const place = Object.entries(PLANTED_BUGS).find(([name]) => name === bug)?.[1];
    if (place === undefined || typeof place === 'string') throw new Error(`${bug} is not planted`);
    const { violation } = await MACHINES[place.machine].explore('quick', place.seams, LIMITS);
    expect(violation?.trace).toHaveLength(length);
  });
});

describe('the page of the exploration', () => {
  const page = readFileSync(join(ROOT, 'test', 'docs', 'explore.md'), 'utf8');
  const planted = Object.entries(PLANTED_BUGS).flatMap(([bug, place]) =>
    typeof place === 'string' ? [] : [{ bug, machine: place.machine }],
  );
  const rows = [...page.matchAll(/^\| ([^|`]+) \| `([a-z-]+)` \| (\d+) \|$/gm)].map(
    ([, bug = '', machine = '', length]) => ({ bug, machine, length: Number(length) }),
  );

  it('names each planted bug and its machine, and no other', () => {
    const byName = (a: { bug: string }, b: { bug: string }) => (a.bug < b.bug ? -1 : 1);
    expect(rows.map(({ bug, machine }) => ({ bug, machine })).sort(byName)).toEqual(planted.sort(byName));
  });

  it('gives the lengths that are found', () => {
    const lengths = new Map(rows.map(({ bug, length }) => [bug, length]));
    for (const [bug, length] of Object.entries(SHORTEST)) expect(lengths.get(bug), bug).toBe(length);
  });

  it('has each machine in its tables', () => {
    for (const name of MACHINE_NAMES) {
      const named = page.split('\n').filter((line) => line.startsWith('| `') && line.includes(`\`${name}\``));
      expect(named.length, name).toBeGreaterThanOrEqual(3);
    }
  });
});

it.each([...keptTraces(join(ROOT, TRACES))])('%s breaks no promise any more', async (_, kept) => {
  expect(await MACHINES[kept.machine].replay(kept.bound, kept.trace)).toBeUndefined();
});
