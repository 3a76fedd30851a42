import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { describe, expect, test } from 'vitest';
import { discoverPorts } from '../ports/discovery.js';
import { CLOCK_TOLERANCE_MS, conditionFindings } from './condition-findings.js';
import { examineTerminal } from './examine.js';
import {
  deviceFileFinding,
  freePortName,
  hidRule,
  installRule,
  serialRule,
  UDEV_FILE,
  udevFile,
} from './port-advice.js';

const NOW = Date.UTC(2026, 10, 20, 10, 15);
const IDENTITY = { maker: 'Miura', model: 'M020', firmware: '1-50', serial: 'M1' };

describe('what to do about a port', () => {
  const file = { path: '/dev/ttyACM0', exists: true, accessible: false, group: 'dialout', inGroup: false };

  test('a missing one: what is plugged in', () => {
    const found = [{ transport: 'serial', path: '/dev/ttyUSB1' }] as const;
    const finding = deviceFileFinding({ ...file, exists: false }, 'till', found);
    expect(finding).toMatchObject({ verdict: 'problem', text: expect.stringContaining('/dev/ttyUSB1') });
  });

  test('a forbidden one: the command to paste, or to log in again', () => {
    expect(deviceFileFinding(file, 'till', []).todo).toContain('sudo usermod -aG dialout till');
    expect(deviceFileFinding({ ...file, inGroup: true }, 'till', []).todo?.[0]).toMatch(/^Log in again/);
    expect(deviceFileFinding({ ...file, accessible: true }, 'till', []).verdict).toBe('ok');
  });

  test('udev rules are ready to paste', () => {
    expect(hidRule('0801').line).toBe(
      'SUBSYSTEM=="hidraw", ATTRS{idVendor}=="0801", MODE="0660", GROUP="plugdev"',
    );
    const port = {
      transport: 'serial',
      path: '/dev/ttyACM0',
      vendorId: '11ca',
      productId: '0220',
      serial: 'S"1',
    } as const;
    const rule = serialRule(port, 'terminal-1');
    expect(rule?.line).toContain('SYMLINK+="terminal-1"');
    expect(Object.values(rule ?? {}).join(), 'a serial number that could leave its quotes').not.toContain(
      'S"1',
    );
    expect(installRule({ name: 'hid-0801', line: 'RULE' })[0]).toBe(
      "echo 'RULE' | sudo tee /etc/udev/rules.d/70-tillbridge-hid-0801.rules",
    );
  });

  test('the rule of a second maker or device has its own file, the same rule again the same', () => {
    const port = { transport: 'serial', path: '/dev/ttyACM0', vendorId: '11ca', productId: '0220' } as const;
    const rules = [
      ...[hidRule('0801'), hidRule('0acd')],
      ...[port, { ...port, serial: 'A' }, { ...port, serial: 'B' }].map((each) =>
        serialRule(each, 'terminal-1'),
      ),
    ].flatMap((rule) => rule ?? []);
    const files = (all: typeof rules) => all.map((rule) => /\S+$/.exec(installRule(rule)[0] ?? '')?.[0]);
    expect(new Set(files(rules)).size).toBe(rules.length);
    expect(files([hidRule('0801')])).toEqual(files(rules).slice(0, 1));
  });

  test('the file of all makers has a section for each, and keeps ModemManager away from their lines', () => {
    const sections = udevFile().split('\n\n').slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      '# MagTek',
      '# ID TECH',
      '# Verifone',
    ]);
    for (const section of sections) {
      expect(section).toMatch(
        /^SUBSYSTEM=="hidraw", ATTRS\{idVendor\}=="[0-9a-f]{4}", MODE="0660", GROUP="plugdev"$/m,
      );
      expect(section).toMatch(/^SUBSYSTEM=="tty", .*ENV\{ID_MM_DEVICE_IGNORE\}="1"/m);
    }
  });

  test('a port that brltty takes away: the command that stops it', () => {
    const todo = (isBrailleReady: boolean) =>
      deviceFileFinding({ ...file, exists: false, isBrailleReady }, 'till', []).todo?.join();
    expect(todo(true)).toContain('systemctl mask --now brltty-udev.service');
    expect(todo(false)).not.toContain('brltty');
  });

  test('new serial ports get names that the configuration does not use', () => {
    expect(freePortName([])).toBe('terminal-1');
    expect(freePortName(['/dev/terminal-1', '/dev/terminal-3', '/dev/ttyACM0'])).toBe('terminal-2');
  });

  test.each(['root', 'wheel', 'disk', undefined])(
    'a device of group %s: a rule for a group of ports, and no member more of that group',
    (group) => {
      const rest = { exists: true, accessible: false, inGroup: false, ...(group && { group }) };
      const todo = (path: string, found: Parameters<typeof deviceFileFinding>[2] = []) =>
        deviceFileFinding({ ...rest, path }, 'till', found).todo?.join('\n');
      const usb = { transport: 'serial', path: '/dev/ttyACM0', vendorId: '11ca', productId: '0220' } as const;
      const hid = { transport: 'hid', path: '0801:2020', vendorId: '0801', productId: '2020' } as const;
      expect(todo('/dev/ttyACM0', [usb])).toContain('ATTRS{idVendor}=="11ca"');
      expect(todo('/dev/ttyS0', [usb])).toContain('KERNEL=="ttyS0", GROUP="dialout"');
      const other = { ...hid, vendorId: '1234' };
      expect(todo('/dev/hidraw0', [usb, hid])).toContain(`doctor --udev | sudo tee ${UDEV_FILE}`);
      expect(todo('/dev/hidraw0', [usb, other])).toContain('ATTRS{idVendor}=="1234"');
      expect(todo('/dev/hidraw0')).not.toContain('KERNEL');
      for (const path of ['/dev/ttyACM0', '/dev/ttyS0', '/dev/hidraw0']) {
        expect(todo(path, [usb, hid])).toMatch(/usermod -aG (dialout|plugdev) till\nThen log in again/);
        expect(todo(path, [usb, hid])).not.toContain(`-aG ${group} `);
      }
    },
  );
});

