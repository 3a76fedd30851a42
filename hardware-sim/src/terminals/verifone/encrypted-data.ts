import { parseDol } from '@tillbridge/wire/emv/dol.js';
import { decodeTlv, encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { DATA_OPTIONS, TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { accountObjects } from '../core/account-tlv.js';
import type { CardAccount } from '../core/card-account.js';
import { StatusError } from './status-error.js';

/** Options that change the length of a value or add it; those that change its form are not simulated. */
const SIMULATED =
  DATA_OPTIONS.padZeros | DATA_OPTIONS.padOnes | DATA_OPTIONS.addEmptyTags | DATA_OPTIONS.truncate;

/**
 * What GET ENC DATA enciphers: the objects of the tag list in its order, then those of the application, which take the place of listed ones
 * (SDI guide, 29-00).
 * @throws StatusError tagError without list and application data; parameter, execution; TlvError
 */
export function dataToEncipher(objects: readonly TlvNode[], account: CardAccount | undefined): Buffer {
  const [list, application] = [findTlv(objects, TAGS.tagList), findTlv(objects, TAGS.applicationData)];
  if (!list && !application) throw new StatusError('tagError');
  const options = optionsOf(objects);
  const own = decodeTlv(application ?? Buffer.alloc(0));
  const known = account ? accountObjects(account) : [];
  const listed = parseDol(list ?? Buffer.alloc(0))
    .filter(({ tag }) => !own.some((node) => node.tag === tag))
    .flatMap(({ tag, length }) => {
      const value = findTlv(known, tag);
      if (value) return [tlv(tag, fitted(value, length, options))];
      return (options & DATA_OPTIONS.addEmptyTags) === 0 ? [] : [tlv(tag, Buffer.alloc(0))];
    });
  if (listed.length === 0 && own.length === 0) throw new StatusError('execution');
  return encodeTlv([...listed, ...own]);
}

function optionsOf(objects: readonly TlvNode[]): number {
  const bytes = Buffer.from(findTlv(objects, TAGS.dataOptions) ?? []);
  const options = Number.parseInt(bytes.toString('hex') || '0', 16);
  if ((options & ~SIMULATED) !== 0) throw new StatusError('parameter');
  return options;
}

/** A length other than zero is fixed: a longer value is cut, a shorter one filled as the options say. */
function fitted(value: Uint8Array, length: number, options: number): Uint8Array {
  if (length === 0 || value.length === length) return value;
  if (value.length > length) {
    if ((options & DATA_OPTIONS.truncate) === 0) throw new StatusError('parameter');
    return value.subarray(0, length);
  }
  const filling = (options & DATA_OPTIONS.padOnes) === 0 ? 0x00 : 0xff;
  if ((options & (DATA_OPTIONS.padZeros | DATA_OPTIONS.padOnes)) === 0) throw new StatusError('parameter');
  return Buffer.concat([value, Buffer.alloc(length - value.length, filling)]);
}
