import { fromHex } from '@tillbridge/wire/bytes.js';
import { encodeTlv, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { TAGS } from '@tillbridge/wire/terminals/verifone/tags.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { supervisePort } from '../../ports/port-supervisor.js';
import type { DriverProgress, StartRequest, TerminalDriver } from '../core/driver.js';
import { CANCEL_TIMEOUT_MS } from '../core/limits.js';
import { openTestDriver } from '../core/test-driver.test.support.js';
import { ScriptedSdi, type Step } from './scripted-sdi.test.support.js';
import { openMaker } from './session.js';

// What the driver makes of a device that does not do as the simulated device does.

const REQUEST: StartRequest = {
  kind: 'sale',
  amount: { minor: 1_234, currency: 'EUR' },
  date: '261120',
  time: '101530',
  transactionSequenceNumber: 7,
  risk: {
    floorLimitMinor: 5_000,
    randomSelectionThresholdMinor: 0,
    randomSelectionTargetPercent: 0,
    randomSelectionMaxPercent: 0,
  },
  cardTimeoutMs: 60_000,
};
const CHIP: Step = { sw: 0x9000, objects: [tlv(TAGS.technology, Buffer.of(0x01))] };
const PAN = tlv(TAGS.obfuscatedPan, fromHex('420000FFFFFF0075'));
const ARQC: readonly TlvNode[] = [
  tlv(TAGS.statusInfo, fromHex('00000000')),
  tlv('9F26', fromHex('0102030405060708')),
  tlv('9F27', Buffer.of(0x80)),
];
const FETCHED: Step = {
  sw: 0x9000,
  objects: [
    tlv('9F26', fromHex('0102030405060708')),
    tlv('5F24', fromHex('311231')),
    tlv('5A', fromHex('4200')),
  ],
};
const SRED: Step = {
  sw: 0x9000,
  objects: [tlv(TAGS.encryptedData, Buffer.alloc(32, 1)), tlv(TAGS.encryptionKsn, Buffer.alloc(10, 2))],
};

let clock: VirtualClock;
let driver: TerminalDriver;
let device: ScriptedSdi;
let steps: DriverProgress[];

const TICK_MS = 50;

async function pass<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  for (let tick = 0; tick < 10_000; tick += 1) {
    await settle();
    if (settled) return promise;
    await clock.advance(TICK_MS);
  }
  throw new Error('nothing came to an end');
}

/** Opens a driver; `prepare` sets what the device does from its first command on. */
async function open(prepare: (device: ScriptedSdi) => void = () => {}): Promise<void> {
  clock = new VirtualClock();
  const port = supervisePort({
    clock,
    open: async () => {
      const [host, end] = memoryPipe();
      device = new ScriptedSdi(end);
      prepare(device);
      return host;
    },
  });
  const log = { info: () => {}, warn: () => {} };
  driver = openTestDriver(openMaker, { port, clock, log });
}

async function opened(): Promise<void> {
  await open();
  await ready();
}

function ready(): Promise<void> {
  return pass(
    new Promise<void>((resolve) => {
      const stop = driver.onState((state) => {
        if (state !== 'ready') return;
        stop();
        resolve();
      });
      if (driver.state === 'ready') resolve();
    }),
  );
}

const start = () => pass(driver.start(REQUEST, (step) => steps.push(step)));

beforeEach(() => {
  steps = [];
});
afterEach(async () => {
  await driver.close();
});

describe('a session', () => {
  test('begins with an abort that a device at rest answers, and knows the device by its properties', async () => {
    await opened();
    expect(device.seen[0]).toMatchObject({ command: 'sysAbort', p2: 0 });
    expect(driver.identity).toEqual({
      maker: 'Verifone',
      model: 'P400',
      firmware: '31010300',
      serial: 'V0000042',
    });
  });

  test('passes over what the device still had to say', async () => {
    await open((fresh) => {
      fresh.next('sysAbort', { sw: 0x90e2, objects: ARQC });
      fresh.say(0x9000);
      fresh.say(0x6500);
      fresh.next('getProperty', { sw: 0x6500 });
    });
    await ready();
    expect(driver.identity?.serial).toBe('V0000042');
  });

  test('reports when another client has the device', async () => {
    const warnings: string[] = [];
    clock = new VirtualClock();
    const port = supervisePort({
      clock,
      open: async () => {
        const [host, end] = memoryPipe();
        new ScriptedSdi(end).next('sysAbort', { sw: 0x64fa });
        return host;
      },
    });
    const log = {
      info: () => {},
      warn: (details: object) => warnings.push(JSON.stringify(details)),
    };
    driver = openTestDriver(openMaker, { port, clock, log });
    await settle();
    await clock.advance(6_000);
    expect(warnings.join()).toContain('another client holds the main connection');
  });
});

