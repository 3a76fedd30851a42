import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { ACCOUNT_TAG_NAMES } from '../../emv/account-tags.js';
import { isSensitiveTag } from '../../emv/tags.js';
import { encodeTlv, tlv } from '../../emv/tlv.js';
import { VirtualClock } from '../../seams/testing/virtual-clock.js';
import { encodePacket as abecsPacket } from '../abecs/framing.js';
import { encodeReports as idtechReports } from '../idtech/hid-report.js';
import { encodeReports as magtekReports } from '../magtek/hid-packets.js';
import { maskBytes } from './mask-bytes.js';
import { decodeTrace } from './trace.js';
import { TraceRecorder } from './trace-recorder.js';
import { wireFormOf } from './wire-payloads.js';

const PAN = '4200161316000074';
const SECRET_DIGITS = '9876543210';
const TRACK_1 = `B${PAN}^TESSA/TILL^3112201${SECRET_DIGITS}`;
const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** Account data as cards of every kind give it; of none may anything secret stay. */
const OBJECTS: Readonly<Record<string, string>> = {
  '5A': PAN,
  '57': `${PAN}D3112201${SECRET_DIGITS}F`.padEnd(36, 'F'),
  '56': hexOf(TRACK_1),
  '9F1F': hexOf(SECRET_DIGITS),
  '9F20': SECRET_DIGITS,
  '9F60': '9876',
  '9F61': '5432',
  '9F6B': `${PAN}D3112201${SECRET_DIGITS}F`,
  DF812A: hexOf(SECRET_DIGITS),
  DF812B: SECRET_DIGITS,
};

/** What must not be in a recording: the middle of the PAN, and what stands behind a service code. */
const FORBIDDEN = [PAN.slice(6, 12), SECRET_DIGITS.slice(0, 4), '5432'];

/** The message of a terminal: an object of account data between others, at every place of a report. */
function message(tag: string, shift: number): Buffer {
  const before = tlv('9F1A', Buffer.alloc(shift % 100, 0x11));
  const secret = tlv(
    tag,
    fromHex((OBJECTS[tag] ?? '').slice(0, 2 * Math.floor((OBJECTS[tag] ?? '').length / 2))),
  );
  return Buffer.from(encodeTlv([before, secret, tlv('9F02', fromHex('000000001234'))]));
}

/** One Miura packet after the other: node, control byte, length, content, check byte. */
function miuraPackets(content: Buffer, size = 100): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) {
    const part = content.subarray(at, at + size);
    const packet = Buffer.from([1, at + size < content.length ? 1 : 0, part.length, ...part]);
    packets.push(Buffer.concat([packet, Buffer.of(packet.reduce((a, b) => a ^ b, 0))]));
  }
  return packets;
}

function slip(content: Buffer): Buffer {
  const bytes = [...content].flatMap((byte) => {
    if (byte === 0xc0) return [0xdb, 0xdc];
    return byte === 0xdb ? [0xdb, 0xdd] : [byte];
  });
  return Buffer.from([0xc0, ...bytes, 0xc0]);
}

const asHexText = (content: Buffer): Buffer => Buffer.from(toHex(content), 'latin1');

const MAKERS: readonly (readonly [string, string, (content: Buffer) => Buffer[]])[] = [
  ['GERTEC_PPC930', 'serial', (content) => [abecsPacket(content)]],
  ['GERTEC_PPC930', 'serial', (content) => [abecsPacket(asHexText(content))]],
  ['IDTECH_VP6800', 'hid', idtechReports],
  ['IDTECH_VP6800', 'serial', (content) => [content]],
  ['MAGTEK_DYNAFLEX', 'hid', magtekReports],
  ['MAGTEK_DYNAFLEX', 'serial', (content) => [slip(content)]],
  ['MIURA_M020', 'serial', miuraPackets],
  ['NEWLAND_P180', 'serial', (content) => [content]],
  ['NEWLAND_P180', 'serial', (content) => [asHexText(content)]],
  ['VERIFONE_P400', 'serial', (content) => [content]],
  ['VERIFONE_P400', 'serial', (content) => [asHexText(content)]],
];

