import { expect, it } from 'vitest';
import { StartFailure, startPart } from './part-process.js';

/** A program that listens at once and ends by itself long after the time it has to start. */
const LISTENS = `console.log('listening {"url":"here"}'); setTimeout(() => {}, 1500);`;
const NEVER_LISTENS = `console.error('lost in thought'); setInterval(() => {}, 1000);`;

const program = (text: string, startTimeoutMs: number) =>
  startPart({ name: 'gateway', args: ['-e', text], startTimeoutMs });

it('lets a part that listens live on when the time to start is over', async () => {
  const part = await program(LISTENS, 1_000);
  expect(part.listening).toEqual({ url: 'here' });
  expect(await part.ended).toBe('exit code 0');
});

it('kills a part that does not listen in time, with its last words', async () => {
  const failure = await program(NEVER_LISTENS, 500).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  expect((failure as StartFailure).message).toContain('did not listen within 500 ms');
});
