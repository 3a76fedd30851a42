import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { findTlv, tlv } from '../../emv/tlv.js';
import { encodeCardStatus } from './card-status.js';
import { readMaskedTrack2 } from './masked-track.js';
import { decodeReport, encodeCardReport, encodeKeyReport, encodeStatusReport } from './reports.js';
import { decodeResponse } from './responses.js';
import { DEVICE_STATUS, TAGS } from './tags.js';

const hex = (text: string): Buffer => fromHex(text.replaceAll(' ', ''));
const read = (apdu: Buffer) => decodeReport(decodeResponse(apdu).data);

// The bytes of the tests of the maker's own host code.
describe('what a device reports without a request', () => {
  test('a card in the slot: E1', () => {
    const bytes = hex('E1 04 48 02 0302 9000');
    expect(encodeCardReport([tlv(TAGS.cardStatus, hex('0302'))])).toEqual(bytes);
    const status = { present: true, emvCompatible: true, magstripe: false };
    expect(read(bytes)).toMatchObject({ kind: 'card', status });
  });

  test('the cancel key: E0', () => {
    const bytes = hex('E0 05 DFA205 01 1B 9000');
    expect(encodeKeyReport(0x1b)).toEqual(bytes);
    expect(read(bytes)).toEqual({ kind: 'key', code: 0x1b });
  });

  test('a PIN entry: E6 with code, text and how the entry stands', () => {
    const bytes = hex('E6 10 C3 01 02 C4 06 50494E204F4B DFA102 01 02 9000');
    const entry = tlv(TAGS.pinEntryStatus, Buffer.of(2));
    expect(encodeStatusReport(DEVICE_STATUS.pinEntry, 'PIN OK', [entry])).toEqual(bytes);
    expect(read(bytes)).toEqual({ kind: 'pin' });
  });

  test('of other matters: nothing', () => {
    expect(read(hex('E6 05 DFA401 01 03 9000'))).toBeUndefined();
    expect(read(encodeStatusReport(0x01, 'ON'))).toBeUndefined();
  });

  test('a swipe: card status 0007, SRED data, masked track with its check character', () => {
    const captured = hex(
      `E1 81B7 48 02 0007 DFAE02 78 72212907C9B93D919511254CA428CE061009857EC1F129D3DE63CBF9F7D5452C36C961C881A11E84
       EF2F7D6C223C12CF2CC55A87AFC2D097F57D07BFF787A997CA5DB3E0FE46AF9C7C37580459EE6F6065CAD8E1BDACAE01B8ED4E06D232485F
       3B7A72C88119E3DF27F3553284411FCC8DC25EFC8ECF4AFA DFAE03 0A 00000200000055400182
       DFAE22 25 3B3437363137332A2A2A2A2A2A303031303D313531323230312A2A2A2A2A2A2A2A2A2A3F2A`.replaceAll(
        /\s/g,
        '',
      ),
    );
    const report = decodeReport(captured);
    if (report?.kind !== 'card') throw new Error('no card');
    expect(report.status).toEqual({ present: false, emvCompatible: false, magstripe: true });
    expect(toHex(encodeCardStatus(report.status))).toBe('0007');
    const track = findTlv(report.nodes, TAGS.maskedMagstripeTrack2) ?? Buffer.alloc(0);
    expect(readMaskedTrack2(Buffer.from(track).toString('latin1'))).toEqual({
      bin: '476173',
      last4Digits: '0010',
      expiry: '1512',
      serviceCode: '201',
    });
  });
});
