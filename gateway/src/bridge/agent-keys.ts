import { createPublicKey, type KeyObject } from 'node:crypto';

/** Parsed keys that are cached. */
export const PARSED_KEYS_LIMIT = 1_000;

/**
 * A cache of the agents' parsed public keys: parsing takes as long as checking a signature, and after an outage all agents reconnect at
 * once. Keys are cached by their text, so an agent that gets a new key is never checked against its former one.
 */
export class AgentKeys {
  readonly #parsed = new Map<string, KeyObject>();

  /**
   * @param pem SubjectPublicKeyInfo
   * @throws what `createPublicKey` throws for a text that is no key
   */
  keyOf(pem: string): KeyObject {
    const known = this.#parsed.get(pem);
    if (known) return known;
    const key = createPublicKey(pem);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size >= PARSED_KEYS_LIMIT && oldest !== undefined) this.#parsed.delete(oldest);
    this.#parsed.set(pem, key);
    return key;
  }
}
