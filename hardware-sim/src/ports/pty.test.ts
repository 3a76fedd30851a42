import { on, once } from 'node:events';
import { closeSync, constants, createReadStream, openSync, readdirSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { PipeClosedError } from '@tillbridge/wire/seams/byte-pipe.js';
import { describe, expect, test } from 'vitest';
import { MAX_UNREAD_BYTES, openPty } from './pty.js';

function received(pipe: { onData(listener: (bytes: Uint8Array) => void): () => void }, count: number) {
  return new Promise<Buffer>((resolve) => {
    let got = Buffer.alloc(0);
    const stop = pipe.onData((bytes) => {
      got = Buffer.concat([got, bytes]);
      if (got.length >= count) {
        stop();
        resolve(got);
      }
    });
  });
}

/** Every byte value, so that echo, CR translation or signal characters would show. */
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, value) => value));

describe.skipIf(process.platform === 'win32')('openPty', () => {
  test('carries every byte value both ways, unchanged and without echo', async () => {
    const pipe = openPty();
    const hostFd = openSync(pipe.slavePath, constants.O_RDWR | constants.O_NOCTTY);
    const host = new ReadStream(hostFd);
    try {
      const atDevice = received(pipe, ALL_BYTES.length);
      writeSync(hostFd, ALL_BYTES);
      expect(await atDevice).toEqual(ALL_BYTES);

      const atHost = once(host, 'data');
      await pipe.write(Buffer.from('answer'));
      expect((await atHost)[0]).toEqual(Buffer.from('answer'));
    } finally {
      host.destroy();
      await pipe.close();
    }
  });

  test('outlives a host that closes and opens the line again', async () => {
    const pipe = openPty();
    try {
      closeSync(openSync(pipe.slavePath, constants.O_RDWR | constants.O_NOCTTY));
      const again = openSync(pipe.slavePath, constants.O_RDWR | constants.O_NOCTTY);
      const atDevice = received(pipe, 3);
      writeSync(again, Buffer.from('OPN'));
      expect((await atDevice).toString()).toBe('OPN');
      closeSync(again);
    } finally {
      await pipe.close();
    }
  });

  test('a host that never reads does not block: bytes are lost at a limit, and the rest arrives once it reads', async () => {
    const pipe = openPty();
    let sent = 0;
    const flood = async () => {
      for (; sent < 1024; sent += 1) await pipe.write(Buffer.alloc(1024, 0x41));
    };
    await expect(flood()).rejects.toThrow('does not read');
    const host = new ReadStream(openSync(pipe.slavePath, constants.O_RDWR | constants.O_NOCTTY));
    try {
      let arrived = 0;
      for await (const [bytes] of on(host, 'data')) {
        arrived += (bytes as Buffer).length;
        if (arrived === sent * 1024) break;
      }
      expect(arrived).toBeGreaterThan(MAX_UNREAD_BYTES - 1024);
    } finally {
      host.destroy();
      await pipe.close();
    }
  });

  test('close notifies its listeners, ends the host side and frees both descriptors', async () => {
    const openBefore = readdirSync('/dev/fd').length;
    const pipe = openPty();
    const hostFd = openSync(pipe.slavePath, constants.O_RDWR | constants.O_NOCTTY);
    const reasons: string[] = [];
    pipe.onClose((reason) => reasons.push(reason));
    await pipe.close();
    await pipe.close();
    expect(reasons).toEqual(['closed by this side']);
    await expect(pipe.write(Buffer.from('x'))).rejects.toBeInstanceOf(PipeClosedError);

    const ended = createReadStream('', { fd: hostFd });
    await once(ended.on('error', () => undefined).resume(), 'close');
    expect(readdirSync('/dev/fd').length).toBe(openBefore);
  });
});
