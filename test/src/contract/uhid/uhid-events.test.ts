import { expect, test } from 'vitest';
import { createEvent, destroyEvent, inputEvent, readEvent, UHID_EVENT_BYTES } from './uhid-events.js';
import { NUMBERED_REPORTS, PLAIN_REPORTS } from './uhid-plug.js';

// Offsets of the packed structures in Linux, include/uapi/linux/uhid.h.

test('a device is made known with its name, serial, ids and descriptor', () => {
  const bytes = createEvent({
    name: 'DynaFlex',
    serial: 'B7',
    vendorId: 0x0801,
    productId: 0x2020,
    descriptor: PLAIN_REPORTS,
  });
  expect(bytes).toHaveLength(UHID_EVENT_BYTES);
  expect(UHID_EVENT_BYTES).toBe(4376);
  expect(bytes.readUInt32LE(0)).toBe(11);
  expect(bytes.toString('latin1', 4, 12)).toBe('DynaFlex');
  expect(bytes.toString('latin1', 196, 198)).toBe('B7');
  expect(bytes.readUInt16LE(260)).toBe(PLAIN_REPORTS.length);
  expect(bytes.readUInt32LE(264)).toBe(0x0801);
  expect(bytes.readUInt32LE(268)).toBe(0x2020);
  expect(bytes.subarray(280, 280 + PLAIN_REPORTS.length)).toEqual(PLAIN_REPORTS);
  expect(destroyEvent().readUInt32LE(0)).toBe(1);
});

test('reports go in and come out', () => {
  const report = Buffer.alloc(64, 7);
  const input = inputEvent(report);
  expect([input.readUInt32LE(0), input.readUInt16LE(4)]).toEqual([12, 64]);
  expect(input.subarray(6, 70)).toEqual(report);
  const output = Buffer.alloc(UHID_EVENT_BYTES);
  output.writeUInt32LE(6);
  output.set(Buffer.concat([Buffer.of(0), report]), 4);
  output.writeUInt16LE(65, 4 + 4096);
  expect(readEvent(output, false)).toEqual({ kind: 'output', report });
  expect(readEvent(output, true)).toEqual({ kind: 'output', report: Buffer.concat([Buffer.of(0), report]) });
  output.writeUInt32LE(4);
  expect(readEvent(output, false)).toEqual({ kind: 'open' });
  expect(readEvent(Buffer.of(1), false)).toBeUndefined();
});

test('descriptors end their collection', () => {
  for (const descriptor of [PLAIN_REPORTS, NUMBERED_REPORTS]) expect(descriptor.at(-1)).toBe(0xc0);
});
