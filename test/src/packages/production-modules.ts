import { type LockFile, nameAt, placeOf } from './lock-file.js';
import { PackageFailure } from './package-failure.js';
import type { Target } from './targets.js';

/** What of a package with native code runs. Of all others everything is taken but declarations, source maps and pages. */
interface NativeRule {
  /** Files that run, of those that the package ships. */
  readonly files: (target: Target) => readonly RegExp[];
  /** The binary that no package ships: it is compiled. */
  readonly compiled?: string;
  /** What it loads, in place of all that its manifest names: the rest builds it. */
  readonly needs?: (target: Target) => readonly string[];
}

/** Packages with native code, and those that find it. */
const NATIVES: Readonly<Record<string, NativeRule>> = {
  sqlite3: {
    files: () => [/^lib\/.*\.js$/],
    compiled: 'build/Release/node_sqlite3.node',
    needs: () => ['bindings'],
  },
  pkcs11js: { files: () => [/^index\.js$/], compiled: 'build/Release/pkcs11.node', needs: () => [] },
  '@serialport/bindings-cpp': {
    files: ({ arch }) => [/^dist\/.*\.js$/, new RegExp(`^prebuilds/linux-${arch}/.*\\.glibc\\.node$`)],
    needs: () => ['@serialport/bindings-interface', '@serialport/parser-readline', 'debug', 'node-gyp-build'],
  },
  'node-hid': {
    files: ({ arch }) => [
      /^(nodehid|binding-options)\.js$/,
      new RegExp(`^prebuilds/HID(_hidraw)?-linux-${arch}/`),
    ],
    needs: () => ['pkg-prebuilds'],
  },
  'pkg-prebuilds': { files: () => [/^bindings\.js$/, /^lib\//], needs: () => [] },
  koffi: {
    files: () => [/^index\.c?js$/, /^src\/koffi\/(src\/)?[^/]+\.c?js$/],
    needs: ({ arch }) => [`@koromix/koffi-linux-${arch}`],
  },
  '@koromix/koffi-linux-x64': { files: () => [/^index\.js$/, /^linux_x64\//] },
  '@koromix/koffi-linux-arm64': { files: () => [/^index\.js$/, /^linux_arm64\//] },
};

/** Files that every package keeps: its manifest, and by what it may be handed on. */
export const LEGAL_FILE = /^(licen[cs]e|copying|notice|unlicense)[^/]*$/i;
const ALWAYS = [/^package\.json$/, LEGAL_FILE];
/** Files that no program loads. */
const NEVER =
  /(^|\/)(test|tests|__tests__|docs?|examples?|benchmarks?|\.github)\/|\.(d\.[cm]?ts|map|md|markdown|ts)$/i;

/**
 * Places of the packages that a program loads from `node_modules`, in their order. Pure.
 * @param names what it imports itself
 * @throws PackageFailure where one with an install script has no rule here: what of it runs is not known
 */
export function productionModules(packages: LockFile, names: readonly string[], target: Target): string[] {
  const found = new Set<string>();
  const add = (name: string, importer: string): void => {
    const place = placeOf(packages, name, importer);
    if (found.has(place)) return;
    found.add(place);
    const rule = NATIVES[nameAt(place)];
    const { dependencies = {}, hasInstallScript } = packages[place] ?? {};
    if (hasInstallScript && rule === undefined)
      throw new PackageFailure(
        `${place} has an install script: state in NATIVES of test/src/packages/production-modules.ts what of it runs`,
      );
    for (const needed of rule?.needs?.(target) ?? Object.keys(dependencies)) add(needed, place);
  };
  for (const name of names) add(name, '.');
  return [...found].sort();
}

/** Whether a file of a package runs, or states its licence. Pure. @param file its path in the package */
export function isProductionFile(place: string, file: string, target: Target): boolean {
  if (ALWAYS.some((pattern) => pattern.test(file))) return true;
  const rule = NATIVES[nameAt(place)];
  if (rule) return rule.files(target).some((pattern) => pattern.test(file));
  return !NEVER.test(file) && !file.startsWith('node_modules/');
}

/** The binary that has to be compiled for a package, as a path in it. Pure. */
export function compiledFileOf(place: string): string | undefined {
  return NATIVES[nameAt(place)]?.compiled;
}
