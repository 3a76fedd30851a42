import type { KeyObject } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { toHex, withSecret } from '@tillbridge/wire/bytes.js';
import { aesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { readSecretFile } from '../../kernel/data-folder/secret-file.js';
import { ensureKeyFile, loadKeyFile } from './key-file.js';

/** A master key with the check value by which a store names it. */
export interface MasterKey {
  readonly key: KeyObject;
  readonly kcv: string;
}

/** The file of the next master key while the store is being sealed anew. */
function nextPath(path: string): string {
  return `${path}.next`;
}

function withCheckValue(key: KeyObject): MasterKey {
  return { key, kcv: withSecret(key.export(), (bytes) => toHex(aesKcv(bytes))) };
}

/**
 * The master key of the file.
 * @throws SecretFileError
 */
export function loadMasterKey(path: string): MasterKey {
  return withCheckValue(loadKeyFile(path));
}

/**
 * The next master key, where a rotation of it was begun and not ended.
 * @throws SecretFileError
 */
export function loadNextMasterKey(path: string): MasterKey | undefined {
  const next = nextPath(path);
  return readSecretFile(next) === undefined ? undefined : loadMasterKey(next);
}

/**
 * Makes the next master key, without a change of the one in use; one that a rotation left behind before it was used is deleted.
 * @throws SecretFileError
 */
export function makeNextMasterKey(path: string, random: Random): MasterKey {
  rmSync(nextPath(path), { force: true });
  return withCheckValue(ensureKeyFile(nextPath(path), random));
}

/** The last step of a rotation: the next key takes the place of the old one, which is gone. */
export function promoteNextMasterKey(path: string): void {
  renameSync(nextPath(path), path);
}
