import { readFileSync } from 'node:fs';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { type BinTable, readBinTable } from './rules/bin-table.js';

/** The table that ships, `data/bin-table.json`; an installation may use its own. */
export const SHIPPED_BIN_TABLE: BinTable = readBinTable(
  readFileSync(new URL('data/bin-table.json', packageFolder(import.meta.url)), 'utf8'),
);
