import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../stack/layout.js';
import { PackageFailure } from './package-failure.js';
import { NODE_VERSION, type Target } from './targets.js';

const run = promisify(execFile);
/** How long a compiler may take on a busy machine, in milliseconds. */
const COMPILE_TIMEOUT_MS = 1_800_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A package with native code of which the registry has no binary. */
export interface NativeSource {
  /** Its place in the lock file. */
  readonly place: string;
  /** Digest of its sources, of the lock file. */
  readonly integrity: string;
  /** What it loads, in its folder. */
  readonly binary: string;
}

/** Programs of a compiler. */
interface Tools {
  readonly cc: string;
  readonly cxx: string;
  readonly ar: string;
  readonly strip: string;
  /** What the compiler prints of itself. */
  readonly version: string;
}

/**
 * The binary of a package for a target, compiled once and kept in `cache`. Paths and debug information are taken out: the same sources and
 * the same compiler give the same bytes.
 * @param headers the folder of Node.js with `include`
 * @param note called before it compiles, which takes minutes
 * @throws PackageFailure without a compiler for the target, or where it fails
 */
export async function compiledNative(
  source: NativeSource,
  target: Target,
  {
    headers,
    cache,
    note,
  }: { readonly headers: string; readonly cache: string; readonly note: (text: string) => void },
): Promise<string> {
  const tools = await toolsFor(target, source.place);
  const key = createHash('sha256')
    .update([source.place, source.integrity, NODE_VERSION, target.arch, tools.version].join('\0'))
    .digest('hex')
    .slice(0, 16);
  const kept = join(cache, `native-${key}.node`);
  if (existsSync(kept)) return kept;
  note(`compiling ${source.place} for ${target.arch} with ${tools.version}; kept for the next time`);
  // Below the repository, so that what its build files need is found in node_modules.
  const work = join(cache, `compile-${key}`);
  rmSync(work, { recursive: true, force: true });
  cpSync(join(ROOT, source.place), work, {
    recursive: true,
    filter: (file) => file !== join(ROOT, source.place, 'build'),
  });
  await build(work, target, tools, headers);
  const binary = join(work, source.binary);
  await run(tools.strip, ['--strip-unneeded', binary]);
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(binary, `${kept}.new`);
  renameSync(`${kept}.new`, kept);
  rmSync(work, { recursive: true });
  return kept;
}

async function build(work: string, target: Target, { cc, cxx, ar }: Tools, headers: string): Promise<void> {
  const flags = `-ffile-prefix-map=${ROOT}=. -ffile-prefix-map=${headers}=.`;
  const env = { ...process.env, CC: cc, CXX: cxx, AR: ar, CFLAGS: flags, CXXFLAGS: flags };
  const gyp = join(ROOT, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  const words = [gyp, 'rebuild', `--arch=${target.arch}`, `--nodedir=${headers}`];
  try {
    await run(process.execPath, words, {
      cwd: work,
      env,
      timeout: COMPILE_TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch (error) {
    const { stderr = String(error) } = error as { readonly stderr?: string };
    throw new PackageFailure(`it does not compile for ${target.arch}\n${stderr.slice(-2_000)}`);
  }
}

async function toolsFor(target: Target, place: string): Promise<Tools> {
  const prefix = target.arch === process.arch ? '' : target.tools;
  const cxx = `${prefix}g++`;
  try {
    const { stdout } = await run(cxx, ['--version']);
    const version = stdout.split('\n')[0] ?? '';
    return { cc: `${prefix}gcc`, cxx, ar: `${prefix}ar`, strip: `${prefix}strip`, version };
  } catch {
    throw new PackageFailure(
      `the registry has no binary of ${place} for ${target.arch}, and there is no ${cxx} to compile it: sudo apt-get install ${prefix === '' ? 'g++' : target.toolsPackage}`,
    );
  }
}
