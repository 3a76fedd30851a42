import { TerminalFormatError } from '../format-error.js';
import { BodyReader } from './body-reader.js';
import { RESPONSE_CODES } from './statuses.js';

const FIELD_SEPARATOR = 0x1c;
/** Rows of the display. */
export const DISPLAY_ROWS = 4;
const KSN_BYTES = 10;
/** Slots of DUKPT keys. */
const MIN_KEY_SLOT = 1;
const MAX_KEY_SLOT = 250;
/** Slots of data keys begin above this (J0). */
export const DATA_KEY_SLOT_OFFSET = 128;

function slot(value: number): number {
  if (value >= MIN_KEY_SLOT && value <= MAX_KEY_SLOT) return value;
  throw new TerminalFormatError('key slot', `must be ${MIN_KEY_SLOT} to ${MAX_KEY_SLOT}`);
}

/** The body of GET DUKPT KSN (34) and of INCREASE DUKPT KSN (7g). @throws TerminalFormatError */
export function encodeKeySlot(value: number): Buffer {
  return Buffer.of(slot(value));
}

/** @throws TerminalFormatError */
export function decodeKeySlot(body: Uint8Array): number {
  const reader = new BodyReader(body);
  const value = slot(reader.byte('key slot'));
  reader.end();
  return value;
}

/** An answer's code, and what stands behind it. */
interface CodedAnswer {
  readonly code: string;
  readonly data: Buffer;
}

/** The body of an answer with a code. */
export function encodeCoded(code: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(code, 'latin1'), data]);
}

/** Reads an answer's code. @throws TerminalFormatError */
export function decodeCoded(body: Uint8Array): CodedAnswer {
  const reader = new BodyReader(body);
  return { code: reader.text('response code', RESPONSE_CODES.ok.length), data: reader.rest() };
}

/** The key serial number in the answer to 34. @throws TerminalFormatError */
export function decodeKeySerialNumber(data: Uint8Array): Buffer {
  return Buffer.from(new BodyReader(data).bytes('key serial number', KSN_BYTES));
}

/** The body of DISPLAY (3C): every row ends with a separator. @throws TerminalFormatError */
export function encodeDisplay(rows: readonly string[]): Buffer {
  if (rows.length > DISPLAY_ROWS) throw new TerminalFormatError('rows', `are at most ${DISPLAY_ROWS}`);
  const all = [...rows, '', '', '', ''].slice(0, DISPLAY_ROWS);
  return Buffer.from(all.map((row) => row + String.fromCharCode(FIELD_SEPARATOR)).join(''), 'latin1');
}

/** Rows of DISPLAY, empty ones at the end left out. @throws TerminalFormatError */
export function decodeDisplay(body: Uint8Array): string[] {
  const reader = new BodyReader(body);
  const rows = Array.from({ length: DISPLAY_ROWS }, () => reader.until('row', FIELD_SEPARATOR));
  reader.end();
  while (rows.at(-1) === '') rows.pop();
  return rows;
}

/** What the answer to CARD PRESENCE (BM) names. */
export const PRESENT_CARDS = { none: 0, contact: 1, contactless: 2 } as const;

/** The body of CARD PRESENCE: what the pad shows while a card is there; the published host leaves the row open. */
export function encodeCardPresence(row: string): Buffer {
  return Buffer.from(row, 'latin1');
}

/** The card in the answer to BM. @throws TerminalFormatError */
export function decodePresentCard(data: Uint8Array): number {
  return new BodyReader(data).byte('card type');
}
