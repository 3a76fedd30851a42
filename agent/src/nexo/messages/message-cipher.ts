import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { equalConstantTime, wipe, xorBytes } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { MessageHeader } from './header.js';
import { type SentMessage, sentMessage } from './message.js';
import { NexoError } from './nexo-error.js';

/** A key that till and terminal share. */
export interface NexoKey {
  readonly identifier: string;
  readonly version: number;
  readonly passphrase: string;
}

/** What goes over the line in place of a message: its header in clear, the rest enciphered. */
interface SecuredMessage {
  readonly MessageHeader: object;
  /** The whole message, its header included; base64. */
  readonly NexoBlob: string;
  readonly SecurityTrailer: {
    readonly AdyenCryptoVersion: number;
    readonly KeyIdentifier: string;
    readonly KeyVersion: number;
    /** Base64 of {@link NONCE_BYTES}. */
    readonly Nonce: string;
    /** HMAC-SHA-256 of the message in clear, base64. */
    readonly Hmac: string;
  };
}

// Facts of the format (nexo Sale to POI protocol, protected messages).
const CRYPTO_VERSION = 1;
const SALT = 'AdyenNexoV1Salt';
const ITERATIONS = 4_000;
const HMAC_KEY_BYTES = 32;
const CIPHER_KEY_BYTES = 32;
const NONCE_BYTES = 16;
const BLOCK_BYTES = 16;
const CIPHER = 'aes-256-cbc';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether a message is enciphered. */
export function isSecured({ members }: SentMessage): boolean {
  return members.get('NexoBlob') !== undefined || members.get('SecurityTrailer') !== undefined;
}

/** Enciphers and opens messages under one key. Its keys are derived once: that takes some ten milliseconds. */
export class MessageCipher {
  readonly #key: NexoKey;
  readonly #random: Random;
  readonly #hmacKey: Uint8Array;
  readonly #cipherKey: Uint8Array;
  readonly #iv: Uint8Array;

  constructor(key: NexoKey, random: Random) {
    this.#key = key;
    this.#random = random;
    const length = HMAC_KEY_BYTES + CIPHER_KEY_BYTES + BLOCK_BYTES;
    const derived = pbkdf2Sync(key.passphrase, SALT, ITERATIONS, length, 'sha1');
    this.#hmacKey = Uint8Array.from(derived.subarray(0, HMAC_KEY_BYTES));
    this.#cipherKey = Uint8Array.from(derived.subarray(HMAC_KEY_BYTES, HMAC_KEY_BYTES + CIPHER_KEY_BYTES));
    this.#iv = Uint8Array.from(derived.subarray(-BLOCK_BYTES));
    wipe(derived);
  }

  /** Enciphers a whole message; the header is repeated in clear. */
  seal(header: MessageHeader, message: object): SecuredMessage {
    const clear = Buffer.from(JSON.stringify(message));
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#cipherKey, xorBytes(this.#iv, nonce));
    return {
      MessageHeader: header,
      NexoBlob: Buffer.concat([cipher.update(clear), cipher.final()]).toString('base64'),
      SecurityTrailer: {
        AdyenCryptoVersion: CRYPTO_VERSION,
        KeyIdentifier: this.#key.identifier,
        KeyVersion: this.#key.version,
        Nonce: Buffer.from(nonce).toString('base64'),
        Hmac: this.#hmac(clear).toString('base64'),
      },
    };
  }

  /**
   * Opens an enciphered message and gives the one inside.
   * @throws NexoError `bad-envelope`, `key-identifier`, `key-version`, `crypto-version`, `bad-hmac`, `header-differs`
   */
  open({ header, members }: SentMessage): SentMessage {
    const blob = bytesOf(members.get('NexoBlob'), 'NexoBlob');
    const { nonce, hmac } = this.#readTrailer(members.get('SecurityTrailer'));
    if (blob.length === 0 || blob.length % BLOCK_BYTES !== 0)
      throw new NexoError('bad-envelope', 'NexoBlob must hold whole cipher blocks');
    const clear = this.#decipher(blob, nonce);
    // Wrong padding and a wrong HMAC are one answer, after the same work.
    const fits = equalConstantTime(this.#hmac(clear ?? blob), hmac);
    if (clear === undefined || !fits)
      throw new NexoError('bad-hmac', 'the HMAC does not fit: compare the passphrase of till and agent');
    const inner = sentMessage(parsed(clear));
    if (!sameValue(inner.header, header))
      throw new NexoError('header-differs', 'the clear MessageHeader is not that of the message inside');
    return inner;
  }

  #readTrailer(value: unknown): { readonly nonce: Buffer; readonly hmac: Buffer } {
    if (typeof value !== 'object' || value === null)
      throw new NexoError('bad-envelope', 'SecurityTrailer is missing');
    const { KeyIdentifier, KeyVersion, AdyenCryptoVersion, Nonce, Hmac } = value as Readonly<
      Record<string, unknown>
    >;
    if (KeyIdentifier !== this.#key.identifier)
      throw new NexoError('key-identifier', 'KeyIdentifier names no key of this agent');
    if (KeyVersion !== this.#key.version)
      throw new NexoError('key-version', `KeyVersion of this key is ${this.#key.version}`);
    if (AdyenCryptoVersion !== CRYPTO_VERSION)
      throw new NexoError('crypto-version', `AdyenCryptoVersion must be ${CRYPTO_VERSION}`);
    const nonce = bytesOf(Nonce, 'SecurityTrailer.Nonce');
    if (nonce.length !== NONCE_BYTES)
      throw new NexoError('bad-envelope', `SecurityTrailer.Nonce must hold ${NONCE_BYTES} bytes`);
    return { nonce, hmac: bytesOf(Hmac, 'SecurityTrailer.Hmac') };
  }

  /** The message in clear; `undefined` where its padding is wrong. */
  #decipher(blob: Buffer, nonce: Buffer): Buffer | undefined {
    const decipher = createDecipheriv(CIPHER, this.#cipherKey, xorBytes(this.#iv, nonce));
    decipher.setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(blob), decipher.final()]);
    const count = padded.at(-1) ?? 0;
    if (count < 1 || count > BLOCK_BYTES) return undefined;
    const isPadding = padded.subarray(-count).every((byte) => byte === count);
    return isPadding ? padded.subarray(0, -count) : undefined;
  }

  #hmac(bytes: Uint8Array): Buffer {
    return createHmac('sha256', this.#hmacKey).update(bytes).digest();
  }
}

function bytesOf(value: unknown, name: string): Buffer {
  if (typeof value === 'string' && BASE64.test(value)) return Buffer.from(value, 'base64');
  throw new NexoError('bad-envelope', `${name} must be base64`);
}

function parsed(clear: Buffer): unknown {
  try {
    return JSON.parse(clear.toString('utf8'));
  } catch {
    throw new NexoError('bad-envelope', 'the message inside is no JSON');
  }
}

/** Headers are flat: equal when they have the same members, in any order. */
function sameValue(a: unknown, b: unknown): boolean {
  return sorted(a) === sorted(b);
}

function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
