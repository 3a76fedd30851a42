import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import { COPY_KEY_BYTES } from './copy-key.js';
import type { CopyEntry } from './copy-target.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** An entry was changed, put in another place, or sealed under another key. */
export class CopyCipherError extends Error {
  override readonly name = 'CopyCipherError';
}

type EntryPlace = Pick<CopyEntry, 'kind' | 'number' | 'name'>;

/** Seals the entries of a copy: AES-256-GCM, a fresh nonce each, bound to their place in the copy. */
export class CopyCipher {
  readonly #key: Uint8Array;
  readonly #random: Random;

  constructor(key: Uint8Array, random: Random) {
    if (key.length !== COPY_KEY_BYTES) throw new RangeError(`copy key must have ${COPY_KEY_BYTES} bytes`);
    this.#key = key;
    this.#random = random;
  }

  /** Seals bytes for a place. */
  seal(place: EntryPlace, clear: Uint8Array): CopyEntry {
    const nonce = this.#random.bytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(place));
    const body = Buffer.concat([cipher.update(clear), cipher.final()]);
    const { kind, number, name } = place;
    return { kind, number, name, sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]) };
  }

  /** @throws CopyCipherError */
  open(place: EntryPlace, sealed: Uint8Array): Buffer {
    const problem = `entry ${place.kind} ${place.number} of the copy does not open: another key, or it was damaged`;
    if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new CopyCipherError(problem);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(boundTo(place));
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      throw new CopyCipherError(problem);
    }
  }
}

function boundTo({ kind, number, name }: EntryPlace): Buffer {
  return Buffer.from(JSON.stringify(['tillbridge journal copy 1', kind, number, name]), 'utf8');
}
