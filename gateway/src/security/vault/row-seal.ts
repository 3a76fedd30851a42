import { withSecret } from '@tillbridge/wire/bytes.js';
import type { DataKeys, Sealed } from './vault.js';

/** Keeps an object in a row: sealed, for its context alone. */
export class RowSeal {
  readonly #dataKeys: DataKeys;

  constructor(dataKeys: DataKeys) {
    this.#dataKeys = dataKeys;
  }

  /** The object, sealed. */
  seal(context: readonly string[], value: object): Sealed {
    const clear = Buffer.from(JSON.stringify(value), 'utf8');
    return withSecret(clear, () => this.#dataKeys.seal(context, clear));
  }

  /**
   * The object of {@link seal}.
   * @throws VaultError when it is of another context, its data key is not there, or it was changed
   */
  async open<T extends object>(context: readonly string[], { sealed, keyId }: Sealed): Promise<T> {
    await this.#dataKeys.load(keyId);
    const clear = this.#dataKeys.open(context, { sealed, keyId });
    return withSecret(clear, (bytes) => JSON.parse(bytes.toString('utf8')) as T);
  }
}
