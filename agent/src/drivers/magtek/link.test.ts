import { fromHex } from '@tillbridge/wire/bytes.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { COMMANDS } from '@tillbridge/wire/terminals/magtek/commands.js';
import { PACKET_TYPES } from '@tillbridge/wire/terminals/magtek/hid-packets.js';
import type { MmsMessage } from '@tillbridge/wire/terminals/magtek/message.js';
import { encodeNotification, encodeResponse } from '@tillbridge/wire/terminals/magtek/message.js';
import { encodeCapabilityExceeded, encodeSlip } from '@tillbridge/wire/terminals/magtek/slip.js';
import { SUMMARIES } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LinkListener } from '../core/command-link.js';
import { COMMAND_TIMEOUT_MS } from './limits.js';
import { MmsLink } from './link.js';

const OK = { summary: SUMMARIES.done, detail: 0 };
const NONE = Buffer.alloc(0);

let clock: VirtualClock;
let device: BytePipe;
let line: BytePipe;
let link: MmsLink;
let order: string[];

const listener: LinkListener<MmsMessage> = {
  onMessage: (message) => message.kind === 'notification' && order.push(`notification ${message.detail}`),
  onDamage: () => order.push('damage'),
  onEnd: () => order.push('end'),
};

beforeEach(() => {
  clock = new VirtualClock();
  order = [];
  [line, device] = memoryPipe();
  link = new MmsLink(line, 'serial', clock);
  link.listen(listener);
});

const answer = (reference: number, command: number = COMMANDS.echo): Buffer =>
  encodeSlip('to-host', encodeResponse({ reference, command, status: OK, parameters: NONE }));
const notification = (detail: string): Buffer =>
  encodeSlip('to-host', encodeNotification({ id: 0x0101, detail, payload: NONE }));

describe('the link', () => {
  test('distinguishes a response from late ones and from those to others', async () => {
    const reply = link.request('echo');
    await settle();
    await device.write(
      Buffer.concat([answer(0xfe), answer(1, COMMANDS.cancelTransaction), answer(1), answer(1)]),
    );
    expect(await reply).toMatchObject({ kind: 'response', reference: 1 });
    expect(order).toEqual([]);
  });

  test('answers the command at once, before messages that follow in the same bytes', async () => {
    const reply = link.request('echo', NONE, () => order.push('response'));
    await settle();
    await device.write(Buffer.concat([notification('10010200'), answer(1), notification('00030200')]));
    await reply;
    expect(order).toEqual(['notification 10010200', 'response', 'notification 00030200']);
  });

  test('gives up what is never answered, and what came damaged at once', async () => {
    const silent = link.request('echo');
    await clock.advance(COMMAND_TIMEOUT_MS);
    expect(await silent).toMatchObject({ failure: 'terminal-silent' });
    const damaged = link.request('echo');
    await settle();
    await device.write(fromHex('C0020000000FAA00C0'));
    expect(await damaged).toMatchObject({ failure: 'protocol-error' });
    expect(order).toEqual(['damage']);
  });

  test('reports that a message was longer than the device takes', async () => {
    const reply = link.request('echo');
    await settle();
    await device.write(encodeCapabilityExceeded(256));
    expect(await reply).toMatchObject({ failure: 'data-too-long', detail: expect.stringContaining('256') });
    expect(await link.request('echo', Buffer.alloc(20_000))).toMatchObject({ failure: 'data-too-long' });
  });

  test('ends what waits when the port closes, and everything after', async () => {
    const reply = link.request('echo');
    await settle();
    await device.close();
    expect(await reply).toMatchObject({ failure: 'terminal-gone' });
    expect(await link.request('echo')).toMatchObject({ failure: 'terminal-gone' });
    expect(order).toEqual(['end']);
  });

  test('writes a report only when the one before was taken', async () => {
    const written: number[] = [];
    const taken: (() => void)[] = [];
    const slow: BytePipe = {
      ...line,
      name: 'slow',
      onData: () => () => {},
      onClose: () => () => {},
      close: async () => {},
      write: (bytes) => {
        written.push(bytes[0] ?? 0);
        return new Promise((resolve) => taken.push(resolve));
      },
    };
    const reports = new MmsLink(slow, 'hid', clock);
    const long = reports.request('echo', Buffer.alloc(150));
    const short = reports.request('cancelTransaction');
    for (let each = 0; each < 4; each += 1) {
      await settle();
      expect(written).toHaveLength(each + 1);
      taken[each]?.();
    }
    expect(written).toEqual([PACKET_TYPES.head, PACKET_TYPES.middle, PACKET_TYPES.tail, PACKET_TYPES.single]);
    await clock.advance(COMMAND_TIMEOUT_MS);
    expect(await long).toMatchObject({ failure: 'terminal-silent' });
    expect(await short).toMatchObject({ failure: 'terminal-silent' });
  });
});
