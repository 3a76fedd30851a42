import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAST_MESSAGE_MS } from '../core/limits.js';
import {
  ARQC_DATA,
  CHIP,
  DriverHarness,
  GTK,
  KSN,
  ONLINE,
  REQUEST,
  TC_DATA,
  TRACK2,
} from './driver-harness.test.support.js';

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness();
});
afterEach(() => harness.close());

describe('a chip sale', () => {
  beforeEach(async () => {
    await harness.open();
    await harness.clock.advance(0);
    harness.device.seen.length = 0;
  });

  it('goes online and ends in TC', async () => {
    harness.device.on('GCX', { ok: CHIP, notes: [`${'SELECIONADO:'.padEnd(16)}VISA CREDIT`] });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    const outcome = await harness.driver.start(REQUEST, harness.progress);
    expect(outcome).toEqual({
      kind: 'online-required',
      card: {
        facts: {
          entryMode: 'ICC',
          bin: '420000',
          last4Digits: '0000',
          expiry: '3112',
          panSequenceNumber: '01',
          aid: 'A0000000031010',
          label: 'VISA CREDIT',
          paymentAccountReference: 'TLBR0',
        },
        iccData: ARQC_DATA,
        sred: { data: TRACK2, ksn: KSN },
      },
    });
    expect(harness.driver.state).toBe('busy');
    expect(harness.device.ids).toEqual(['OPN', 'GCX', 'GTK', 'GOX']);
    expect(harness.steps).toContainEqual({ step: 'message', text: 'SELECIONADO: VISA CREDIT' });

    harness.device.on('FCX', {
      ok: { PP_FCXRES: '000', PP_EMVDATA: TC_DATA, PP_ISRESULTS: Buffer.alloc(5, 0x20) },
    });
    const issuerData = encodeTlv([
      tlv('8A', Buffer.from('00')),
      tlv('91', Buffer.alloc(8, 7)),
      tlv('72', [tlv('86', Buffer.alloc(10, 1))]),
    ]);
    const end = await harness.driver.complete(
      { kind: 'approved', responseCode: '00', issuerData },
      harness.progress,
    );
    expect(end).toEqual({
      kind: 'approved',
      iccData: Buffer.concat([TC_DATA, encodeTlv([tlv('9F5B', Buffer.alloc(5, 0x20))])]),
    });
    const fcx = harness.device.lastOf('FCX').fields;
    expect(fcx.text('SPE_FCXOPT')).toBe('0000');
    expect(fcx.text('SPE_ARC')).toBe('00');
    expect(fcx.bytes('SPE_EMVDATA')?.subarray(0, 1).toString('hex')).toBe('91');

    await harness.driver.finish('APPROVED THANK YOU VERY MUCH');
    expect(harness.driver.state).toBe('ready');
    expect(harness.device.ids.slice(-2)).toEqual(['RMC', 'CLX']);
    expect(harness.device.lastOf('CLX').fields.text('SPE_DSPMSG')).toBe('APPROVED THANK\rYOU VERY MUCH');
    await harness.clock.advance(LAST_MESSAGE_MS);
    expect(harness.device.ids.slice(-2)).toEqual(['OPN', 'DSP']);
  });

  it('requests what the sale needs, and no card data in clear', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    await harness.driver.start(REQUEST, harness.progress);
    const gcx = harness.device.lastOf('GCX').fields;
    expect(gcx.text('SPE_AMOUNT')).toBe('000000001234');
    expect(gcx.text('SPE_TRNCURR')).toBe('978');
    expect(gcx.text('SPE_GCXOPT')).toBe('10000');
    expect(gcx.text('SPE_PANMASK')).toBe('0604');
    expect(gcx.number('SPE_TIMEOUT')).toBe(60);
    const gtk = harness.device.lastOf('GTK').fields;
    expect([gtk.text('SPE_TRACKS'), gtk.text('SPE_MTHDDAT'), gtk.text('SPE_KEYIDX')]).toEqual([
      '0010',
      '51',
      '01',
    ]);
    expect(gtk.has('SPE_OPNDIG')).toBe(false);
    const gox = harness.device.lastOf('GOX').fields;
    expect(gox.bytes('SPE_TRMPAR')?.toString('hex')).toBe('00001388000000000000');
    expect(gox.bytes('SPE_EMVDATA')?.toString('hex')).toBe('9f4104000000425f360102');
    expect([gox.text('SPE_MTHDPIN'), gox.text('SPE_ACQREF')]).toEqual(['3', '01']);
    for (const { fields } of harness.device.seen) {
      const tags = fields.bytes('SPE_TAGLIST')?.toString('hex') ?? '';
      expect(tags.match(/../g) ?? []).not.toContain('5a');
      expect(tags.match(/../g) ?? []).not.toContain('57');
    }
  });

  it('carries the PIN block of the chip, and drops tags with card data that a device gives unrequested', async () => {
    const data = encodeTlv([
      tlv('5A', Buffer.from('4200000000000000', 'hex')),
      tlv('9F26', Buffer.alloc(8, 1)),
      tlv('5F20', Buffer.from('NAME')),
    ]);
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', {
      ok: { PP_GOXRES: '202000', PP_EMVDATA: data, PP_PINBLK: Buffer.alloc(8, 9), PP_KSN: KSN },
      notes: ['SOLICITE A SENHA'],
    });
    const outcome = await harness.driver.start(REQUEST, harness.progress);
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        pin: { data: Buffer.alloc(8, 9), ksn: KSN },
        iccData: encodeTlv([tlv('9F26', Buffer.alloc(8, 1))]),
      },
    });
    expect(harness.steps).toContainEqual({ step: 'pin-entry' });
  });

  it.each([
    ['000000', 'approved-offline'],
    ['100000', 'declined-offline'],
  ])('lets the card decide: %s is %s', async (result, kind) => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: { PP_GOXRES: result, PP_EMVDATA: TC_DATA } });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind,
      card: { iccData: TC_DATA },
    });
    const end = await harness.driver.complete({ kind: 'unable-to-go-online' }, harness.progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'internal' });
  });

  it('reports to the card that it is unable to go online: TC or AAC', async () => {
    for (const [code, kind] of [
      ['000', 'approved'],
      ['100', 'declined'],
    ] as const) {
      harness.device.on('GCX', { ok: CHIP });
      harness.device.on('GTK', GTK);
      harness.device.on('GOX', { ok: ONLINE });
      await harness.driver.start(REQUEST, harness.progress);
      harness.device.on('FCX', { ok: { PP_FCXRES: code, PP_EMVDATA: TC_DATA } });
      expect(await harness.driver.complete({ kind: 'unable-to-go-online' }, harness.progress)).toEqual({
        kind,
        iccData: TC_DATA,
      });
      expect(harness.device.lastOf('FCX').fields.text('SPE_FCXOPT')).toBe('2000');
      expect(harness.device.lastOf('FCX').fields.has('SPE_ARC')).toBe(false);
      await harness.driver.finish('DONE');
    }
  });

  it('takes no approval of a chip whose cryptogram is none', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    await harness.driver.start(REQUEST, harness.progress);
    harness.device.on('FCX', { ok: { PP_FCXRES: '000', PP_EMVDATA: ARQC_DATA } });
    const approval = { kind: 'approved', responseCode: '00', issuerData: Buffer.alloc(0) } as const;
    expect(await harness.driver.complete(approval, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
  });

  it('refuses issuer data that the device cannot take, before any command to the card', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    await harness.driver.start(REQUEST, harness.progress);
    const issuerData = encodeTlv([tlv('72', [tlv('86', Buffer.alloc(520))])]);
    const end = await harness.driver.complete(
      { kind: 'approved', responseCode: '00', issuerData },
      harness.progress,
    );
    expect(end).toMatchObject({ kind: 'failed', failure: 'data-too-long' });
    expect(harness.device.ids).not.toContain('FCX');
  });

  it('forgets card data that came back in clear', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', { ok: { PP_TRACK2: TRACK2 } });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
  });

  it('enciphers the PAN when the chip has no track 2', async () => {
    const { PP_TRK2INC: _track, ...bare } = CHIP;
    harness.device.on('GCX', { ok: bare });
    harness.device.on('GTK', { ok: { PP_ENCPAN: Buffer.alloc(8, 3), PP_ENCPANKSN: KSN } });
    harness.device.on('GOX', { ok: ONLINE });
    const outcome = await harness.driver.start(REQUEST, harness.progress);
    expect(outcome).toMatchObject({
      card: { sred: { data: Buffer.alloc(8, 3) }, facts: { expiry: '3112' } },
    });
    expect(harness.device.lastOf('GTK').fields.text('SPE_TRACKS')).toBe('1000');
  });

  it.each([
    ['GCX', 'ST_CANCEL', { kind: 'cancelled', by: 'cardholder' }],
    ['GCX', 'ST_TIMEOUT', { kind: 'cancelled', by: 'timeout' }],
    ['GCX', 'ST_CARDAPPNAV', { kind: 'failed', failure: 'application-not-supported' }],
    ['GCX', 'ST_CARDPROBLEMS', { kind: 'failed', failure: 'card-error' }],
    ['GCX', 'ST_INTERR', { kind: 'failed', failure: 'internal' }],
    ['GTK', 'ST_ERRKEY', { kind: 'failed', failure: 'key-missing' }],
    ['GOX', 'ST_ERRKEY', { kind: 'failed', failure: 'key-missing' }],
    ['GOX', 'ST_CANCEL', { kind: 'cancelled', by: 'cardholder' }],
    ['GOX', 'ST_NOCARD', { kind: 'failed', failure: 'card-removed' }],
    ['GOX', 'ST_PINBUSY', { kind: 'failed', failure: 'terminal-busy' }],
    ['GOX', 'ST_RSPOVRFL', { kind: 'failed', failure: 'data-too-long' }],
  ] as const)('%s answering %s is an outcome', async (id, status, expected) => {
    if (id !== 'GCX') harness.device.on('GCX', { ok: CHIP });
    if (id === 'GOX') harness.device.on('GTK', GTK);
    harness.device.on(id, { status });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject(expected);
    expect(harness.driver.state).toBe('ready');
  });

  it('sells nothing without a data key or an amount it can write', async () => {
    expect(
      await harness.driver.start(
        { ...REQUEST, amount: { minor: 10 ** 12, currency: 'EUR' } },
        harness.progress,
      ),
    ).toMatchObject({ kind: 'failed', failure: 'internal' });
    expect(
      await harness.driver.start({ ...REQUEST, amount: { minor: 1, currency: 'QQQ' } }, harness.progress),
    ).toMatchObject({
      kind: 'failed',
    });
    expect(
      await harness.driver.start(
        { ...REQUEST, risk: { ...REQUEST.risk, floorLimitMinor: -1 } },
        harness.progress,
      ),
    ).toMatchObject({ kind: 'failed' });
    harness.device.keys = [true, false];
    await harness.device.unplug();
    await harness.clock.advance(1_000);
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'key-missing',
    });
  });
});
