import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeMessagePackets } from '@tillbridge/wire/terminals/miura/packet.js';
import { beforeEach, expect, test } from 'vitest';
import { MiuraLink } from './link.js';

const NO_DATA = Buffer.alloc(0);
const START = { command: 'start', p1: 0, p2: 0, data: NO_DATA } as const;

let device: BytePipe;
let link: MiuraLink;

beforeEach(() => {
  const [host, far] = memoryPipe();
  device = far;
  link = new MiuraLink(host, new VirtualClock());
});

const tell = (apdu: Buffer, unsolicited = false): Promise<void> =>
  device.write(encodeMessagePackets({ node: 'mpi', unsolicited, apdu }));

test('answers belong to commands in their order, and an abort may overtake', async () => {
  const running = link.execute(START, 60_000);
  const aborted = link.abort();
  await settle();
  await tell(Buffer.from('E60190', 'hex'), true);
  await tell(Buffer.from('9F41', 'hex'));
  await tell(Buffer.from('9000', 'hex'));
  expect(await running).toMatchObject({ sw: 0x9f41 });
  expect(await aborted).toMatchObject({ sw: 0x9000 });
});

test('a command that arrived damaged is answered by an unsolicited message', async () => {
  const running = link.execute(START, 60_000);
  await settle();
  await tell(Buffer.from('9000', 'hex'), true);
  await tell(Buffer.from('6F00', 'hex'), true);
  expect(await running).toMatchObject({ sw: 0x6f00 });
});

test('a message without a status word is damage, which ends what waits for people', async () => {
  const running = link.execute(START, 60_000);
  await settle();
  // Node, protocol control, length, one byte of data, and the check of them.
  await device.write(Buffer.of(0x01, 0x00, 0x01, 0x90, 0x01 ^ 0x01 ^ 0x90));
  expect(await running).toMatchObject({ failure: 'protocol-error' });
});
