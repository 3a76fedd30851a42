import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { displayMessage, encodeClassicRequest } from '@tillbridge/wire/terminals/abecs/classic.js';
import { fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { FIELDS, familyId } from '@tillbridge/wire/terminals/abecs/fields.js';
import { ACK, CAN, EOT, encodePacket, NAK } from '@tillbridge/wire/terminals/abecs/framing.js';
import { encodeCommandMessage } from '@tillbridge/wire/terminals/abecs/message.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { packTableRecords } from '@tillbridge/wire/terminals/abecs/tables.js';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  GCX,
  GOX,
  Host,
  KEY_INDEX,
  PIN_KSN,
  type PpcHarness,
  ppcHarness,
  RECORDS,
} from './ppc930-device.test.support.js';

let clock: PpcHarness['clock'];
let device: PpcHarness['device'];
let host: PpcHarness['host'];
let hostPipe: PpcHarness['hostPipe'];
let loadTables: PpcHarness['loadTables'];
let give: PpcHarness['give'];
let harness: PpcHarness;

beforeEach(() => {
  harness = ppcHarness();
  ({ clock, device, host, hostPipe, loadTables, give } = harness);
});

describe('link', () => {
  test('a packet is confirmed and answered; the answer is repeated on NAK', async () => {
    const answer = await host.call('OPN');
    expect(answer).toMatchObject({ id: 'OPN', status: 0 });
    expect(host.controls).toEqual([ACK]);
    await host.raw(Buffer.from([NAK]));
    expect(await host.answer()).toEqual(answer);
  });

  test('a damaged packet is refused once the line is silent, and obeyed when it comes again', async () => {
    const packet = encodePacket(encodeCommandMessage({ id: 'OPN', blocks: [] }));
    const damaged = Buffer.from(packet);
    damaged[packet.length - 1] = (damaged[packet.length - 1] ?? 0) ^ 0xff;
    await host.raw(damaged);
    await clock.advance(499);
    expect(host.controls).toEqual([]);
    await clock.advance(1);
    expect(host.controls).toEqual([NAK]);
    await host.raw(packet);
    expect((await host.answer()).id).toBe('OPN');
  });

  test('a packet that stops midway is refused after the silence between bytes', async () => {
    await host.raw(Buffer.from('\x16OP', 'latin1'));
    await clock.advance(2_000);
    expect(host.controls).toEqual([NAK]);
    expect((await host.call('OPN')).status).toBe(0);
  });

  test('a packet cut into single bytes is one packet', async () => {
    for (const byte of encodePacket(encodeCommandMessage({ id: 'OPN', blocks: [] })))
      await host.raw(Uint8Array.of(byte));
    expect((await host.answer()).id).toBe('OPN');
  });

  test('CAN is always answered with EOT and ends a blocking command without an answer', async () => {
    await host.raw(Buffer.from([CAN]));
    await settle();
    expect(host.controls).toEqual([EOT]);
    await loadTables();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect(device.ui.state).toBe('waiting-card');
    await host.raw(Buffer.from([CAN]));
    await settle();
    expect(host.controls.at(-1)).toBe(EOT);
    expect(device.ui.state).toBe('idle');
    expect(host.messages).toEqual([]);
  });

  test('another command ends a blocking one, too', async () => {
    await loadTables();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect((await host.call('OPN')).id).toBe('OPN');
    expect(device.ui.want).toBe('nothing');
  });

  test('an unknown command is answered ERR, a malformed one under its own name', async () => {
    expect(await host.call('XYZ')).toMatchObject({ id: 'ERR', status: 10 });
    await host.raw(encodePacket(Buffer.from('GIX999ab', 'latin1')));
    expect(await host.answer()).toMatchObject({ id: 'GIX', status: 11 });
    expect(await host.call('GCX', encodeParameters(fields({ SPE_AMOUNT: '1' })))).toMatchObject({
      id: 'GCX',
      status: 19,
    });
  });
});

