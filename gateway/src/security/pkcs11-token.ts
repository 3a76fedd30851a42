import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Handle, Mechanism, PKCS11, Template } from 'pkcs11js';
import { SecurityModuleError } from './security-module.js';

type Pkcs11js = typeof import('pkcs11js');

/** Which token to work with. */
export interface Pkcs11Options {
  /** Path of the maker's PKCS#11 library. */
  readonly library: string;
  readonly tokenLabel: string;
  /** The user's PIN of the token. */
  readonly pin: string;
}

/** A secret key inside the token. */
export type TokenKey = Handle;

/** A key as the token lists it. */
export interface TokenKeyInfo {
  readonly key: TokenKey;
  readonly label: string;
  readonly type: 'des2' | 'aes';
  readonly bytes: number;
}

/** Most keys that are listed. */
export const MAX_TOKEN_KEYS = 4_096;
const DES2_BYTES = 16;

/** The binding is a native module that few gateways need: it is loaded when a token is configured, and only then. */
function loadBinding(): Pkcs11js {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Pkcs11js;
  } catch {
    throw new SecurityModuleError(
      'unavailable',
      'the package pkcs11js is not installed or not built: run npm rebuild pkcs11js',
    );
  }
}

/**
 * A session with a PKCS#11 token: the few mechanisms that DUKPT needs, on keys that never leave it. Calls are synchronous.
 * @throws SecurityModuleError unavailable from every method when the token fails
 */
export class Pkcs11Token {
  readonly #binding: Pkcs11js;
  readonly #module: PKCS11;
  readonly #session: Handle;

  private constructor(binding: Pkcs11js, module: PKCS11, session: Handle) {
    this.#binding = binding;
    this.#module = module;
    this.#session = session;
  }

  /**
   * Loads the library, finds the token by its label and logs in.
   * @throws SecurityModuleError unavailable, saying which of the three failed
   */
  static open({ library, tokenLabel, pin }: Pkcs11Options): Pkcs11Token {
    const binding = loadBinding();
    if (!existsSync(library))
      throw new SecurityModuleError('unavailable', `the PKCS#11 library ${library} is not there`);
    const module = new binding.PKCS11();
    guarded('load', () => module.load(library));
    try {
      guarded('initialize', () => module.C_Initialize());
      const slot = guarded('list tokens', () =>
        module
          .C_GetSlotList(true)
          .find((candidate) => module.C_GetTokenInfo(candidate).label.trim() === tokenLabel),
      );
      if (slot === undefined)
        throw new SecurityModuleError('unavailable', `no token has the label ${tokenLabel}`);
      const flags = binding.CKF_SERIAL_SESSION | binding.CKF_RW_SESSION;
      const session = guarded('open a session', () => module.C_OpenSession(slot, flags));
      guarded('log in', () => module.C_Login(session, binding.CKU_USER, pin));
      return new Pkcs11Token(binding, module, session);
    } catch (error) {
      module.close();
      throw error;
    }
  }

  /** Ends the session; the token can be opened again. */
  close(): void {
    guarded('close', () => {
      this.#module.C_CloseSession(this.#session);
      this.#module.C_Finalize();
    });
    this.#module.close();
  }

  /** The secret keys of the token. */
  list(): readonly TokenKeyInfo[] {
    const b = this.#binding;
    const handles = guarded('list keys', () => {
      this.#module.C_FindObjectsInit(this.#session, [
        { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
        { type: b.CKA_TOKEN, value: true },
      ]);
      const found = this.#module.C_FindObjects(this.#session, MAX_TOKEN_KEYS);
      this.#module.C_FindObjectsFinal(this.#session);
      return found;
    });
    return handles.flatMap((key) => this.#infoOf(key) ?? []);
  }

