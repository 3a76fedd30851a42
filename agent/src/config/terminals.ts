import { oneOf, type Problems, Section, text, wholeNumber } from './section.js';

/** Models this agent has a driver for. */
export const DEVICE_TYPES = ['GERTEC_PPC930'] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** Speeds a serial port may be set to. */
const BAUD_RATES = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200] as const;

/** Most terminals of one agent (the bridge's limit is higher). */
const MAX_TERMINALS = 64;

/** One terminal as configured. */
export interface TerminalConfig {
  /** `pos.terminalId`, digits. */
  readonly id: string;
  readonly deviceType: DeviceType;
  readonly transport: 'serial';
  /** The port, such as `/dev/ttyACM0`; it may be absent now and appear later. */
  readonly path: string;
  /** `pos.deviceId`. */
  readonly deviceId: string;
  readonly baudRate?: number;
}

const KEYS = ['id', 'deviceType', 'transport', 'path', 'deviceId', 'baudRate'] as const;

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
  for (const key of ['id', 'path'] as const) refuseTwins(terminals, key, place, problems);
  return terminals;
}

function readTerminal(value: unknown, place: string, problems: Problems): readonly TerminalConfig[] {
  const section = new Section(value, place, KEYS, problems);
  const id = section.need('id', numericText(32));
  const deviceType = section.need('deviceType', oneOf(DEVICE_TYPES));
  const transport = section.read('transport', oneOf(['serial'] as const), 'serial');
  const path = section.need('path', text('the path of a port', /^[^\0]{1,1024}$/));
  const deviceId = section.need('deviceId', numericText(32));
  const baudRate = readBaudRate(section);
  if (id === undefined || deviceType === undefined || path === undefined || deviceId === undefined) return [];
  return [{ id, deviceType, transport, path, deviceId, ...(baudRate !== undefined && { baudRate }) }];
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

/** Two terminals on one port, or under one id, would mix up two sales. */
function refuseTwins(
  terminals: readonly TerminalConfig[],
  key: 'id' | 'path',
  place: string,
  problems: Problems,
): void {
  const seen = new Set<string>();
  for (const terminal of terminals) {
    if (seen.has(terminal[key])) problems.add(place, `has two terminals with ${key} ${terminal[key]}`);
    seen.add(terminal[key]);
  }
}
