import { createHmac, type KeyObject } from 'node:crypto';
import { fromHex, toHex, withSecret } from '@tillbridge/protocol/bytes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import { GCM_IV_BYTES, gcmOpen, gcmSeal } from '@tillbridge/protocol/crypto/ciphers/gcm.js';
import { present } from '@tillbridge/protocol/present.js';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { VaultRow } from '../../store/rows.js';
import type { Store } from '../../store/store.js';
import { contextOf } from '../keys/sealing.js';
import type { AccountData } from '../module/security-module.js';
import { type Vault, VaultError } from './vault.js';

/** Bytes of a vault id. */
const ID_BYTES = 16;
/** Bytes of a key's name. */
const KEY_ID_BYTES = 4;

/** What a vault needs. */
export interface VaultOptions {
  /** 256-bit key of the key file. */
  readonly key: KeyObject;
  readonly store: Pick<Store, 'get'>;
  readonly random: Random;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Card data enciphered with AES-256-GCM; entity, vault id and key name are bound to each row. */
export class AesGcmVault implements Vault {
  readonly #options: VaultOptions;
  readonly #keyId: string;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#keyId = keyName(options.key);
  }

  seal(account: AccountData, entityId: string): VaultRow {
    const { key, random, clock } = this.#options;
    const id = Buffer.from(random.bytes(ID_BYTES)).toString('hex');
    const nonce = random.bytes(GCM_IV_BYTES);
    const { pan, expiryYear, expiryMonth, holder } = account;
    const clear = Buffer.from(JSON.stringify([pan, expiryYear, expiryMonth, holder ?? null]));
    const { ciphertext, tag } = withSecret(clear, () =>
      gcmSeal(key, nonce, this.#context(entityId, id), clear),
    );
    return {
      id,
      keyId: this.#keyId,
      nonce: toHex(nonce),
      ciphertext: toHex(ciphertext),
      tag: toHex(tag),
      createdAtMs: clock.nowMs(),
      version: 1,
    };
  }

  async open(vaultId: string, entityId: string): Promise<AccountData> {
    const row = await this.#options.store.get('vault', [vaultId]);
    if (row === undefined) throw new VaultError('the vault has no such entry');
    if (row.keyId !== this.#keyId) throw new VaultError(`the entry is enciphered under key ${row.keyId}`);
    return withSecret(this.#decipher(row, entityId), parse);
  }

  #decipher(row: VaultRow, entityId: string): Buffer {
    try {
      const context = this.#context(entityId, row.id);
      return gcmOpen(this.#options.key, fromHex(row.nonce), context, {
        ciphertext: fromHex(row.ciphertext),
        tag: fromHex(row.tag),
      });
    } catch (error) {
      if (error instanceof CryptoError || error instanceof RangeError)
        throw new VaultError('the entry was changed or belongs to another entity');
      throw error;
    }
  }

  #context(entityId: string, vaultId: string): Buffer {
    return contextOf('vault', this.#keyId, entityId, vaultId);
  }
}

function parse(clear: Buffer): AccountData {
  type Stored = [pan: string, expiryYear: string, expiryMonth: string, holder: string | null];
  const [pan, expiryYear, expiryMonth, holder] = JSON.parse(clear.toString('utf8')) as Stored;
  return { pan, expiryYear, expiryMonth, ...present({ holder }) };
}

/** A name that differs between keys and discloses nothing of them. */
function keyName(key: KeyObject): string {
  const print = createHmac('sha256', key).update('tillbridge vault key name').digest();
  return `vault-${print.subarray(0, KEY_ID_BYTES).toString('hex')}`;
}
