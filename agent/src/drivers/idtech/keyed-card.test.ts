import { toHex } from '@tillbridge/wire/bytes.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  encodeFrame,
  INITIAL_FRAME_STATE,
  type NeoFrame,
  parseFrames,
} from '@tillbridge/wire/terminals/idtech/frame.js';
import {
  encodeMagstripeData,
  type MagstripeSource,
} from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import { encodeObjectEvent } from '@tillbridge/wire/terminals/idtech/screen.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StartOutcome, StartRequest } from '../core/driver.js';
import { testSale } from '../core/test-driver.test.support.js';
import { NeoDisplay } from './display.js';
import { askKeyedCard, type KeyedResult, watchCorner } from './keyed-card.js';
import { CANCEL_TIMEOUT_MS, COMMAND_TIMEOUT_MS, KEYED_CARD_SECONDS } from './limits.js';
import { NeoLink } from './link.js';
import { RiskLimits } from './risk-limits.js';
import { startSale } from './start-sale.js';

const NOTHING = Buffer.alloc(0);
const KSN = Buffer.from('FFFF987A3210E0000001', 'hex');
const CIPHER = Buffer.alloc(24, 0xab);
const IDENTITY = { maker: 'ID TECH', model: 'VP6800', firmware: 'VP6800 v1', serial: 'N1' };
const REQUEST: StartRequest = {
  kind: 'sale',
  amount: { minor: 1_234, currency: 'EUR' },
  date: '261120',
  time: '101530',
  transactionSequenceNumber: 1,
  risk: {
    floorLimitMinor: 0,
    randomSelectionThresholdMinor: 0,
    randomSelectionTargetPercent: 0,
    randomSelectionMaxPercent: 0,
  },
  cardTimeoutMs: 60_000,
};

let clock: VirtualClock;
let device: BytePipe;
let link: NeoLink;
let commands: string[];

beforeEach(() => {
  clock = new VirtualClock(0);
  const [host, end] = memoryPipe();
  device = end;
  commands = [];
  end.onData((bytes) => {
    for (const event of parseFrames('host', INITIAL_FRAME_STATE, bytes).events) {
      if (event.kind === 'frame') commands.push(textOf(event.frame));
    }
  });
  link = new NeoLink(host, clock, 'serial');
});

function textOf({ command, second, data }: NeoFrame): string {
  return toHex(Buffer.of(command, second, ...data));
}

async function tell(command: number, second: number, data: Uint8Array = NOTHING): Promise<void> {
  await device.write(encodeFrame('device', { command, second, data }));
  await settle();
}

function enhanced(source: MagstripeSource): Buffer {
  const masked = ';420000******0000=3112?*';
  const data = { source, cipher: 'tdes', ksn: KSN } as const;
  return encodeMagstripeData(
    { ...data, masked: [undefined, masked, undefined], encrypted: [undefined, CIPHER, undefined] },
    [0, masked.length, 0],
  );
}

describe('the corner of the screen', () => {
  const held = (component: number, number: number): Buffer => encodeObjectEvent({ component, number });

  test('held while a card is waited for, it stops the wait, once', async () => {
    const watch = watchCorner(link);
    const waiting = link.execute('activate', NOTHING, 60_000);
    await settle();
    await tell(0x02, 0x63);
    await tell(0x61, 0xff, held(7, 1));
    await tell(0x61, 0xff, held(7, 1));
    expect(commands).toEqual(['0240', '0501']);
    await tell(0x02, 0x0a, Buffer.from('C0DFEE25020012', 'hex'));
    await tell(0x05, 0x00);
    expect(await waiting).toEqual({ kind: 'cancelled' });
    expect(await watch.held).toMatchObject({ kind: 'reply', status: 0 });
  });

  test('buttons, the other corner, broken events and a terminal at rest stop nothing', async () => {
    const watch = watchCorner(link);
    await tell(0x61, 0xff, held(7, 1));
    const waiting = link.execute('activate', NOTHING, 60_000);
    await settle();
    for (const data of [held(1, 1), held(7, 0), NOTHING]) await tell(0x61, 0xff, data);
    expect([watch.held, commands]).toEqual([undefined, ['0240']]);
    watch.end();
    await tell(0x61, 0xff, held(7, 1));
    expect([watch.held, commands]).toEqual([undefined, ['0240']]);
    await tell(0x02, 0x05);
    expect(await waiting).toMatchObject({ kind: 'reply', status: 0x05 });
  });
});

