import type { WaitRow } from '../../kernel/store/rows.js';
import { waitContext } from './contexts.js';
import type { DataKeys } from './vault.js';

/** What a waiting payment needs later, sealed, as its row has it. */
type SealedContinuation = { readonly [Column in 'sealed' | 'keyId']: NonNullable<WaitRow[Column]> };

/** Keeps what payments that wait need later: sealed, each for its payment alone. */
export class WaitSeal {
  readonly #dataKeys: DataKeys;

  constructor(dataKeys: DataKeys) {
    this.#dataKeys = dataKeys;
  }

  /** The bytes, sealed. */
  seal(paymentId: string, clear: Uint8Array): SealedContinuation {
    return this.#dataKeys.seal(waitContext({ paymentId }), clear);
  }

  /**
   * The bytes of {@link seal}; the caller wipes them.
   * @throws VaultError when they are another payment's, their data key is not there, or they were changed
   */
  async open(paymentId: string, { sealed, keyId }: SealedContinuation): Promise<Buffer> {
    await this.#dataKeys.load(keyId);
    return this.#dataKeys.open(waitContext({ paymentId }), { sealed, keyId });
  }
}
