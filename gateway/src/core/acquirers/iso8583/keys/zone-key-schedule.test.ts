import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../../../kernel/store/testing/memory-store.js';
import { ZoneKeySchedule } from './zone-key-schedule.js';

const HOUR_MS = 3_600_000;

/** Two nodes on one store, of which the first has the work as long as it runs. */
function twoNodes() {
  const store = new MemoryStore();
  const clock = new VirtualClock(Date.UTC(2026, 10, 23));
  const state = { first: true, answers: true, requests: [] as string[] };
  const nodeOf = (name: string) =>
    new ZoneKeySchedule({
      ...{ store, clock, acquirer: 'EXTERNAL', intervalMs: 24 * HOUR_MS },
      single: { isMine: async () => state.first === (name === 'first') },
      exchange: async () => {
        state.requests.push(name);
        return state.answers;
      },
    });
  const nodes = [nodeOf('first'), nodeOf('second')];
  const round = async () => {
    for (const node of nodes) await node.round();
  };
  return { clock, state, round };
}

it('requests new keys once in its time, from one node', async () => {
  const { clock, state, round } = twoNodes();
  await round();
  await clock.advance(23 * HOUR_MS);
  await round();
  expect(state.requests).toEqual(['first']);
  await clock.advance(HOUR_MS);
  await round();
  expect(state.requests).toEqual(['first', 'first']);
});

it('leaves it to another node when the first has ended, which sends no request sooner', async () => {
  const { clock, state, round } = twoNodes();
  await round();
  state.first = false;
  await clock.advance(HOUR_MS);
  await round();
  expect(state.requests).toEqual(['first']);
  await clock.advance(23 * HOUR_MS);
  await round();
  expect(state.requests).toEqual(['first', 'second']);
});

it('tries again in the next round where no key came', async () => {
  const { state, round } = twoNodes();
  state.answers = false;
  await round();
  state.answers = true;
  await round();
  await round();
  expect(state.requests).toEqual(['first', 'first']);
});