describe('a HID terminal by its name', () => {
  const plugged = {
    transport: 'hid',
    path: '0801:2020:B7',
    maker: 'MagTek',
    vendorId: '0801',
    productId: '2020',
    serial: 'B7',
  } as const;
  const line = { baudRate: 9_600, parity: 'none' } as const;
  const terminal = { id: '1', deviceType: 'MAGTEK_DYNAFLEX', transport: 'hid', line } as const;
  const opened = new Error('opened');
  const examine = (path: string) =>
    examineTerminal(
      { ...terminal, path },
      {
        clock: new VirtualClock(),
        user: 'till',
        discovery: { ports: [plugged], problems: [] },
        lookAt: (file) => ({ path: file, exists: false, accessible: false, inGroup: false }),
        open: () => Promise.reject(opened),
      },
    );

  test.each(['0801:2020', '0801:2020:B7', '\\\\?\\hid#vid_0801'])('%s is opened', async (path) => {
    await expect(examine(path)).rejects.toBe(opened);
  });

  test.each(['0801:2023', '0801:2020:B', '0801:2020:b7', '0ACD:2020:B7'])(
    '%s is not plugged in',
    async (path) => {
      const [finding, ...more] = await examine(path);
      expect(more).toEqual([]);
      expect(finding).toMatchObject({
        verdict: 'problem',
        text: `HID device ${path} was not found; plugged in are 0801:2020:B7`,
      });
      expect(finding?.todo?.join()).toContain(`doctor --udev | sudo tee ${UDEV_FILE}`);
      expect(udevFile()).toContain(`ATTRS{idVendor}=="${path.slice(0, 4).toLowerCase()}"`);
    },
  );
});

