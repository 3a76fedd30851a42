import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { tdesDecryptCbc } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { workingKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  dukptKey,
  GCX,
  GOX,
  KEY_INDEX,
  objectsOf,
  type PpcHarness,
  ppcHarness,
} from './ppc930-device.test.support.js';

// What a host that we did not write sends a pin pad, as captured in public.

let harness: PpcHarness;
let host: PpcHarness['host'];
beforeEach(async () => {
  harness = ppcHarness();
  ({ host } = harness);
  await harness.loadTables();
});

describe('CEX', () => {
  /** A captured request: keys, swipe, chip and tap. */
  const CAPTURED = fromHex('1643455830313000060006313131313030' + '17F4FD');

  async function event(options: string, timeout?: number) {
    await host.send('CEX', [
      Buffer.concat([
        fromHex('00060006'),
        Buffer.from(options),
        ...(timeout === undefined ? [] : [fromHex('000C0001'), Buffer.of(timeout)]),
      ]),
    ]);
    await settle();
  }
  const answer = async () => {
    const { status, blocks } = await host.answer();
    return [status, Buffer.concat(blocks).toString('latin1').slice(4)];
  };

  test('a tap is notified, and read by the GCX that follows', async () => {
    await host.raw(CAPTURED);
    await settle();
    harness.give('visa-contactless', 'tap');
    const { id, status, blocks } = await host.answer();
    expect([id, status, blocks.map(toHex)]).toEqual(['CEX', 0, ['804000023934']]);
    await host.send('DSP', [Buffer.alloc(32, 0x20)]);
    await host.answer();
    const card = await host.abecs('GCX', GCX);
    expect([card.status, card.fields.text('PP_CARDTYPE')]).toEqual([0, '06']);
  });

  test('a swipe gives its tracks without their ends, as published', async () => {
    await event('010000');
    harness.give('magstripe-only', 'swipe');
    const [status, data] = await answer();
    expect(status).toBe(0);
    expect(String(data).slice(0, 2)).toBe('90');
    expect(String(data)).toContain('4200000000000075=3112101');
    const tracks = await host.abecs('GTK', {});
    expect(toHex(tracks.fields.bytes('PP_TRACK2') ?? Buffer.alloc(0))).toMatch(/^4200000000000075D3112101/);
  });

  test('a chip that sits or comes, and one that leaves', async () => {
    await event('001000');
    harness.give('visa-credit-online', 'insert');
    expect(await answer()).toEqual([0, '92']);
    await event('001000');
    expect(await answer()).toEqual([0, '92']);
    await event('002000');
    harness.device.ui.remove();
    expect(await answer()).toEqual([0, '91']);
    await event('002000');
    expect(await answer()).toEqual([0, '91']);
    await event('001000');
    harness.give('visa-credit-online', 'insert');
    expect(await answer()).toEqual([0, '92']);
    await event('002000', 5);
    await harness.clock.advance(5_000);
    expect((await host.answer()).status).toBe(12);
  });

  test('ends with the cancel key where keys count, in time, and when the antenna is switched off', async () => {
    await event('100000');
    harness.device.ui.enterPin({ kind: 'cancel' });
    expect(await answer()).toEqual([0, '13']);
    await event('010000', 5);
    harness.device.ui.enterPin({ kind: 'cancel' });
    await harness.clock.advance(5_000);
    expect((await host.answer()).status).toBe(12);
    await event('000100', 255);
    await harness.clock.advance(120_000);
    expect(await answer()).toEqual([0, '93']);
  });
});

