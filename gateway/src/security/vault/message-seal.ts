import type { ParkedRow } from '../../kernel/store/rows.js';
import { messageContext } from './contexts.js';
import type { DataKeys } from './vault.js';

/** A sealed message, as its row has it. */
type SealedMessage = { readonly [Column in 'message' | 'keyId']: NonNullable<ParkedRow[Column]> };

/** Keeps agents' messages that are parked: sealed, each for its agent and id alone. */
export class MessageSeal {
  readonly #dataKeys: DataKeys;

  constructor(dataKeys: DataKeys) {
    this.#dataKeys = dataKeys;
  }

  /** The message, sealed. */
  seal(agentId: string, messageId: string, message: Uint8Array): SealedMessage {
    const { sealed, keyId } = this.#dataKeys.seal(messageContext({ agentId, messageId }), message);
    return { message: sealed, keyId };
  }

  /**
   * The message of {@link seal}; the caller wipes it.
   * @throws VaultError when it is another message's, its data key is not there, or it was changed
   */
  async open(agentId: string, messageId: string, { message, keyId }: SealedMessage): Promise<Buffer> {
    await this.#dataKeys.load(keyId);
    return this.#dataKeys.open(messageContext({ agentId, messageId }), { sealed: message, keyId });
  }
}
