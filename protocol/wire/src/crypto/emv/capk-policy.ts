import { CryptoError } from '../ciphers/errors.js';
import { type CapkRecord, type CapkTable, loadCapk, loadCapkTable } from './capk.js';
import { isTestCapk } from './test-capks.js';

/**
 * The certification authority keys that a terminal is to trust, every hash checked. In live mode a published test key is refused: with it anyone
 * could make cards that the terminal takes for genuine.
 * @throws CryptoError testKey, badCheckValue, badArgument
 */
export function loadCapksFor(mode: 'test' | 'live', records: readonly CapkRecord[]): CapkTable {
  if (mode === 'live') {
    const test = records.find((record) => isTestCapk(loadCapk(record)));
    if (test !== undefined) throw new CryptoError('testKey', `CAPK ${test.rid} ${test.index}`);
  }
  return loadCapkTable(records);
}
