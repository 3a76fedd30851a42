import { fromHex, toHex, wipe } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import type { StateSlot } from '../../state/state-slot.js';
import { type DeviceBaseKey, type DukptScheme, type DukptUse, dukptScheme } from './dukpt-schemes.js';

/** What the device keeps: the last key serial number it used. */
export interface DukptState {
  /** Hex. */
  readonly ksn: string;
}

/** Checks what a state file holds. @throws TypeError */
export function parseDukptState(json: unknown): DukptState {
  const { ksn } = (json ?? {}) as Partial<DukptState>;
  if (typeof ksn !== 'string' || !/^([0-9A-F]{20}|[0-9A-F]{24})$/.test(ksn))
    throw new TypeError('ksn must be 20 or 24 hex digits');
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
 * One DUKPT key of a terminal: TDES (X9.24-1) or AES-128 (X9.24-3), by the length of its serial number. The serial number is advanced on disk before the key is used, so that no key
 * is used twice, whatever happens in between.
 */
export class DukptDevice {
  readonly #slot: StateSlot<DukptState>;
  readonly #scheme: DukptScheme;
  readonly #random: Random;
  readonly #initialKsn: Buffer;
  readonly #initialKey: Buffer;
  /** `erased`: the device found itself opened; `exhausted`: its counter is used up. Either ends with new keys. */
  condition: 'loaded' | 'erased' | 'exhausted' = 'loaded';

  /**
   * @param initialKsn 10 bytes (TDES) or 12 (AES) whose counter is zero: names the device's initial key
   * @param random fills PIN blocks
   * @throws CryptoError badKsn, badCounter
   */
  constructor(slot: StateSlot<DukptState>, bdk: DeviceBaseKey, initialKsn: Uint8Array, random: Random) {
    this.#scheme = dukptScheme(initialKsn);
    if (this.#scheme.counter(initialKsn) !== 0)
      throw new CryptoError('badCounter', 'an initial KSN has the counter zero');
    this.#slot = slot;
    this.#random = random;
    this.#initialKsn = Buffer.from(initialKsn);
    this.#initialKey = this.#scheme.initialKey(bdk, initialKsn);
  }

  get algorithm(): DukptScheme['algorithm'] {
    return this.#scheme.algorithm;
  }

  /** Bytes of a cipher block. */
  get blockBytes(): number {
    return this.#scheme.blockBytes;
  }

  /** The serial number that stands now, for GIX; it goes with no encipherment to come. @throws StateError */
  get ksn(): Buffer {
    const state = this.#slot.read();
    const last = state ? fromHex(state.ksn) : this.#initialKsn;
    // Another initial key was injected since: it begins at its first counter.
    return this.#isOfThisKey(last) ? last : this.#initialKsn;
  }

  /**
   * A PIN block under the next PIN key (ISO 9564-1): of format 0 under TDES, of format 4 under AES. The digits are wiped.
   * @throws StateError, KeyErased, CryptoError counterExhausted, badPin, badPan
   */
  encipherPin(digits: Uint8Array, pan: string): EncipheredOnce {
    try {
      return this.#encipher('pin', (key) => this.#scheme.encipherPin(key, digits, pan, this.#random));
    } finally {
      wipe(digits);
    }
  }

  /**
   * Account data in whole blocks under the next data key.
   * @param iv for CBC; undefined enciphers each block alone
   * @throws StateError, KeyErased, CryptoError counterExhausted
   */
  encipherData(clear: Uint8Array, iv: Uint8Array | undefined): EncipheredOnce {
    return this.#encipher('data', (key) => this.#scheme.encipher(key, clear, iv));
  }

  /**
   * Pieces of account data in whole blocks, all under the next data key, each chained from zeros.
   * @throws StateError, KeyErased, CryptoError counterExhausted
   */
  encipherEach(clears: readonly Uint8Array[]): { readonly data: readonly Buffer[]; readonly ksn: Buffer } {
    const ksn = this.#advance();
    const iv = Buffer.alloc(this.blockBytes);
    const data = clears.map((clear) =>
      this.#under(ksn, 'data', (key) => this.#scheme.encipher(key, clear, iv)),
    );
    return { data, ksn };
  }

  /**
   * Account data in whole blocks under the next data key, chained from zeros, and a message with them under the MAC key of the same serial
   * number: a CBC-MAC (ISO/IEC 9797-1 algorithm 1), or a CMAC under AES.
   * @throws StateError, KeyErased, CryptoError counterExhausted
   */
  encipherAndAuthenticate(
    clear: Uint8Array,
    messageOf: (enciphered: EncipheredOnce) => Uint8Array,
  ): { readonly message: Uint8Array; readonly mac: Buffer } {
    const enciphered = this.encipherData(clear, Buffer.alloc(this.blockBytes));
    const message = messageOf(enciphered);
    const mac = this.#under(enciphered.ksn, 'mac', (key) => this.#scheme.mac(key, message));
    return { message, mac };
  }

  #encipher(use: DukptUse, cipher: (key: Uint8Array) => Buffer): EncipheredOnce {
    const ksn = this.#advance();
    return { data: this.#under(ksn, use, cipher), ksn };
  }

  /** The serial number of the next key, on disk before that is used. */
  #advance(): Buffer {
    if (this.condition === 'erased') throw new KeyErased('the key was erased');
    if (this.condition === 'exhausted') {
      throw new CryptoError('counterExhausted', 'the device used up its counter');
    }
    const ksn = this.#scheme.advance(this.ksn);
    this.#slot.write({ ksn: toHex(ksn) });
    return ksn;
  }

  #under(ksn: Buffer, use: DukptUse, cipher: (key: Uint8Array) => Buffer): Buffer {
    const key = this.#scheme.workingKey(this.#initialKey, ksn, use);
    try {
      return cipher(key);
    } finally {
      wipe(key);
    }
  }

  /** The same but for the counter. */
  #isOfThisKey(ksn: Buffer): boolean {
    return ksn.length === this.#initialKsn.length && this.#initialKsn.equals(this.#scheme.initialKsn(ksn));
  }
}
