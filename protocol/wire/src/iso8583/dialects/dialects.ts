import { dialectOf } from './dialect-changes.js';
import type { DialectName } from './dialect-names.js';
import type { Dialect, DialectTable } from './dialect-table.js';
import { ELEMENTS_1987 } from './elements-1987.js';
import { CMF_REPRESENTATION, ELEMENTS_CMF } from './elements-cmf.js';
import { IN_TEXT } from './representation.js';

export type { Dialect, DialectTable } from './dialect-table.js';

/** The dialects that this build ships, by the name under which commands and settings know them. */
export const DIALECT_TABLES: Readonly<Record<DialectName, DialectTable>> = {
  '1987-binary': {
    name: '1987-binary',
    title: 'ISO 8583:1987, digits as BCD (the layout of jPOS iso87binary.xml)',
    version: '0',
    mtiEncoding: 'bcd',
    bitmapEncoding: 'binary',
    elements: ELEMENTS_1987,
    representation: {
      text: 'ascii',
      numeric: 'bcd',
      filler: { fixed: 'left', variable: 'right' },
      length: 'bcd',
      variableBinary: 'binary',
    },
  },
  '1987-ascii': {
    name: '1987-ascii',
    title: 'ISO 8583:1987, digits and lengths as ASCII, card data as hex text',
    version: '0',
    mtiEncoding: 'ascii',
    bitmapEncoding: 'binary',
    elements: ELEMENTS_1987,
    representation: IN_TEXT,
  },
  cmf: {
    name: 'cmf',
    title: 'jPOS Common Message Format (ISO 8583:2003)',
    version: '2',
    mtiEncoding: 'bcd',
    bitmapEncoding: 'binary',
    elements: ELEMENTS_CMF,
    representation: CMF_REPRESENTATION,
  },
};

/** The shipped dialects as they are. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  '1987-binary': dialectOf(DIALECT_TABLES['1987-binary']),
  '1987-ascii': dialectOf(DIALECT_TABLES['1987-ascii']),
  cmf: dialectOf(DIALECT_TABLES.cmf),
};
