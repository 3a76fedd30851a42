import { encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeApdu } from './apdu.js';
import { toBcd } from './bcd.js';
import { field, tlvField } from './bitmaps.js';
import { encodeText } from './character-set.js';
import type { Outgoing } from './outgoing.js';
import type { ResultCode } from './result-codes.js';

/** The content of a status information (04 0F). */
export interface StatusInformation {
  readonly result: ResultCode;
  /** Minor units. */
  readonly minor?: number;
  /** Numeric code of ISO 4217. */
  readonly currency?: string;
  readonly receipt?: number;
  readonly terminalId: string;
  readonly merchantId?: string;
  readonly at?: LocalDateTime;
  readonly last4Digits?: string;
  readonly brand?: string;
  readonly approvalCode?: string;
  readonly text?: string;
  /** Card technology: 0 magstripe, 1 chip, 2 contactless. */
  readonly technology?: number;
  /** Application identifier, hex. */
  readonly aid?: string;
  readonly totals?: Uint8Array;
}

/** A local date and time. */
export interface LocalDateTime {
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The card types of the protocol, by our brands. */
const CARD_TYPES: Readonly<Record<string, number>> = {
  VISA: 10,
  MASTER: 6,
  AMEX: 8,
  DINERS: 12,
  JCB: 14,
  MAESTRO: 46,
  GIROCARD: 5,
};
/** Digits of a card number that are shown as masked before its last four. */
const MASKED = 'EEEEEEEEEEEE';
const NAME_BYTES = 40;
const TEXT_BYTES = 200;

/** How a request ended. */
export function statusInformation(status: StatusInformation): Outgoing {
  const data = Buffer.concat([...money(status), ...card(status), ...rest(status)]);
  return { role: 'outcome', bytes: encodeApdu({ control: 0x040f, data }) };
}

function money({ result, minor, currency, receipt, at }: StatusInformation): readonly Buffer[] {
  return [
    field(0x27, Buffer.of(result)),
    ...(minor === undefined ? [] : [field(0x04, toBcd(minor, 6))]),
    ...(receipt === undefined ? [] : [field(0x0b, toBcd(receipt, 3))]),
    ...(at
      ? [field(0x0c, timeOf(at)), field(0x0d, Buffer.concat([toBcd(at.month, 1), toBcd(at.day, 1)]))]
      : []),
    ...(currency === undefined ? [] : [field(0x49, toBcd(Number(currency), 2))]),
  ];
}

function timeOf({ hour, minute, second }: LocalDateTime): Buffer {
  return Buffer.concat([toBcd(hour, 1), toBcd(minute, 1), toBcd(second, 1)]);
}

function card({ last4Digits, brand, approvalCode }: StatusInformation): readonly Buffer[] {
  const name = brand === undefined ? undefined : encodeText(brand).subarray(0, NAME_BYTES);
  const type = CARD_TYPES[brand ?? ''];
  return [
    ...(/^\d{4}$/.test(last4Digits ?? '')
      ? [field(0x22, Buffer.from(`${MASKED}${last4Digits}`, 'hex'))]
      : []),
    ...(type === undefined ? [] : [field(0x8a, Buffer.of(type))]),
    ...(name ? [field(0x8b, Buffer.concat([name, Buffer.of(0)]))] : []),
    ...(approvalCode === undefined ? [] : [field(0x3b, padded(encodeText(approvalCode), 8, 0))]),
  ];
}

function rest(status: StatusInformation): readonly Buffer[] {
  const { terminalId, merchantId, text, receipt, totals, technology, aid } = status;
  const nodes: TlvNode[] = [
    ...(technology === undefined ? [] : [tlv('1F12', Buffer.of(technology))]),
    ...(aid === undefined ? [] : [tlv('60', [tlv('43', Buffer.from(aid, 'hex'))])]),
  ];
  return [
    field(0x29, toBcd(Number(terminalId.slice(-8)), 4)),
    ...(merchantId === undefined ? [] : [field(0x2a, padded(encodeText(merchantId), 15, 0x20))]),
    ...(receipt === undefined ? [] : [field(0x87, toBcd(receipt, 2)), field(0x88, toBcd(receipt, 3))]),
    ...(totals ? [field(0x60, totals)] : []),
    ...(text ? [field(0x3c, encodeText(text).subarray(0, TEXT_BYTES))] : []),
    ...(nodes.length > 0 ? [tlvField(nodes)] : []),
  ];
}

function padded(bytes: Uint8Array, length: number, filler: number): Buffer {
  const filled = Buffer.alloc(length, filler);
  filled.set(bytes.subarray(0, length));
  return filled;
}

/** Gives the till its turn again: the request was done (06 0F). */
export function completion(data: Uint8Array = Buffer.alloc(0)): Outgoing {
  return { role: 'end', bytes: encodeApdu({ control: 0x060f, data }) };
}

/** The same: the request came to nothing (06 1E). */
export function abortion(code: ResultCode, more: Uint8Array = Buffer.alloc(0)): Outgoing {
  return {
    role: 'end',
    bytes: encodeApdu({ control: 0x061e, data: Buffer.concat([Buffer.of(code), more]) }),
  };
}

/** For whom a receipt is. */
export const RECEIPT_TYPES = { merchant: 1, customer: 2, administration: 3 } as const;

/** Not 80: this is the last line. */
const LAST_LINE = 0x81;
const NORMAL_LINE = 0x00;
/** Bytes of the lines of one text block. */
const MAX_BLOCK_BYTES = 3_500;

/** A receipt for the printer of the till: in blocks, or line by line. */
export function printed(
  lines: readonly string[],
  type: keyof typeof RECEIPT_TYPES,
  takesTextBlocks: boolean,
): readonly Outgoing[] {
  return takesTextBlocks ? blocks(lines, type) : singleLines(lines);
}

function singleLines(lines: readonly string[]): readonly Outgoing[] {
  const line = (attribute: number, text: string): Outgoing => ({
    role: 'print',
    bytes: encodeApdu({ control: 0x06d1, data: Buffer.concat([Buffer.of(attribute), encodeText(text)]) }),
  });
  return [...lines.map((text) => line(NORMAL_LINE, text)), line(LAST_LINE, '')];
}

function blocks(lines: readonly string[], type: keyof typeof RECEIPT_TYPES): readonly Outgoing[] {
  const parts: TlvNode[][] = [[]];
  let bytes = 0;
  for (const text of lines) {
    const node = tlv('07', encodeText(text === '' ? ' ' : text));
    const size = encodeTlv([node]).length;
    if (bytes + size > MAX_BLOCK_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(node);
    bytes += size;
  }
  return parts.map((nodes, at) => {
    const end = at === parts.length - 1 ? [tlv('09', Buffer.of(LAST_LINE))] : [];
    const container = [tlv('1F07', Buffer.of(RECEIPT_TYPES[type])), tlv('25', [...nodes, ...end])];
    return { role: 'print', bytes: encodeApdu({ control: 0x06d3, data: tlvField(container) }) };
  });
}
