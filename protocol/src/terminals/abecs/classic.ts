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

/** Data of successful answers to classic commands; a command not listed answers without data. */
export const CLASSIC_RESPONSES = {
  GDU: [{ name: 'GDU_KSN', format: 'H', width: 20 }],
  GPN: [
    { name: 'GPN_PINBLK', format: 'H', width: 16 },
    { name: 'GPN_KSN', format: 'H', width: 20 },
  ],
  GTS: [{ name: 'GTS_TABVER', format: 'A', width: 10 }],
} as const satisfies Readonly<Record<string, Layout>>;

/** Ids of the commands in {@link CLASSIC_REQUESTS}. */
export type ClassicRequestId = keyof typeof CLASSIC_REQUESTS;
/** Ids of the commands in {@link CLASSIC_RESPONSES}. */
export type ClassicResponseId = keyof typeof CLASSIC_RESPONSES;

function onlyBlock(id: string, blocks: readonly Uint8Array[], layout: Layout): Uint8Array {
  const [block] = blocks;
  if (!block || blocks.length > 1) throw new TerminalFormatError(id, `${blocks.length} blocks, exactly 1`);
  const width = layoutWidth(layout);
  if (block.length !== width)
    throw new TerminalFormatError(id, `block of ${block.length} bytes, exactly ${width}`);
  return block;
}

/** The parameter block of a classic command. @throws TerminalFormatError naming the field */
export function encodeClassicRequest<I extends ClassicRequestId>(
  id: I,
  values: LayoutValues<(typeof CLASSIC_REQUESTS)[I]>,
): Buffer {
  return Buffer.from(encodeLayout(CLASSIC_REQUESTS[id], values), 'latin1');
}

/** Reads the parameter block of a classic command. @throws TerminalFormatError naming the field */
export function decodeClassicRequest<I extends ClassicRequestId>(
  id: I,
  blocks: readonly Uint8Array[],
): LayoutValues<(typeof CLASSIC_REQUESTS)[I]> {
  return decodeLayout(CLASSIC_REQUESTS[id], onlyBlock(id, blocks, CLASSIC_REQUESTS[id]));
}

/** The data block of a successful classic answer. @throws TerminalFormatError naming the field */
export function encodeClassicResponse<I extends ClassicResponseId>(
  id: I,
  values: LayoutValues<(typeof CLASSIC_RESPONSES)[I]>,
): Buffer {
  return Buffer.from(encodeLayout(CLASSIC_RESPONSES[id], values), 'latin1');
}

/** Reads the data block of a successful classic answer. @throws TerminalFormatError naming the field */
export function decodeClassicResponse<I extends ClassicResponseId>(
  id: I,
  blocks: readonly Uint8Array[],
): LayoutValues<(typeof CLASSIC_RESPONSES)[I]> {
  return decodeLayout(CLASSIC_RESPONSES[id], onlyBlock(id, blocks, CLASSIC_RESPONSES[id]));
}

/** Text that fits one 16-character line, cut or filled with spaces; characters outside ISO 8859-1 become `?`. */
export function displayLine(text: string): string {
  const line = text.replace(/[^\x20-\xff]/g, '?');
  return line.slice(0, CLASSIC_MESSAGE_LENGTH / 2).padEnd(CLASSIC_MESSAGE_LENGTH / 2, ' ');
}

/** A classic message from up to two lines. */
export function displayMessage(first: string, second = ''): string {
  return displayLine(first) + displayLine(second);
}

/** The lines of a classic message or notification, without trailing spaces. */
export function displayLines(message: string): readonly [string, string] {
  const half = CLASSIC_MESSAGE_LENGTH / 2;
  return [message.slice(0, half).trimEnd(), message.slice(half, CLASSIC_MESSAGE_LENGTH).trimEnd()];
}
