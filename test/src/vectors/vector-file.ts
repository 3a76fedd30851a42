import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of a vector file (test/vectors/README.md). */
export interface Vector {
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>> & { readonly op: string };
  readonly expected: Readonly<Record<string, unknown>>;
}

/** A vector file as read, not yet checked against its schema. */
export interface VectorFile {
  readonly path: string;
  readonly content: unknown;
}

/** A path that holds no vectors; the message is for the person who gave it. */
export class VectorPathError extends Error {
  override readonly name = 'VectorPathError';
}

/**
 * The vector files of a path: the file itself, or the `*.json` files of a folder, no subfolder.
 * @throws VectorPathError
 */
export function readVectorFiles(path: string): VectorFile[] {
  return pathsOf(path).map((file) => {
    try {
      return { path: file, content: JSON.parse(readFileSync(file, 'utf8')) };
    } catch (error) {
      throw new VectorPathError(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
    }
  });
}

function pathsOf(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new VectorPathError(`${path}: no such file or folder`);
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => entry.name);
  if (names.length === 0) throw new VectorPathError(`${path}: no *.json file in this folder`);
  return names.sort().map((name) => join(path, name));
}
