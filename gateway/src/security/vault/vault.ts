import type { VaultRow } from '../../kernel/store/rows.js';
import type { AccountData } from '../module/security-module.js';

/** What a data key sealed. */
export interface Sealed {
  /** The data key. */
  readonly keyId: string;
  /** Hex of the sealed blob (keys/sealing.ts). */
  readonly sealed: string;
}

/** Seals and opens what rests in the database, under a ring of data keys (AES-256-GCM). */
export interface DataKeys {
  /** Seals bytes under the active data key. @param context what they belong to; they open in the same context only */
  seal(context: readonly string[], clear: Uint8Array): Sealed;
  /** Reads the data keys anew where this one is not known; undefined where it is. @throws as the store and the key store */
  load(keyId: string): Promise<void> | undefined;
  /**
   * Opens what {@link seal} made, under a data key that is loaded; the caller wipes it.
   * @throws VaultError when the data key is not there, the context is another, or the blob was changed
   */
  open(context: readonly string[], sealed: Sealed): Buffer;
}

/** Whose card data it is. */
export interface VaultOwner {
  readonly entityId: string;
  /** The intent that needs it. */
  readonly intentId: string;
}

/**
 * Card data at rest, sealed. The vault makes and reads rows; the payment service commits a new row together with the intent that needs it,
 * so that nothing half done stays and one flush to disk is enough.
 */
export interface Vault {
  /**
   * Seals account data into a row of table `vault` under a fresh id, bound to the entity. Nothing is written yet.
   * Track data and the card verification value are left out: neither may be stored after authorization (PCI DSS 3.3.1), and nothing
   * after that needs them.
   */
  seal(account: AccountData, owner: VaultOwner): VaultRow;
  /**
   * Reads the account data back; `track2`, `cvv` and `pin` are never there.
   * @throws VaultError when the id is unknown, another entity's (P8), or the row was changed
   */
  open(vaultId: string, entityId: string): Promise<AccountData>;
}

/** The vault has no such entry, or it does not open. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}
