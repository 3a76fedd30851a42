import { readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.js';
import { readIfThere } from './read-file.js';

/** What a build of a program is made of. */
export interface ProgramBuild {
  /** Of its `package.json`. */
  readonly version: string;
  /** Version of the package that it was installed from; absent where it runs out of a checkout. */
  readonly packaged?: string;
  /** The commit of that package. */
  readonly commit?: string;
}

/**
 * The version in the `package.json` of a program.
 * @param module `import.meta.url` of a module of the program
 */
export function programVersion(module: string): string {
  const manifest = readFileSync(new URL('package.json', packageFolder(module)), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/**
 * Version and build of a program. A package has its build in `BUILD.json`, next to the folder of the program.
 * @param module `import.meta.url` of a module of the program
 */
export function programBuild(module: string): ProgramBuild {
  const version = programVersion(module);
  const record = readIfThere(new URL('../BUILD.json', packageFolder(module)));
  if (record === undefined) return { version };
  const { version: packaged, commit } = JSON.parse(record.toString()) as Required<
    Pick<ProgramBuild, 'version' | 'commit'>
  >;
  return { version, packaged, commit };
}

/** How many digits of a commit are shown. */
const SHORT_COMMIT = 12;

/**
 * What `--version` prints.
 * @param schema of what the program stores, such as `store 2, ledger 1`
 */
export function versionText(program: string, build: ProgramBuild, schema: string): string {
  const { version, packaged, commit } = build;
  const made =
    packaged === undefined ? 'of a checkout' : `${packaged}, commit ${commit?.slice(0, SHORT_COMMIT)}`;
  return `${program} ${version}\nbuild ${made}\nschema ${schema}\nNode.js ${process.versions.node}`;
}
