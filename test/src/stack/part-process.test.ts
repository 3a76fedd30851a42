import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startPart } from './part-process.js';
import { StartFailure } from './start-failure.js';

/** A program that listens at once and ends by itself long after the time it has to start. */
const LISTENS = `console.log('listening {"url":"here"}'); setTimeout(() => {}, 6000);`;
const NEVER_LISTENS = `console.error('lost in thought'); setInterval(() => {}, 1000);`;

const program = (text: string, startTimeoutMs: number) =>
  startPart({ name: 'gateway', args: ['-e', text], startTimeoutMs });

it('lets a part that listens live on when the time to start is over', async () => {
  const part = await program(LISTENS, 5_000);
  expect(part.listening).toEqual({ url: 'here' });
  expect(await part.ended).toBe('exit code 0');
});

it('kills a part that does not listen in time, with its last words', async () => {
  const failure = await program(NEVER_LISTENS, 500).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartFailure);
  expect((failure as StartFailure).message).toContain('did not listen within 500 ms');
});

/** Starts a part that holds a connection to a port and never ends by itself. */
const starterOf = (port: number) => `
  import { startPart } from '${new URL('../../dist/stack/part-process.js', import.meta.url)}';
  const holds = "require('net').connect(${port}); console.log('listening {}');";
  await startPart({ name: 'gateway', args: ['-e', holds] });`;

it('ends a part whose starter was killed', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', starterOf(port)], {
    stdio: 'ignore',
  });
  const [ofPart] = (await once(server, 'connection')) as [Socket];
  starter.kill('SIGKILL');
  await once(ofPart.resume(), 'close');
  server.close();
});
