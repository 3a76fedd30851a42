import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';

/** A test that a page names: its file, and names of tests in it or parts of them. */
interface Proof {
  readonly file: string;
  readonly names: readonly string[];
}

/** The proofs of a text. They stand as `file` "name" in the last column of the tables. */
export function proofsOf(text: string): readonly Proof[] {
  return [...text.matchAll(/`([^`]+(?:\.test(?:\.support)?|-journeys)\.ts)`((?: "[^"]+")*)/g)].map(
    ([, file = '', names = '']) => ({
      file,
      names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
    }),
  );
}

/** What a proof names and the repository does not have: the file, or names in it; empty when all is there. */
export function missingIn({ file, names }: Proof): readonly string[] {
  const path = join(ROOT, file);
  if (!existsSync(path)) return [file];
  const source = readFileSync(path, 'utf8');
  return names.filter((name) => !source.includes(name));
}
