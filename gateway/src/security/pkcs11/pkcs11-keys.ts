import { systemClock } from '@tillbridge/platform/system-clock.js';
import { toHex, withSecret, xorBytes } from '@tillbridge/wire/bytes.js';
import { KCV_BYTES } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { ZERO_BLOCK } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { acceptKey, refuseTestKeyInLive } from '../keys/key-acceptance.js';
import {
  isBaseKeyUsage,
  isTdes,
  isUsableAt,
  requireId,
  requireRotatable,
  USAGE_RULES,
} from '../keys/key-rules.js';
import {
  type KeyAlgorithm,
  type KeyInfo,
  type KeyMode,
  KeyStoreError,
  type KeyUsage,
  type NewKey,
  type Replacement,
} from '../keys/key-store.js';
import { labelText, parseLabel, type TokenKeyLabel, type TokenKeyPart } from './pkcs11-key-label.js';
import type { Pkcs11Token, TokenKey, TokenKeyInfo, TokenKeyPurpose, TokenKeyType } from './pkcs11-token.js';

/** The mask of the second half of a TDES initial key (X9.24-1 A.6). */
const HALF_MASK = Buffer.from('C0C0C0C000000000C0C0C0C000000000', 'hex');
const ZERO_AES_BLOCK = new Uint8Array(16);
/** How old the list of keys may be before it is read from the token again, in milliseconds. */
export const TOKEN_REFRESH_MS = 1_000;

/** A key of the token with its companion. */
export interface TokenKeyEntry extends KeyInfo {
  readonly usage: KeyUsage;
  readonly algorithm: KeyAlgorithm;
  readonly key: TokenKey;
  readonly type: TokenKeyType;
  /** The companion that its use needs. */
  readonly companion?: TokenKey;
}

/** What a key of each use may do in the token; base keys differ by algorithm. */
const PURPOSES: Readonly<Record<KeyUsage, TokenKeyPurpose>> = {
  'bdk-data': 'encrypt',
  'bdk-pin': 'encrypt',
  'bdk-mac': 'encrypt',
  'imk-ac': 'encrypt',
  'imk-smi': 'encrypt',
  'imk-smc': 'encrypt',
  pvk: 'encrypt',
  'pvk-ibm': 'encrypt',
  cvk: 'encrypt',
  'zone-pin': 'cipher',
  mac: 'mac',
  kbpk: 'mac',
  zmk: 'cipher',
  'vault-kek': 'cipher',
};

/** Which companion a key needs. */
function companionOf(usage: KeyUsage, type: TokenKeyType): Exclude<TokenKeyPart, 'key'> | undefined {
  if (type !== 'des2') return undefined;
  if (isBaseKeyUsage(usage)) return 'masked';
  return usage === 'mac' ? 'left' : undefined;
}

/**
 * The symmetric keys inside a PKCS#11 token, by their labels: sensitive, not extractable, each for its purpose alone. Key bytes go in and never
 * come out. Other processes may add keys: the list is read again from time to time.
 */
export class Pkcs11Keys {
  readonly token: Pkcs11Token;
  readonly mode: KeyMode;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  #entries: readonly TokenKeyEntry[] = [];
  #handles = '';
  #login: number | undefined;
  #readAtMs: number;

  /**
   * Reads which keys the token holds.
   * @throws KeyStoreError testKeyInLive, badKey (a key without its part); SecurityModuleError unavailable
   */
  constructor(token: Pkcs11Token, mode: KeyMode, clock: Pick<Clock, 'nowMs' | 'monotonicMs'> = systemClock) {
    this.token = token;
    this.mode = mode;
    this.#clock = clock;
    this.#readAtMs = clock.monotonicMs();
    this.#read();
  }

