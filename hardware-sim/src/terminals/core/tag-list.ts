import { toHex } from '@tillbridge/wire/bytes.js';
import { endOfTag } from '@tillbridge/wire/emv/tlv.js';

/** The tags of a list that has them one behind the other, in hex. @throws TlvError */
export function tagsOf(list: Uint8Array): string[] {
  const tags: string[] = [];
  for (let at = 0; at < list.length; ) {
    const end = endOfTag(list, at);
    tags.push(toHex(list.subarray(at, end)));
    at = end;
  }
  return tags;
}
