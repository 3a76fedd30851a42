import type { MessageSpec } from '../field-spec.js';
import type { LineForm } from '../line-form.js';
import type { ElementTable, Representation } from './representation.js';

/** Times of the transaction are those of the merchant's time zone. */
export const LOCAL_TIME = 'local';

/** A dialect of ISO 8583: what its messages are made of, and how they stand on the wire. */
export interface Dialect extends MessageSpec {
  readonly name: string;
  readonly title: string;
  /** First digit of its message types: 0 for 1987, 1 for 1993, 2 for 2003. */
  readonly version: '0' | '1' | '2';
  /** How messages are framed. */
  readonly line: LineForm;
  /** Of fields 12 and 13: a zone of IANA, or {@link LOCAL_TIME}. */
  readonly timeZone: string;
  /** Fields that tie an answer to its message. */
  readonly matchedBy: readonly number[];
  /** Fields that are never written. */
  readonly never: ReadonlySet<number>;
  /** Fields without which a request for money is neither written nor taken. */
  readonly required: readonly number[];
  /** Names under which the gateway shows the text of a field of an answer, by field. */
  readonly resultNames: Readonly<Record<number, string>>;
  /** What every request has in a field. */
  readonly values: Readonly<Record<number, string>>;
  /** What every request with a PIN block has in a field. */
  readonly pinValues: Readonly<Record<number, string>>;
  /** Fields of an answer whose value is sent again by whatever follows it. */
  readonly repeated: readonly number[];
}

/** A dialect as data. */
export interface DialectTable extends Pick<MessageSpec, 'mtiEncoding' | 'bitmapEncoding'> {
  readonly name: string;
  readonly title: string;
  readonly version: Dialect['version'];
  readonly representation: Representation;
  readonly elements: ElementTable;
}
