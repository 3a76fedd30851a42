// Makes a checkout ready to run: installs from the lock file when node_modules is missing or stale, then builds.
// Plain JavaScript without dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { installProgress, isComplete, packagesOf } from './install-progress.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { missingPrerequisites } from './prerequisites.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const LOCK = join(ROOT, 'package-lock.json');
const NPM_LIST = join(ROOT, 'node_modules', '.package-lock.json');
const STAMP = join(ROOT, 'node_modules', '.tillbridge-installed');
const MINIMUM_NODE = [20, 19];
/** How often an install and a long build report how far they are, in milliseconds. */
const PROGRESS_MS = 2_000;

/** Runs a program to its end, its output ours; resolves with its exit code (128 + n when a signal ended it). */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    // A separate group gets the signal as a whole: npm goes on while a compiler below it runs.
    const forward = (signal) => (options.detached ? process.kill(-child.pid, signal) : child.kill(signal));
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : (code ?? 1));
    });
  });
}

/** Path of a program that npm installed, such as `vitest`. */
export function bin(name) {
  return join(ROOT, 'node_modules', '.bin', name);
}

const interrupt = new AbortController();

/**
 * Installs and builds where needed; ends the process with a clear text when that fails.
 * @returns false when a signal came meanwhile: nothing more is to be done
 */
export async function prepare() {
  const note = () => interrupt.abort();
  process.on('SIGINT', note).on('SIGTERM', note);
  checkNode();
  const waits = () =>
    process.stderr.write('Another command installs or builds in this checkout; waiting for it ...\n');
  await oneAtATime(ROOT, installAndBuild, waits, interrupt.signal);
  process.off('SIGINT', note).off('SIGTERM', note);
  return !interrupt.signal.aborted;
}

async function installAndBuild() {
  await install();
  if (!interrupt.signal.aborted) await build();
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = MINIMUM_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return;
  fail(
    `Node.js ${needMajor}.${needMinor} or later is needed, and this is ${process.versions.node}: install a newer one from https://nodejs.org, then run the same command again.`,
  );
}

/** The lock file, the Node ABI and the platform decide whether what is installed still fits. */
function fingerprint() {
  const hash = createHash('sha256');
  hash.update(readFileSync(LOCK));
  hash.update(`${process.versions.modules} ${process.platform} ${process.arch}`);
  return hash.digest('hex');
}

function isInstalled() {
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === fingerprint();
  // Somebody ran `npm ci`: npm writes this list when all is unpacked and compiled.
  if (!existsSync(NPM_LIST) || !isComplete(readLock(LOCK), readLock(NPM_LIST))) return false;
  writeFileSync(STAMP, fingerprint());
  return true;
}

function readLock(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

async function install() {
  if (isInstalled()) return;
  const missing = missingPrerequisites();
  if (missing) fail(missing);
  const paths = packagesOf(readLock(LOCK));
  process.stderr.write(
    `Installing ${paths.length} packages from the lock file; sqlite3 compiles for about two minutes the first time ...\n`,
  );
  const isThere = (path) => existsSync(join(ROOT, path, 'package.json'));
  const stopProgress = showProgress((seconds) => installProgress(paths, isThere, seconds));
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  const options = {
    stdio: ['ignore', process.stderr, process.stderr],
    detached: process.platform !== 'win32',
  };
  const code = npm ? await run(process.execPath, [npm, ...args], options) : await run('npm', args, options);
  stopProgress();
  if (interrupt.signal.aborted) return;
  if (code !== 0) fail(`npm ci ended with ${code}: nothing was started.`);
  writeFileSync(STAMP, fingerprint());
}

/** Writes a line now and then until the returned function is called. */
function showProgress(line) {
  const beganMs = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    process.stderr.write(`${line(seconds)}\n`);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

async function build() {
  const stopProgress = showProgress((seconds) => `Building the packages ... (${seconds} s)`);
  const code = await run(bin('tsc'), ['-b'], { stdio: ['ignore', process.stderr, process.stderr] });
  if (interrupt.signal.aborted) return stopProgress();
  if (code !== 0) fail('The build failed: see the errors above.');
  await bundle();
  stopProgress();
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
