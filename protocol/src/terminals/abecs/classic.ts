import { TerminalFormatError } from '../format-error.js';
import { decodeLayout, encodeLayout, type Layout, type LayoutValues, layoutWidth } from './layout.js';

/** Width of the classic display: two lines of 16 characters (ABECS 2.12 §3.3.5). */
export const CLASSIC_MESSAGE_LENGTH = 32;

const MESSAGE = { format: 'S', width: CLASSIC_MESSAGE_LENGTH } as const;

/** Parameters of the classic (not TLV) commands, by command id (ABECS 2.12 §3.2.6, §3.3, §3.5). */
export const CLASSIC_REQUESTS = {
  CLO: [{ name: 'CLO_MSG', ...MESSAGE }],
  DSP: [{ name: 'DSP_MSG', ...MESSAGE }],
  RMC: [{ name: 'RMC_MSG', ...MESSAGE }],
  GIN: [{ name: 'GIN_ACQIDX', format: 'N', width: 2 }],
  GDU: [
    { name: 'GDU_METHOD', format: 'N', width: 1 },
    { name: 'GDU_IDX', format: 'N', width: 2 },
  ],
  GPN: [
    { name: 'GPN_METHOD', format: 'N', width: 1 },
    { name: 'GPN_KEYIDX', format: 'N', width: 2 },
    { name: 'GPN_WKENC', format: 'H', width: 32 },
    { name: 'GPN_PANLEN', format: 'N', width: 2 },
    { name: 'GPN_PAN', format: 'A', width: 19 },
    { name: 'GPN_ENTRIES', format: 'N', width: 1 },
    { name: 'GPN_MIN1', format: 'N', width: 2 },
    { name: 'GPN_MAX1', format: 'N', width: 2 },
    { name: 'GPN_MSG1', ...MESSAGE },
  ],
  GTS: [{ name: 'GTS_ACQIDX', format: 'N', width: 2 }],
  TLI: [
    { name: 'TLI_ACQIDX', format: 'N', width: 2 },
    { name: 'TLI_TABVER', format: 'A', width: 10 },
  ],
} as const satisfies Readonly<Record<string, Layout>>;

const ACQUIRER_END = [
  { name: 'GIN_APPVERS', format: 'A', width: 13 },
  { name: 'GIN_SPECVER', format: 'A', width: 4 },
  { name: 'GIN_RUF1', format: 'A', width: 3 },
  { name: 'GIN_RUF2', format: 'N', width: 2 },
] as const;

/**
 * Data of successful answers to classic commands; a command not listed answers without data. GIN has one for each index: `00`, `02`, `03`
 * and others (ABECS 2.20 §3.2.3).
 */
export const CLASSIC_RESPONSES = {
  GIN_00: [
    { name: 'GIN_MNAME', format: 'A', width: 20 },
    { name: 'GIN_MODEL', format: 'A', width: 19 },
    { name: 'GIN_CTLSSUP', format: 'A', width: 1 },
    { name: 'GIN_SOVER', format: 'A', width: 20 },
    { name: 'GIN_SPECVER', format: 'A', width: 4 },
    { name: 'GIN_MANVER', format: 'A', width: 16 },
    { name: 'GIN_SERNUM', format: 'A', width: 20 },
  ],
  GIN_02: [
    { name: 'GIN_ACQNAM', format: 'A', width: 8 },
    { name: 'GIN_KRNLVER', format: 'A', width: 12 },
    ...ACQUIRER_END,
  ],
  GIN_03: [
    { name: 'GIN_ACQNAM', format: 'A', width: 6 },
    { name: 'GIN_KRNLVER', format: 'A', width: 4 },
    { name: 'GIN_CTLSVER', format: 'A', width: 4 },
    { name: 'GIN_MCTLSVER', format: 'A', width: 3 },
    { name: 'GIN_VCTLSVER', format: 'A', width: 3 },
    { name: 'GIN_APPVERS', format: 'A', width: 13 },
    { name: 'GIN_SPECVER', format: 'A', width: 4 },
    { name: 'GIN_RUF3', format: 'A', width: 2 },
    { name: 'GIN_DUKPT', format: 'A', width: 1 },
    { name: 'GIN_RUF2', format: 'N', width: 2 },
  ],
  GIN_OTHER: [{ name: 'GIN_ACQNAME', format: 'A', width: 20 }, ...ACQUIRER_END],
  GDU: [{ name: 'GDU_KSN', format: 'H', width: 20 }],
  GPN: [
    { name: 'GPN_PINBLK', format: 'H', width: 16 },
    { name: 'GPN_KSN', format: 'H', width: 20 },
  ],
  GTS: [{ name: 'GTS_TABVER', format: 'A', width: 10 }],
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
