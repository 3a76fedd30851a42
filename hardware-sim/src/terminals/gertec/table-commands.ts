import { decodeClassicRequest, encodeClassicResponse } from '@tillbridge/wire/terminals/abecs/classic.js';
import { splitTableRecords } from '@tillbridge/wire/terminals/abecs/tables.js';
import { TerminalFormatError } from '@tillbridge/wire/terminals/format-error.js';
import { StateError } from '../../state/state-slot.js';
import type { CommandHandler } from './device-context.js';
import { StatusError } from './failure-statuses.js';

const NOTHING: readonly Uint8Array[] = [];

/** GTS: version of an acquirer's tables, or of all. */
export const tableVersion: CommandHandler = ({ tables }, { blocks }) => {
  const { GTS_ACQIDX } = decodeClassicRequest('GTS', blocks);
  return [encodeClassicResponse('GTS', { GTS_TABVER: tables.version(GTS_ACQIDX) })];
};

/** TLI: begins a load of any version; the status shows whether the version is new (ABECS 2.12 §6.7.2). */
export const beginTableLoad: CommandHandler = ({ tables }, { blocks }) => {
  const { TLI_ACQIDX, TLI_TABVER } = decodeClassicRequest('TLI', blocks);
  if (!tables.begin(TLI_ACQIDX, TLI_TABVER)) throw new StatusError('ST_TABVERDIF');
  return NOTHING;
};

/** TLR: stages records; an invalid one is skipped (ABECS 2.12 §6.7.3). */
export const loadTableRecords: CommandHandler = ({ tables, ui }, { blocks }) => {
  const [block] = blocks;
  if (!block || blocks.length > 1) throw new TerminalFormatError('TLR', 'takes exactly one block');
  if (!tables.add(splitTableRecords(block))) throw new StatusError('ST_INVCALL');
  ui.show(['  ATUALIZANDO', '    TABELAS']);
  return NOTHING;
};

/** TLE: the load becomes current, wholly or not at all (ABECS 2.12 §6.7.4). */
export const endTableLoad: CommandHandler = ({ tables, ui }) => {
  ui.clear();
  try {
    if (!tables.end()) throw new StatusError('ST_INVCALL');
  } catch (error) {
    if (error instanceof StateError) throw new StatusError('ST_TABERR');
    throw error;
  }
  return NOTHING;
};
