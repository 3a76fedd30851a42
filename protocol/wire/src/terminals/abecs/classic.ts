import { TerminalFormatError } from '../format-error.js';
import { decodeLayout, encodeLayout, type Layout, type LayoutValues, layoutWidth } from './layout.js';

/** Width of the classic display: two lines of 16 characters (ABECS 2.12 §3.3.5). */
export const CLASSIC_MESSAGE_LENGTH = 32;

const MESSAGE = `S${CLASSIC_MESSAGE_LENGTH}` as const;

/** Parameters of the classic (not TLV) commands, by command id (ABECS 2.12 §3.2.6, §3.3, §3.5). */
export const CLASSIC_REQUESTS = {
  CLO: { CLO_MSG: MESSAGE },
  DSP: { DSP_MSG: MESSAGE },
  RMC: { RMC_MSG: MESSAGE },
  GIN: { GIN_ACQIDX: 'N2' },
  GDU: {
    GDU_METHOD: 'N1',
    GDU_IDX: 'N2',
  },
  GPN: {
    GPN_METHOD: 'N1',
    GPN_KEYIDX: 'N2',
    GPN_WKENC: 'H32',
    GPN_PANLEN: 'N2',
    GPN_PAN: 'A19',
    GPN_ENTRIES: 'N1',
    GPN_MIN1: 'N2',
    GPN_MAX1: 'N2',
    GPN_MSG1: MESSAGE,
  },
  GTS: { GTS_ACQIDX: 'N2' },
  TLI: {
    TLI_ACQIDX: 'N2',
    TLI_TABVER: 'A10',
  },
} as const satisfies Readonly<Record<string, Layout>>;

const ACQUIRER_END = {
  GIN_APPVERS: 'A13',
  GIN_SPECVER: 'A4',
  GIN_RUF1: 'A3',
  GIN_RUF2: 'N2',
} as const;

/**
 * Data of successful answers to classic commands; a command not listed answers without data. GIN has one for each index: `00`, `02`, `03`
 * and others (ABECS 2.20 §3.2.3).
 */
const CLASSIC_RESPONSES = {
  GIN_00: {
    GIN_MNAME: 'A20',
    GIN_MODEL: 'A19',
    GIN_CTLSSUP: 'A1',
    GIN_SOVER: 'A20',
    GIN_SPECVER: 'A4',
    GIN_MANVER: 'A16',
    GIN_SERNUM: 'A20',
  },
  GIN_02: {
    GIN_ACQNAM: 'A8',
    GIN_KRNLVER: 'A12',
    ...ACQUIRER_END,
  },
  GIN_03: {
    GIN_ACQNAM: 'A6',
    GIN_KRNLVER: 'A4',
    GIN_CTLSVER: 'A4',
    GIN_MCTLSVER: 'A3',
    GIN_VCTLSVER: 'A3',
    GIN_APPVERS: 'A13',
    GIN_SPECVER: 'A4',
    GIN_RUF3: 'A2',
    GIN_DUKPT: 'A1',
    GIN_RUF2: 'N2',
  },
  GIN_OTHER: { GIN_ACQNAME: 'A20', ...ACQUIRER_END },
  GDU: { GDU_KSN: 'H20' },
  GPN: {
    GPN_PINBLK: 'H16',
    GPN_KSN: 'H20',
  },
  GTS: { GTS_TABVER: 'A10' },
} as const satisfies Readonly<Record<string, Layout>>;

/** Ids of the commands in {@link CLASSIC_REQUESTS}. */
export type ClassicRequestId = keyof typeof CLASSIC_REQUESTS;

/** Writes and reads the one block that a table lays out for each id. Both throw TerminalFormatError naming the field. */
function blocksOf<const T extends { readonly [Id in keyof T]: Layout }>(layouts: T) {
  return {
    encode: <I extends keyof T & string>(id: I, values: LayoutValues<T[I]>): Buffer =>
      Buffer.from(encodeLayout(layouts[id], values), 'latin1'),
    decode: <I extends keyof T & string>(id: I, blocks: readonly Uint8Array[]): LayoutValues<T[I]> =>
      decodeLayout(layouts[id], onlyBlock(id, blocks, layouts[id])),
  };
}

function onlyBlock(id: string, blocks: readonly Uint8Array[], layout: Layout): Uint8Array {
  const [block] = blocks;
  if (!block || blocks.length > 1) throw new TerminalFormatError(id, `${blocks.length} blocks, exactly 1`);
  const width = layoutWidth(layout);
  if (block.length !== width)
    throw new TerminalFormatError(id, `block of ${block.length} bytes, exactly ${width}`);
  return block;
}

/** The parameter block of a classic command. */
export const { encode: encodeClassicRequest, decode: decodeClassicRequest } = blocksOf(CLASSIC_REQUESTS);
/** The data block of a successful classic answer. */
export const { encode: encodeClassicResponse, decode: decodeClassicResponse } = blocksOf(CLASSIC_RESPONSES);

/** Text that fits one 16-character line, cut or filled with spaces; characters outside ISO 8859-1 become `?`. */
export function displayLine(text: string): string {
  const line = text.replace(/[^\x20-\xff]/g, '?');
  return line.slice(0, CLASSIC_MESSAGE_LENGTH / 2).padEnd(CLASSIC_MESSAGE_LENGTH / 2, ' ');
}

/** A classic message from up to two lines. */
export function displayMessage(first: string, second = ''): string {
  return displayLine(first) + displayLine(second);
}

/**
 * The lines of a message as a device takes it, without complaint: control characters count as spaces, what is missing is filled with them,
 * and what is more than two lines is dropped (ABECS 2.20 §6.5.5: DSP, CLO and RMC).
 */
export function takenLines(blocks: readonly Uint8Array[]): readonly [string, string] {
  const text = Buffer.concat(blocks).toString('latin1');
  return displayLines(text.replace(/[^\x20-\xff]/g, ' ').padEnd(CLASSIC_MESSAGE_LENGTH));
}

/** The lines of a classic message or notification, without trailing spaces. */
export function displayLines(message: string): readonly [string, string] {
  const half = CLASSIC_MESSAGE_LENGTH / 2;
  return [message.slice(0, half).trimEnd(), message.slice(half, CLASSIC_MESSAGE_LENGTH).trimEnd()];
}
