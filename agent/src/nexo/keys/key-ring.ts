import type { Random } from '@tillbridge/wire/seams/random.js';
import type { LimitedLog } from '../../log/limited-log.js';
import { namedKey, type SentMessage } from '../messages/message.js';
import { MessageCipher } from '../messages/message-cipher.js';
import { actsFor, type NexoCaller } from './caller.js';
import { type KeyFile, NexoFileError, type TillKey } from './key-file.js';

/** A message that was enciphered. */
interface OpenedMessage {
  readonly message: SentMessage;
  readonly caller: NexoCaller;
  /** Under which the answer is enciphered. */
  readonly cipher: MessageCipher;
}

/** What the ring works with. */
interface KeyRingDeps {
  readonly file: Pick<KeyFile, 'changed' | 'path'>;
  readonly random: Random;
  readonly log: Pick<LimitedLog, 'error'>;
}

/** Tills whose key is remembered. */
const MAX_TILLS = 256;

/** A key whose cipher is made when it is used first: that takes some milliseconds. */
class RingKey {
  readonly key: TillKey;
  readonly #random: Random;
  #cipher: MessageCipher | undefined;

  constructor(key: TillKey, random: Random) {
    this.key = key;
    this.#random = random;
  }

  get cipher(): MessageCipher {
    this.#cipher ??= new MessageCipher(this.key, this.#random);
    return this.#cipher;
  }
}

/** The keys of tills. The file of the keys is looked at with each message: a key that was taken out is refused from then on. */
export class KeyRing {
  readonly #deps: KeyRingDeps;
  /** The newest versions first. */
  #keys: readonly RingKey[] = [];
  /** Which key a till used last. */
  readonly #used = new Map<string, RingKey>();

  /** @throws NexoFileError */
  constructor(deps: KeyRingDeps) {
    this.#deps = deps;
    this.#take(deps.file.changed() ?? []);
  }

  /**
   * Opens an enciphered message.
   * @throws NexoError `bad-envelope`, `key-identifier`, `key-version`, `crypto-version`, `bad-hmac`, `header-differs`
   */
  open(sent: SentMessage): OpenedMessage {
    this.#refresh();
    const { identifier, version } = namedKey(sent);
    const named = this.#keys.filter(({ key }) => key.identifier === identifier);
    // The error of the key with the same identifier names the part that differs.
    const ring = named.find(({ key }) => key.version === version) ?? named[0] ?? this.#keys[0];
    if (!ring) throw new Error('a ring has a key');
    const { cipher, key } = ring;
    const message = cipher.open(sent);
    this.#remember(message, ring);
    return { message, caller: key, cipher };
  }

  /** The key for an unsolicited message to a till: the one that it used last, else the newest that acts for it. */
  cipherOf(saleId: string): MessageCipher | undefined {
    this.#refresh();
    const own = this.#keys.filter(({ key }) => actsFor(key, saleId));
    return (this.#used.get(saleId) ?? own.find(({ key }) => key.saleIds) ?? own[0])?.cipher;
  }

  #refresh(): void {
    const { file, log } = this.#deps;
    try {
      const keys = file.changed();
      if (keys) this.#take(keys);
    } catch (error) {
      if (!(error instanceof NexoFileError)) throw error;
      log.error(
        { reason: error.message },
        'the file of the nexo keys was changed and cannot be used: the former keys stay',
      );
    }
  }

  #take(keys: readonly TillKey[]): void {
    this.#used.clear();
    this.#keys = keys
      .toSorted((a, b) => b.version - a.version)
      .map((key) => new RingKey(key, this.#deps.random));
  }

  #remember({ header }: SentMessage, ring: RingKey): void {
    const { SaleID } = (header ?? {}) as { readonly SaleID?: unknown };
    if (typeof SaleID !== 'string' || !actsFor(ring.key, SaleID)) return;
    this.#used.delete(SaleID);
    this.#used.set(SaleID, ring);
    for (const oldest of this.#used.keys()) {
      if (this.#used.size <= MAX_TILLS) break;
      this.#used.delete(oldest);
    }
  }
}
