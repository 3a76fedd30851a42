import type { FieldFamily, FieldName } from './fields.js';

/** Presence of a parameter (ABECS 2.12 §3.1.3): mandatory, mandatory by situation, on request, optional. */
export type Presence = 'M' | 'MD' | 'MR' | 'O';

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
  /** TLV parameters with their presence; absent for classic commands (see `classic.ts`, `tables.ts`). */
  readonly request?: Readonly<Partial<Record<FieldName, Presence>>>;
  readonly response?: Readonly<Partial<Record<FieldName, Presence>>>;
  readonly responseFamilies?: readonly FieldFamily[];
}

/** The commands of the host, by id (ABECS 2.12 §3.2, §3.3, §3.5, §3.7). */
export const COMMANDS = {
  OPN: { name: 'open', blocking: false, style: 'classic' },
  GIX: {
    name: 'get information',
    blocking: false,
    style: 'abecs',
    request: { SPE_IDLIST: 'O' },
    response: {
      PP_SERNUM: 'MR',
      PP_PARTNBR: 'O',
      PP_MODEL: 'MR',
      PP_MNNAME: 'MR',
      PP_CAPAB: 'MR',
      PP_SOVER: 'MR',
      PP_SPECVER: 'MR',
      PP_MANVERS: 'MR',
      PP_APPVERS: 'MR',
      PP_GENVERS: 'MR',
      PP_KRNLVER: 'MR',
      PP_DSPTXTSZ: 'MR',
      PP_MKTDESP: 'MR',
      PP_MKTDESD: 'MR',
      PP_DKPTTDESP: 'MR',
      PP_DKPTTDESD: 'MR',
      PP_TLRMEM: 'MR',
    },
    responseFamilies: ['PP_KSNDESP', 'PP_KSNTDESP', 'PP_KSNTDESD', 'PP_TABVER'],
  },
  CLO: { name: 'close', blocking: false, style: 'classic' },
  CLX: {
    name: 'close, free text',
    blocking: false,
    style: 'abecs',
    request: { SPE_DSPMSG: 'O', SPE_MFNAME: 'O' },
  },
  CEX: {
    name: 'wait for an event',
    blocking: true,
    style: 'abecs',
    request: { SPE_CEXOPT: 'M', SPE_TIMEOUT: 'O', SPE_PANMASK: 'O' },
    response: { PP_EVENT: 'M', PP_TRK1INC: 'O', PP_TRK2INC: 'O', PP_TRK3INC: 'O' },
  },
  DEX: { name: 'display, free text', blocking: false, style: 'classic' },
  DSP: { name: 'display', blocking: false, style: 'classic' },
  GDU: { name: 'get DUKPT serial number', blocking: false, style: 'classic', obsolete: true },
  GPN: { name: 'get enciphered PIN', blocking: true, style: 'classic' },
  GTK: {
    name: 'get tracks',
    blocking: false,
    style: 'abecs',
    request: {
      SPE_TRACKS: 'O',
      SPE_MTHDDAT: 'O',
      SPE_IVCBC: 'O',
      SPE_OPNDIG: 'O',
      SPE_KEYIDX: 'MD',
      SPE_WKENC: 'MD',
      SPE_PBKMOD: 'MD',
      SPE_PBKEXP: 'MD',
    },
    response: {
      PP_ENCPAN: 'O',
      PP_TRACK1: 'O',
      PP_TRACK2: 'O',
      PP_TRACK3: 'O',
      PP_TRK1KSN: 'MD',
      PP_TRK2KSN: 'MD',
      PP_TRK3KSN: 'MD',
      PP_ENCPANKSN: 'MD',
      PP_ENCKRAND: 'MD',
    },
  },
  RMC: { name: 'remove card', blocking: true, style: 'classic' },
  GTS: { name: 'get table version', blocking: false, style: 'classic', obsolete: true },
  TLI: { name: 'begin table load', blocking: false, style: 'classic' },
  TLR: { name: 'load table records', blocking: false, style: 'classic' },
  TLE: { name: 'end table load', blocking: false, style: 'classic' },
  GCX: {
    name: 'get card',
    blocking: true,
    style: 'abecs',
    request: {
      SPE_TRNTYPE: 'O',
      SPE_ACQREF: 'O',
      SPE_APPTYPE: 'O',
      SPE_AIDLIST: 'O',
      SPE_AMOUNT: 'O',
      SPE_CASHBACK: 'O',
      SPE_TRNCURR: 'O',
      SPE_TRNDATE: 'M',
      SPE_TRNTIME: 'M',
      SPE_GCXOPT: 'O',
      SPE_PANMASK: 'O',
      SPE_EMVDATA: 'O',
      SPE_TAGLIST: 'O',
      SPE_TIMEOUT: 'O',
      SPE_DSPMSG: 'O',
    },
    response: {
      PP_CARDTYPE: 'M',
      PP_ICCSTAT: 'MD',
      PP_AIDTABINFO: 'MD',
      PP_PAN: 'MD',
      PP_PANSEQNO: 'MD',
      PP_TRK1INC: 'O',
      PP_TRK2INC: 'O',
      PP_TRK3INC: 'O',
      PP_CHNAME: 'O',
      PP_LABEL: 'MD',
      PP_ISSCNTRY: 'O',
      PP_CARDEXP: 'O',
      PP_EMVDATA: 'MR',
      PP_DEVTYPE: 'MD',
    },
  },
  GED: {
    name: 'get EMV data',
    blocking: false,
    style: 'abecs',
    request: { SPE_TAGLIST: 'M' },
    response: { PP_EMVDATA: 'M' },
  },
  GOX: {
    name: 'go on chip',
    blocking: true,
    style: 'abecs',
    request: {
      SPE_ACQREF: 'M',
      SPE_TRNTYPE: 'O',
      SPE_AMOUNT: 'O',
      SPE_CASHBACK: 'O',
      SPE_TRNCURR: 'O',
      SPE_GOXOPT: 'O',
      SPE_MTHDPIN: 'M',
      SPE_KEYIDX: 'M',
      SPE_WKENC: 'MD',
      SPE_DSPMSG: 'O',
      SPE_TRMPAR: 'O',
      SPE_EMVDATA: 'O',
      SPE_TAGLIST: 'O',
      SPE_TIMEOUT: 'O',
    },
    response: { PP_GOXRES: 'M', PP_PINBLK: 'MD', PP_KSN: 'MD', PP_EMVDATA: 'MR' },
  },
  FCX: {
    name: 'finish chip',
    blocking: true,
    style: 'abecs',
    request: { SPE_FCXOPT: 'M', SPE_ARC: 'MD', SPE_EMVDATA: 'O', SPE_TAGLIST: 'O', SPE_TIMEOUT: 'O' },
    response: { PP_FCXRES: 'M', PP_EMVDATA: 'MR', PP_ISRESULTS: 'O' },
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** Id of a command we speak. */
export type CommandId = keyof typeof COMMANDS;

/** What is known of a command; undefined for one we do not speak. */
export function commandSpec(id: string): CommandSpec | undefined {
  return Object.hasOwn(COMMANDS, id) ? COMMANDS[id as CommandId] : undefined;
}

/** The first mandatory (`M`) parameter that is missing, for ST_MANDAT; undefined when all are there. */
export function missingField(id: CommandId, has: (name: FieldName) => boolean): FieldName | undefined {
  const request: CommandSpec['request'] = commandSpec(id)?.request;
  if (!request) return undefined;
  return (Object.keys(request) as FieldName[]).find((name) => request[name] === 'M' && !has(name));
}
