import type { MacPadding } from '@tillbridge/wire/crypto/ciphers/padding.js';
import type { BlockKey } from '@tillbridge/wire/crypto/key-block/remote-key.js';
import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import { KEY_STORE_RULES } from '../../kernel/errors/error-table.js';

/** What a key may be used for; a key is found by its use and never works for another one. All keys are symmetric. */
export type KeyUsage =
  /** Base derivation key of account data encipherment; scope: key set, the leading hex digits of the KSN. */
  | 'bdk-data'
  /** Base derivation key of PIN encipherment; scope: key set, the leading hex digits of the KSN. */
  | 'bdk-pin'
  /** Base derivation key of the authentication of messages with a partner; scope: key set, the leading hex digits of the KSN. */
  | 'bdk-mac'
  /** Issuer master key of application cryptograms; scope: leading PAN digits. */
  | 'imk-ac'
  /** Issuer master keys of secure messaging; scope: leading PAN digits. */
  | 'imk-smi'
  | 'imk-smc'
  /** PIN verification key pair of the PVV method; scope: PVKI, a colon, leading PAN digits. */
  | 'pvk'
  /** PIN verification key of the IBM 3624 method; scope: leading PAN digits. */
  | 'pvk-ibm'
  /** Card verification key pair; scope: leading PAN digits. */
  | 'cvk'
  /** PIN encipherment between gateway and an acquirer; scope: the acquirer's name, whole. */
  | 'zone-pin'
  /** Authentication of messages with a partner; scope: the partner's name, whole. */
  | 'mac'
  /** Key block protection key shared with a partner; scope: the partner's name, whole. */
  | 'kbpk'
  /** Zone transport key, under which a partner sends keys; scope: the partner's name, whole. */
  | 'zmk'
  /** Key-encryption key of the data keys of the vault; scope: its number, whole. The highest one wraps what is new. */
  | 'vault-kek';

/** How a key works. */
export type KeyAlgorithm = 'tdes2' | 'tdes3' | 'aes128' | 'aes192' | 'aes256';

/** Test keys and live keys never meet in one store. */
export type KeyMode = 'test' | 'live';

/** Everything about a key but the key. */
export interface KeyInfo {
  readonly id: string;
  readonly usage: KeyUsage;
  readonly algorithm: KeyAlgorithm;
  /** For which cards, devices or partners; see {@link KeyUsage}. The longest fitting scope wins. */
  readonly scope: string;
  /** Base derivation keys: the one device type (`pos.deviceType`) of the key set; absent where it has several, or none is known. */
  readonly deviceType?: string;
  /** For people. */
  readonly label: string;
  /** First three bytes of the check value, uppercase hex. */
  readonly kcv: string;
  readonly mode: KeyMode;
  /**
   * A key that was rotated: its successor does everything, this one only still opens what was closed under it, until then (milliseconds since
   * 1970).
   */
  readonly retiredUntilMs?: number;
}

/** The rule that was broken. */
export type KeyStoreRule = keyof typeof KEY_STORE_RULES;

/** The key store refused. The message names use and scope, never key bytes. */
export class KeyStoreError extends CodedError<KeyStoreRule> {
  constructor(rule: KeyStoreRule, detail: string) {
    super(rule, `${rule}: ${KEY_STORE_RULES[rule][0]} (${detail})`);
  }
}

/** A key on its way into the store. The bytes are copied; the caller wipes its own. */
export interface NewKey
  extends Pick<KeyInfo, 'id' | 'usage' | 'algorithm' | 'scope' | 'deviceType' | 'label'> {
  readonly key: Uint8Array;
  /** The check value that came with the key on paper, where there is one. */
  readonly expectedKcv?: string;
}

/**
 * What one key does for an operation, wherever its bytes are: in this process for the length of the operation, or in a token for good.
 * Not to be kept beyond the operation.
 */
