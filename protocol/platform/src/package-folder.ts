import { existsSync } from 'node:fs';

/**
 * The folder of the package that a module belongs to, wherever in it the module or its bundle is; ends with a slash.
 * @param module `import.meta.url` of the module
 * @throws Error when no folder above the module has a `package.json`
 */
export function packageFolder(module: string): URL {
  for (let folder = new URL('.', module); ; folder = new URL('..', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error(`no package.json above ${module}`);
  }
}
