import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { repeat } from './repeat.js';

it('works at the start and after every interval, also after a round that failed', async () => {
  const clock = new VirtualClock(0);
  const faults: unknown[] = [];
  let rounds = 0;
  const work = async (): Promise<void> => {
    rounds += 1;
    if (rounds === 2) throw new Error('not now');
  };
  const stop = repeat({ clock, intervalMs: 1_000, work, onFault: (error) => faults.push(error) });
  expect(rounds).toBe(1);
  await clock.advance(999);
  expect(rounds).toBe(1);
  await clock.advance(1);
  await clock.advance(1_000);
  expect(rounds).toBe(3);
  expect(faults).toMatchObject([{ message: 'not now' }]);
  await stop();
  await clock.advance(10_000);
  expect(rounds).toBe(3);
});

it('ends when the round that runs has ended, and begins no other', async () => {
  const clock = new VirtualClock(0);
  let release = (): void => undefined;
  let rounds = 0;
  const work = (): Promise<void> => {
    rounds += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  const stop = repeat({ clock, intervalMs: 1, work, onFault: () => undefined });
  let ended = false;
  const end = stop().then(() => {
    ended = true;
  });
  await clock.advance(10);
  expect(ended).toBe(false);
  release();
  await end;
  await clock.advance(10);
  expect(rounds).toBe(1);
});
