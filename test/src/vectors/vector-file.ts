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
  /** Absent where the file is no JSON. */
  readonly content?: unknown;
  /** Why the file is no JSON. */
  readonly fault?: string;
}

/** A path that cannot be read, or holds no vectors; the message is for the person who gave it. Exit code 2. */
export class VectorPathError extends Error {
  override readonly name = 'VectorPathError';
}

/**
 * The vector files of a path: the file itself, or the `*.json` files of a folder, no subfolder.
 * @throws VectorPathError
 */
export function readVectorFiles(path: string): VectorFile[] {
  return pathsOf(path).map((file) => ({ path: file, ...parsed(textOf(file)) }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new VectorPathError(`${file} cannot be read (${codeOf(error)})`);
  }
}

/** A file that is no JSON is a fault by itself: the others of its folder are run all the same. */
function parsed(text: string): Pick<VectorFile, 'content' | 'fault'> {
  try {
    return { content: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    return { fault: `no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function pathsOf(path: string): string[] {
  const names = namesIn(path);
  if (names === undefined) return [path];
  if (names.length === 0) throw new VectorPathError(`${path}: no *.json file in this folder`);
  return names.sort().map((name) => join(path, name));
}

/** The `*.json` files of a folder; `undefined` of what is no folder. */
function namesIn(path: string): string[] | undefined {
  try {
    if (!statSync(path).isDirectory()) return undefined;
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map((entry) => entry.name);
  } catch (error) {
    const code = codeOf(error);
    throw new VectorPathError(
      code === 'ENOENT' ? `${path}: no such file or folder` : `${path} cannot be read (${code})`,
    );
  }
}
