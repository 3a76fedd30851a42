import type { StepName } from '@tillbridge/agent/bring-up/steps.js';
import { expect, test } from 'vitest';
import { MAKERS } from '../terminals/makers.js';
import { SCRIPTS, walkThrough } from './walk-through.js';

// Walks that do not come to their end: the report has what was walked, and what is missing.

const each = MAKERS.map((maker) => [maker.deviceType, maker] as const);

test.each(each)('%s: a card that stays in the slot costs its step alone', async (_, maker) => {
  const scripts = { ...SCRIPTS, chip: { ...SCRIPTS.chip, forgetsCard: true } };
  const { walked, missing } = await walkThrough({ maker, transport: maker.transports[0], scripts });
  // A MagTek has no step in which the card is taken out.
  expect(missing).toEqual(maker.deviceType === 'MAGTEK_DYNAFLEX' ? [] : [{ step: 'chip', why: 'timed out' }]);
  expect(walked.filter(({ seen }) => seen.outcome.startsWith('failed'))).toEqual([]);
});

test.each(each)('%s: without a person at the device each step ends in time', async (_, maker) => {
  const { walked, missing } = await walkThrough({
    maker,
    transport: maker.transports[0],
    scripts: {},
    staysPlugged: true,
  });
  expect(missing).toEqual([]);
  expect(walked.map(({ step, seen }) => `${step} ${seen.outcome}`)).toEqual([
    'identify identified',
    'display shown',
    ...['chip', 'tap', 'swipe', 'pin', 'decline', 'cancel'].map((step) => `${step} cancelled by timeout`),
    'unplug failed: the terminal was not unplugged',
  ]);
});

test.each(each)('%s: a walk that is interrupted reports what it did not reach', async (_, maker) => {
  const ending = new AbortController();
  const before = (step: StepName) => {
    if (step === 'tap') setImmediate(() => ending.abort());
  };
  const { walked, missing } = await walkThrough({
    maker,
    transport: maker.transports[0],
    before,
    interrupted: ending.signal,
  });
  expect(walked.map(({ step }) => step)).toEqual(['identify', 'display', 'chip']);
  expect(missing.map(({ step, why }) => `${step} ${why}`)).toEqual([
    'tap interrupted',
    'swipe not reached',
    'pin not reached',
    'decline not reached',
    'cancel not reached',
    'unplug not reached',
  ]);
});
