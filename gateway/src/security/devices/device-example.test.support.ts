import type { DeviceRow } from '../../kernel/store/rows.js';

/** An active device of the agent `a1` of the merchant `m1`, at terminal 1. */
export function exampleDevice(overrides: Partial<DeviceRow> = {}): DeviceRow {
  return {
    serial: 'S1',
    deviceType: 'GERTEC_PPC930',
    accountKsn: 'FFFF9877000001000000',
    pinKsn: 'FFFF9876000001000000',
    entityId: 'm1',
    agentId: 'a1',
    terminalId: '1',
    state: 'active',
    stateSinceMs: 1_000,
    highestCounter: 0,
    forgottenCounter: 0,
    unknownCounter: 0,
    createdAtMs: 1,
    version: 1,
    ...overrides,
  };
}
