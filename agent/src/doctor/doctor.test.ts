import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { TerminalDriver } from '../drivers/core/driver.js';
import { DeviceRegistry } from '../drivers/device-registry.js';
import { openTerminal } from '../drivers/open-terminal.js';
import { discoverPorts } from '../ports/discovery.js';
import type { LineSettings } from '../ports/line-probe.js';
import { CLOCK_TOLERANCE_MS, conditionFindings } from './condition-findings.js';
import { examineTerminal, PORT_TIMEOUT_MS, waitForAnswer } from './examine.js';
import {
  deviceFileFinding,
  freePortName,
  hidRule,
  installRule,
  serialRule,
  UDEV_FILE,
  udevFile,
  windowsPortFinding,
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
    const sections = udevFile().split('\n\n').slice(1, -1);
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

  test('the file of all makers states how brltty is kept away; that is no rule', () => {
    const last = udevFile().split('\n\n').at(-1) ?? '';
    expect(last).toContain('85-brltty.rules');
    expect(last.split('\n').every((line) => line.startsWith('#'))).toBe(true);
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
  const examine = (path: string, platform: NodeJS.Platform = 'linux') =>
    examineTerminal(
      { ...terminal, path },
      {
        clock: new VirtualClock(),
        ...{ user: 'till', platform },
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

  test('that is missing on Windows or macOS needs no rule of udev', async () => {
    for (const platform of ['win32', 'darwin'] as const) {
      const [finding] = await examine('0801:2023', platform);
      expect(finding?.todo?.join()).not.toMatch(/udev|usermod|sudo/);
    }
  });
});

describe('a serial port of Windows', () => {
  const com = (path: string) => ({ transport: 'serial', path, vendorId: '11ca', productId: '0220' }) as const;
  const found = { ports: [com('COM3'), com('COM12')], problems: [] };

  test.each(['COM3', 'com3', '\\\\.\\COM12'])('%s is plugged in where the system lists it', (path) => {
    expect(windowsPortFinding(path, found)).toMatchObject({ verdict: 'ok' });
  });

  test('that the system does not list is a problem, with those that are there; no file of it is looked at', () => {
    expect(windowsPortFinding('COM4', found)).toMatchObject({
      verdict: 'problem',
      text: 'port COM4 does not exist; plugged in are COM3, COM12',
      todo: [expect.stringContaining('Device Manager')],
    });
  });

  test('is opened where ports could not be listed; other paths are files', () => {
    expect(windowsPortFinding('COM4', { ports: [], problems: ['no list'] })).toBeUndefined();
    expect(windowsPortFinding('/dev/ttyACM0', found)).toBeUndefined();
  });

  test('gets no rule of udev, as on macOS', () => {
    expect(serialRule(com('COM3'), 'terminal-1')).toBeUndefined();
    expect(serialRule(com('/dev/tty.usbmodem1101'), 'terminal-1')).toBeUndefined();
    expect(serialRule(com('/dev/ttyUSB0'), 'terminal-1')).toBeDefined();
  });
});

describe('a serial line that nothing answers on', () => {
  const MODEL = { baudRate: 19_200, parity: 'none' } as const;
  const ODD = { baudRate: 115_200, parity: 'odd' } as const;
  const terminal = {
    ...({ id: '1', deviceType: 'GERTEC_PPC930', transport: 'serial', path: '/dev/ttyACM0' } as const),
    line: MODEL,
  };
  const notes: string[] = [];

  /** Examines a terminal whose device answers at one setting of the line alone. */
  async function examine(device: LineSettings | undefined, config: object = {}) {
    const clock = new VirtualClock();
    const examined = examineTerminal(
      { ...terminal, ...config },
      {
        ...{ clock, user: 'till', platform: 'linux', discovery: { ports: [], problems: [] } },
        lookAt: (path) => ({ path, exists: true, accessible: true, inGroup: true }),
        note: (text) => notes.push(text),
        open: async ({ line, findsLine, ...rest }) => {
          const isItsLine = device && (findsLine || JSON.stringify(line) === JSON.stringify(device));
          return {
            config: { ...rest, line },
            driver: {
              state: isItsLine ? 'ready' : 'connecting',
              identity: IDENTITY,
              onState: () => () => undefined,
              status: async () => ({
                ...{ kind: 'condition', identity: IDENTITY, keys: { data: 'loaded', pin: 'loaded' } },
              }),
              close: async () => undefined,
            } as unknown as TerminalDriver,
            lineProblem: () => undefined,
            lineFault: () => undefined,
            foundLine: () => (isItsLine && findsLine ? device : undefined),
            deviceId: () => undefined,
          };
        },
      },
    );
    let isOver = false;
    void examined.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(1_000);
      await settle();
    }
    return examined;
  }

  test('is searched, and what is to be configured is stated', async () => {
    notes.length = 0;
    const [, line, identity, found] = await examine(ODD);
    expect(line).toMatchObject({
      verdict: 'problem',
      text: 'its line is set to 115200 baud, parity odd, and the configuration has 19200 baud, parity none',
      todo: [expect.stringContaining('baudRate: 115200 and parity: odd')],
    });
    expect([identity?.verdict, found?.text]).toEqual(['ok', 'its line was found at 115200 baud, parity odd']);
    expect(notes).toEqual([expect.stringContaining('up to two minutes')]);
  });

  test('is not searched where the device answers, and where it was searched already', async () => {
    notes.length = 0;
    expect((await examine(MODEL)).every(({ verdict }) => verdict === 'ok')).toBe(true);
    expect(notes).toEqual([]);
    const silent = await examine(undefined, { findsLine: true });
    expect(silent.at(-1)?.todo).toContain('No setting of its line was answered.');
    expect(notes).toHaveLength(1);
  });

  test('of no setting is one problem', async () => {
    const findings = await examine(undefined);
    expect(findings.filter(({ verdict }) => verdict === 'problem')).toHaveLength(1);
    expect(findings.at(-1)?.todo).toContain('No setting of its line was answered.');
  });
});

describe('a port that cannot be opened', () => {
  test('is reported soon, and not when a silent terminal would be', async () => {
    const clock = new VirtualClock();
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    const open = await openTerminal(
      {
        ...{ id: '1', deviceType: 'MIURA_M020', transport: 'tcp', path: '127.0.0.1:1' },
        line: { baudRate: 9_600, parity: 'none' },
      },
      { country: '276', currency: 'EUR', merchantCategory: '5999', merchantId: 'M' },
      { clock, log: pino({ level: 'silent' }), registry: new DeviceRegistry(join(folder, 'devices.json')) },
    );
    const beganMs = clock.nowMs();
    let silent: string | undefined;
    void waitForAnswer(open, clock, 20_000).then((text) => {
      silent = text;
    });
    await expect
      .poll(() => clock.advance(PORT_TIMEOUT_MS / 4).then(() => silent))
      .toContain('port 127.0.0.1:1 refuses connections');
    expect(clock.nowMs() - beganMs).toBeLessThan(20_000);
    await open.driver.close();
    rmSync(folder, { recursive: true });
  });
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
        ...{ user: 'till', platform: 'linux' },
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