describe('a card number', () => {
  async function ask(): Promise<{ readonly result: Promise<KeyedResult> }> {
    const result = askKeyedCard(link);
    await settle();
    expect(commands).toEqual(['834100782500']);
    return { result };
  }

  test('comes enciphered, with six and four digits and the expiry in clear', async () => {
    const { result } = await ask();
    expect(link.blocking, 'the till may stop it').toBe(true);
    await tell(0x83, 0x00, enhanced('keyed'));
    expect(await result).toEqual({
      facts: { entryMode: 'MANUAL', bin: '420000', last4Digits: '0000', expiry: '3112' },
      iccData: NOTHING,
      sred: { data: CIPHER, ksn: KSN },
    });
  });

  test.each([
    ['the cancel key', 0x0a, { kind: 'cancelled', by: 'cardholder' }],
    ['its time', 0x08, { kind: 'cancelled', by: 'timeout' }],
    ['a device that was opened', 0x1d, { kind: 'failed', failure: 'tampered' }],
    ['a device without such a command', 0x02, { kind: 'failed', failure: 'protocol-error' }],
  ] as const)('ends with %s', async (_, status, expected) => {
    const { result } = await ask();
    await tell(0x83, status);
    expect(await result).toMatchObject(expected);
  });

  test('ends with the till’s cancel, at any answer of the terminal', async () => {
    const { result } = await ask();
    void link.cancel();
    await settle();
    await tell(0x83, 0x0a);
    await tell(0x05, 0x00);
    expect(await result).toEqual({ kind: 'cancelled', by: 'till' });
  });

  test('that cannot be enciphered fails with the state of the key', async () => {
    const { result } = await ask();
    await tell(0x83, 0x12);
    expect(commands.at(-1)).toBe('810B020000');
    await tell(0x81, 0x00, Buffer.of(2));
    expect(await result).toMatchObject({ kind: 'failed', failure: 'key-exhausted' });
  });

  test.each([
    ['a magstripe', enhanced('magstripe')],
    ['nothing', NOTHING],
  ])('is not taken from %s', async (_, data) => {
    const { result } = await ask();
    await tell(0x83, 0x00, data);
    expect(await result).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
  });

  test('is refused when AES goes with the KSN of a TDES key: the gateway could not decipher it', async () => {
    const { result } = await ask();
    const masked = ';420000******0000=3112?*';
    const bytes = encodeMagstripeData(
      {
        source: 'keyed',
        cipher: 'aes',
        ksn: KSN,
        masked: [undefined, masked, undefined],
        encrypted: [undefined, Buffer.alloc(32), undefined],
      },
      [0, masked.length, 0],
    );
    await tell(0x83, 0x00, bytes);
    expect(await result).toEqual({
      kind: 'failed',
      failure: 'protocol-error',
      detail: 'the KSN of the card data has 10 bytes, AES needs a KSN of 12 bytes',
    });
  });

  test('is not waited for without end', async () => {
    const { result } = await ask();
    await clock.advance(KEYED_CARD_SECONDS * 1_000 + COMMAND_TIMEOUT_MS);
    expect(await result).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
  });
});

describe('a sale whose number is to be keyed in', () => {
  let stopped: boolean;
  let ended: Promise<StartOutcome>;

  /** The wait for a card ends as cancelled; the cancel itself is not answered yet. */
  const cancelledWait = () => tell(0x02, 0x0a, Buffer.from('C0DFEE25020012', 'hex'));

  /** Begins a sale and holds the corner while a card is waited for. */
  beforeEach(async () => {
    stopped = false;
    const own: Readonly<Record<string, Buffer>> = {
      '6007': Buffer.alloc(2),
      '6117': NOTHING,
      '1801': NOTHING,
    };
    device.onData((bytes) => {
      for (const event of parseFrames('host', INITIAL_FRAME_STATE, bytes).events) {
        if (event.kind !== 'frame') continue;
        const { command, second } = event.frame;
        const data = own[toHex(Buffer.of(command, second))];
        if (data) void device.write(encodeFrame('device', { command, second: 0, data }));
      }
    });
    ended = startSale({
      link,
      device: { identity: IDENTITY, dataKey: 'loaded' },
      display: new NeoDisplay(link),
      limits: new RiskLimits(link),
      ...testSale(REQUEST, { progress: () => {}, stopped: () => stopped }),
    });
    await settle();
    await tell(0x02, 0x63);
    await tell(0x61, 0xff, encodeObjectEvent({ component: 7, number: 1 }));
  });

  test.each([
    ['the device has left the wait for a card', cancelledWait],
    ['a chip that was read at that moment', () => tell(0x60, 0x00, Buffer.from('C0DFEE25020010', 'hex'))],
  ])('prompts for it after %s', async (_, end) => {
    await end();
    expect(commands.at(-1)).toBe('0501');
    await tell(0x05, 0x00);
    expect(commands.at(-1)).toBe('834100782500');
    await tell(0x83, 0x00, enhanced('keyed'));
    expect(await ended).toMatchObject({ kind: 'online-required', card: { facts: { entryMode: 'MANUAL' } } });
  });

  test('requests nothing more when the till stops it before', async () => {
    await cancelledWait();
    stopped = true;
    await tell(0x05, 0x00);
    expect(await ended).toEqual({ kind: 'cancelled', by: 'till' });
    expect(commands.at(-1)).toBe('0501');
  });

  /** DF52: the issuer verifies the PIN. */
  const PIN_WANTED = Buffer.from('DF520102', 'hex');
  const TAPPED = Buffer.concat([
    Buffer.from('C1DFEE120AFFFF987A3210E0000001', 'hex'),
    Buffer.from('57A111420000CCCCCC0000D3112201CCCCCCCCCF57C118', 'hex'),
    CIPHER,
    Buffer.from('9F02060000000012349F270180', 'hex'),
  ]);

  test('prompts for no PIN of a card that was tapped at that moment when the till stops it before the cancel is answered', async () => {
    await tell(0x02, 0x23, Buffer.concat([TAPPED, PIN_WANTED]));
    stopped = true;
    await tell(0x05, 0x00);
    expect(await ended).toEqual({ kind: 'cancelled', by: 'till' });
    expect(commands.at(-1)).toBe('0501');
  });

  test('takes a card that was tapped at that moment', async () => {
    await tell(0x02, 0x23, TAPPED);
    expect(await ended).toMatchObject({ kind: 'online-required', card: { facts: { entryMode: 'NFC_ICC' } } });
    expect(commands.at(-1)).toBe('0501');
  });

  test('fails when the cancel is never answered', async () => {
    await cancelledWait();
    await clock.advance(CANCEL_TIMEOUT_MS);
    expect(await ended).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
  });
});
