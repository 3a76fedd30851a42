import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { wipe, withSecret } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { present } from '@tillbridge/wire/present.js';
import { readSecretFile } from '../../kernel/data-folder/secret-file.js';
import {
  combineComponents,
  MAX_COMPONENT_TEXT_BYTES,
  readComponent,
} from '../../security/keys/key-components.js';
import { newKeyBytes } from '../../security/keys/key-generation.js';
import { checkValue, requireId } from '../../security/keys/key-rules.js';
import type { KeyAlgorithm, KeyInfo, KeyStore, KeyUsage, NewKey } from '../../security/keys/key-store.js';
import { importKeyBlock, replaceByKeyBlock } from '../../security/module/key-block-import.js';
import { withKeyOfCryptogram } from '../../security/module/zone-keys.js';

/** A key command that cannot be done, with the reason in the message. Exit code 2. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError';
}

/** What a key will be. */
export interface KeyAbout extends Omit<NewKey, 'algorithm' | 'key'> {
  /** The key that it replaces, and how long that one still opens what was closed under it. */
  readonly replaces?: { readonly id: string; readonly keepOldMs: number };
}

/** Adds a key, or puts it in another key's place. */
function bringIn(store: KeyStore, about: KeyAbout, algorithm: KeyAlgorithm, key: Uint8Array): KeyInfo {
  const { replaces, ...rest } = about;
  if (replaces === undefined) return store.add({ ...rest, algorithm, key });
  requireSame(store, replaces.id, about);
  return store.rotate(replaces.id, { ...replacementOf(about, replaces), algorithm, key });
}

function replacementOf({ id, expectedKcv }: KeyAbout, { keepOldMs }: NonNullable<KeyAbout['replaces']>) {
  return { id, keepOldMs, ...present({ expectedKcv }) };
}

/** Refuses a key for another use or scope than that of the key it replaces. @throws KeyCommandError, KeyStoreError noKey */
function requireSame(store: KeyStore, id: string, { usage, scope }: KeyAbout): void {
  const old = requireId(store.list(), id);
  if (old.usage !== usage || old.scope !== scope)
    throw new KeyCommandError(
      `${id} is for ${old.usage} "${old.scope}": its place is not for ${usage} "${scope}"`,
    );
}

/** Largest key block file: 9,999 characters are the most of a block. */
const MAX_BLOCK_FILE_BYTES = 16_384;

/** Makes a random key inside the store. */
export function generateKey(store: KeyStore, about: KeyAbout, algorithm: KeyAlgorithm): KeyInfo {
  return withSecret(newKeyBytes(algorithm, systemRandom), (key) => store.add({ ...about, algorithm, key }));
}

/** Returns one component as text; the reader wipes it. */
export type ComponentSource = (number: number) => Promise<Buffer>;

/** Shows the custodians the check value of each component that was read. */
type ComponentSeen = (number: number, kcv: string) => void;

/**
 * Takes a key in from components that different people hold.
 * @throws KeyStoreError badComponents and what the store refuses by
 */
export async function importComponents(
  store: KeyStore,
  about: KeyAbout,
  algorithm: KeyAlgorithm,
  count: number,
  source: ComponentSource,
  seen: ComponentSeen,
): Promise<KeyInfo> {
  const components: Buffer[] = [];
  try {
    for (let number = 1; number <= count; number += 1) {
      const component = withSecret(await source(number), (text) =>
        readComponent(algorithm, `component ${number}`, text),
      );
      components.push(component);
      seen(number, checkValue(algorithm, component));
    }
    return withSecret(combineComponents(algorithm, components), (key) =>
      bringIn(store, about, algorithm, key),
    );
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

/** A key in a file of a partner. */
interface PartnerFile {
  readonly partner: string;
  readonly file: string;
}

/** Takes a key in from a TR-31 / X9.143 block, B or D. @throws KeyCommandError, KeyStoreError */
export function importBlockFile(
  store: KeyStore,
  about: KeyAbout & { readonly usage: KeyUsage },
  { partner, file }: PartnerFile,
): KeyInfo {
  const block = readBlockFile(file);
  return ofFile(file, () => {
    const { replaces, ...rest } = about;
    if (replaces === undefined) return importKeyBlock(store, { ...rest, partner, block });
    requireSame(store, replaces.id, about);
    const named = { partner, block, usage: about.usage };
    return replaceByKeyBlock(store, named, replaces.id, replacementOf(about, replaces));
  });
}

/**
 * Takes a key in from a cryptogram under a partner's zone transport key; its check value must be known.
 * @throws KeyCommandError, KeyStoreError
 */
export function importCryptogramFile(
  store: KeyStore,
  about: KeyAbout & { readonly expectedKcv: string },
  { partner, file }: PartnerFile,
): KeyInfo {
  const text = readBlockFile(file);
  if (!/^[0-9A-Fa-f]+$/.test(text) || text.length % 2 !== 0)
    throw new KeyCommandError(`${file} holds no hex digits: expected the cryptogram of a key`);
  const sent = { partner, cryptogram: Buffer.from(text, 'hex'), kcv: about.expectedKcv };
  return ofFile(file, () =>
    withKeyOfCryptogram(store, sent, (algorithm, key) => bringIn(store, about, algorithm, key)),
  );
}

/** The error for a file that cannot be opened names the file. */
function ofFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CryptoError) throw new KeyCommandError(`${path}: ${error.message}`);
    throw error;
  }
}

function readBlockFile(path: string): string {
  const refuse = (reason: string) => new KeyCommandError(`${path} ${reason}: expected a key block`);
  return readSmallFile(path, MAX_BLOCK_FILE_BYTES, refuse).toString('latin1').trim();
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
  const { algorithm } = requireId(store.list(), id);
  return withSecret(newKeyBytes(algorithm, systemRandom), (key) =>
    store.rotate(id, { id: newId, key, keepOldMs }),
  );
}

/** `zone` is followed by `zone-2`, `zone-2` by `zone-3`. */
function countedUp(id: string): string {
  const [, name = id, count = '1'] = /^(.*)-(\d{1,6})$/.exec(id) ?? [];
  return `${name}-${Number(count) + 1}`;
}
