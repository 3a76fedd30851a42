import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFiller } from './disk-filler.js';
import { type DrillResult, type DrillSize, Drills } from './drills.js';

/** The short form: `npm run bench -- drills` runs them with 200 agents, and stops nodes for 30 s. */
const SIZE: DrillSize = {
  agents: 4,
  merchants: 3,
  storePauseMs: 500,
  merchantPauseMs: 250,
  awayMs: 6_000,
};
/** Other tests run at the same time: the bench applies the times themselves. */
const BUSY_TIMES = 3;
/** Three nodes end and start, one after the other. */
const ROLL_MS = 240_000;

const filler = await compileFiller();
let drills: Drills;
beforeAll(async () => {
  drills = await Drills.open(SIZE, typeof filler === 'string' ? undefined : filler);
});
afterAll(async () => {
  await drills.close();
  if (typeof filler !== 'string') filler.remove();
});

function judge({ name, recoveredMs, allowedMs, faults, breaches }: DrillResult): void {
  const met = [...faults].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  console.log(`${name}: recovered in ${Math.round(recoveredMs)} ms${met && ` (${met})`}`);
  expect(breaches).toEqual([]);
  expect(recoveredMs).toBeLessThan(BUSY_TIMES * allowedMs);
}

describe('three gateways under load, each sale and payment charged as it was reported', () => {
  it('make up for a node that is killed', async () => judge(await drills.killNode()));

  it('refuse what a node writes late that stood still in a call', async () =>
    judge(await drills.freezeNode()));

  it('make up for a node that is cut from the database', async () => judge(await drills.cutNode()));

  it('go on after the database was killed', async () => judge(await drills.killDatabase()));

  it.skipIf(typeof filler === 'string')(
    `go on after the disk of the database was full${typeof filler === 'string' ? `: ${filler}` : ''}`,
    async () => judge(await drills.fillDisk()),
  );

  it(
    'are replaced one after the other by a newer build',
    async () => judge(await drills.rollNodes()),
    ROLL_MS,
  );
});
