import { readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.js';

/**
 * The version in the `package.json` of a program.
 * @param module `import.meta.url` of a module of the program
 */
export function programVersion(module: string): string {
  const manifest = readFileSync(new URL('package.json', packageFolder(module)), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
