import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { decodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { decodeCommand, decodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { expect, test } from 'vitest';
import { dataToEncipher } from './encrypted-data.js';

const ACCOUNT = { pan: '4200000000000000', track2: '4200000000000000=3112201', expiry: '3112' };
const objects = (list: string, options = '000000', application?: string) => [
  tlv(TAGS.tagList, fromHex(list)),
  tlv(TAGS.dataOptions, fromHex(options)),
  ...(application === undefined ? [] : [tlv(TAGS.applicationData, fromHex(application))]),
];

test.each([
  ['variable lengths, in the order of the list', objects('5F24005A00'), '5F240331 12315A084200000000000000'],
  ['a fixed length, filled with zeros', objects('5A0A', '000001'), '5A0A42000000000000000000'],
  ['a fixed length, filled with ones', objects('5A0A', '000002'), '5A0A4200000000000000FFFF'],
  ['a fixed length, cut', objects('5A04', '000010'), '5A0442000000'],
  ['an empty tag', objects('5A005F2000', '000008'), '5A0842000000000000005F2000'],
  ['data of the host behind', objects('5F2400', '000000', '9C0100'), '5F24033112319C0100'],
  [
    'data of the host in place of listed ones',
    objects('5F24005A00', '000000', '5F2403260131'),
    '5A0842000000000000005F2403260131',
  ],
])('%s', (_, request, clear) => {
  expect(toHex(dataToEncipher(request, ACCOUNT))).toBe(clear.replaceAll(' ', ''));
});

test('the published request is taken; what the card has not is left out', () => {
  const { cla, ins, data } = decodeCommand(
    fromHex('29000000F023DFA4010405C94B63DF8F300C5A10570056005F24005F2030DFA12000DFA12103000001'),
  );
  expect([cla, ins]).toEqual([0x29, 0x00]);
  const request = decodeContainer(data);
  expect(request.map(({ tag }) => tag)).toEqual(['DFA401', 'DF8F30', 'DFA120', 'DFA121']);
  const clear = decodeTlv(dataToEncipher(request, ACCOUNT));
  expect(clear.map(({ tag }) => tag)).toEqual(['5A', '57', '5F24']);
  expect(toHex(findTlv(clear, '5A') ?? Buffer.alloc(0))).toBe(`${ACCOUNT.pan}${'00'.repeat(8)}`);
});

test.each([
  ['neither list nor data', [], 'tagError'],
  ['a length that no option fits', objects('5A04'), 'parameter'],
  ['a length that no option fills', objects('5A0A'), 'parameter'],
  ['a form that is not simulated', objects('5A00', '000100'), 'parameter'],
  ['nothing that is there', objects('5F2000'), 'execution'],
])('%s is refused', (_, request, status) => {
  expect(() => dataToEncipher(request, ACCOUNT)).toThrow(expect.objectContaining({ status }));
});
