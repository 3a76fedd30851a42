import { join, resolve } from 'node:path';
import {
  type CommandSpec,
  helpText,
  meant,
  misuse,
  parseArguments,
  UsageError,
} from '../command-line/command-line.js';

/** The three processes of the development system. */
export const PART_NAMES = ['gateway', 'agent', 'simulator'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Options of `npm start`. */
export interface StackOptions {
  /** All data; each part has a folder in it. */
  readonly home: string;
  readonly only?: PartName;
  readonly tour: boolean;
  /** The channel's payments, the agent's among them, go to the acquirer's host. */
  readonly external?: boolean;
  /** 0 means any free port. */
  readonly ports: { readonly gateway: number; readonly agent: number; readonly simulator: number };
  /** Of tills that speak nexo; 0 means any free one. */
  readonly nexoPort: number;
  /** Of the acquirer's host for ISO 8583; 0 means any free one. */
  readonly hostPort: number;
  /** Ports that the environment named itself: they win over those of an earlier start. */
  readonly chosen: ReadonlySet<PartName>;
  /** Terminals that wait for a card get one by themselves. */
  readonly auto: boolean;
  /** Passed to the agent as it is; undefined: on, with test limits. */
  readonly offline: string | undefined;
}

/** Variable and default of each port. */
export const PORT_VARIABLES = {
  gateway: { variable: 'GATEWAY_PORT', port: 8080 },
  agent: { variable: 'AGENT_PORT', port: 8090 },
  simulator: { variable: 'SIM_PORT', port: 8095 },
  nexo: { variable: 'NEXO_PORT', port: 8443 },
  host: { variable: 'HOST_PORT', port: 8096 },
} as const;

const START_COMMAND: CommandSpec = {
  call: 'npm start --',
  forms: ['[--tour] [--external]', '--only gateway|agent|simulator'],
  summary:
    'Starts gateway, agent and simulated terminals on this machine, each a separate process, and stays up.',
  options: {
    '--tour': { help: 'then a tour of sales and faults; exits 0 only if all came out as they must' },
    '--external': {
      help: 'the sales of terminals go to the acquirer’s host (test mode EXTERNAL), as payments with testMode=EXTERNAL do',
    },
    '--only': { value: 'PART', help: 'only one part on the same home: gateway, agent or simulator' },
  },
  notes: [
    'Environment: TILLBRIDGE_HOME (default .local), GATEWAY_PORT (8080), AGENT_PORT (8090), NEXO_PORT (8443), SIM_PORT (8095),',
    'HOST_PORT (8096), 0 for any free port,',
    'SIM_AUTO (1: cards present themselves; 0: wait for one), AGENT_OFFLINE (on with test limits; off, or limits).',
    '',
  ],
};

/** Printed by `npm start -- --help`. */
export const HELP = `${helpText(START_COMMAND)}\n`;

/**
 * Reads command line and environment.
 * @throws UsageError
 */
export function readOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  root: string,
): StackOptions | 'help' {
  const args = parseArguments(START_COMMAND, argv);
  if (args === 'help') return 'help';
  const tour = args.options.has('--tour');
  const external = args.options.has('--external');
  const part = args.options.get('--only');
  const only = part === undefined ? undefined : partName(part);
  if (only && tour) throw misuse(START_COMMAND, '--tour needs the whole system: leave --only out');
  if (only && external) throw misuse(START_COMMAND, '--external is of the whole system: leave --only out');
  const named = (part: PartName) => Boolean(env[PORT_VARIABLES[part].variable]);
  return {
    home: resolve(env.TILLBRIDGE_HOME || join(root, '.local')),
    ...(only ? { only } : {}),
    tour,
    external,
    ports: { gateway: port('gateway', env), agent: port('agent', env), simulator: port('simulator', env) },
    nexoPort: port('nexo', env),
    hostPort: port('host', env),
    chosen: new Set(PART_NAMES.filter(named)),
    auto: flag('SIM_AUTO', env.SIM_AUTO),
    offline: env.AGENT_OFFLINE || undefined,
  };
}

function partName(text: string): PartName {
  const part = PART_NAMES.find((name) => name === text);
  if (part) return part;
  const near = meant(text, PART_NAMES);
  throw misuse(START_COMMAND, `--only takes ${PART_NAMES.join(', ')}; "${text}" is none of them${near}`);
}

function port(part: keyof typeof PORT_VARIABLES, env: NodeJS.ProcessEnv): number {
  const { variable, port: preset } = PORT_VARIABLES[part];
  const text = env[variable];
  if (!text) return preset;
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new UsageError(`${variable} must be a port, 0 to 65535 (0: any free one); it is "${text}"`);
}

function flag(name: string, text: string | undefined): boolean {
  if (!text || text === '1') return true;
  if (text === '0') return false;
  throw new UsageError(`${name} must be 1 or 0; it is "${text}"`);
}
