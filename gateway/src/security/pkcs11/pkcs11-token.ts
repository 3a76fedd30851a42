import type { Handle, Mechanism, Template } from 'pkcs11js';
import { type Pkcs11Options, Pkcs11Session } from './pkcs11-session.js';

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

/** What a key of one session may do. */
export type SessionKeyPurpose = 'derive' | 'decrypt' | 'sign';

/** Most keys that are listed. */
const MAX_TOKEN_KEYS = 4_096;
const DES_BYTES = { des2: 16, des3: 24 } as const;

/**
 * A session with a PKCS#11 token: the few mechanisms that the security module needs, on keys that never leave it. Calls are synchronous.
 * @throws SecurityModuleError unavailable from every method when the token fails
 */
export class Pkcs11Token {
  readonly #session: Pkcs11Session;

  private constructor(session: Pkcs11Session) {
    this.#session = session;
  }

  /**
   * Loads the library, finds the token by its label and logs in.
   * @throws SecurityModuleError unavailable, saying which of the three failed
   */
  static open(options: Pkcs11Options): Pkcs11Token {
    return new Pkcs11Token(Pkcs11Session.open(options));
  }

  /** Ends the session; the token can be opened again. */
  close(): void {
    this.#session.close();
  }

  /** Which login the handles of keys are of; another one gives other handles. `undefined` while there is none. */
  get login(): number | undefined {
    return this.#session.isLost ? undefined : this.#session.logins;
  }

  /** The secret keys of the token. */
  list(): readonly TokenKeyInfo[] {
    return this.handles().flatMap((key) => this.#infoOf(key) ?? []);
  }

  /** The secret keys alone, which shows cheaply whether some came or went. */
  handles(): readonly TokenKey[] {
    const b = this.#session.binding;
    return this.#session.run('list keys', (module, session) => {
      module.C_FindObjectsInit(session, [
        { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
        { type: b.CKA_TOKEN, value: true },
      ]);
      const found = module.C_FindObjects(session, MAX_TOKEN_KEYS);
      module.C_FindObjectsFinal(session);
      return found;
    });
  }

  #infoOf(key: Handle): TokenKeyInfo | undefined {
    const b = this.#session.binding;
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
    return this.#session.run('read attributes', (module, session) =>
      module
        .C_GetAttributeValue(session, key, wanted)
        .map(({ value }) => (Buffer.isBuffer(value) ? value : undefined)),
    );
  }

  /**
   * Stores a key for good: sensitive, not extractable, for these purposes alone.
   * @param key bytes; the caller wipes them
   */
  create(label: string, type: TokenKeyType, key: Uint8Array, purpose: TokenKeyPurpose): TokenKey {
    const b = this.#session.binding;
    const keyType = { des2: b.CKK_DES2, des3: b.CKK_DES3, aes: b.CKK_AES }[type];
    // The check value of a TDES key is an encipherment, and so is the retail MAC; that of an AES key is a CMAC.
    const encrypts = purpose === 'encrypt' || purpose === 'cipher' || (purpose === 'mac' && type !== 'aes');
    const value = Buffer.from(key);
    try {
      return this.#session.run('create a key', (module, session) =>
        module.C_CreateObject(session, [
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
    // The library wants a separate buffer; what goes in may be a clear PIN block.
    const input = Buffer.from(data);
    try {
      return this.#session.run('encipher', (module, session) => {
        module.C_EncryptInit(session, mechanism, key);
        return module.C_Encrypt(session, input, Buffer.alloc(input.length));
      });
    } finally {
      input.fill(0);
    }
  }

  #cipher(type: TokenKeyType, iv: Uint8Array | undefined): Mechanism {
    const b = this.#session.binding;
    const isAes = type === 'aes';
    if (iv === undefined) return { mechanism: isAes ? b.CKM_AES_ECB : b.CKM_DES3_ECB };
    return { mechanism: isAes ? b.CKM_AES_CBC : b.CKM_DES3_CBC, parameter: Buffer.from(iv) };
  }

  /** Deciphers whole blocks: CBC with a first chaining value, ECB without. There is one copy of what comes out: the caller's to wipe. */
  decrypt(key: TokenKey, type: TokenKeyType, data: Uint8Array, iv?: Uint8Array): Buffer {
    const mechanism = this.#cipher(type, iv);
    return this.#session.run('decipher', (module, session) => {
      module.C_DecryptInit(session, mechanism, key);
      return module.C_Decrypt(session, Buffer.from(data), Buffer.alloc(data.length));
    });
  }

  /** CMAC, one block. */
  cmac(key: TokenKey, type: TokenKeyType, data: Uint8Array): Buffer {
    const b = this.#session.binding;
    const mechanism = { mechanism: type === 'aes' ? b.CKM_AES_CMAC : b.CKM_DES3_CMAC };
    const out = Buffer.alloc(type === 'aes' ? 16 : 8);
    return this.#session.run('authenticate', (module, session) => {
      module.C_SignInit(session, mechanism, key);
      // In two steps: one call does not take a message of no bytes.
      if (data.length > 0) module.C_SignUpdate(session, Buffer.from(data));
      return Buffer.from(module.C_SignFinal(session, out));
    });
  }

  /**
   * A new AES-128 key of this session: one block enciphered under another key, never seen outside. Destroy it when done.
   * CBC of one block with a zero chaining value is ECB, which the derivation needs.
   */
  deriveAes128(key: TokenKey, block: Buffer, purpose: SessionKeyPurpose): TokenKey {
    const b = this.#session.binding;
    const parameter = { type: b.CK_PARAMS_AES_CBC, iv: Buffer.alloc(16), data: block };
    return this.#session.run('derive', (module, session) =>
      module.C_DeriveKey(session, { mechanism: b.CKM_AES_CBC_ENCRYPT_DATA, parameter }, key, [
        { type: b.CKA_CLASS, value: b.CKO_SECRET_KEY },
        { type: b.CKA_KEY_TYPE, value: b.CKK_AES },
        { type: b.CKA_VALUE_LEN, value: 16 },
        { type: b.CKA_TOKEN, value: false },
        { type: b.CKA_SENSITIVE, value: true },
        { type: b.CKA_EXTRACTABLE, value: false },
        { type: b.CKA_DERIVE, value: purpose === 'derive' },
        { type: b.CKA_DECRYPT, value: purpose === 'decrypt' },
        { type: b.CKA_ENCRYPT, value: false },
        { type: b.CKA_SIGN, value: purpose === 'sign' },
      ]),
    );
  }

  /** Removes a key. */
  destroy(key: TokenKey): void {
    this.#session.run('destroy a key', (module, session) => module.C_DestroyObject(session, key));
  }
}
