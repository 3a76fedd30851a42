import { expect, it } from 'vitest';
import { readDevice } from './inventory-file.js';

const WRITTEN = {
  serial: 'G-0001',
  deviceType: 'GERTEC_PPC930',
  accountKsn: 'ffff9877000001000000',
  pinKsn: 'FFFF9876000001000000',
  entityId: 'a'.repeat(32),
  agentId: 'store-1',
  terminalId: 1001,
};

it('reads a device, with its KSNs in capitals and its terminal as text', () => {
  const accountKsn = WRITTEN.accountKsn.toUpperCase();
  expect(readDevice(WRITTEN)).toEqual({ ...WRITTEN, accountKsn, terminalId: '1001' });
  const { serial, deviceType } = WRITTEN;
  expect(readDevice({ serial, deviceType, accountKsn, pinKsn: null, terminalId: '' })).toEqual({
    serial,
    deviceType,
    accountKsn,
  });
});

it.each([
  [{ serial: undefined }, ['serial']],
  [{ serial: 'G 1', colour: 'red' }, ['colour', 'serial']],
  [{ deviceType: 'GERTEC' }, ['deviceType']],
  [{ accountKsn: 'FFFF9877000001000001', pinKsn: 'FFFF' }, ['accountKsn', 'pinKsn']],
  [{ entityId: 'A'.repeat(32), agentId: 'store 1', terminalId: 'T1' }, ['entityId', 'agentId', 'terminalId']],
  [{ terminalId: undefined }, ['terminalId']],
  [{ pinKsn: WRITTEN.accountKsn }, ['pinKsn']],
  [{ agentId: ['store-1'] }, ['agentId']],
])('names every field that is wrong: %j', (changed, fields) => {
  expect(readDevice({ ...WRITTEN, ...changed })).toEqual(
    fields.map((field) => ({ field, problem: expect.any(String) })),
  );
});

it.each([[null], ['text'], [[]]])('is no device: %j', (value) => {
  expect(readDevice(value)).toEqual([{ field: 'the device', problem: expect.stringContaining('serial') }]);
});