describe('a reader that is plugged in as a keyboard', () => {
  test('is a problem with its remedy, and is not opened', async () => {
    const usedAs = 'a keyboard';
    const port = {
      transport: 'hid',
      path: '0801:2020',
      vendorId: '0801',
      productId: '2020',
      usedAs,
    } as const;
    const [finding] = await examineTerminal(
      {
        ...{ id: '1', deviceType: 'MAGTEK_DYNAFLEX', transport: 'hid', path: '0801:2020' },
        line: { baudRate: 9_600, parity: 'none' },
      },
      {
        clock: new VirtualClock(),
        user: 'till',
        discovery: { ports: [port], problems: [] },
        lookAt: (file) => ({ path: file, exists: false, accessible: false, inGroup: false }),
        open: () => Promise.reject(new Error('opened')),
      },
    );
    expect(finding).toMatchObject({ verdict: 'problem', text: expect.stringContaining('as a keyboard') });
    expect(finding?.todo?.[0]).toContain('Set the reader to the mode');
  });
});

describe('what a condition means', () => {
  const verdicts = (condition: object) =>
    conditionFindings(
      { kind: 'condition', identity: IDENTITY, keys: { data: 'loaded', pin: 'loaded' }, ...condition },
      NOW,
    ).map(({ verdict }) => verdict);

  test('all well', () => {
    const localTime = new Date(NOW + CLOCK_TOLERANCE_MS - 1_000).toISOString().slice(0, 19);
    expect(verdicts({ batteryPercent: 80, localTime })).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test('tampered, no keys, low battery, wrong clock', () => {
    const sick = {
      tampered: true,
      keys: { data: 'missing', pin: 'missing' },
      batteryPercent: 3,
      localTime: '2019-01-01T00:00:00',
    };
    expect(verdicts(sick)).toEqual(['problem', 'problem', 'warning', 'warning', 'warning']);
  });
});

describe('what is plugged in', () => {
  test('serial ports, HID devices of known makers; what cannot be listed is reported', async () => {
    const serial = async () => [
      {
        path: '/dev/ttyACM0',
        manufacturer: 'Gertec',
        serialNumber: 'G1',
        vendorId: '1753',
        productId: 'C902',
        pnpId: undefined,
        locationId: undefined,
      },
    ];
    const devices = [
      {
        vendorId: 0x0801,
        productId: 0x2020,
        serialNumber: 'B7',
        product: 'DynaFlex',
        release: 1,
        ...{ interface: 0, path: '/dev/hidraw1', usagePage: 0xff00, usage: 0x20 },
      },
      // The keyboard of the same reader, as a composite device has it.
      {
        ...{ vendorId: 0x0801, productId: 0x2020, serialNumber: 'B7', product: 'DynaFlex', release: 1 },
        ...{ interface: 1, path: '/dev/hidraw2', usagePage: 1, usage: 6 },
      },
      {
        vendorId: 0x0acd,
        productId: 0x3530,
        path: '/dev/hidraw3',
        usagePage: 1,
        usage: 6,
        release: 1,
        interface: 0,
      },
      { vendorId: 0x046d, productId: 0xc31c, product: 'Keyboard', release: 1, interface: 0 },
    ];
    const library = { devicesAsync: async () => devices } as never;
    const found = await discoverPorts({ serial: serial as never, hid: async () => library });
    expect(found.problems).toEqual([]);
    expect(found.ports).toEqual([
      {
        transport: 'serial',
        path: '/dev/ttyACM0',
        maker: 'Gertec',
        serial: 'G1',
        vendorId: '1753',
        productId: 'c902',
      },
      {
        transport: 'hid',
        path: '0801:2020:B7',
        maker: 'MagTek',
        model: 'DynaFlex',
        serial: 'B7',
        vendorId: '0801',
        productId: '2020',
      },
      {
        ...{ transport: 'hid', path: '0acd:3530', maker: 'ID TECH', vendorId: '0acd', productId: '3530' },
        usedAs: 'a keyboard',
      },
    ]);
    const broken = await discoverPorts({
      serial: serial as never,
      hid: () => Promise.reject(new Error('no libusb')),
    });
    expect(broken.ports).toHaveLength(1);
    expect(broken.problems[0]).toContain('no libusb');
  });
});