/** The messages of a recording without what the line adds: only digits and text that a thief would look for. */
function payloadHex(deviceType: string, transport: string, bytes: Buffer): string {
  const form = wireFormOf(deviceType, transport);
  if (form === 'abecs') return withoutEscapes(bytes, 0x13, (byte) => byte - 0x20);
  if (form === 'slip') return withoutEscapes(bytes, 0xdb, (byte) => (byte === 0xdc ? 0xc0 : 0xdb));
  const cut = (head: (first: number) => number): string => {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 64)
      parts.push(bytes.subarray(at + head(bytes[at] ?? 0), at + 64));
    return toHex(Buffer.concat(parts));
  };
  if (form === 'idtech-reports') return cut(() => 1);
  if (form === 'magtek-reports') return cut((first) => [2, 5, 3, 2][first] ?? 0);
  if (form !== 'miura-packets') return toHex(bytes);
  let hex = '';
  for (let at = 0; at < bytes.length; at += 4 + (bytes[at + 2] ?? 0))
    hex += toHex(bytes.subarray(at + 3, at + 3 + (bytes[at + 2] ?? 0)));
  return hex;
}

function withoutEscapes(bytes: Buffer, escapeByte: number, original: (byte: number) => number): string {
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === escapeByte) {
      at += 1;
      out.push(original(bytes[at] ?? 0) & 0xff);
    } else out.push(bytes[at] ?? 0);
  }
  return toHex(Buffer.from(out));
}

describe.each(MAKERS)('a recording of %s over %s', (deviceType, transport, frames) => {
  test.each(Object.keys(OBJECTS))('holds nothing secret of tag %s, wherever the line cuts it', (tag) => {
    for (let shift = 0; shift < 70; shift += 1) {
      let written = '';
      const clock = new VirtualClock();
      const sink = { append: (text: string) => (written += text), close: () => undefined };
      const onFault = (reason: string): never => {
        throw new Error(reason);
      };
      const trace = new TraceRecorder({ header: { deviceType, transport }, sink, clock, onFault });
      for (const frame of frames(message(tag, shift))) trace.bytes('device', frame);
      trace.close();
      const { events } = decodeTrace(written);
      const bytes = Buffer.concat(events.flatMap((event) => (event.kind === 'bytes' ? [event.bytes] : [])));
      const content = payloadHex(deviceType, transport, bytes);
      const text = Buffer.from(content, 'hex').toString('latin1');
      for (const secret of FORBIDDEN) {
        const found = [content, text, Buffer.from(text, 'hex').toString('latin1')].some((form) =>
          form.includes(secret),
        );
        expect(found, `${tag} shifted by ${shift}: ${secret}`).toBe(false);
      }
    }
  });
});

test('every tag of account data is one of the sensitive tags, and is tried above', () => {
  expect(Object.keys(OBJECTS).sort()).toEqual([...ACCOUNT_TAG_NAMES].sort());
  for (const tag of ACCOUNT_TAG_NAMES) expect(isSensitiveTag(tag)).toBe(true);
});

test('track 1 in characters loses its discretionary data, and keeps what a device masked', () => {
  const mask = (text: string): string => maskBytes(Buffer.from(text, 'latin1')).toString('latin1');
  expect(mask(`%${TRACK_1}?;`)).toBe('%B4200160000000074^TESSA/TILL^31122010000000000?;');
  expect(mask('%B420016******0075^TESSA/TILL^3112201****5678?')).toBe(
    '%B420016******0075^TESSA/TILL^3112201****0000?',
  );
});

test.each([0, 1, 49, 50, 51, 80])('a PAN %i blanks behind track 1 is masked', (blanks) => {
  const text = `${TRACK_1}${' '.repeat(blanks)}${PAN} `;
  const masked = maskBytes(Buffer.from(text, 'latin1')).toString('latin1');
  expect(masked).toHaveLength(text.length);
  expect(masked).not.toContain(PAN.slice(6, 12));
});

test('what a terminal enciphered stays as it is', () => {
  const cipherText = Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 167 + 13) & 0xff));
  expect(maskBytes(cipherText)).toEqual(cipherText);
  // By chance the tag of a track stands in it: what follows is no track data.
  for (const tag of ['9F1F', '9F20', '9F6B', '56', '57', '5A']) {
    const chance = fromHex(`${tag}10F0E1D2C3B4A5968778695A4B3C2D1E0F`);
    expect(maskBytes(chance)).toEqual(chance);
  }
});
