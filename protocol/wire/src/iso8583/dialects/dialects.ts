import type { MessageSpec } from '../field-spec.js';
import type { DialectName } from './dialect-names.js';
import { ELEMENTS_1987 } from './elements-1987.js';
import { CMF_REPRESENTATION, ELEMENTS_CMF } from './elements-cmf.js';
import { fieldsOf, IN_TEXT } from './representation.js';

/** A dialect of ISO 8583: what its messages are made of, and how they stand on the wire. */
export interface Dialect extends MessageSpec {
  readonly name: string;
  readonly title: string;
  /** First digit of its message types: 0 for 1987, 1 for 1993, 2 for 2003. */
  readonly version: '0' | '1' | '2';
}

/** The dialects that this build ships, by the name under which commands and settings know them. */
export const DIALECTS = {
  '1987-binary': {
    name: '1987-binary',
    title: 'ISO 8583:1987, digits as BCD (the layout of jPOS iso87binary.xml)',
    version: '0',
    mtiEncoding: 'bcd',
    bitmapEncoding: 'binary',
    fields: fieldsOf(ELEMENTS_1987, {
      text: 'ascii',
      numeric: 'bcd',
      filler: { fixed: 'left', variable: 'right' },
      length: 'bcd',
      variableBinary: 'binary',
    }),
  },
  '1987-ascii': {
    name: '1987-ascii',
    title: 'ISO 8583:1987, digits and lengths as ASCII, card data as hex text',
    version: '0',
    mtiEncoding: 'ascii',
    bitmapEncoding: 'binary',
    fields: fieldsOf(ELEMENTS_1987, IN_TEXT),
  },
  cmf: {
    name: 'cmf',
    title: 'jPOS Common Message Format (ISO 8583:2003)',
    version: '2',
    mtiEncoding: 'bcd',
    bitmapEncoding: 'binary',
    fields: fieldsOf(ELEMENTS_CMF, CMF_REPRESENTATION),
  },
} as const satisfies Readonly<Record<DialectName, Dialect>>;
