import { writeFileSync } from 'node:fs';
import { differencesOf, type Walked } from '@tillbridge/agent/bring-up/compare.js';
import { expectationFile, expectationOf } from '@tillbridge/agent/bring-up/expectations.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { describe, expect, test } from 'vitest';
import { FRAMINGS, MAKERS } from '../terminals/makers.js';
import { walkThrough } from './walk-through.js';

// Bring-up on every simulated terminal; `TILLBRIDGE_RECORD_BRING_UP=1` writes what is expected of them anew.

const STEPS = ['identify', 'display', 'chip', 'tap', 'swipe', 'pin', 'decline', 'cancel', 'unplug'];

function record(deviceType: DeviceType, walked: readonly Walked[]): void {
  const seen = Object.fromEntries(walked.map(({ step, seen: of }) => [step, of]));
  writeFileSync(expectationFile(deviceType), `${JSON.stringify(seen, undefined, 2)}\n`);
}

if (process.env.TILLBRIDGE_RECORD_BRING_UP !== undefined)
  test.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))('records %s', async (name, maker) => {
    const { walked } = await walkThrough({ maker, transport: maker.transports[0] });
    record(name, walked);
  });

describe.each(FRAMINGS.filter(([, { form }]) => form !== 'captured'))('%s', (_, maker, transport) => {
  test('walks every step and finds no difference', async () => {
    const { walked, missing } = await walkThrough({ maker, transport });
    expect(missing).toEqual([]);
    expect(walked.map(({ step }) => step)).toEqual(STEPS);
    const expectation = expectationOf(maker.deviceType);
    expect(Object.keys(expectation)).toEqual(STEPS);
    expect(differencesOf(expectation, walked)).toEqual([]);
  });
});
