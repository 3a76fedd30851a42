import { packMessage, unpackMessage } from '@tillbridge/wire/iso8583/message.js';
import { PEER_DIALECT, peerPack, peerUnpack } from '../../contract/iso8583/independent-codec.js';
import type { Contest } from './contest.js';

/** A sale with a chip, as a terminal's acquirer gets it. */
const SALE = {
  mti: '0200',
  fields: {
    2: '4761739001010010',
    3: '000000',
    4: '000000001234',
    7: '1123072200',
    11: '000001',
    12: '072200',
    13: '1123',
    14: '3112',
    18: '5411',
    22: '051',
    23: '001',
    25: '00',
    32: '123456',
    35: '4761739001010010=31122010000012300000',
    37: '632707000001',
    41: 'T1001   ',
    42: 'M1             ',
    43: 'Shop                     Berlin       DE',
    49: '978',
    52: '0011223344556677',
    55: '9F2701809F26080102030405060708',
    128: '0011223344556677',
  },
};
const GOAL = 5;

/** Messages that are written and read, each compared with npm `iso_8583` with the same dialect. */
export function iso8583Contests(): Contest[] {
  const packed = packMessage(PEER_DIALECT, SALE);
  if (!packed.equals(peerPack(SALE))) throw new Error('bench iso8583: the two codecs write different bytes');
  return [
    {
      name: 'ISO 8583, a sale packed, against npm iso_8583',
      goal: GOAL,
      ours: () => packMessage(PEER_DIALECT, SALE),
      baseline: () => peerPack(SALE),
    },
    {
      name: 'ISO 8583, a sale unpacked, against npm iso_8583',
      goal: GOAL,
      ours: () => unpackMessage(PEER_DIALECT, packed),
      baseline: () => peerUnpack(packed),
    },
  ];
}
