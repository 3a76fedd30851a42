import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command-line/command-line.js';

/** Names of the files next to the packages. */
export const SUMS_FILE = 'SHA256SUMS';
export const SIGNATURE_FILE = 'SHA256SUMS.sig';
export const PUBLIC_KEY_FILE = 'SHA256SUMS.pub.pem';

/** Rights that the owner of a key alone may have. */
const OTHERS = 0o077;

/**
 * The key by which packages are signed.
 * @throws UsageError where the file is readable by others, or is no Ed25519 key
 */
export function readSigningKey(file: string): KeyObject {
  let key: KeyObject;
  try {
    const { mode } = statSync(file);
    if ((mode & OTHERS) !== 0) throw new UsageError(`${file} can be read by others: chmod 600 ${file}`);
    key = createPrivateKey(readFileSync(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${file} is no private key in PEM: openssl genpkey -algorithm ed25519 -out FILE makes one`,
    );
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new UsageError(`${file} is a key of type ${key.asymmetricKeyType}; an Ed25519 key is needed`);
  return key;
}

/** The digests of files in the form of `sha256sum`, by name. Pure. */
export function sumsOf(files: readonly (readonly [name: string, bytes: Uint8Array])[]): string {
  return files
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}

/** Writes the digests and, with a key, their signature and the public key that checks it. */
export function writeSums(folder: string, sums: string, key: KeyObject | undefined): void {
  writeFileSync(join(folder, SUMS_FILE), sums);
  if (key === undefined) return;
  writeFileSync(join(folder, SIGNATURE_FILE), sign(null, Buffer.from(sums), key));
  writeFileSync(join(folder, PUBLIC_KEY_FILE), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}
