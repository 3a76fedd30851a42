import { expect, it } from 'vitest';
import { sharedRuns } from './shared-runs.js';

interface Run {
  readonly number: number;
  readonly end: (error?: Error) => void;
}

function watched() {
  const runs: Run[] = [];
  const call = sharedRuns(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = runs.length + 1;
        runs.push({ number, end: (error) => (error ? reject(error) : resolve(number)) });
      }),
  );
  return { runs, call };
}

it('answers all that wait by one run that begins when the first has ended', async () => {
  const { runs, call } = watched();
  const first = call();
  const waiting = [call(), call(), call()];
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  expect(await first).toBe(1);
  await expect.poll(() => runs.length).toBe(2);
  const late = call();
  runs[1]?.end();
  expect(await Promise.all(waiting)).toEqual([2, 2, 2]);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.end();
  expect(await late).toBe(3);
  const again = call();
  runs[3]?.end();
  expect(await again).toBe(4);
});

it('lets a run that fails fail only its own callers', async () => {
  const { runs, call } = watched();
  const first = call();
  const second = call();
  runs[0]?.end(new Error('no space'));
  await expect(first).rejects.toThrow('no space');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.end();
  expect(await second).toBe(2);
});
