import type { FieldName } from './fields.js';

/** What is known of a command (ABECS 2.12 §3). */
export interface CommandSpec {
  readonly name: string;
  /**
   * A blocking command waits for a person without limit, may send notifications and is stopped by CAN;
   * any other answers within 10 s (ABECS 2.12 §2.2.2).
   */
  readonly blocking: boolean;
  /** `abecs`: TLV parameters, up to 2044 bytes. `classic`: fixed fields, up to 1024 bytes. */
  readonly style: 'abecs' | 'classic';
  readonly obsolete?: true;
  /** TLV parameters that must be there (ABECS 2.12 §3.1.3, presence M), in the order in which they are checked. */
  readonly mandatory?: readonly FieldName[];
}

/** The commands of the host, by id (ABECS 2.12 §3.2, §3.3, §3.5, §3.7). */
export const COMMANDS = {
  OPN: { name: 'open', blocking: false, style: 'classic' },
  GIN: { name: 'get information by index', blocking: false, style: 'classic', obsolete: true },
  GIX: { name: 'get information', blocking: false, style: 'abecs' },
  CLO: { name: 'close', blocking: false, style: 'classic' },
  CLX: { name: 'close, free text', blocking: false, style: 'abecs' },
  CEX: { name: 'wait for an event', blocking: true, style: 'abecs', mandatory: ['SPE_CEXOPT'] },
  EBX: {
    name: 'encipher a block',
    blocking: false,
    style: 'abecs',
    mandatory: ['SPE_DATAIN', 'SPE_MTHDDAT', 'SPE_KEYIDX'],
  },
  DEX: { name: 'display, free text', blocking: false, style: 'classic' },
  DSP: { name: 'display', blocking: false, style: 'classic' },
  GCD: { name: 'get clear data', blocking: true, style: 'abecs', mandatory: ['SPE_MSGIDX'] },
  MNU: { name: 'menu', blocking: true, style: 'abecs', mandatory: ['SPE_MNUOPT'] },
  GDU: { name: 'get DUKPT serial number', blocking: false, style: 'classic', obsolete: true },
  GPN: { name: 'get enciphered PIN', blocking: true, style: 'classic' },
  GTK: { name: 'get tracks', blocking: false, style: 'abecs' },
  RMC: { name: 'remove card', blocking: true, style: 'classic' },
  GTS: { name: 'get table version', blocking: false, style: 'classic', obsolete: true },
  TLI: { name: 'begin table load', blocking: false, style: 'classic' },
  TLR: { name: 'load table records', blocking: false, style: 'classic' },
  TLE: { name: 'end table load', blocking: false, style: 'classic' },
  GCX: { name: 'get card', blocking: true, style: 'abecs', mandatory: ['SPE_TRNDATE', 'SPE_TRNTIME'] },
  GED: { name: 'get EMV data', blocking: false, style: 'abecs', mandatory: ['SPE_TAGLIST'] },
  GOX: {
    name: 'go on chip',
    blocking: true,
    style: 'abecs',
    mandatory: ['SPE_ACQREF', 'SPE_MTHDPIN', 'SPE_KEYIDX'],
  },
  FCX: { name: 'finish chip', blocking: true, style: 'abecs', mandatory: ['SPE_FCXOPT'] },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** Id of a command we speak. */
export type CommandId = keyof typeof COMMANDS;

/** What is known of a command; undefined for one we do not speak. */
export function commandSpec(id: string): CommandSpec | undefined {
  return Object.hasOwn(COMMANDS, id) ? COMMANDS[id as CommandId] : undefined;
}

/** The first mandatory parameter that is missing, for ST_MANDAT; undefined when all are there. */
export function missingField(id: CommandId, has: (name: FieldName) => boolean): FieldName | undefined {
  return commandSpec(id)?.mandatory?.find((name) => !has(name));
}
