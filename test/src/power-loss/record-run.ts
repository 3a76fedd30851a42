import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../stack/layout.js';
import { type LogEntry, readDiskLog } from './disk-log.js';
import type { Mutation } from './mutation.js';
import type { WorkloadName } from './workloads.js';

const run = promisify(execFile);

const SOURCE = join(ROOT, 'test', 'src', 'power-loss', 'disk-log.c');
const CHILD = join(ROOT, 'test', 'dist', 'power-loss', 'child.js');
const COMPILERS = ['cc', 'gcc', 'clang'] as const;
const CHILD_TIMEOUT_MS = 60_000;

/** The compiled library. */
export interface DiskRecorder {
  readonly library: string;
  /** Removes it. */
  remove(): void;
}

/** Compiles the library with the system's compiler; a text gives the reason where that is not possible. */
export async function compileRecorder(): Promise<DiskRecorder | string> {
  if (process.platform !== 'linux')
    return `a library is preloaded only on Linux, this is ${process.platform}`;
  const compiler = await findCompiler();
  if (!compiler) return `there is no C compiler here (${COMPILERS.join(', ')})`;
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-disk-log-'));
  const library = join(folder, 'disk-log.so');
  const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra'];
  await run(compiler, [...flags, '-o', library, SOURCE, '-ldl', '-lpthread']);
  return { library, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function findCompiler(): Promise<string | undefined> {
  for (const compiler of COMPILERS) {
    const found = await run(compiler, ['--version']).then(
      () => true,
      () => false,
    );
    if (found) return compiler;
  }
  return undefined;
}

/** Carries out a workload in a separate process under the library; gives what that process did to its files. */
export async function recordRun(
  { library }: DiskRecorder,
  workload: WorkloadName,
  mutation?: Mutation,
): Promise<readonly LogEntry[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tillbridge-power-')));
  try {
    const [folder, record] = [join(home, 'files'), join(home, 'record')];
    mkdirSync(folder);
    const watched = { LD_PRELOAD: library, DISK_LOG_FOLDER: folder, DISK_LOG_FILE: record };
    // Writes that go around the C library would not be seen.
    const env = { ...process.env, ...watched, UV_USE_IO_URING: '0' };
    const args = [CHILD, workload, folder, ...(mutation ? [mutation] : [])];
    await run(process.execPath, args, { env, timeout: CHILD_TIMEOUT_MS });
    return readDiskLog(readFileSync(record));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
