import { REQUEST_TAGS } from '@tillbridge/wire/emv/tag-lists.js';
import { encodeObjects, type SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { INTERFACES, TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import {
  encodeActivate,
  encodeAuthenticate,
  MAX_ACTIVATE_SECONDS,
} from '@tillbridge/wire/terminals/idtech/transaction-commands.js';
import { tagList } from '../core/emv-data.js';
import type { TransactionValues } from '../core/transaction-values.js';
import { NEXT_COMMAND_SECONDS } from './limits.js';

const EVERY_INTERFACE = INTERFACES.magstripe | INTERFACES.contactless | INTERFACES.contact;
const WITHOUT_TAP = INTERFACES.magstripe | INTERFACES.contact;
const FALLBACK = 0x01;

function plain(tag: string, value: Uint8Array): SecureObject {
  return { tag, disclosure: 'plain', value };
}

/**
 * Data of ACTIVATE TRANSACTION. Date and time are the device's own: a device with SRED takes none (NEO 2 guide).
 * @param leftMs how long a card may be waited for
 */
export function activateData(
  { type, amount, other, currency }: TransactionValues,
  contactless: boolean,
  leftMs: number,
): Buffer {
  const seconds = Math.min(MAX_ACTIVATE_SECONDS, Math.max(1, Math.ceil(leftMs / 1_000)));
  const fallback = Buffer.of(FALLBACK, NEXT_COMMAND_SECONDS >>> 8, NEXT_COMMAND_SECONDS & 0xff);
  return encodeActivate({
    timeoutSeconds: seconds,
    objects: [
      plain('9C', type),
      plain('9F02', amount),
      ...(other ? [plain('9F03', other)] : []),
      plain('5F2A', currency),
      plain(TAGS.interfaces, Buffer.of(contactless ? EVERY_INTERFACE : WITHOUT_TAP)),
      plain(TAGS.fallback, fallback),
    ],
  });
}

/** Data of AUTHENTICATE TRANSACTION. @param forceOnline the device does not keep the till's limits: the sale goes online */
export function authenticateData(forceOnline: boolean): Buffer {
  return encodeAuthenticate({
    forceOnline,
    timeoutSeconds: NEXT_COMMAND_SECONDS,
    objects: [outputTags(REQUEST_TAGS, ['99', TAGS.pinKsn])],
  });
}

/** Requests these objects in place of the default ones (DFEE1A). */
function outputTags(...lists: readonly (readonly string[])[]): SecureObject {
  return plain(TAGS.outputTags, tagList(lists.flat()));
}

/** Bytes of {@link outputTags}, for data that hold other objects in plain BER-TLV. */
export function outputTagBytes(tags: readonly string[]): Buffer {
  return encodeObjects([outputTags(tags)]);
}
