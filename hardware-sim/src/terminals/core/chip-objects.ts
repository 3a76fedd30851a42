import { type TlvNode, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { TransactionData } from '../../kernel/transaction-data.js';

/** Objects of a chip that terminals give with its first cryptogram; none of them holds the account. */
export const DECISION_TAGS: readonly string[] = [
  '4F',
  '50',
  '82',
  '84',
  '8A',
  '95',
  '9A',
  '9B',
  '9C',
  '5F24',
  '5F28',
  '5F2A',
  '5F34',
  '9F02',
  '9F03',
  '9F06',
  '9F07',
  '9F09',
  '9F10',
  '9F12',
  '9F1A',
  '9F1E',
  '9F21',
  '9F24',
  '9F26',
  '9F27',
  '9F33',
  '9F34',
  '9F35',
  '9F36',
  '9F37',
  '9F41',
  '9F53',
];

/** Objects that terminals give with the second cryptogram. */
export const FINAL_TAGS: readonly string[] = [
  '8A',
  '95',
  '9B',
  '9F10',
  '9F26',
  '9F27',
  '9F34',
  '9F36',
  '9F37',
];

/** The objects of a transaction that a list names, in its order; what is not there is left out. */
export function chipObjects(data: TransactionData, tags: readonly string[]): TlvNode[] {
  return tags.flatMap((tag) => {
    const value = data.get(tag);
    return value ? [tlv(tag, value)] : [];
  });
}