describe('EBX', () => {
  const BLOCK = Buffer.from('DADO A SER CRIPTOGRAFADO');

  test('enciphers a block under the data key, and gives its serial number', async () => {
    const values = { SPE_DATAIN: BLOCK, SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX };
    const { status, fields } = await host.abecs('EBX', values);
    expect(status).toBe(0);
    const key = workingKey(dukptKey('bdkData', fields.bytes('PP_KSN') ?? Buffer.alloc(10)), 'dataRequest');
    const data = fields.bytes('PP_DATAOUT') ?? Buffer.alloc(0);
    expect(Buffer.from(tdesDecryptCbc(key, Buffer.alloc(8), data))).toEqual(BLOCK);
  });

  test.each([
    ['a key that is not there', { SPE_DATAIN: BLOCK, SPE_MTHDDAT: '51', SPE_KEYIDX: '07' }, 42],
    [
      'a length that is no whole block',
      { SPE_DATAIN: BLOCK.subarray(1), SPE_MTHDDAT: '50', SPE_KEYIDX: '01' },
      11,
    ],
    ['a master key without its working key', { SPE_DATAIN: BLOCK, SPE_MTHDDAT: '10', SPE_KEYIDX: '01' }, 19],
    ['nothing to encipher', { SPE_MTHDDAT: '50', SPE_KEYIDX: '01' }, 19],
  ] as const)('refuses %s', async (_, values, status) => {
    expect((await host.abecs('EBX', values)).status).toBe(status);
  });

  test('of a captured host has a master key, which is not loaded', async () => {
    const packet =
      '16454258303434000F00080C5A407BF1F826DC00030002313000090002303200 0A00102CC30CF882FB8877AA6AD6353BE44F3217A85B';
    await host.raw(fromHex(packet.replaceAll(' ', '')));
    expect(await host.answer()).toMatchObject({ id: 'EBX', status: 42 });
  });
});

describe('a host library that was found in public', () => {
  const screen = (): string => harness.device.ui.screen.join('|');

  test.each([
    ['longer', 'DSP', `APROXIME,       INSIRA OU       PASSE CARTAO    `],
    ['shorter', 'DSP', 'PROCESSANDO'],
    ['with control characters', 'DSP', 'LINHA\r1\u0000LINHA 2'],
    ['absent', 'CLO', ''],
    ['longer', 'RMC', '032RETIRE O CARTAO                  '],
  ])('is not refused for a message that is %s (%s)', async (_, id, text) => {
    const blocks = text === '' ? [] : [Buffer.from(text, 'latin1')];
    expect(await host.call(id, blocks)).toMatchObject({ id, status: 0 });
    const whole = text.replace(/[^ -~]/g, ' ').padEnd(32);
    expect(screen()).toBe([whole.slice(0, 16).trimEnd(), whole.slice(16, 32).trimEnd()].join('|'));
  });

  test.each([
    ['00', 100, /^GERTEC {14}PPC-930;192MB {6}C1\.00\.00 {13}2\.12001\.00 261120 {3}G0001001 {12}$/],
    ['02', 42, /^Abecs {3}TBRIDGE 1\.0 001\.00 2611202\.12 {3}00$/],
    ['03', 42, /^Abecs 1\.0 1\.0 1\.01\.0001\.00 2611202\.12 {2}T00$/],
    ['07', 42, /^Abecs {15}001\.00 2611202\.12 {3}00$/],
  ])('requests information by index %s', async (index, length, form) => {
    const { status, blocks } = await host.call('GIN', [Buffer.from(index)]);
    const text = Buffer.concat(blocks).toString('latin1');
    expect([status, text.length]).toEqual([0, length]);
    expect(text).toMatch(form);
  });
});

test('GTK without a method gives the PAN and track 2 in clear, packed; no frame shows them', async () => {
  harness.give('visa-credit-online', 'insert');
  await host.abecs('GCX', GCX);
  const { status, fields } = await host.abecs('GTK', { SPE_TRACKS: '1111' });
  expect(status).toBe(0);
  expect(toHex(fields.bytes('PP_ENCPAN') ?? Buffer.alloc(0))).toBe('4200000000000000');
  expect(toHex(fields.bytes('PP_TRACK2') ?? Buffer.alloc(0))).toMatch(/^4200000000000000D3112201\d+F?$/);
  expect(
    harness
      .shown()
      .map(({ text }) => text)
      .join(),
  ).not.toContain('42000000');
});

test.each([
  ['published', undefined],
  ['captured', 0x80],
] as const)('FCX after a tap gives what is %s', async (form, cid) => {
  harness = ppcHarness(form);
  ({ host } = harness);
  await harness.loadTables();
  harness.give('visa-contactless', 'tap');
  await host.abecs('GCX', GCX);
  const gox = await host.abecs('GOX', GOX);
  const { SPE_TAGLIST = Buffer.alloc(0) } = GOX;
  const end = await host.abecs('FCX', { SPE_FCXOPT: '0000', SPE_ARC: '00', SPE_TAGLIST });
  expect(end.fields.text('PP_FCXRES')).toBe('000');
  expect(objectsOf(end.fields)('9F27')?.[0]).toBe(cid);
  if (form === 'captured') expect(end.fields.bytes('PP_EMVDATA')).toEqual(gox.fields.bytes('PP_EMVDATA'));
});
