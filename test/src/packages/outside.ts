import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../stack/layout.js';
import { PackageFailure } from './package-failure.js';

const run = promisify(execFile);
/** The user that owns nothing on a system. */
const ORDINARY_USER = 65_534;
/** How long a command that ends by itself may take, in milliseconds. */
const COMMAND_TIMEOUT_MS = 300_000;
/** Hides a folder from what follows, and from no one else; then becomes the ordinary user. */
const HIDE = [
  'mount -t tmpfs none "$1"',
  'shift',
  `exec setpriv --reuid ${ORDINARY_USER} --regid ${ORDINARY_USER} --clear-groups --no-new-privs "$@"`,
].join(' && ');

/**
 * An empty folder, and programs that run there without the variables of this process. Where this process is root they run as an ordinary
 * user, and the checkout is hidden from them.
 */
export class Outside {
  readonly folder: string;
  readonly isHidden = process.getuid?.() === 0;

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
    writeFileSync(path, JSON.stringify(content, null, 2), { mode: 0o600 });
    this.#own(path);
    return path;
  }

  /** The words before a program's path that bring it outside. */
  runner(env: Readonly<Record<string, string>>): [program: string, ...args: string[]] {
    const variables = Object.entries({ PATH: '/usr/bin:/bin', ...env }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const clean = ['env', '-i', '-C', this.folder, ...variables];
    return this.isHidden
      ? ['unshare', '--mount', 'sh', '-c', HIDE, 'sh', ROOT, ...clean]
      : ['env', ...clean.slice(1)];
  }

  /**
   * Runs a program that ends by itself; resolves with what it printed.
   * @throws PackageFailure with its last words
   */
  async command(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const [program, ...args] = [...this.runner(env), ...words];
    try {
      const { stdout } = await run(program ?? '', args, { timeout: COMMAND_TIMEOUT_MS });
      return stdout.trim();
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { readonly stderr?: string; readonly stdout?: string };
      throw new PackageFailure(`${words.join(' ')} failed\n${stderr}${stdout}`.trim());
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #own(path: string): void {
    if (this.isHidden) chownSync(path, ORDINARY_USER, ORDINARY_USER);
  }
}
