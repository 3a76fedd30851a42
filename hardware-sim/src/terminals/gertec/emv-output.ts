import { ACCOUNT_TAG_NAMES } from '@tillbridge/wire/emv/account-tags.js';
import { encodeTlv, TlvError, tlv } from '@tillbridge/wire/emv/tlv.js';
import { FIELDS } from '@tillbridge/wire/terminals/abecs/fields.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import type { TransactionData } from '../../kernel/transaction-data.js';
import { tagsOf } from '../core/tag-list.js';
import { StatusError } from './failure-statuses.js';

/** Objects with a PAN or a track: never given by tag list (ABECS 2.12 §6.8.6.3). */
const PROTECTED = ACCOUNT_TAG_NAMES;

/** Tags of SPE_TAGLIST. @throws TerminalFormatError */
function parseTagList(bytes: Uint8Array): string[] {
  try {
    return tagsOf(bytes);
  } catch (error) {
    if (error instanceof TlvError) throw new TerminalFormatError('SPE_TAGLIST', 'ends inside a tag');
    throw error;
  }
}

/**
 * PP_EMVDATA: the objects that a list requests, in its order; unknown and protected ones are left out.
 * @throws StatusError ST_RSPOVRFL; TerminalFormatError
 */
export function emvDataFor(tagList: Uint8Array, data: TransactionData): Buffer {
  const nodes = parseTagList(tagList).flatMap((tag) => {
    const value = PROTECTED.has(tag) ? undefined : data.get(tag);
    return value === undefined ? [] : [tlv(tag, value)];
  });
  const encoded = encodeTlv(nodes);
  if (encoded.length > FIELDS.PP_EMVDATA.length) throw new StatusError('ST_RSPOVRFL');
  return encoded;
}
