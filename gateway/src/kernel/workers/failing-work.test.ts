import { expect, it } from 'vitest';
import { FailingWork } from './failing-work.js';

it('remembers the fault of the last round until one goes well', async () => {
  const failing = new FailingWork();
  let broken = true;
  const work = failing.watched('sweep', async () => {
    if (broken) throw new RangeError('the disk is full');
    return 3;
  });
  expect(failing.fault('sweep')).toBeUndefined();
  await expect(work()).rejects.toThrow('the disk is full');
  expect(failing.fault('sweep')).toBe('RangeError: the disk is full');
  broken = false;
  expect(await work()).toBe(3);
  expect(failing.fault('sweep')).toBeUndefined();
});
