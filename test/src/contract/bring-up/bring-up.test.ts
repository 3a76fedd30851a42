import { writeFileSync } from 'node:fs';
import { differencesOf, type Walked } from '@tillbridge/agent/bring-up/compare.js';
import { expectationOf } from '@tillbridge/agent/bring-up/expectations/expectations.js';
import { describe, expect, test } from 'vitest';
import { FRAMINGS, MAKERS } from '../terminals/makers.js';
import { walkThrough } from './walk-through.js';

// Bring-up on every simulated terminal; `TILLBRIDGE_RECORD_BRING_UP=1` writes what is expected of them anew.

const STEPS = ['identify', 'display', 'chip', 'tap', 'swipe', 'pin', 'decline', 'cancel', 'unplug'];

function record(deviceType: string, walked: readonly Walked[]): void {
  const name = deviceType.toLowerCase().replace('_', '-');
  const path = new URL(`../../../../agent/src/bring-up/expectations/${name}.ts`, import.meta.url);
  const value = JSON.stringify(
    Object.fromEntries(walked.map(({ step, seen }) => [step, seen])),
    undefined,
    2,
  );
  const text = `import type { Expectation } from '../observation.js';

/** As the simulated terminal does it; recorded. */
export const EXPECTED: Expectation = ${value};
`;
  writeFileSync(path, text);
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
    const expectation = await expectationOf(maker.deviceType);
    expect(Object.keys(expectation)).toEqual(STEPS);
    expect(differencesOf(expectation, walked)).toEqual([]);
  });
});
