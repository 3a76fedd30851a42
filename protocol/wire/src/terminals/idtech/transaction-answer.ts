import { TerminalFormatError } from '../format-error.js';
import { type Attribution, decodeAttribution, encodeAttribution } from './attribution.js';
import { decodeObjects, encodeObjects, findObject, type SecureObject } from './secure-tlv.js';
import { TAGS, TEMPLATES } from './tags.js';

/** Data of the answer that ends a step of a transaction: where the data came from, and objects. */
export interface TransactionAnswer {
  readonly attribution: Attribution;
  readonly objects: readonly SecureObject[];
}

/** Writes the data. */
export function encodeTransactionAnswer({ attribution, objects }: TransactionAnswer): Buffer {
  return Buffer.concat([Buffer.of(encodeAttribution(attribution)), encodeObjects(objects)]);
}

/** Reads the data; the objects of {@link TEMPLATES} stand in the place of their template. @throws TerminalFormatError */
export function decodeTransactionAnswer(data: Uint8Array): TransactionAnswer {
  const [byte] = data;
  if (byte === undefined) throw new TerminalFormatError('answer', 'holds no attribution byte');
  return { attribution: decodeAttribution(byte), objects: opened(decodeObjects(data.subarray(1))) };
}

const OPENED: ReadonlySet<string> = new Set(Object.values(TEMPLATES));

/** The longest frame has no room for nesting that is too deep for this recursion. */
function opened(objects: readonly SecureObject[]): readonly SecureObject[] {
  return objects.flatMap((object) =>
    OPENED.has(object.tag) && object.disclosure === 'plain' ? opened(decodeObjects(object.value)) : [object],
  );
}

/** The result code of an answer, tag DFEE25; undefined when there is none. */
export function resultCode({ objects }: TransactionAnswer): number | undefined {
  const value = findObject(objects, TAGS.result);
  return value?.length === 2 ? Buffer.from(value).readUInt16BE() : undefined;
}

/** The object of a result code. */
export function resultObject(code: number): SecureObject {
  const value = Buffer.alloc(2);
  value.writeUInt16BE(code);
  return { tag: TAGS.result, disclosure: 'plain', value };
}
