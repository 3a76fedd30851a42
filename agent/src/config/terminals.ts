import { path } from '@tillbridge/platform/config/setting.js';
import { oneOf, ruledText, section, text } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { UNIX_PREFIX } from '@tillbridge/wire/seams/report-pipe.js';
import { DEVICE_TYPES } from '@tillbridge/wire/terminals/device-types.js';
import { TRANSPORTS } from '@tillbridge/wire/terminals/transports.js';
import { deviceTypeSpec } from '../drivers/device-types.js';
import type { LineSettings } from '../ports/line-probe.js';
import { parseTcpAddress } from '../ports/tcp-pipe.js';

/** Speeds a serial port may be set to. */
export const BAUD_RATES = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200];

/** In place of a speed: it is found out. */
const AUTO = 'auto';
const PARITIES = ['none', 'odd', 'even'] as const;

/** Most terminals of one agent (the bridge's limit is higher). */
const MAX_TERMINALS = 64;

const digitsInQuotes = (description: string) =>
  ruledText(
    '1 to 32 digits in quotes',
    (value) => {
      if (typeof value === 'string' && /^\d{1,32}$/.test(value)) return undefined;
      if (typeof value !== 'number') return {};
      return {
        problem: 'must be 1 to 32 digits in quotes; a number loses its leading zeros: put it in quotes',
      };
    },
    { description },
  );

const TERMINAL = section(
  {
    id: digitsInQuotes('The terminal’s id, `pos.terminalId` of the API.'),
    name: Type.Optional(
      text(
        '1 to 32 printable characters',
        /^[\p{L}\p{N}\p{P}](?:[\p{L}\p{N}\p{P} ]{0,30}[\p{L}\p{N}\p{P}])?$/u,
        {
          description: 'What staff calls it, such as `Counter 2`; the panel shows it.',
        },
      ),
    ),
    deviceType: oneOf(DEVICE_TYPES, { description: 'Its model.' }),
    transport: Type.Optional(
      oneOf(TRANSPORTS, { description: 'How it is plugged in.', fallback: 'the first that the model has' }),
    ),
    path: path({
      description:
        'Its port, which may appear later: `/dev/ttyACM0` or `COM3` (serial), `0801:2020[:serial]` or `/dev/hidraw0` (hid), `host:port` (tcp).',
    }),
    deviceId: Type.Optional(
      digitsInQuotes('`pos.deviceId` of the API; without one it follows from the maker’s serial.'),
    ),
    serial: Type.Optional(
      text('the maker’s serial', /^\S{1,64}$/, {
        description:
          'The maker’s serial of the device that belongs here; without one the first device is taken.',
      }),
    ),
    baudRate: Type.Optional(
      Type.Unsafe<number | typeof AUTO>({
        enum: [...BAUD_RATES, AUTO],
        expected: `one of ${BAUD_RATES.join(', ')}, ${AUTO}`,
        description:
          'Speed of its serial line. `auto`: that of the model, then others, with and without parity, until the terminal answers.',
        fallback: 'that of the model',
      }),
    ),
    parity: Type.Optional(oneOf(PARITIES, { description: 'Parity of its serial line.', fallback: 'none' })),
    trace: Type.Optional(
      path(
        { description: 'File into which what passes over the line is recorded, masked.' },
        'the path of a file',
      ),
    ),
  },
  { rule: (value: unknown) => misfit(value as Partial<WrittenTerminal> | null) },
);

/** The list `terminals`. */
export const TERMINALS = Type.Array(TERMINAL, {
  maxItems: MAX_TERMINALS,
  expected: `a list of at most ${MAX_TERMINALS} terminals`,
  description: 'The card terminals of this store.',
  default: [],
});

type WrittenTerminal = Static<typeof TERMINAL>;

/** One terminal as configured. */
export type TerminalConfig = Readonly<
  Omit<WrittenTerminal, 'baudRate' | 'parity'> &
    Required<Pick<WrittenTerminal, 'transport'>> & {
      /** Of a serial line: how it is set, or where the search for that begins. */
      readonly line: LineSettings;
      /** The settings of the line are found out. */
      readonly findsLine?: true;
    }
>;

/** Checks that model, transport and path fit together, so that a start fails before a port is opened. */
function misfit(terminal: Partial<WrittenTerminal> | null): RuleFault | undefined {
  const { deviceType, path: written, transport } = terminal ?? {};
  if (deviceType === undefined || !DEVICE_TYPES.includes(deviceType)) return undefined;
  const { transports } = deviceTypeSpec(deviceType);
  if (transport !== undefined && !transports.includes(transport) && TRANSPORTS.includes(transport)) {
    return {
      at: 'transport',
      problem: `is ${transport}; ${deviceType} is plugged in by ${transports.join(' or ')}`,
    };
  }
  if (typeof written !== 'string') return undefined;
  const by = transport ?? transports[0];
  if (by === 'tcp' && !parseTcpAddress(written))
    return { at: 'path', problem: `is ${written}; expected host:port for transport tcp` };
  if (by !== 'hid' && written.startsWith(UNIX_PREFIX))
    return { at: 'path', problem: `is ${written}; a simulated HID device needs transport hid` };
  return undefined;
}

/** The terminal, with the defaults of its model. */
export function terminalConfig(terminal: WrittenTerminal): TerminalConfig {
  const { transports, baudRate } = deviceTypeSpec(terminal.deviceType);
  const { baudRate: written, parity = 'none', ...rest } = terminal;
  return {
    ...rest,
    transport: terminal.transport ?? transports[0],
    line: { baudRate: written === undefined || written === AUTO ? baudRate : written, parity },
    ...(written === AUTO && { findsLine: true }),
  };
}