describe('control and tables', () => {
  test('GIX reports serial, keys and table version', async () => {
    await loadTables();
    const ids = Buffer.alloc(8);
    for (const [at, id] of [
      FIELDS.PP_SERNUM.id,
      FIELDS.PP_DKPTTDESP.id,
      familyId('PP_KSNTDESP', 1),
      familyId('PP_TABVER', 0),
    ].entries()) {
      ids.writeUInt16BE(id, at * 2);
    }
    const { fields: info } = await host.abecs('GIX', { SPE_IDLIST: ids });
    expect(info.text('PP_SERNUM')).toBe('G0001001');
    expect(info.text('PP_DKPTTDESP')?.slice(0, 3)).toBe('010');
    expect(info.raw(familyId('PP_KSNTDESP', 1))).toEqual(PIN_KSN);
    expect(info.raw(familyId('PP_TABVER', 0))?.toString()).toBe('TEST000001');
  });

  test('GIX without a list gives the general information', async () => {
    const { status, fields: info } = await host.abecs('GIX', {});
    expect(status).toBe(0);
    expect(info.text('PP_SPECVER')).toBe('2.12');
    expect(info.text('PP_CAPAB')).toHaveLength(10);
  });

  test('an answer that no packet can carry is refused, not cut', async () => {
    const ids = Buffer.alloc(6);
    for (let at = 0; at < 3; at += 1) ids.writeUInt16BE(FIELDS.PP_BIGRAND.id, at * 2);
    expect((await host.abecs('GIX', { SPE_IDLIST: ids })).status).toBe(45);
  });

  test('a load is current only after TLE; TLR and TLE need TLI; a new version is reported', async () => {
    const gts = async () => (await host.call('GTS', [Buffer.from('00')])).blocks[0]?.toString();
    expect((await host.call('TLE')).status).toBe(10);
    expect((await host.call('TLR', packTableRecords(RECORDS).slice(0, 1))).status).toBe(10);
    const tli = encodeClassicRequest('TLI', { TLI_ACQIDX: '00', TLI_TABVER: 'NEWVERSION' });
    expect((await host.call('TLI', [tli])).status).toBe(20);
    expect(await gts()).toBe('0000000000');
    expect((await host.call('TLE')).status).toBe(0);
    expect(await gts()).toBe('NEWVERSION');
    expect((await host.call('TLI', [tli])).status).toBe(0);
  });

  test('displays show what the host sends', async () => {
    await host.call('DSP', [Buffer.from(displayMessage('Hello', 'world'), 'latin1')]);
    expect(device.ui.screen).toEqual(['Hello', 'world']);
    await host.call('DEX', [Buffer.from('005ab\rcd', 'latin1')]);
    expect(device.ui.screen).toEqual(['ab', 'cd']);
    await host.abecs('CLX', { SPE_DSPMSG: 'bye' });
    expect(device.ui.screen).toEqual(['bye']);
  });
});

test('frames are kept decoded, without card data', async () => {
  await loadTables();
  give('visa-credit-online', 'insert');
  await host.abecs('GCX', { ...GCX, SPE_PANMASK: '0019' });
  await host.abecs('GOX', GOX);
  await host.abecs('GTK', { SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX });
  const text = JSON.stringify(harness.shown());
  expect(text).toContain('SPE_AMOUNT=000000001234');
  expect(text).toContain('PP_GOXRES=200000');
  expect(text).not.toContain('4200000000000000');
  expect(text).not.toMatch(/TILL/);
});

test('a power cycle forgets what runs and answers again', async () => {
  await loadTables();
  await host.send('GCX', encodeParameters(fields(GCX)));
  await settle();
  device.reset();
  await settle();
  expect(host.messages).toEqual([]);
  expect((await host.call('GTS', [Buffer.from('00')])).blocks[0]?.toString()).toBe('TEST000001');
});

test('a line that closes ends nothing; a new one is served', async () => {
  await hostPipe.close();
  await settle();
  const [hostEnd, deviceEnd] = memoryPipe('again');
  device.attach(deviceEnd);
  expect((await new Host(hostEnd).call('OPN')).status).toBe(0);
});
