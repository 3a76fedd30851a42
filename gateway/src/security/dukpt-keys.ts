import { toHex, wipe } from '@tillbridge/protocol/bytes.js';
import {
  dataKeyVariant,
  deriveInitialKey,
  deriveTransactionKey,
  requireLegalTdesCounter,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { type KeyStore, requireKey } from './key-store.js';

/** Which key of a transaction an operation works with. */
export type WorkingKeyKind = 'pin' | 'dataRequest' | 'dataRequestVariant' | 'pinVariant';

/**
 * Derives a device's transaction key from the base key of its key set, runs the operation, and wipes every key on the way.
 * @throws KeyStoreError noKey; CryptoError badKsn, badCounter
 */
export function withDukptKey<T>(
  store: KeyStore,
  usage: 'bdk-data' | 'bdk-pin',
  ksn: Uint8Array,
  kind: WorkingKeyKind,
  operation: (key: Uint8Array) => T,
): T {
  requireLegalTdesCounter(ksn);
  const bdk = requireKey(store, usage, toHex(ksn));
  const initial = store.use(bdk, (key) => deriveInitialKey(key, ksn));
  const transaction = deriveTransactionKey(initial, ksn);
  const working = deriveWorkingKey(transaction, kind);
  try {
    return operation(working);
  } finally {
    wipe(initial, transaction, working);
  }
}

function deriveWorkingKey(transaction: Uint8Array, kind: WorkingKeyKind): Buffer {
  if (kind === 'dataRequestVariant') return dataKeyVariant(transaction, 'dataRequest');
  return workingKey(transaction, kind === 'dataRequest' ? 'dataRequest' : 'pin');
}
