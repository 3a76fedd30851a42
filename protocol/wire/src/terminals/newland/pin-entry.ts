import { TerminalFormatError } from '../format-error.js';
import { BodyReader, uint16 } from './body-reader.js';
import { DISPLAY_ROWS, decodeKeySlot, encodeKeySlot } from './commands.js';

const FIELD_SEPARATOR = 0x1c;
const PIN_BLOCK_BYTES = 8;
const PAN = /^\d{8,19}$/;

/** How the key of PIN ENTRY works. */
export const PIN_KEY_TYPES = { masterSession: 0, dukpt: 1, aes: 2 } as const;

/** PIN ENTRY with a card number (32). */
export interface PinEntryRequest {
  readonly keySlot: number;
  /** One of {@link PIN_KEY_TYPES}. */
  readonly keyType: number;
  readonly pan: string;
  readonly maxDigits: number;
  readonly timeoutSeconds: number;
  /** At most four. */
  readonly rows: readonly string[];
}

/** The published host sends zeros here, and does not state for what (from public sources incomplete). */
const UNKNOWN = {
  afterKey: Buffer.alloc(1),
  afterPan: Buffer.alloc(2),
  afterTimeout: Buffer.alloc(1),
} as const;

/** The body of PIN ENTRY. @throws TerminalFormatError */
export function encodePinEntry({
  keySlot,
  keyType,
  pan,
  maxDigits,
  timeoutSeconds,
  rows,
}: PinEntryRequest): Buffer {
  if (rows.length > DISPLAY_ROWS) throw new TerminalFormatError('rows', `are at most ${DISPLAY_ROWS}`);
  const texts = [...rows, '', '', '', ''].slice(0, DISPLAY_ROWS);
  const separator = String.fromCharCode(FIELD_SEPARATOR);
  return Buffer.concat([
    encodeKeySlot(keySlot),
    Buffer.of(keyType),
    UNKNOWN.afterKey,
    Buffer.from(pan + separator, 'latin1'),
    UNKNOWN.afterPan,
    Buffer.of(maxDigits),
    uint16(timeoutSeconds),
    UNKNOWN.afterTimeout,
    Buffer.from(texts.map((text) => text + separator).join(''), 'latin1'),
  ]);
}

/** @throws TerminalFormatError */
export function decodePinEntry(body: Uint8Array): PinEntryRequest {
  const reader = new BodyReader(body);
  const keySlot = decodeKeySlot(reader.bytes('key slot', 1));
  const keyType = reader.byte('key type');
  reader.bytes('mode', UNKNOWN.afterKey.length);
  const pan = reader.until('card number', FIELD_SEPARATOR);
  if (!PAN.test(pan)) throw new TerminalFormatError('card number', 'must be 8 to 19 digits');
  reader.bytes('lengths', UNKNOWN.afterPan.length);
  const maxDigits = reader.byte('longest PIN');
  const timeoutSeconds = reader.uint16('timeout');
  reader.bytes('options', UNKNOWN.afterTimeout.length);
  const rows = Array.from({ length: DISPLAY_ROWS }, () => reader.until('row', FIELD_SEPARATOR));
  reader.end();
  while (rows.at(-1) === '') rows.pop();
  return { keySlot, keyType, pan, maxDigits, timeoutSeconds, rows };
}

/** The data of the answer (33) behind its code: a byte that the host passes over, a length, the block; no block for a skipped entry. */
export function encodePinEntryAnswer(block: Uint8Array | undefined): Buffer {
  return Buffer.concat([Buffer.of(0, block?.length ?? 0), block ?? Buffer.alloc(PIN_BLOCK_BYTES)]);
}

/** The PIN block; undefined for a skipped entry. @throws TerminalFormatError */
export function decodePinEntryAnswer(data: Uint8Array): Buffer | undefined {
  const reader = new BodyReader(data);
  reader.byte('mode');
  const length = reader.byte('length of the PIN block');
  return length === 0 ? undefined : Buffer.from(reader.bytes('PIN block', PIN_BLOCK_BYTES));
}
