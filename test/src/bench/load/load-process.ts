import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type HttpLoad, type LoadResult, sendLoad } from './http-load.js';

const SCRIPT = fileURLToPath(import.meta.url);

/** Sends a load from a process of its own, so that generator and server do not share a thread. */
export async function loadFromProcess(load: HttpLoad): Promise<LoadResult> {
  const child = fork(SCRIPT, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`);
  });
  child.send(load);
  const result = await Promise.race([
    once(child, 'message').then(([message]) => message as LoadResult),
    ended,
  ]);
  child.disconnect();
  return result;
}

if (process.argv[1] === SCRIPT) {
  process.once('message', async (load) => process.send?.(await sendLoad(load as HttpLoad)));
}
