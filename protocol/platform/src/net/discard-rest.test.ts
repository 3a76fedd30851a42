import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { answerAfterRest, type DiscardLimits } from './discard-rest.js';

const MIB = 1_048_576;

/** What a client reads that writes the whole of a refused body before it reads anything. */
async function write(
  bytes: number,
  {
    isChunked = false,
    ...more
  }: { limits?: DiscardLimits; isChunked?: boolean; sent?: number; connection?: string } = {},
): Promise<string> {
  const server = createServer(async (request, response) => {
    await answerAfterRest(request, more.limits);
    response.writeHead(413, { 'content-length': 7 });
    response.end('refused');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`;
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\nconnection: ${more.connection ?? 'keep-alive'}\r\n${length}\r\n\r\n`,
  );
  const piece = Buffer.alloc(MIB, 'x');
  const framed = isChunked ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]) : piece;
  for (let at = 0; at < (more.sent ?? bytes) && !socket.destroyed; at += MIB)
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
  if (socket.destroyed) return 'ended';
  if (isChunked) socket.write('0\r\n\r\n');
  let text = '';
  socket.on('data', (data) => {
    text += data;
    if (text.endsWith('refused')) socket.end();
  });
  socket.resume();
  await closed;
  return text.endsWith('refused') ? text.slice(0, 12) : 'ended';
}

it.each([false, true])(
  'lets a client read its answer that writes all before (chunked: %s)',
  async (isChunked) => {
    expect(await write(60 * MIB, { isChunked })).toBe('HTTP/1.1 413');
  },
);

it('lets one read it that wants the connection to end with it', async () => {
  expect(await write(60 * MIB, { connection: 'close' })).toBe('HTTP/1.1 413');
});

it('ends a connection with more', async () => {
  expect(await write(60 * MIB, { limits: { bytes: 8 * MIB, ms: 10_000 } })).toBe('ended');
});

it('ends a connection whose rest does not come', async () => {
  const since = performance.now();
  await write(60 * MIB, { limits: { bytes: 64 * MIB, ms: 200 }, sent: MIB });
  expect(performance.now() - since).toBeLessThan(9_000);
});
