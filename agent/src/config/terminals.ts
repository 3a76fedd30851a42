import { DEVICE_TYPES, type DeviceType, deviceTypeSpec } from '../drivers/device-types.js';
import { UNIX_PREFIX } from '../ports/hid-pipe.js';
import { TRANSPORTS, type Transport } from '../ports/open-port.js';
import { parseTcpAddress } from '../ports/tcp-pipe.js';
import { oneOf, type Problems, Section, text, wholeNumber } from './section.js';

/** Speeds a serial port may be set to. */
const BAUD_RATES = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;

/** Most terminals of one agent (the bridge's limit is higher). */
const MAX_TERMINALS = 64;

/** One terminal as configured. */
export interface TerminalConfig {
  /** `pos.terminalId`, digits. */
  readonly id: string;
  readonly deviceType: DeviceType;
  readonly transport: Transport;
  /**
   * The port: `/dev/ttyACM0` (serial), `0801:2020[:serial]` or `/dev/hidraw0` (hid), `host:port` (tcp); it may be
   * absent now and appear later.
   */
  readonly path: string;
  /** `pos.deviceId`; without one it follows from the maker's serial. */
  readonly deviceId?: string;
  /** The maker's serial of the device that belongs here; without one the first device is taken for its own. */
  readonly serial?: string;
  readonly baudRate: number;
  /** File into which what passes over the line is recorded, masked. */
  readonly trace?: string;
}

const KEYS = ['id', 'deviceType', 'transport', 'path', 'deviceId', 'serial', 'baudRate', 'trace'] as const;

const numericText = (digits: number) =>
  text(`1 to ${digits} digits in quotes`, new RegExp(`^\\d{1,${digits}}$`), (value) =>
    typeof value === 'number' ? '; a number loses its leading zeros: put it in quotes' : '',
  );

/** Reads `terminals`. What is wrong is noted, and left out. */
export function readTerminals(root: Section, problems: Problems): readonly TerminalConfig[] {
  const value = root.raw('terminals');
  if (value === undefined) return [];
  const place = root.at('terminals');
  if (!Array.isArray(value) || value.length > MAX_TERMINALS) {
    problems.add(place, `must be a list of at most ${MAX_TERMINALS} terminals`);
    return [];
  }
  const terminals = value.flatMap((each: unknown, index) =>
    readTerminal(each, `${place}[${index}]`, problems),
  );
  for (const key of ['id', 'path', 'trace'] as const) refuseTwins(terminals, key, place, problems);
  return terminals;
}

function readTerminal(value: unknown, place: string, problems: Problems): readonly TerminalConfig[] {
  const section = new Section(value, place, KEYS, problems);
  const id = section.need('id', numericText(32));
  const deviceType = section.need('deviceType', oneOf(DEVICE_TYPES));
  const spec = deviceType && deviceTypeSpec(deviceType);
  const transport = section.read('transport', oneOf(TRANSPORTS), spec?.transports[0] ?? 'serial');
  if (spec && !spec.transports.includes(transport)) {
    problems.add(
      section.at('transport'),
      `is ${transport}; ${deviceType} is plugged in by ${spec.transports.join(' or ')}`,
    );
  }
  const path = section.need('path', text('the path of a port', /^[^\0]{1,1024}$/));
  const deviceId = section.read<string | undefined>('deviceId', numericText(32), undefined);
  const serial = section.read<string | undefined>(
    'serial',
    text('the maker’s serial', /^\S{1,64}$/),
    undefined,
  );
  const baudRate = readBaudRate(section) ?? spec?.baudRate ?? 0;
  if (id === undefined || deviceType === undefined || path === undefined) return [];
  checkPath(path, transport, section.at('path'), problems);
  const trace = section.read<string | undefined>(
    'trace',
    text('the path of a file', /^[^\0]{1,1024}$/),
    undefined,
  );
  return [
    {
      id,
      deviceType,
      transport,
      path,
      baudRate,
      ...(deviceId !== undefined && { deviceId }),
      ...(serial !== undefined && { serial }),
      ...(trace !== undefined && { trace }),
    },
  ];
}

/** A path that cannot belong to its transport is told at the start, not when it cannot be opened. */
function checkPath(path: string, transport: Transport, place: string, problems: Problems): void {
  if (transport === 'tcp' && !parseTcpAddress(path)) {
    problems.add(place, `is ${path}; expected host:port for transport tcp`);
  }
  if (transport !== 'hid' && path.startsWith(UNIX_PREFIX)) {
    problems.add(place, `is ${path}; a simulated HID device needs transport hid`);
  }
}

function readBaudRate(section: Section): number | undefined {
  const inRange = wholeNumber(BAUD_RATES[0], 115_200);
  return section.read<number | undefined>(
    'baudRate',
    {
      expected: `one of ${BAUD_RATES.join(', ')}`,
      read: (value) => BAUD_RATES.find((rate) => rate === inRange.read(value)),
    },
    undefined,
  );
}

/** Two terminals on one port, or under one id, would mix up two sales, and in one trace two recordings. */
function refuseTwins(
  terminals: readonly TerminalConfig[],
  key: 'id' | 'path' | 'trace',
  place: string,
  problems: Problems,
): void {
  const seen = new Set<string>();
  for (const { [key]: value } of terminals) {
    if (value === undefined) continue;
    if (seen.has(value)) problems.add(place, `has two terminals with ${key} ${value}`);
    seen.add(value);
  }
}
