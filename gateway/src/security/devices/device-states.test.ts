import { expect, it } from 'vitest';
import type { DeviceRow } from '../../kernel/store/rows.js';
import { afterStep, type DeviceStep, statesBefore } from './device-states.js';

const STATES = ['inStock', 'active', 'suspended', 'tampered', 'decommissioned'] as const;
const device = (state: DeviceRow['state']) => ({ serial: 'S1', state, stateSinceMs: 1 }) as DeviceRow;

it.each([
  ['assign', ['active', 'active', undefined, undefined, undefined]],
  ['suspend', [undefined, 'suspended', undefined, undefined, undefined]],
  ['resume', [undefined, undefined, 'active', undefined, undefined]],
  ['tamper', ['tampered', 'tampered', 'tampered', undefined, undefined]],
  ['decommission', ['decommissioned', 'decommissioned', 'decommissioned', 'decommissioned', undefined]],
] as const)('%s leads to its state from those that it may begin in', (step: DeviceStep, after) => {
  expect(STATES.map((state) => afterStep(device(state), step, 2)?.state)).toEqual(after);
  expect(statesBefore(step)).toEqual(STATES.filter((_, at) => after[at] !== undefined));
});

it('notes since when a device is in its state, which a step to the same one does not change', () => {
  expect(afterStep(device('inStock'), 'assign', 2)?.stateSinceMs).toBe(2);
  expect(afterStep(device('active'), 'assign', 2)?.stateSinceMs).toBe(1);
});
