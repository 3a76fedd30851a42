import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { fromHex, toLowerHex, withSecret } from '@tillbridge/wire/bytes.js';
import { GCM_KEY_BYTES } from '@tillbridge/wire/crypto/ciphers/gcm.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { newId } from '../../kernel/store/new-id.js';
import { contextOf, seal, unseal } from '../../security/keys/sealing.js';

/** A key of an endpoint as it is stored. */
export interface StoredWebhookKey {
  /** By which the receiver finds the key that a delivery is enciphered under. */
  readonly id: string;
  /** Hex. */
  readonly sealed: string;
  /** Since when it is used, in milliseconds since 1970. */
  readonly fromMs: number;
}

/** A key as it is shown once: 64 hex digits. */
export interface ShownWebhookKey {
  readonly id: string;
  readonly key: string;
  readonly fromMs: number;
}

/** Makes keys of endpoints, and opens them. They are sealed under a key derived from that of the access tokens, each for its endpoint alone. */
export class WebhookKeys {
  readonly #sealing: KeyObject;
  readonly #random: Random;

  constructor(tokenKey: KeyObject, random: Random) {
    this.#sealing = createSecretKey(
      Buffer.from(hkdfSync('sha256', tokenKey, '', 'webhook key sealing', GCM_KEY_BYTES)),
    );
    this.#random = random;
  }

  /** A fresh key, used from a time on: as it is stored, and as it is shown. */
  make(
    endpointId: string,
    fromMs: number,
    hex = toLowerHex(this.#random.bytes(GCM_KEY_BYTES)),
  ): { readonly stored: StoredWebhookKey; readonly shown: ShownWebhookKey } {
    const id = newId(this.#random).slice(0, 8);
    const sealed = seal(this.#sealing, contextOf('webhook key', endpointId, id), fromHex(hex), this.#random);
    return {
      stored: { id, sealed: sealed.toString('hex'), fromMs },
      shown: { id, key: hex, fromMs },
    };
  }

  /** A stored key for use. @throws CryptoError when it is another endpoint's, or damaged */
  open(endpointId: string, { id, sealed }: StoredWebhookKey): KeyObject {
    const clear = unseal(this.#sealing, contextOf('webhook key', endpointId, id), fromHex(sealed));
    return withSecret(clear, (bytes) => createSecretKey(bytes));
  }
}

/** The key that is used now: the newest whose time has come. Pure. */
export function keyInForce(keys: readonly StoredWebhookKey[], nowMs: number): StoredWebhookKey {
  const [first, ...later] = keys;
  if (!first) throw new Error('an endpoint without a key');
  return later
    .filter(({ fromMs }) => fromMs <= nowMs)
    .reduce((a, b) => (b.fromMs >= a.fromMs ? b : a), first);
}

/** The keys after a rotation: the one in use until the new one takes its place, and the new one. Pure. */
export function rotated(
  keys: readonly StoredWebhookKey[],
  fresh: StoredWebhookKey,
  nowMs: number,
): readonly StoredWebhookKey[] {
  return [keyInForce(keys, nowMs), fresh];
}
