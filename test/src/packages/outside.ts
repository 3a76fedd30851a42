import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../stack/layout.js';
import { PackageFailure } from './package-failure.js';

const run = promisify(execFile);
/** The user that owns nothing on a system. */
const ORDINARY_USER = 65_534;
/** How long a command that ends by itself may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 300_000;
const IS_ROOT = process.getuid?.() === 0;
/** Becomes the ordinary user. */
const DROP = [
  'setpriv',
  ...['--reuid', `${ORDINARY_USER}`, '--regid', `${ORDINARY_USER}`, '--clear-groups', '--no-new-privs'],
] as const;
/** Hides a folder from what follows, and from no one else; then becomes the ordinary user. */
const HIDE = ['mount -t tmpfs none "$1"', 'shift', `exec ${DROP.join(' ')} "$@"`].join(' && ');

/** How a program ended; the code is null where a signal ended it. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * An empty folder, and programs that run there without the variables of this process. Where this process is root they run as an ordinary
 * user, and the checkout is hidden from them where root may mount.
 */
export class Outside {
  readonly folder: string;
  /** What this process may: root in a container may often not mount, and then hides nothing. */
  readonly isHidden = IS_ROOT && mayMount();

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'tillbridge-try-'));
    // Of others: the ordinary user gets to its own folders through it.
    chmodSync(this.folder, 0o755);
  }

  /** An empty folder of the user, mode 0700. */
  home(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    this.#own(path);
    return path;
  }

  /** A file of the user, mode 0600; returns its path. JSON is YAML: the programs read it as such. */
  file(path: string, content: object): string {
    return this.#write(path, JSON.stringify(content, null, 2));
  }

  /** A file of the user in the folder, mode 0600; returns its path. */
  text(name: string, content: string): string {
    return this.#write(join(this.folder, name), content);
  }

  /** A copy of a file that the user may read; returns its path. */
  copy(file: string): string {
    const path = join(this.folder, basename(file));
    copyFileSync(file, path);
    chmodSync(path, 0o644);
    return path;
  }

  /** The words before a program's path that bring it outside. */
  runner(env: Readonly<Record<string, string>>): [program: string, ...args: string[]] {
    const variables = Object.entries({ PATH: '/usr/bin:/bin', ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const clean = ['env', '-i', '-C', this.folder, ...variables];
    if (this.isHidden) return ['unshare', '--mount', 'sh', '-c', HIDE, 'sh', ROOT, ...clean];
    return IS_ROOT ? [...DROP, ...clean] : ['env', ...clean.slice(1)];
  }

  /**
   * Runs a program that ends by itself; resolves with what it printed.
   * @throws PackageFailure with its last words
   */
  async command(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, stdout, stderr } = await this.ended(words, env);
    if (code !== 0) throw new PackageFailure(`${words.join(' ')} failed\n${stderr}${stdout}`.trim());
    return stdout.trim();
  }

  /** Runs a program that ends by itself; resolves with its exit code, and what it printed. */
  async ended(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    const [program, ...args] = [...this.runner(env), ...words];
    try {
      return { code: 0, ...(await run(program ?? '', args, { timeout: COMMAND_TIMEOUT_MS })) };
    } catch (error) {
      const { code, stderr = '', stdout = '' } = error as Partial<CommandEnd>;
      return { code: typeof code === 'number' ? code : null, stdout, stderr: stderr || String(error) };
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(path: string, content: string): string {
    writeFileSync(path, content, { mode: 0o600 });
    this.#own(path);
    return path;
  }

  #own(path: string): void {
    if (IS_ROOT) chownSync(path, ORDINARY_USER, ORDINARY_USER);
  }
}

function mayMount(): boolean {
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()]);
  return status === 0;
}