describe('a sale', () => {
  test('requests what the published flow requests, and accepts no secret data', async () => {
    await opened();
    device.next('cardDetection', CHIP);
    device.next('ctOffline', {
      request: [tlv(TAGS.merchantInfo, [tlv(TAGS.merchantInfoCode, Buffer.of(0x0a))])],
      answer: { sw: 0x90e2, objects: [...ARQC, PAN] },
    });
    device.next('fetchTags', FETCHED);
    device.next('getEncData', SRED);
    const outcome = await start();
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'ICC', bin: '420000', last4Digits: '0075', expiry: '3112' } },
    });
    expect('card' in outcome && outcome.card.iccData).toEqual(
      encodeTlv([tlv('9F26', fromHex('0102030405060708'))]),
    );
    expect(steps.map(({ step }) => step)).toEqual(['waiting-for-card', 'reading-card', 'pin-entry']);
    expect(device.commands('reply')).toHaveLength(1);
    const names = device.seen.map(({ command }) => command);
    expect(names.slice(names.indexOf('ctInit'))).toEqual([
      'ctInit',
      'ctlsInit',
      'ctlsSetup',
      'handleDisplay',
      'cardDetection',
      'ctlsBreak',
      'cardActivate',
      'ctStart',
      'ctUpdateTags',
      'ctOffline',
      'reply',
      'fetchTags',
      'cryptoOpen',
      'getEncData',
      'cryptoClose',
    ]);
    const [limits] = device.commands('ctUpdateTags');
    expect(findTlv(limits?.objects ?? [], TAGS.updateObjects)).toEqual(fromHex('9F1B0400001388'));
    expect(device.commands('cardDetection')[0]?.p2).toBe(120);
  });

  test('goes on without an antenna where there is none', async () => {
    await opened();
    device.next('ctlsInit', { sw: 0x90da });
    device.next('cardDetection', { sw: 0x6600 });
    expect(await start()).toEqual({ kind: 'cancelled', by: 'timeout' });
    expect(findTlv(device.commands('cardDetection')[0]?.objects ?? [], TAGS.technology)).toEqual(
      Buffer.of(0x0b),
    );
    expect(device.commands('ctlsSetup')).toEqual([]);
  });

  test('above the contactless limit takes no taps', async () => {
    await opened();
    device.next('ctlsSetup', { sw: 0x90dc });
    device.next('cardDetection', { sw: 0x6405 });
    expect(await start()).toEqual({ kind: 'cancelled', by: 'cardholder' });
    expect(findTlv(device.commands('cardDetection')[0]?.objects ?? [], TAGS.technology)).toEqual(
      Buffer.of(0x0b),
    );
  });

  test.each([
    ['an answer of another command', { sw: 0x9000 }, 'protocol-error'],
    ['two cards at once', { sw: 0x9000, objects: [tlv(TAGS.technology, Buffer.of(0x03))] }, 'protocol-error'],
    ['an abort without a request', { sw: 0x6500 }, 'protocol-error'],
    ['an unpublished status word', { sw: 0x1234 }, 'internal'],
    ['an opened device', { sw: 0x6ff0 }, 'tampered'],
    ['no confirmation', 'deaf', 'terminal-silent'],
    ['nothing but refusals', 'refuse', 'terminal-silent'],
    ['a damaged answer that is never repeated', 'damaged', 'protocol-error'],
  ] as const)('card detection met by %s fails as %s', async (_, step, failure) => {
    await opened();
    device.next('cardDetection', step, step, step);
    const before = clock.monotonicMs();
    expect(await start()).toMatchObject({ kind: 'failed', failure });
    expect(clock.monotonicMs() - before).toBeLessThan(5_000);
  });

  test.each([
    [
      'another amount',
      { sw: 0x90e2, objects: [...ARQC, tlv('9F02', fromHex('000000009999'))] },
      'protocol-error',
    ],
    ['a lost state', { sw: 0x90ed }, 'protocol-error'],
    ['a blocked card', { sw: 0x90eb }, 'card-blocked'],
    ['a card pulled out', { sw: 0x90ea, objects: [tlv(TAGS.statusInfo, fromHex('0080'))] }, 'card-removed'],
    ['an end without a reason', { sw: 0x90ea }, 'card-error'],
    ['an answer of another command', { sw: 0x9000 }, 'protocol-error'],
  ] as const)('a chip met by %s fails as %s', async (_, step, failure) => {
    await opened();
    device.next('cardDetection', CHIP);
    device.next('ctOffline', step);
    expect(await start()).toMatchObject({ kind: 'failed', failure });
  });

  test('EMV data of another transaction are not taken', async () => {
    await opened();
    device.next('cardDetection', CHIP);
    device.next('ctOffline', { sw: 0x90e2, objects: ARQC });
    device.next('fetchTags', { sw: 0x9000, objects: [tlv('9F26', Buffer.alloc(8))] });
    expect(await start()).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
  });

  test.each([
    ['no keys', 'cryptoOpen', { sw: 0x6fe0 }, 'key-missing'],
    ['a key that is used up', 'getEncData', { sw: 0x6fb4 }, 'key-exhausted'],
    ['card data beyond a field', 'getEncData', longSred(), 'data-too-long'],
    ['half an answer', 'getEncData', { sw: 0x9000 }, 'protocol-error'],
  ] as const)('with %s nothing leaves the terminal', async (_, command, step, failure) => {
    await opened();
    device.next('cardDetection', CHIP);
    device.next('ctOffline', { sw: 0x90e2, objects: ARQC });
    device.next('fetchTags', FETCHED);
    device.next(command, step);
    expect(await start()).toMatchObject({ kind: 'failed', failure });
  });

  test('is stopped by the till while the device waits for a card, by an abort without a separate answer', async () => {
    await opened();
    device.next('cardDetection', 'hang');
    const outcome = driver.start(REQUEST, () => {});
    await pass(arrival('cardDetection'));
    const cancelled = driver.cancel();
    await pass(arrival('sysAbort', 2));
    expect(device.commands('sysAbort').at(-1)?.p2).toBe(1);
    device.say(0x6500);
    await pass(cancelled);
    expect(await outcome).toEqual({ kind: 'cancelled', by: 'till' });
  });

  test.each(['cardDetection', 'ctStart', 'ctOffline'] as const)(
    'is given up soon after the till stops it, where the device has fallen silent in %s',
    async (silent) => {
      await opened();
      if (silent !== 'cardDetection') device.next('cardDetection', CHIP);
      device.next(silent, 'hang');
      const outcome = driver.start(REQUEST, () => {});
      await pass(arrival(silent));
      const cancelled = driver.cancel();
      const since = clock.monotonicMs();
      await pass(cancelled);
      expect(clock.monotonicMs() - since).toBeLessThanOrEqual(CANCEL_TIMEOUT_MS + TICK_MS);
      expect(await outcome).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
    },
  );
});

