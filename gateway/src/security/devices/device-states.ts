import type { DeviceRow } from '../../kernel/store/rows.js';

/** State of a device. */
type DeviceState = DeviceRow['state'];

/** What changes the state of a device. */
export type DeviceStep = 'assign' | 'suspend' | 'resume' | 'tamper' | 'decommission';

/** For each step the states that it may begin in, and the one that it leads to. */
const STEPS: Readonly<
  Record<DeviceStep, { readonly from: readonly DeviceState[]; readonly to: DeviceState }>
> = {
  assign: { from: ['inStock', 'active'], to: 'active' },
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  // A device that was opened is never trusted again.
  tamper: { from: ['inStock', 'active', 'suspended'], to: 'tampered' },
  decommission: { from: ['inStock', 'active', 'suspended', 'tampered'], to: 'decommissioned' },
};

/** The device after a step; undefined where it may not be taken in its state. Pure. */
export function afterStep(device: DeviceRow, step: DeviceStep, nowMs: number): DeviceRow | undefined {
  const { from, to } = STEPS[step];
  if (!from.includes(device.state)) return undefined;
  return device.state === to ? device : { ...device, state: to, stateSinceMs: nowMs };
}

/** The states in which a step may be taken, for people. */
export function statesBefore(step: DeviceStep): readonly DeviceState[] {
  return STEPS[step].from;
}