export interface KeyOperations extends BlockKey {
  /** The CBC-MAC (ISO/IEC 9797-1 algorithm 1) of a TDES key, eight bytes. */
  readonly cbcMac: (data: Uint8Array, padding: MacPadding) => Buffer;
  /** The retail MAC (ISO/IEC 9797-1 algorithm 3) of a double-length TDES key, eight bytes. */
  readonly retailMac: (data: Uint8Array, padding: MacPadding) => Buffer;
  /** CMAC (NIST SP 800-38B), one block. */
  readonly cmac: (data: Uint8Array) => Buffer;
}

/** A key to put in another one's place. */
export interface Replacement extends Pick<NewKey, 'id' | 'key' | 'expectedKcv'> {
  /** Another algorithm than the old key's, such as AES after TDES. */
  readonly algorithm?: KeyAlgorithm;
  /** How long the old key still opens what was closed under it, in milliseconds; 0: it is gone at once. */
  readonly keepOldMs: number;
}

/** Keys behind a channel that bytes leave only for the length of one operation. */
export interface KeyStore {
  readonly mode: KeyMode;
  /** All keys, without their bytes. */
  list(): readonly KeyInfo[];
  /** Has the next list show what other processes have added until now; absent where each list does. @throws SecurityModuleError unavailable */
  readAgain?(): void;
  /** The key of this use whose scope is the longest beginning of `subject` (uses scoped by a whole name: equal to it). */
  find(usage: KeyUsage, subject: string): KeyInfo | undefined;
  /** The key's predecessors of the same use and scope that were rotated and still open what was closed under them, the youngest first. */
  predecessors(info: KeyInfo): readonly KeyInfo[];
  /**
   * Runs an operation with a symmetric key, whose bytes the operation does not see.
   * @throws KeyStoreError noKey, wrongMasterKey, badUse (a key pair); SecurityModuleError unavailable
   */
  operate<T>(info: KeyInfo, operation: (key: KeyOperations) => T): T;
  /**
   * Takes a key in; on return it is kept for good.
   * @throws KeyStoreError badKey, badUse, kcvMismatch, testKeyInLive, keyExists
   */
  add(input: NewKey): KeyInfo;
  /**
   * Puts a new key of the same use and scope in the place of another, at once: a crash leaves the old or the new one.
   * @param id of the key that goes
   * @throws KeyStoreError noKey, notRotatable, retired, keyExists, badKey, badUse, kcvMismatch, testKeyInLive
   */
  rotate(id: string, replacement: Replacement): KeyInfo;
  /**
   * Deletes a key for good, which nothing needs any more.
   * @throws KeyStoreError noKey
   */
  remove(id: string): void;
}

/** A key store whose keys can be had as bytes for the length of one operation. */
export interface ReadableKeyStore extends KeyStore {
  /**
   * Runs an operation with the key's bytes, which are wiped afterwards; the operation must not keep them.
   * @throws KeyStoreError noKey, wrongMasterKey
   */
  use<T>(info: KeyInfo, operation: (key: Uint8Array) => T): T;
}

/**
 * The result under the first of several keys that gives one: a key and those that it replaced.
 * @param isOfOtherKey whether the error may come from the wrong key; any other one ends the search
 * @throws the error of the first key where none gives a result
 */
export function underFirst<T>(
  keys: readonly KeyInfo[],
  isOfOtherKey: (error: unknown) => boolean,
  operation: (info: KeyInfo) => T,
): T {
  let refusal: unknown;
  for (const info of keys) {
    try {
      return operation(info);
    } catch (error) {
      if (!isOfOtherKey(error)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/**
 * The key for a subject.
 * @throws KeyStoreError noKey, naming use and (shortened) subject
 */
export function requireKey(store: KeyStore, usage: KeyUsage, subject: string): KeyInfo {
  const info = store.find(usage, subject);
  // A subject may begin with a PAN: six digits are all that is shown.
  if (info === undefined) throw new KeyStoreError('noKey', `${usage} for ${subject.slice(0, 6)}…`);
  return info;
}
