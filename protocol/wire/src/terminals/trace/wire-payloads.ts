import { type DeviceType, deviceTypeOf } from '../device-types.js';

/** How a line cuts messages into pieces, or escapes bytes of them. */
export type WireForm = 'plain' | 'abecs' | 'slip' | 'idtech-reports' | 'magtek-reports' | 'miura-packets';

/** The content of messages, and the place of each of its bytes on the line. */
export interface Payload {
  readonly content: Buffer;
  /** Absent: as it stands. */
  readonly places?: readonly number[];
  /** The byte behind which the byte itself stands; it has the first of two places then. */
  readonly escape?: number;
}

/** Forms over USB-HID and over other lines; a plain line has messages as they are. */
const FORMS: Readonly<Record<DeviceType, readonly [hid: WireForm, others: WireForm]>> = {
  GERTEC_PPC930: ['plain', 'abecs'],
  IDTECH_VP6800: ['idtech-reports', 'plain'],
  MAGTEK_DYNAFLEX: ['magtek-reports', 'slip'],
  MIURA_M020: ['plain', 'miura-packets'],
  NEWLAND_P180: ['plain', 'plain'],
  VERIFONE_P400: ['plain', 'plain'],
};

/** The form of a terminal's line. */
export function wireFormOf(deviceType: string, transport: string): WireForm {
  const known = deviceTypeOf(deviceType);
  if (!known) return 'plain';
  const [hid, others] = FORMS[known];
  return transport === 'hid' ? hid : others;
}

const REPORT_BYTES = 64;
/** Bytes before the content of a MagTek report, by its first byte: one report alone, head, middle, tail. */
const MAGTEK_HEADS: Readonly<Record<number, number>> = { 0: 2, 1: 5, 2: 3, 3: 2 };
/** Node, control byte and length before the content of a Miura packet; one check byte behind it. */
const MIURA_HEAD_BYTES = 3;
const MIURA_CHECK_BYTES = 1;

/** The bytes as the line has them, and as messages where the line cuts or escapes those. */
export function payloadsOf(bytes: Buffer, form: WireForm): Payload[] {
  const plain = { content: bytes };
  switch (form) {
    case 'plain':
      return [plain];
    case 'abecs':
      return [plain, ...unescaped(bytes, 0x13, (byte) => byte - 0x20)];
    case 'slip':
      return [plain, ...unescaped(bytes, 0xdb, (byte) => (byte === 0xdc ? 0xc0 : 0xdb))];
    case 'idtech-reports':
      return [
        plain,
        payloadAt(
          bytes,
          reportPlaces(bytes, () => 1),
        ),
      ];
    case 'magtek-reports':
      return [
        plain,
        payloadAt(
          bytes,
          reportPlaces(bytes, (first) => MAGTEK_HEADS[first] ?? 0),
        ),
      ];
    case 'miura-packets':
      return [plain, payloadAt(bytes, packetPlaces(bytes))];
  }
}

function payloadAt(bytes: Buffer, places: readonly number[]): Payload {
  return { content: Buffer.from(places.map((at) => bytes[at] ?? 0)), places };
}

/** Messages whose bytes may stand behind an escape; none where nothing is escaped. */
function unescaped(bytes: Buffer, escapeByte: number, original: (byte: number) => number): Payload[] {
  if (!bytes.includes(escapeByte)) return [];
  const content = Buffer.alloc(bytes.length);
  const places: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const isEscape = byte === escapeByte && at + 1 < bytes.length;
    content[places.length] = isEscape ? original(bytes[at + 1] ?? 0) : byte;
    places.push(at);
    if (isEscape) at += 1;
  }
  return [{ content: content.subarray(0, places.length), places, escape: escapeByte }];
}

/** Places behind the head of each report. */
function reportPlaces(bytes: Uint8Array, headBytes: (first: number) => number): number[] {
  return [...bytes.keys()].filter((at) => {
    const begin = at - (at % REPORT_BYTES);
    return at - begin >= headBytes(bytes[begin] ?? 0);
  });
}

/** Places of what packets carry, one behind the other. */
function packetPlaces(bytes: Uint8Array): number[] {
  const places: number[] = [];
  for (let at = 0; at + MIURA_HEAD_BYTES <= bytes.length; ) {
    const begin = at + MIURA_HEAD_BYTES;
    const end = begin + (bytes[begin - 1] ?? 0);
    for (let place = begin; place < Math.min(end, bytes.length); place += 1) places.push(place);
    at = end + MIURA_CHECK_BYTES;
  }
  return places;
}
