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
  readonly type: TokenKeyType;
  readonly bytes: number;
}

/** Kinds of secret keys: TDES of two and of three keys, AES. */
export type TokenKeyType = 'des2' | 'des3' | 'aes';

/** What a key in the token may do, and nothing else; a check value can be had of each. */
export type TokenKeyPurpose =
  /** Encipher blocks. */
  | 'encrypt'
  /** Encipher and decipher blocks. */
  | 'cipher'
  /** Make MACs. */
  | 'mac'
  /** Be what other keys of the token are derived from. */
  | 'derive';

/** Most keys that are listed. */
export const MAX_TOKEN_KEYS = 4_096;
const DES_BYTES = { des2: 16, des3: 24 } as const;

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
    return this.handles().flatMap((key) => this.#infoOf(key) ?? []);
  }

  /** The secret keys alone, which tells cheaply whether some came or went. */
  handles(): readonly TokenKey[] {
    const b = this.#binding;
    return guarded('list keys', () => {
      this.#module.C_FindObjectsInit(this.#session, [
        { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
        { type: b.CKA_TOKEN, value: true },
      ]);
      const found = this.#module.C_FindObjects(this.#session, MAX_TOKEN_KEYS);
      this.#module.C_FindObjectsFinal(this.#session);
      return found;
    });
  }

  #infoOf(key: Handle): TokenKeyInfo | undefined {
    const b = this.#binding;
    const [label, type] = this.#attributes(key, [b.CKA_LABEL, b.CKA_KEY_TYPE]);
    const keyType = type?.readUInt32LE(0);
    if (label === undefined) return undefined;
    const name = label.toString('utf8');
    if (keyType === b.CKK_DES2) return { key, label: name, type: 'des2', bytes: DES_BYTES.des2 };
    if (keyType === b.CKK_DES3) return { key, label: name, type: 'des3', bytes: DES_BYTES.des3 };
    if (keyType !== b.CKK_AES) return undefined;
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
  create(label: string, type: TokenKeyType, key: Uint8Array, purpose: TokenKeyPurpose): TokenKey {
    const b = this.#binding;
    const keyType = { des2: b.CKK_DES2, des3: b.CKK_DES3, aes: b.CKK_AES }[type];
    // The check value of a TDES key is an encipherment, and so is the retail MAC; that of an AES key is a CMAC.
    const encrypts = purpose === 'encrypt' || purpose === 'cipher' || (purpose === 'mac' && type !== 'aes');
    const value = Buffer.from(key);
    try {
      return guarded('create a key', () =>
        this.#module.C_CreateObject(this.#session, [
          { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
          { type: b.CKA_KEY_TYPE, value: keyType },
          { type: b.CKA_LABEL, value: label },
          { type: b.CKA_TOKEN, value: true },
          { type: b.CKA_PRIVATE, value: true },
          { type: b.CKA_SENSITIVE, value: true },
          { type: b.CKA_EXTRACTABLE, value: false },
          { type: b.CKA_ENCRYPT, value: encrypts },
          { type: b.CKA_DECRYPT, value: purpose === 'cipher' },
          { type: b.CKA_DERIVE, value: purpose === 'derive' },
          { type: b.CKA_SIGN, value: type === 'aes' || purpose === 'mac' },
          { type: b.CKA_VALUE, value },
        ]),
      );
    } finally {
      value.fill(0);
    }
  }

  /** Enciphers whole blocks: CBC with a first chaining value, ECB without. */
  encrypt(key: TokenKey, type: TokenKeyType, data: Uint8Array, iv?: Uint8Array): Buffer {
    const mechanism = this.#cipher(type, iv);
    // The library wants a buffer of its own; what goes in may be a clear PIN block.
    const input = Buffer.from(data);
    try {
      return guarded('encipher', () => {
        this.#module.C_EncryptInit(this.#session, mechanism, key);
        return this.#module.C_Encrypt(this.#session, input, Buffer.alloc(input.length));
      });
    } finally {
      input.fill(0);
    }
  }

  #cipher(type: TokenKeyType, iv: Uint8Array | undefined): Mechanism {
    const b = this.#binding;
    const isAes = type === 'aes';
    if (iv === undefined) return { mechanism: isAes ? b.CKM_AES_ECB : b.CKM_DES3_ECB };
    return { mechanism: isAes ? b.CKM_AES_CBC : b.CKM_DES3_CBC, parameter: Buffer.from(iv) };
  }

  /** Deciphers whole blocks: CBC with a first chaining value, ECB without. There is one copy of what comes out: the caller's to wipe. */
  decrypt(key: TokenKey, type: TokenKeyType, data: Uint8Array, iv?: Uint8Array): Buffer {
    const mechanism = this.#cipher(type, iv);
    return guarded('decipher', () => {
      this.#module.C_DecryptInit(this.#session, mechanism, key);
      return this.#module.C_Decrypt(this.#session, Buffer.from(data), Buffer.alloc(data.length));
    });
  }

  /** CMAC, one block. */
  cmac(key: TokenKey, type: TokenKeyType, data: Uint8Array): Buffer {
    const b = this.#binding;
    const mechanism = { mechanism: type === 'aes' ? b.CKM_AES_CMAC : b.CKM_DES3_CMAC };
    const out = Buffer.alloc(type === 'aes' ? 16 : 8);
    return guarded('authenticate', () => {
      this.#module.C_SignInit(this.#session, mechanism, key);
      // In two steps: one call does not take a message of no bytes.
      if (data.length > 0) this.#module.C_SignUpdate(this.#session, Buffer.from(data));
      return Buffer.from(this.#module.C_SignFinal(this.#session, out));
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
