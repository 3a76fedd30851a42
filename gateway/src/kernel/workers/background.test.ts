import { afterEach, expect, it } from 'vitest';
import { HarnessClock } from '../../core/payments/harness-clock.test.support.js';
import { Background } from './background.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

it('logs a fault that goes on once a minute, and another one at once', async () => {
  const clock = new HarnessClock();
  const logged: string[] = [];
  let fault = 'the database is away';
  const background = new Background({
    clock,
    single: { isMine: async () => true },
    onFault: (what, error) => logged.push(`${what}: ${(error as Error).message}`),
    closers,
  });
  background.repeat({
    intervalMs: 1_000,
    work: async () => {
      throw new Error(fault);
    },
    fault: 'nothing was done',
  });
  const seconds = async (count: number) => {
    for (let at = 0; at < count; at += 1) await clock.advance(1_000);
  };
  await seconds(50);
  expect(logged).toEqual(['nothing was done: the database is away']);
  await seconds(20);
  expect(logged).toHaveLength(2);
  fault = 'the disk is full';
  await seconds(2);
  expect(logged.slice(2)).toEqual(['nothing was done: the disk is full']);
});
