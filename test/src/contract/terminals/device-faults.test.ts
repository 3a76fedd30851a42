import type { DriverFailure } from '@tillbridge/agent/drivers/core/driver.js';
import type { DeviceFaultName } from '@tillbridge/hardware-sim/faults/fault.js';
import { LOW_BATTERY_PERCENT } from '@tillbridge/hardware-sim/terminals/core/device-health.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import { FRAMINGS } from './makers.js';
import { saleRequest, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// What is wrong with a device itself: its status, why it sells nothing, and that it sells once it is repaired.

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** How a sale fails, by the fault; where the maker has no code for it, by the nearest. */
const REFUSALS: Readonly<
  Record<DeviceType, { readonly tamper: DriverFailure; readonly exhausted: DriverFailure }>
> = {
  GERTEC_PPC930: { tamper: 'key-missing', exhausted: 'key-missing' },
  IDTECH_VP6800: { tamper: 'tampered', exhausted: 'key-exhausted' },
  MAGTEK_DYNAFLEX: { tamper: 'key-missing', exhausted: 'key-missing' },
  MIURA_M020: { tamper: 'key-missing', exhausted: 'key-missing' },
  NEWLAND_P180: { tamper: 'key-missing', exhausted: 'key-missing' },
  VERIFONE_P400: { tamper: 'tampered', exhausted: 'key-exhausted' },
};
/** Makers whose protocol reports the charge; the first does not sell on the last of it. */
const REPORTS_BATTERY: readonly DeviceType[] = ['MAGTEK_DYNAFLEX', 'MIURA_M020', 'VERIFONE_P400'];
const NEEDS_BATTERY: readonly DeviceType[] = ['MAGTEK_DYNAFLEX'];

const fault = (name: DeviceFaultName) => ({ name, skip: 0, times: 1, delayMs: 0, seed: 1 });

async function start(on: TerminalHarness) {
  on.cardholder.follow({ cards: [{ card: 'visa-credit-online' }] });
  const outcome = await on.pass(on.driver.start(saleRequest({}), () => undefined));
  await on.pass(on.driver.finish('THANK YOU'));
  return outcome;
}

/** Keys are loaded again, and the device is plugged in again. */
async function repair(on: TerminalHarness): Promise<void> {
  on.faults.lay([]);
  await on.plug.unplug();
  await on.until('disconnected');
  await on.plug.plug();
  await on.until('ready');
}

describe.each(FRAMINGS)('%s', (_, maker, transport) => {
  const refusals = REFUSALS[maker.deviceType];

  test.each([
    ['tamper', refusals.tamper],
    ['key-exhausted', refusals.exhausted],
  ] as const)('%s: nothing is sold, and the reason is reported', async (name, failure) => {
    harness = await openTerminalHarness(maker, { wire: 'memory', transport });
    await sellAgain(harness, host);
    harness.faults.lay([fault(name)]);
    expect(await start(harness)).toMatchObject({ kind: 'failed', failure });
    await harness.until('ready');
    const condition = await harness.pass(harness.driver.status());
    if (condition.kind !== 'condition') throw new Error(condition.detail);
    if (name === 'tamper') expect(condition.keys).toEqual({ data: 'missing', pin: 'missing' });
    expect(harness.driver.state).toBe('ready');
    await repair(harness);
    await sellAgain(harness, host);
  });

  test('low battery: the charge is reported, and where it is too low nothing is sold', async () => {
    harness = await openTerminalHarness(maker, { wire: 'memory', transport });
    harness.faults.lay([fault('low-battery')]);
    const condition = await harness.pass(harness.driver.status());
    const reported = REPORTS_BATTERY.includes(maker.deviceType);
    expect(condition.kind === 'condition' && condition.batteryPercent).toBe(
      reported ? LOW_BATTERY_PERCENT : undefined,
    );
    const outcome = await start(harness);
    const refused = NEEDS_BATTERY.includes(maker.deviceType);
    expect(outcome.kind).toBe(refused ? 'failed' : 'online-required');
    if (outcome.kind === 'failed') expect(outcome.detail).toContain('battery');
    await repair(harness);
    await sellAgain(harness, host);
  });
});
