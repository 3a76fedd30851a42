import { CRYPTOGRAM_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { TransactionData } from '../../kernel/transaction-data.js';

/** Objects of a chip that terminals give with its first cryptogram; none of them holds the account. */
export const DECISION_TAGS: readonly string[] = [...CRYPTOGRAM_TAGS, '4F', '5F24', '5F28', '9F12'];

/** The objects of a transaction that a list names, in its order; what is not there is left out. */
export function chipObjects(data: TransactionData, tags: readonly string[]): TlvNode[] {
  return tags.flatMap((tag) => {
    const value = data.get(tag);
    return value ? [tlv(tag, value)] : [];
  });
}
