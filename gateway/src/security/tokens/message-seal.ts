import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fromHex, toHex } from '@tillbridge/protocol/bytes.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { contextOf, seal, unseal } from '../keys/sealing.js';

/** Keeps agents' messages that are parked: sealed, each for its agent and id alone. */
export class MessageSeal {
  readonly #key: KeyObject;
  readonly #random: Random;

  /** @param key a key of the home; one for this purpose is derived from it */
  constructor(key: KeyObject, random: Random) {
    this.#key = createSecretKey(Buffer.from(hkdfSync('sha256', key.export(), '', 'parked messages', 32)));
    this.#random = random;
  }

  /** The message as hex of a sealed blob. */
  seal(agentId: string, messageId: string, message: Uint8Array): string {
    return toHex(seal(this.#key, contextOf('parked message', agentId, messageId), message, this.#random));
  }

  /**
   * The message of {@link seal}; the caller wipes it.
   * @throws CryptoError when the blob is another message's, another key's or damaged
   */
  open(agentId: string, messageId: string, sealed: string): Uint8Array {
    return unseal(this.#key, contextOf('parked message', agentId, messageId), fromHex(sealed));
  }
}
