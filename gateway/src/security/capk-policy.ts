import {
  type CapkRecord,
  type CapkTable,
  loadCapk,
  loadCapkTable,
} from '@tillbridge/protocol/crypto/capk.js';
import { isTestCapk } from '@tillbridge/protocol/crypto/test-capks.js';
import { type KeyMode, KeyStoreError } from './key-store.js';

/**
 * The certification authority keys of a gateway, every hash checked. In live mode a published test key is refused: with it anyone could make
 * cards that a terminal takes for genuine.
 * @throws KeyStoreError testKeyInLive; CryptoError badCheckValue, badArgument
 */
export function loadCapksFor(mode: KeyMode, records: readonly CapkRecord[]): CapkTable {
  if (mode === 'live') {
    const test = records.find((record) => isTestCapk(loadCapk(record)));
    if (test !== undefined) throw new KeyStoreError('testKeyInLive', `CAPK ${test.rid} ${test.index}`);
  }
  return loadCapkTable(records);
}