describe('the end', () => {
  async function online(): Promise<void> {
    await opened();
    device.next('cardDetection', CHIP);
    device.next('ctOffline', { sw: 0x90e2, objects: ARQC });
    device.next('fetchTags', FETCHED);
    device.next('getEncData', SRED);
    expect((await start()).kind).toBe('online-required');
  }

  test('gives the issuer answer its places, and script results theirs', async () => {
    await online();
    device.next('ctOnline', {
      sw: 0x90e3,
      objects: [
        tlv('9F27', Buffer.of(0x40)),
        tlv(TAGS.uncriticalScriptResults, fromHex('2000000001')),
        tlv(TAGS.criticalScriptResults, fromHex('1000000002')),
      ],
    });
    device.next('fetchTags', { sw: 0x9000, objects: [tlv('8A', Buffer.from('10'))] });
    const issuerData = fromHex('9108112233445566778872059F18020102' + '71039F1800');
    const end = await pass(driver.complete({ kind: 'approved', responseCode: '10', issuerData }, () => {}));
    expect(end).toEqual({
      kind: 'approved',
      iccData: encodeTlv([
        tlv('9F27', Buffer.of(0x40)),
        tlv('8A', Buffer.from('10')),
        tlv('9F5B', fromHex('10000000022000000001')),
      ]),
    });
    const sent = device.commands('ctOnline')[0]?.objects ?? [];
    expect(findTlv(sent, TAGS.onlineResult)).toEqual(Buffer.of(1));
    expect(findTlv(sent, TAGS.issuerAuthentication)).toEqual(fromHex('91081122334455667788'));
    expect(findTlv(sent, TAGS.criticalScripts)).toEqual(fromHex('71039F1800'));
    expect(findTlv(sent, TAGS.uncriticalScripts)).toEqual(fromHex('72059F18020102'));
    expect(findTlv(sent, TAGS.positiveResponseCode)).toEqual(Buffer.from('10'));
  });

  test('stands where the response code cannot be sent', async () => {
    await online();
    device.next('ctOnline', { sw: 0x90e4, objects: [tlv('9F27', Buffer.of(0))] });
    device.next('fetchTags', { sw: 0x6400 });
    const end = await pass(driver.complete({ kind: 'unable-to-go-online' }, () => {}));
    expect(end).toEqual({ kind: 'declined', iccData: encodeTlv([tlv('9F27', Buffer.of(0))]) });
    expect(device.commands('ctOnline')[0]?.objects).toEqual([tlv(TAGS.onlineResult, Buffer.of(0))]);
  });

  test('of more than a field holds is refused before anything is sent', async () => {
    await online();
    const issuerData = Buffer.alloc(1_025);
    const end = await pass(driver.complete({ kind: 'approved', responseCode: '00', issuerData }, () => {}));
    expect(end).toMatchObject({ kind: 'failed', failure: 'data-too-long' });
    expect(device.commands('ctOnline')).toEqual([]);
  });

  test('without a cryptogram is none', async () => {
    await online();
    device.next('ctOnline', { sw: 0x90e3 });
    const end = await pass(
      driver.complete({ kind: 'approved', responseCode: '00', issuerData: Buffer.alloc(0) }, () => {}),
    );
    expect(end).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
  });

  test('waits for the card to leave, in short steps', async () => {
    await online();
    device.next('waitCardRemoval', { sw: 0x6600 }, { sw: 0x6600 }, { sw: 0x9000 });
    await pass(driver.finish('APPROVED'));
    const waits = device
      .commands('waitCardRemoval')
      .map(({ objects }) => findTlv(objects, TAGS.timeoutSeconds));
    expect(waits).toEqual([fromHex('0000'), fromHex('0005'), fromHex('0005')]);
    expect(device.commands('clearDataStore')).toHaveLength(1);
    expect(driver.state).toBe('ready');
  });
});

test('a condition has the text of the device', async () => {
  await opened();
  device.next('getStatus', {
    sw: 0x9000,
    objects: [
      tlv('D0', fromHex('141A0B140A0F00')),
      tlv('D2', fromHex('200000000000000000')),
      tlv('D4', fromHex('5701')),
    ],
  });
  device.next('cryptoOpen', { sw: 0x6fe0 });
  expect(await pass(driver.status())).toMatchObject({
    kind: 'condition',
    keys: { data: 'missing', pin: 'loaded' },
    tampered: false,
    batteryPercent: 87,
    localTime: '2026-11-20T10:15:00',
  });
});

function longSred(): Step {
  return {
    sw: 0x9000,
    objects: [tlv(TAGS.encryptedData, Buffer.alloc(1_032)), tlv(TAGS.encryptionKsn, Buffer.alloc(10))],
  };
}

/** Resolves when that many commands of a name have come. */
async function arrival(name: Parameters<ScriptedSdi['commands']>[0], count = 1): Promise<void> {
  while (device.commands(name).length < count) {
    await new Promise<void>((resolve) => clock.setTimer(10, resolve));
  }
}
