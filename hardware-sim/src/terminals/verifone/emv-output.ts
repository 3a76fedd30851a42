import { compressedNumeric } from '@tillbridge/wire/emv/compressed-numeric.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import {
  obfuscatedText,
  obfuscatePan,
  obfuscateTrack2,
} from '@tillbridge/wire/terminals/verifone/obfuscated.js';
import { STATUSES } from '@tillbridge/wire/terminals/verifone/statuses.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import type { CardAccount } from '../core/card-account.js';
import { chipObjects } from '../core/chip-objects.js';
import { statusInfo } from './status-error.js';

/** Objects of every answer with a cryptogram, in the order of the EMV guide's table. */
const RESULT_TAGS: readonly string[] = [
  ...'9F27 9F36 9F26 9F41 5F34 9F10 9F37 95 9A 9F21 9C'.split(' '),
  ...'5F2A 82 9F1A 9F34 9F33 9F35 9F1E 84 9F09 9B 9F06'.split(' '),
  ...'9F53 9F02 9F03 9F12 5F24 5F25 5F28 9F16 5F36'.split(' '),
];
/** Objects of an application that was chosen. */
const SELECTION_TAGS = ['84', '50', '9F12', '5F2D'] as const;

/** Statuses by the cryptogram that the card gave. */
export const DECISIONS = {
  TC: STATUSES.emvTc.code,
  ARQC: STATUSES.emvArqc.code,
  AAC: STATUSES.emvAac.code,
  RFU: STATUSES.emvAac.code,
} as const;

/** PAN and track 2 in place of 5A and 57, as EMV answers give them. */
export function obfuscatedObjects({ pan, track2 }: CardAccount): TlvNode[] {
  return [
    tlv(TAGS.obfuscatedPan, compressedNumeric(obfuscatePan(pan))),
    ...(track2 === undefined ? [] : [tlv(TAGS.obfuscatedTrack2, compressedNumeric(obfuscateTrack2(track2)))]),
  ];
}

/** The account of a magstripe or of a card that was keyed in, as CARD DETECTION gives it. */
export function detectedObjects({ pan, track2, serviceCode }: CardAccount): TlvNode[] {
  return [
    tlv(TAGS.obfuscatedPan, Buffer.from(obfuscatedText(obfuscatePan(pan)), 'latin1')),
    ...(track2 === undefined ? [] : [tlv(TAGS.obfuscatedTrack2, compressedNumeric(obfuscateTrack2(track2)))]),
    ...(serviceCode === undefined ? [] : [tlv('5F30', Buffer.from(serviceCode, 'latin1'))]),
  ];
}

/** The application that was chosen. */
export function selectionObjects(data: TransactionData): TlvNode[] {
  return chipObjects(data, SELECTION_TAGS);
}

/** What a decision of the kernel comes with. */
export function resultObjects(data: TransactionData, account: CardAccount, info: number): TlvNode[] {
  return [statusInfo(info), ...obfuscatedObjects(account), ...chipObjects(data, RESULT_TAGS)];
}
