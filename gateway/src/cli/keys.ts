import { readFileSync } from 'node:fs';
import { wipe } from '@tillbridge/protocol/bytes.js';
import { CryptoError } from '@tillbridge/protocol/crypto/ciphers/errors.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import {
  combineComponents,
  componentCheckValue,
  MAX_COMPONENT_TEXT_BYTES,
  readComponent,
} from '../security/keys/key-components.js';
import { newKeyBytes, publicKeyPem } from '../security/keys/key-generation.js';
import {
  type KeyAlgorithm,
  type KeyInfo,
  type KeyStore,
  KeyStoreError,
  type KeyUsage,
  type SymmetricKeyAlgorithm,
  type SymmetricKeyUsage,
} from '../security/keys/key-store.js';
import { readSecretFile } from '../security/keys/secret-file.js';
import type { SoftwareKeyStore } from '../security/keys/software-key-store.js';
import { importKeyBlock, replaceByKeyBlock } from '../security/module/key-block-import.js';

/** A key command that cannot be done; the message says why. Exit code 2. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError';
}

/** What a key will be. */
export interface KeyAbout {
  readonly id: string;
  readonly usage: KeyUsage;
  readonly scope: string;
  /** Of base derivation keys: the one device type of their devices. */
  readonly deviceType?: string;
  readonly label: string;
  readonly expectedKcv?: string;
  /** The key in whose place it comes, and how long that one still opens what was closed under it. */
  readonly replaces?: { readonly id: string; readonly keepOldMs: number };
}

/** Brings a key in, or puts it in another one's place. */
function bringIn(store: KeyStore, about: KeyAbout, algorithm: KeyAlgorithm, key: Uint8Array): KeyInfo {
  const { replaces, ...rest } = about;
  if (replaces === undefined) return store.add({ ...rest, algorithm, key });
  requireSame(store, replaces.id, about);
  const { id, expectedKcv } = about;
  const { keepOldMs } = replaces;
  return store.rotate(replaces.id, {
    id,
    algorithm,
    key,
    keepOldMs,
    ...(expectedKcv !== undefined && { expectedKcv }),
  });
}

/** A key takes the place of one for the same thing alone. @throws KeyCommandError, KeyStoreError noKey */
function requireSame(store: KeyStore, id: string, { usage, scope }: KeyAbout): void {
  const old = requireId(store, id);
  if (old.usage !== usage || old.scope !== scope)
    throw new KeyCommandError(
      `${id} is for ${old.usage} "${old.scope}": its place is not for ${usage} "${scope}"`,
    );
}

/** Largest key block file: 9,999 characters are the most of a block. */
const MAX_BLOCK_FILE_BYTES = 16_384;

/** Makes a random key inside the store. */
export function generateKey(store: KeyStore, about: KeyAbout, algorithm: KeyAlgorithm): KeyInfo {
  const key = newKeyBytes(algorithm, systemRandom);
  try {
    return store.add({ ...about, algorithm, key });
  } finally {
    wipe(key);
  }
}

/** Gives one component as text; the reader wipes it. */
export type ComponentSource = (number: number) => Promise<Buffer>;

/** What a component import tells its people: the check value of each component as it was read. */
export type ComponentSeen = (number: number, kcv: string) => void;

/**
 * Takes a key in from components that different people hold.
 * @throws KeyStoreError badComponents and what the store refuses by
 */
export async function importComponents(
  store: KeyStore,
  about: KeyAbout,
  algorithm: SymmetricKeyAlgorithm,
  count: number,
  source: ComponentSource,
  seen: ComponentSeen,
): Promise<KeyInfo> {
  const components: Buffer[] = [];
  try {
    for (let number = 1; number <= count; number += 1) {
      const text = await source(number);
      try {
        const component = readComponent(algorithm, `component ${number}`, text);
        components.push(component);
        seen(number, componentCheckValue(algorithm, component));
      } finally {
        wipe(text);
      }
    }
    const key = combineComponents(algorithm, components);
    try {
      return bringIn(store, about, algorithm, key);
    } finally {
      wipe(key);
    }
  } finally {
    wipe(...components);
  }
}

/** Reads components from files of mode 0600, one custodian's each. */
export function componentFiles(paths: readonly string[]): ComponentSource {
  return async (number) => {
    const path = paths[number - 1] ?? '';
    const text = readSecretFile(path);
    if (text === undefined) throw new KeyCommandError(`${path} is missing`);
    if (text.length <= MAX_COMPONENT_TEXT_BYTES) return text;
    wipe(text);
    throw new KeyCommandError(`${path} is larger than ${MAX_COMPONENT_TEXT_BYTES} bytes: is it a component?`);
  };
}

/** Takes a key in from a TR-31 / X9.143 block, B or D. @throws KeyCommandError, KeyStoreError */
export function importBlockFile(
  store: KeyStore,
  about: KeyAbout & { readonly usage: SymmetricKeyUsage },
  partner: string,
  path: string,
): KeyInfo {
  const block = readBlockFile(path);
  try {
    const { replaces, ...rest } = about;
    if (replaces === undefined) return importKeyBlock(store, { ...rest, partner, block });
    requireSame(store, replaces.id, about);
    const { id, usage, expectedKcv } = about;
    const replacement = {
      id,
      keepOldMs: replaces.keepOldMs,
      ...(expectedKcv !== undefined && { expectedKcv }),
    };
    return replaceByKeyBlock(store, { partner, block, usage }, replaces.id, replacement);
  } catch (error) {
    if (error instanceof CryptoError) throw new KeyCommandError(`${path}: ${error.message}`);
    throw error;
  }
}

function readBlockFile(path: string): string {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new KeyCommandError(`${path} cannot be read (${code})`);
  }
  if (content.length > MAX_BLOCK_FILE_BYTES)
    throw new KeyCommandError(`${path} is larger than ${MAX_BLOCK_FILE_BYTES} bytes: is it a key block?`);
  return content.toString('latin1').trim();
}

/**
 * Puts a fresh random key of the same kind in a key's place; the old one still opens what was closed under it for a time.
 * @param newId id of the new key, by default the old one's counted up; a key in a token gets its label there
 * @throws KeyStoreError noKey, notRotatable, retired, keyExists
 */
export function rotateKey(
  store: KeyStore,
  id: string,
  keepOldMs: number,
  newId: string = countedUp(id),
): KeyInfo {
  const { algorithm } = requireId(store, id);
  const key = newKeyBytes(algorithm, systemRandom);
  try {
    return store.rotate(id, { id: newId, key, keepOldMs });
  } finally {
    wipe(key);
  }
}

/** `zone` is followed by `zone-2`, `zone-2` by `zone-3`. */
function countedUp(id: string): string {
  const [, name = id, count = '1'] = /^(.*)-(\d{1,6})$/.exec(id) ?? [];
  return `${name}-${Number(count) + 1}`;
}

/** The public part of a key, PEM. @throws KeyStoreError noKey, notPublic */
export function exportPublic(store: SoftwareKeyStore, id: string): string {
  return publicKeyPem(store, requireId(store, id));
}

function requireId(store: KeyStore, id: string): KeyInfo {
  const info = store.list().find((key) => key.id === id);
  if (info === undefined) throw new KeyStoreError('noKey', `id ${id}; "keys list" shows them`);
  return info;
}
