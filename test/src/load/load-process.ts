import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type FloodLoad, flood } from '../clients/flood.js';
import { type HttpLoad, type LoadResult, sendLoad } from './http-load.js';
import { holdSockets, type SocketLoad } from './unproven-sockets.js';

const SCRIPT = fileURLToPath(import.meta.url);

/** What a process of this script has to do. */
type Job = { readonly http: HttpLoad } | { readonly sockets: SocketLoad } | { readonly flood: FloodLoad };

/** Sends a load from a separate process, so that generator and server do not share a thread. */
export async function loadFromProcess(load: HttpLoad): Promise<LoadResult> {
  const child = begin({ http: load });
  const result = await answerOf(child);
  child.disconnect();
  return result as LoadResult;
}

/** As {@link loadFromProcess}, of requests that all succeed. @throws Error with the other answers */
export async function answeredLoad(load: HttpLoad): Promise<LoadResult> {
  const result = await loadFromProcess(load);
  const others = Object.entries(result.statuses).filter(([status]) => status !== '200');
  if (others.length > 0) throw new Error(`answers other than 200: ${JSON.stringify(others)}`);
  return result;
}

/** Holds sockets from a separate process; resolves once all have been open, with how to end them. */
export async function socketsFromProcess(sockets: SocketLoad): Promise<() => void> {
  const child = begin({ sockets });
  await answerOf(child);
  return () => void child.kill();
}

/** Floods from a separate process; returns how to end it. */
export function floodFromProcess(load: FloodLoad): () => void {
  const child = begin({ flood: load });
  return () => void child.kill();
}

function begin(job: Job): ChildProcess {
  const child = fork(SCRIPT, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(job);
  return child;
}

function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the load generator ended with ${signal ?? code}`);
  });
  return Promise.race([once(child, 'message').then(([message]) => message as unknown), ended]);
}

if (process.argv[1] === SCRIPT) {
  process.once('message', async (job: Job) => {
    if ('flood' in job) flood(job.flood);
    else process.send?.('http' in job ? await sendLoad(job.http) : await holdSockets(job.sockets));
  });
}
