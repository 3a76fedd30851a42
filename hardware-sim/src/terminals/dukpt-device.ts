import { fromHex, toHex, wipe } from '@tillbridge/protocol/bytes.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  type TdesKeyUsage,
  tdesCounter,
  workingKey,
} from '@tillbridge/protocol/crypto/dukpt-tdes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/errors.js';
import { iso9797Algorithm1 } from '@tillbridge/protocol/crypto/mac.js';
import { encodePinBlock } from '@tillbridge/protocol/crypto/pin-block.js';
import { tdesEncryptCbc, tdesEncryptEcb } from '@tillbridge/protocol/crypto/tdes.js';
import { type DevelopmentKeyName, developmentKey } from '@tillbridge/protocol/crypto/test-keys.js';
import type { StateSlot } from '../state/state-slot.js';

/** What the device keeps: the last key serial number it used. */
export interface DukptState {
  /** Hex. */
  readonly ksn: string;
}

/** Checks what a state file holds. @throws TypeError */
export function parseDukptState(json: unknown): DukptState {
  const { ksn } = (json ?? {}) as Partial<DukptState>;
  if (typeof ksn !== 'string' || !/^[0-9A-F]{20}$/.test(ksn))
    throw new TypeError('ksn must be 20 hex digits');
  return { ksn };
}

/** Enciphered bytes and the serial number of their key. */
export interface EncipheredOnce {
  readonly data: Buffer;
  readonly ksn: Buffer;
}

/** The key was erased by the device's tamper switch, or never injected. */
export class KeyErased extends Error {
  override readonly name = 'KeyErased';
}

/**
 * One DUKPT key of a terminal (X9.24-1). The serial number is advanced on disk before the key is used, so that no key
 * is used twice, whatever happens in between.
 */
export class DukptDevice {
  readonly #slot: StateSlot<DukptState>;
  readonly #initialKsn: Buffer;
  readonly #initialKey: Buffer;
  /** `erased`: the device found itself opened; `exhausted`: its counter is used up. Either ends with new keys. */
  condition: 'loaded' | 'erased' | 'exhausted' = 'loaded';

  /**
   * @param initialKsn 10 bytes whose counter is zero: names the device's initial key
   * @throws CryptoError badKsn, badCounter
   */
  constructor(slot: StateSlot<DukptState>, bdkName: DevelopmentKeyName, initialKsn: Uint8Array) {
    if (tdesCounter(initialKsn) !== 0)
      throw new CryptoError('badCounter', 'an initial KSN has the counter zero');
    this.#slot = slot;
    this.#initialKsn = Buffer.from(initialKsn);
    const bdk = developmentKey(bdkName);
    this.#initialKey = deriveInitialKey(bdk, initialKsn);
    wipe(bdk);
  }

  /** The serial number that stands now, for GIX; it goes with no encipherment to come. @throws StateError */
  get ksn(): Buffer {
    const state = this.#slot.read();
    const last = state ? fromHex(state.ksn) : this.#initialKsn;
    // Another initial key was injected since: it begins at its first counter.
    return sameDevice(last, this.#initialKsn) ? last : this.#initialKsn;
  }

  /**
   * A PIN block of format 0 (ISO 9564-1) under the next PIN key. The digits are wiped.
   * @throws StateError, KeyErased, CryptoError counterExhausted, badPin, badPan
   */
  encipherPin(digits: Uint8Array, pan: string): EncipheredOnce {
    const block = encodePinBlock({ format: 0, pin: digits, pan });
    try {
      return this.#encipher('pin', (key) => tdesEncryptEcb(key, block));
    } finally {
      wipe(block, digits);
    }
  }

  /**
   * Account data in whole blocks under the next data key.
   * @param iv for CBC; undefined enciphers each block alone
   * @throws StateError, KeyErased, CryptoError counterExhausted
   */
  encipherData(clear: Uint8Array, iv: Uint8Array | undefined): EncipheredOnce {
    return this.#encipher('dataRequest', (key) =>
      iv === undefined ? tdesEncryptEcb(key, clear) : tdesEncryptCbc(key, iv, clear),
    );
  }

  /**
   * A CBC-MAC (ISO/IEC 9797-1 algorithm 1) under the next MAC key, over a message that names the key's serial number.
   * @throws StateError, KeyErased, CryptoError counterExhausted
   */
  authenticate(messageOf: (ksn: Buffer) => Uint8Array): {
    readonly message: Uint8Array;
    readonly mac: Buffer;
  } {
    let message: Uint8Array = Buffer.alloc(0);
    const { data: mac } = this.#encipher('macRequest', (key, ksn) => {
      message = messageOf(ksn);
      return iso9797Algorithm1(key, message, 'iso9797Method1');
    });
    return { message, mac };
  }

  #encipher(usage: TdesKeyUsage, cipher: (key: Uint8Array, ksn: Buffer) => Buffer): EncipheredOnce {
    if (this.condition === 'erased') throw new KeyErased('the key was erased');
    if (this.condition === 'exhausted') {
      throw new CryptoError('counterExhausted', 'the device used up its counter');
    }
    const ksn = advanceKsn(this.ksn);
    this.#slot.write({ ksn: toHex(ksn) });
    const transactionKey = deriveTransactionKey(this.#initialKey, ksn);
    const key = workingKey(transactionKey, usage);
    try {
      return { data: cipher(key, ksn), ksn };
    } finally {
      wipe(transactionKey, key);
    }
  }
}

/** The serial numbers differ in the 21 bits of the counter at most. */
function sameDevice(a: Buffer, b: Buffer): boolean {
  return a.subarray(0, 7).equals(b.subarray(0, 7)) && ((a[7] ?? 0) & 0xe0) === ((b[7] ?? 0) & 0xe0);
}
