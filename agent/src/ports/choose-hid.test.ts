import { describe, expect, it } from 'vitest';
import { chooseHid } from './choose-hid.js';

const READER = { page: 0xff00, usage: 0x20 };
const keyboard = { usagePage: 0x01, usage: 0x06 };
const vendor = { usagePage: 0xff00, usage: 0x20 };
const listed = (path: string, about: object = {}, serialNumber = 'A') => ({
  ...{ path, serialNumber, interface: 0 },
  ...about,
});

describe('of a composite reader', () => {
  it.each([
    ['Linux', '/dev/hidraw4', '/dev/hidraw5'],
    [
      'Windows, where every collection has its own path',
      '\\\\?\\HID#VID_0801&PID_2020&MI_00&Col01#8&1c9d#{4d1e55b2-f16f-11cf-88cb-001111000030}',
      '\\\\?\\HID#VID_0801&PID_2020&MI_01&Col02#8&2e0a#{4d1e55b2-f16f-11cf-88cb-001111000030}',
    ],
    ['macOS', 'DevSrvsID:4294971234', 'DevSrvsID:4294971240'],
  ])('the keyboard is not opened though it comes first: %s', (_system, first, second) => {
    const devices = [listed(first, keyboard), listed(second, vendor)];
    expect(chooseHid(devices, { usage: READER })).toEqual({ path: second });
    expect(chooseHid(devices.toReversed(), {})).toEqual({ path: second });
  });

  it('the usage of its model goes before another one of its maker', () => {
    const update = { usagePage: 0xff01, usage: 0x01 };
    const devices = [listed('/dev/hidraw1', update), listed('/dev/hidraw2', vendor)];
    expect(chooseHid(devices, { usage: READER })).toEqual({ path: '/dev/hidraw2' });
    expect(chooseHid(devices, {})).toEqual({ path: '/dev/hidraw1' });
  });

  it('nothing is opened that is a keyboard alone; the error names what it is', () => {
    const media = { usagePage: 0x0c, usage: 0x01 };
    const devices = [listed('/dev/hidraw1', keyboard), listed('/dev/hidraw2', media)];
    expect(chooseHid(devices, { usage: READER })).toEqual({
      fault: 'otherUse',
      uses: ['a keyboard', 'media keys'],
    });
    expect(chooseHid([listed('/dev/hidraw1', { usagePage: 0x20, usage: 7 })], {})).toEqual({
      fault: 'otherUse',
      uses: ['something of usage page 0020'],
    });
  });

  it('whose descriptors the system does not read, one interface is opened, and of several none', () => {
    const unread = { usagePage: 0, usage: 0 };
    expect(chooseHid([listed('0001:0004:00', unread)], { usage: READER })).toEqual({ path: '0001:0004:00' });
    const devices = [listed('0001:0004:00', unread), listed('0001:0004:01', unread)];
    expect(chooseHid(devices, { usage: READER })).toEqual({
      fault: 'ambiguous',
      paths: ['0001:0004:00', '0001:0004:01'],
    });
    expect(chooseHid([...devices, listed('/dev/hidraw2', vendor)], {})).toEqual({ path: '/dev/hidraw2' });
  });
});

describe('of several readers', () => {
  const devices = [
    ...[listed('/dev/hidraw1', keyboard, 'A'), listed('/dev/hidraw2', vendor, 'A')],
    ...[listed('/dev/hidraw3', keyboard, 'B'), listed('/dev/hidraw4', vendor, 'B')],
  ];

  it('the one with the serial number is opened, else the first', () => {
    expect(chooseHid(devices, { serial: 'B' })).toEqual({ path: '/dev/hidraw4' });
    expect(chooseHid(devices, {})).toEqual({ path: '/dev/hidraw2' });
  });

  it('none is opened with another serial number; those that are there are named once', () => {
    expect(chooseHid(devices, { serial: 'b' })).toEqual({ fault: 'missing', others: ['A', 'B'] });
    expect(chooseHid([], {})).toEqual({ fault: 'missing', others: [] });
  });
});
