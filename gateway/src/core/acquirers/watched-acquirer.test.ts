import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import { type Acquirer, AcquirerUnreachableError } from './acquirer.js';
import { ACQUIRER_SILENCE_MS, WatchedAcquirer } from './watched-acquirer.js';

const line = { isCut: false };
beforeEach(() => {
  line.isCut = false;
});
const wire: Acquirer = {
  name: 'WIRE',
  send: async () => ({
    approved: true,
    ...(line.isCut && { isStandIn: true }),
    resultCode: '000.100.110',
    responseCode: '00',
  }),
  status: async () => {
    if (line.isCut) throw new AcquirerUnreachableError('no answer');
    return { state: 'unknown' };
  },
};

it('is silent after calls have failed for a while, until one is answered; not without requests', async () => {
  const clock = new VirtualClock(0);
  const acquirer = new WatchedAcquirer(wire, clock);
  await clock.advance(10 * ACQUIRER_SILENCE_MS);
  expect(acquirer.isSilent).toBe(false);
  line.isCut = true;
  await expect(acquirer.status('a')).rejects.toBeInstanceOf(AcquirerUnreachableError);
  await clock.advance(ACQUIRER_SILENCE_MS - 1);
  await expect(acquirer.status('a')).rejects.toBeInstanceOf(AcquirerUnreachableError);
  expect(acquirer.isSilent).toBe(false);
  await clock.advance(1);
  expect(acquirer.isSilent).toBe(true);
  line.isCut = false;
  await acquirer.send({ kind: 'reversal', acquirerReference: 'r', originalReference: 'a' });
  expect(acquirer.isSilent).toBe(false);
});

it('is silent while the gateway approves in its place', async () => {
  const clock = new VirtualClock(0);
  const acquirer = new WatchedAcquirer(wire, clock);
  line.isCut = true;
  await acquirer.send({ kind: 'reversal', acquirerReference: 'r', originalReference: 'a' });
  await clock.advance(ACQUIRER_SILENCE_MS);
  expect(acquirer.isSilent).toBe(true);
});
