import { resolve } from 'node:path';
import { entriesOf, listed } from '@tillbridge/platform/config/list-setting.js';
import { host, isLoopbackHost, port } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { peersOf } from '@tillbridge/platform/net/peers.js';
import { oneOf, section, text, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { TILL_RIGHTS, type TillRight } from '../access/rights.js';
import { TILL_ID } from '../access/till-registry.js';
import { BAUD_RATES, type TerminalConfig } from './terminals.js';

/** Most tills of one agent that speak ZVT. */
const MAX_ZVT_TILLS = 64;

const TILL = section(
  {
    till: text('the name of a till', TILL_ID, { description: 'Name of the till: its sales bear it.' }),
    terminalId: text('the id of a terminal', /^\d{1,32}$/, { description: 'The terminal that it sells on.' }),
    port: Type.Optional(port({ description: 'TCP port of this till alone; or `path`.' })),
    path: Type.Optional(
      path({ description: 'Serial port of this till, such as `/dev/ttyUSB1`; or `port`.' }),
    ),
    baudRate: Type.Optional(
      Type.Integer({
        enum: BAUD_RATES,
        expected: `one of ${BAUD_RATES.join(', ')}`,
        description: 'Speed of its serial line, with two stop bits.',
        default: 9_600,
      }),
    ),
    from: Type.Optional(
      listed('addresses or networks, parted by commas', arePeers, {
        description: 'Addresses and networks that may connect to its port.',
        fallback: 'this machine alone',
      }),
    ),
    rights: Type.Unsafe<readonly TillRight[]>({
      ...Type.Array(oneOf(TILL_RIGHTS), { expected: `rights out of ${TILL_RIGHTS.join(', ')}` }),
      description: 'What the till may do.',
      default: TILL_RIGHTS,
    }),
  },
  {
    rule: (value: unknown) =>
      placeFault(value as { readonly port?: unknown; readonly path?: unknown } | null),
  },
);

/** The mapping `zvt`. */
export const ZVT = section({
  host: host({
    description: 'Address for tills that speak ZVT; beyond loopback `tls` is needed.',
    default: '127.0.0.1',
  }),
  tls: Type.Optional(
    section({
      certificateFile: path({
        description: 'Certificate for tills that speak ZVT, PEM, the chain after it.',
      }),
      keyFile: path({ description: 'Its key, PEM.' }),
    }),
  ),
  passwordFile: Type.Optional(
    path({
      description: 'File of mode 0600 with the six digits that tills register with.',
      fallback: '`zvt-password` in the home, made at the first start',
    }),
  ),
  repeatSeconds: wholeNumber(10, 86_400, {
    description:
      'For so long a request that its till has not acknowledged stands for the same request again.',
    default: 600,
  }),
  registrationMinutes: wholeNumber(0, 1_440, {
    description:
      'For so long a till that connects again from the same address goes on without a new registration; 0: not at all.',
    default: 720,
  }),
  tills: Type.Array(TILL, {
    minItems: 1,
    maxItems: MAX_ZVT_TILLS,
    expected: `a list of 1 to ${MAX_ZVT_TILLS} tills`,
  }),
});

type Written = Static<typeof ZVT>;
type WrittenTill = Written['tills'][number];

/** One till, and where it is plugged in or connects to. */
export type ZvtTillConfig = Readonly<Omit<WrittenTill, 'from'>> & { readonly from?: readonly string[] };

/** Where and how tills that speak ZVT are served. */
export type ZvtConfig = Readonly<Omit<Written, 'tills'>> & { readonly tills: readonly ZvtTillConfig[] };

/** The section with absolute paths; undefined where ZVT is not served. Notes what is wrong. */
export function zvtConfig(
  written: Written | undefined,
  terminals: readonly TerminalConfig[],
  problems: Problems,
): ZvtConfig | undefined {
  if (!written) return undefined;
  const { tls, passwordFile, tills, ...rest } = written;
  const overTcp = tills.some((till) => till.port !== undefined);
  if (overTcp && !tls && !isLoopbackHost(written.host))
    problems.at(
      ['zvt', 'tls'],
      'is missing: beyond loopback passwords and answers would cross a network in clear',
    );
  for (const { terminalId } of tills)
    if (!terminals.some(({ id }) => id === terminalId))
      problems.at(['zvt', 'tills'], `has terminalId ${terminalId}, which is no terminal of this agent`);
  refuseSharedPlaces(tills, terminals, problems);
  return {
    ...rest,
    ...(tls && { tls: { certificateFile: resolve(tls.certificateFile), keyFile: resolve(tls.keyFile) } }),
    ...(passwordFile !== undefined && { passwordFile: resolve(passwordFile) }),
    tills: tills.map(({ from, ...till }) => ({
      ...till,
      ...(from !== undefined && { from: entriesOf(from) }),
    })),
  };
}

/** A port identifies the caller: it belongs to one till. */
function refuseSharedPlaces(
  tills: readonly WrittenTill[],
  terminals: readonly TerminalConfig[],
  problems: Problems,
): void {
  const places = tills.flatMap(({ port: tcp, path: serial }) =>
    tcp ? [`port ${tcp}`] : serial ? [`path ${serial}`] : [],
  );
  for (const place of new Set(places.filter((each, at) => places.indexOf(each) !== at)))
    problems.at(['zvt', 'tills'], `has two tills with ${place}`);
  for (const { path: serial } of tills)
    if (serial !== undefined && terminals.some((terminal) => terminal.path === serial))
      problems.at(['zvt', 'tills'], `has path ${serial}, which is that of a terminal`);
}

function placeFault(
  till: { readonly port?: unknown; readonly path?: unknown } | null,
): RuleFault | undefined {
  const places = [till?.port, till?.path].filter((place) => place !== undefined);
  return places.length === 1 ? undefined : { problem: 'must have either port or path' };
}

function arePeers(entries: readonly string[]): boolean {
  try {
    peersOf(entries);
    return entries.length > 0;
  } catch {
    return false;
  }
}
