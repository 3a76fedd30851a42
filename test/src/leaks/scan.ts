import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Secret } from './secret.js';

/** A secret that stands in a file. The value itself is not repeated. */
interface Leak {
  readonly file: string;
  readonly secret: string;
  readonly encoding: string;
  /** Position in the file, in bytes. */
  readonly offset: number;
}

/**
 * Looks into every file below `folder` for the secrets.
 * @param exempt paths relative to `folder` that may hold them: a folder by its name and a slash, or one file.
 */
export function scanFolder(
  folder: string,
  secrets: readonly Secret[],
  exempt: readonly string[] = [],
): Leak[] {
  return filesBelow(folder)
    .map((path) => relative(folder, path).split(sep).join('/'))
    .filter((name) => !exempt.some((free) => name === free || (free.endsWith('/') && name.startsWith(free))))
    .flatMap((name) => scanBytes(name, readFileSync(join(folder, name)), secrets));
}

/** Looks into the bytes of one file. */
export function scanBytes(file: string, content: Buffer, secrets: readonly Secret[]): Leak[] {
  const hex = content.toString('hex').toUpperCase();
  return secrets.flatMap((secret) => {
    const found = secret.patterns.flatMap(({ encoding, bytes }) => {
      const offset = content.indexOf(bytes);
      return offset < 0 ? [] : [{ file, secret: secret.label, encoding, offset }];
    });
    const nibble = secret.digits === undefined ? -1 : hex.indexOf(secret.digits);
    return nibble < 0
      ? found
      : [...found, { file, secret: secret.label, encoding: 'bcd', offset: nibble >> 1 }];
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
