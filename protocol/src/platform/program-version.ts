import { readFileSync } from 'node:fs';

/**
 * The version in the `package.json` of a program.
 * @param module `import.meta.url` of a module two folders below the package, as its bundle is
 */
export function programVersion(module: string): string {
  const manifest = readFileSync(new URL('../../package.json', module), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