  #infoOf(key: Handle): TokenKeyInfo | undefined {
    const b = this.#binding;
    const [label, type] = this.#attributes(key, [b.CKA_LABEL, b.CKA_KEY_TYPE]);
    const keyType = type?.readUInt32LE(0);
    if (label === undefined || (keyType !== b.CKK_AES && keyType !== b.CKK_DES2)) return undefined;
    const name = label.toString('utf8');
    if (keyType === b.CKK_DES2) return { key, label: name, type: 'des2', bytes: DES2_BYTES };
    const [length] = this.#attributes(key, [b.CKA_VALUE_LEN]);
    return { key, label: name, type: 'aes', bytes: length?.readUInt32LE(0) ?? 0 };
  }

  #attributes(key: Handle, types: readonly number[]): (Buffer | undefined)[] {
    const wanted: Template = types.map((type) => ({ type }));
    return guarded('read attributes', () =>
      this.#module
        .C_GetAttributeValue(this.#session, key, wanted)
        .map(({ value }) => (Buffer.isBuffer(value) ? value : undefined)),
    );
  }

  /**
   * Stores a key for good: sensitive, not extractable, for these purposes alone.
   * @param key bytes; the caller wipes them
   */
  create(label: string, type: 'des2' | 'aes', key: Uint8Array, purpose: 'encrypt' | 'derive'): TokenKey {
    const b = this.#binding;
    const value = Buffer.from(key);
    try {
      return guarded('create a key', () =>
        this.#module.C_CreateObject(this.#session, [
          { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
          { type: b.CKA_KEY_TYPE, value: type === 'des2' ? b.CKK_DES2 : b.CKK_AES },
          { type: b.CKA_LABEL, value: label },
          { type: b.CKA_TOKEN, value: true },
          { type: b.CKA_PRIVATE, value: true },
          { type: b.CKA_SENSITIVE, value: true },
          { type: b.CKA_EXTRACTABLE, value: false },
          { type: b.CKA_ENCRYPT, value: purpose === 'encrypt' },
          { type: b.CKA_DECRYPT, value: false },
          { type: b.CKA_DERIVE, value: purpose === 'derive' },
          { type: b.CKA_SIGN, value: type === 'aes' },
          { type: b.CKA_VALUE, value },
        ]),
      );
    } finally {
      value.fill(0);
    }
  }

  /** Enciphers whole blocks, ECB. */
  encryptEcb(key: TokenKey, type: 'des2' | 'aes', data: Uint8Array): Buffer {
    const b = this.#binding;
    const mechanism = { mechanism: type === 'des2' ? b.CKM_DES3_ECB : b.CKM_AES_ECB };
    return guarded('encipher', () => {
      this.#module.C_EncryptInit(this.#session, mechanism, key);
      return Buffer.from(this.#module.C_Encrypt(this.#session, Buffer.from(data), Buffer.alloc(data.length)));
    });
  }

  /** Deciphers whole blocks with an AES key: CBC with a first chaining value, ECB without. */
  decryptAes(key: TokenKey, iv: Uint8Array | undefined, data: Uint8Array): Buffer {
    const b = this.#binding;
    const mechanism: Mechanism = iv
      ? { mechanism: b.CKM_AES_CBC, parameter: Buffer.from(iv) }
      : { mechanism: b.CKM_AES_ECB };
    return guarded('decipher', () => {
      this.#module.C_DecryptInit(this.#session, mechanism, key);
      return Buffer.from(this.#module.C_Decrypt(this.#session, Buffer.from(data), Buffer.alloc(data.length)));
    });
  }

  /** AES-CMAC of sixteen zero bytes, whose beginning is the key's check value. */
  zeroCmac(key: TokenKey): Buffer {
    return guarded('authenticate', () => {
      this.#module.C_SignInit(this.#session, { mechanism: this.#binding.CKM_AES_CMAC }, key);
      return Buffer.from(this.#module.C_Sign(this.#session, Buffer.alloc(16), Buffer.alloc(16)));
    });
  }

  /**
   * A new AES-128 key of this session: one block enciphered under another key, never seen outside. Destroy it when done.
   * CBC of one block with a zero chaining value is ECB, which the derivation asks for.
   */
  deriveAes128(key: TokenKey, block: Buffer, purpose: 'derive' | 'decrypt'): TokenKey {
    const b = this.#binding;
    const parameter = { type: b.CK_PARAMS_AES_CBC, iv: Buffer.alloc(16), data: block };
    return guarded('derive', () =>
      this.#module.C_DeriveKey(this.#session, { mechanism: b.CKM_AES_CBC_ENCRYPT_DATA, parameter }, key, [
        { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
        { type: b.CKA_KEY_TYPE, value: b.CKK_AES },
        { type: b.CKA_VALUE_LEN, value: 16 },
        { type: b.CKA_TOKEN, value: false },
        { type: b.CKA_SENSITIVE, value: true },
        { type: b.CKA_EXTRACTABLE, value: false },
        { type: b.CKA_DERIVE, value: purpose === 'derive' },
        { type: b.CKA_DECRYPT, value: purpose === 'decrypt' },
        { type: b.CKA_ENCRYPT, value: false },
      ]),
    );
  }

  /** Removes a key. */
  destroy(key: TokenKey): void {
    guarded('destroy a key', () => this.#module.C_DestroyObject(this.#session, key));
  }
}

/** The token's own errors in the module's words: what was tried and the name of the return value, which holds no data. */
function guarded<T>(what: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof SecurityModuleError) throw error;
    const name = error instanceof Error ? (/CKR_[A-Z_]+/.exec(error.message)?.[0] ?? error.name) : 'error';
    throw new SecurityModuleError('unavailable', `the token could not ${what}: ${name}`);
  }
}