  /** All keys of the token, the rotated ones among them; their ids are their labels in it. */
  entries(): readonly TokenKeyEntry[] {
    const isOld = this.#clock.monotonicMs() - this.#readAtMs >= TOKEN_REFRESH_MS;
    if (isOld || this.token.login !== this.#login) this.#read();
    const now = this.#clock.nowMs();
    return this.#entries.filter((entry) => isUsableAt(entry, now));
  }

  /** Reads the list now. @throws SecurityModuleError unavailable */
  readAgain(): void {
    this.#read();
  }

  /**
   * Takes a key into the token, where it stays; its id is its label there.
   * @throws KeyStoreError badKey, badUse, kcvMismatch, testKeyInLive, keyExists; SecurityModuleError unavailable
   */
  add(input: NewKey & { readonly usage: KeyUsage }): KeyInfo {
    const { usage, scope, deviceType } = input;
    this.#read();
    const label = {
      usage,
      scope,
      part: 'key',
      ...present({ deviceType }),
      sinceMs: 0,
      keepOldMs: 0,
    } as const;
    const double = this.#entries.find((entry) => entry.usage === usage && entry.scope === scope);
    if (double !== undefined) throw new KeyStoreError('keyExists', double.id);
    return this.#create(label, input);
  }

  /**
   * Puts a new key in the place of another: it is there as soon as its object is, and the old one becomes its predecessor by that. Predecessors
   * whose time is over are removed.
   * @throws KeyStoreError noKey, notRotatable, retired, badKey, kcvMismatch, testKeyInLive; SecurityModuleError unavailable
   */
  rotate(id: string, { key, keepOldMs, expectedKcv, algorithm }: Omit<Replacement, 'id'>): KeyInfo {
    this.#read();
    const old = requireId(this.#entries, id);
    requireRotatable(old);
    const { usage, scope } = old;
    const sinceMs = Math.max(this.#clock.nowMs(), (parseLabel(id)?.sinceMs ?? 0) + 1);
    const label: TokenKeyLabel = { usage, scope, part: 'key', sinceMs, keepOldMs };
    const next = { usage, scope, algorithm: algorithm ?? old.algorithm, key, ...present({ expectedKcv }) };
    const info = this.#create(label, next);
    this.#removeExpired();
    return info;
  }

  /** Deletes a key with its companion. @throws KeyStoreError noKey; SecurityModuleError unavailable */
  remove(id: string): void {
    this.#read();
    this.#destroy(requireId(this.#entries, id));
    this.#read();
  }

  #create(
    label: TokenKeyLabel,
    input: Pick<NewKey, 'algorithm' | 'key' | 'expectedKcv' | 'scope' | 'deviceType'> & {
      readonly usage: KeyUsage;
    },
  ): KeyInfo {
    const { usage, algorithm, key } = input;
    const name = labelText(label);
    if (name === undefined)
      throw new KeyStoreError('badKey', `the scope of ${usage} must be ${scopeForm(usage)}`);
    acceptKey(this.mode, { ...input, id: name, label: '' });
    const type = typeOf(algorithm);
    // The companion is stored first: a key that is there is whole.
    this.#createCompanion(label, type, key);
    const derives = isBaseKeyUsage(usage) && algorithm === 'aes128';
    this.token.create(name, type, key, derives ? 'derive' : PURPOSES[usage]);
    this.#read();
    return infoOf(requireId(this.#entries, name));
  }

  #createCompanion(label: TokenKeyLabel, type: TokenKeyType, key: Uint8Array): void {
    const part = companionOf(label.usage, type);
    if (part === undefined) return;
    const name = labelText(companionLabel(label, part)) ?? '';
    const left = key.subarray(0, 8);
    const bytes = part === 'masked' ? xorBytes(key, HALF_MASK) : Buffer.concat([left, left]);
    withSecret(bytes, () => {
      // One that is left of an import that broke off belongs to no key.
      for (const info of this.token.list()) if (info.label === name) this.token.destroy(info.key);
      this.token.create(name, 'des2', bytes, 'encrypt');
    });
  }

  #removeExpired(): void {
    const now = this.#clock.nowMs();
    for (const entry of this.#entries) {
      if (!isUsableAt(entry, now)) this.#destroy(entry);
    }
    this.#read();
  }

  #destroy({ key, companion }: TokenKeyEntry): void {
    this.token.destroy(key);
    if (companion !== undefined) this.token.destroy(companion);
  }

  #read(): void {
    this.#readAtMs = this.#clock.monotonicMs();
    const handles = this.token.handles().map(toHex).sort().join();
    if (handles === this.#handles && this.token.login === this.#login) return;
    this.#entries = readEntries(this.token, this.mode);
    this.#handles = handles;
    this.#login = this.token.login;
  }
}

/** What everyone may know of a key. */
export function infoOf({ key: _key, type: _type, companion: _companion, ...info }: TokenKeyEntry): KeyInfo {
  return info;
}

/** The device type stands with the key alone. */
function companionLabel({ deviceType: _, ...label }: TokenKeyLabel, part: TokenKeyPart): TokenKeyLabel {
  return { ...label, part };
}

function scopeForm(usage: KeyUsage): string {
  return USAGE_RULES[usage].scope === 'prefix'
    ? 'up to 24 uppercase hex digits for a base key, up to 64 letters, digits, dots, colons, hyphens or underscores for the others'
    : 'up to 64 letters, digits, dots, colons, hyphens or underscores';
}

function typeOf(algorithm: NewKey['algorithm']): TokenKeyType {
  if (algorithm === 'tdes2') return 'des2';
  return algorithm === 'tdes3' ? 'des3' : 'aes';
}

function algorithmOf({ type, bytes }: TokenKeyInfo): KeyAlgorithm {
  if (type === 'des2') return 'tdes2';
  return type === 'des3' ? 'tdes3' : (`aes${(bytes * 8) as 128 | 192 | 256}` as const);
}

function readEntries(token: Pkcs11Token, mode: KeyMode): TokenKeyEntry[] {
  const listed = token.list().flatMap((info) => {
    const label = parseLabel(info.label);
    return label === undefined ? [] : [{ ...info, parsed: label }];
  });
  const keys = listed.filter(({ parsed }) => parsed.part === 'key');
  return keys.map((info) => {
    const { parsed, type } = info;
    const part = companionOf(parsed.usage, type);
    const companionName = part && labelText(companionLabel(parsed, part));
    const companion = listed.find(({ label }) => label === companionName)?.key;
    if (part !== undefined && companion === undefined)
      throw new KeyStoreError('badKey', `${info.label} has no ${part} key stored with it: import it again`);
    const algorithm = algorithmOf(info);
    const kcv = toHex(
      isTdes(algorithm)
        ? token.encrypt(info.key, type, ZERO_BLOCK)
        : token.cmac(info.key, type, ZERO_AES_BLOCK),
    );
    refuseTestKeyInLive(mode, info.label, kcv);
    return {
      id: info.label,
      usage: parsed.usage,
      algorithm,
      scope: parsed.scope,
      label: 'in the token',
      kcv: kcv.slice(0, KCV_BYTES * 2),
      mode,
      key: info.key,
      type,
      ...present({ deviceType: parsed.deviceType, companion, retiredUntilMs: endOf(parsed, keys) }),
    };
  });
}

/** Until when a key opens what was closed under it: its successor's begin. */
function endOf(
  label: TokenKeyLabel,
  keys: readonly { readonly parsed: TokenKeyLabel }[],
): number | undefined {
  const { usage, scope, sinceMs } = label;
  const [next] = keys
    .map(({ parsed }) => parsed)
    .filter((other) => other.usage === usage && other.scope === scope && other.sinceMs > sinceMs)
    .sort((a, b) => a.sinceMs - b.sinceMs);
  return next && next.sinceMs + next.keepOldMs;
}
