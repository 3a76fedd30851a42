import { encodeClassicResponse } from '@tillbridge/wire/terminals/abecs/classic.js';
import type { FieldValues } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ARQC_DATA,
  CHIP,
  CONFIG,
  DriverHarness,
  GTK,
  KSN,
  ONLINE,
  REQUEST,
  SWIPE,
} from './driver-harness.test.support.js';

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness();
});
afterEach(() => harness.close());

describe('taps and swipes', () => {
  beforeEach(async () => {
    await harness.open();
    await harness.clock.advance(0);
    harness.device.seen.length = 0;
  });

  const TAP: FieldValues = { ...CHIP, PP_CARDTYPE: '06', PP_DEVTYPE: '00' };

  it('tries a tap once more, then prompts to insert or swipe', async () => {
    harness.device.on('GCX', { status: 'ST_CTLSCOMMERR' }, { status: 'ST_CTLSCOMMERR' }, { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      card: { facts: { entryMode: 'ICC' } },
    });
    const options = harness.device.seen
      .filter(({ id }) => id === 'GCX')
      .map(({ fields }) => fields.text('SPE_GCXOPT'));
    expect(options).toEqual(['10000', '10000', '00000']);
  });

  it.each([
    'ST_CTLSPROBLEMS',
    'ST_CTLSAPPNAV',
    'ST_CTLSAPPNAUT',
    'ST_CTLSIFCHG',
    'ST_CTLSINVALIDAT',
    'ST_CARDBLOCKED',
  ] as const)('prompts for another interface after %s', async (status) => {
    harness.device.on('GCX', { status }, { status: 'ST_TIMEOUT' });
    expect(await harness.driver.start(REQUEST, harness.progress)).toEqual({
      kind: 'cancelled',
      by: 'timeout',
    });
    expect(harness.device.lastOf('GCX').fields.text('SPE_GCXOPT')).toBe('00000');
  });

  it('waits for the phone and takes the next tap', async () => {
    harness.device.on('GCX', { status: 'ST_CTLSEXTCVM' }, { ok: TAP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: { ...ONLINE, PP_GOXRES: '200100' } });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'NFC_ICC' } },
    });
    expect(harness.device.lastOf('GCX').fields.text('SPE_DSPMSG')).toContain('PHONE');
  });

  // A captured pin pad answers FCX after a tap with the objects of GOX again: 9F27 is 80.
  it('takes an ARQC that comes again for no end of the card', async () => {
    for (const again of [Buffer.alloc(0), ARQC_DATA]) {
      harness.device.on('GCX', { ok: TAP });
      harness.device.on('GTK', GTK);
      harness.device.on('GOX', { ok: ONLINE });
      await harness.driver.start(REQUEST, harness.progress);
      harness.device.on('FCX', { ok: { PP_FCXRES: '000', PP_EMVDATA: again } });
      const approval = { kind: 'approved', responseCode: '00', issuerData: Buffer.alloc(0) } as const;
      const end = await harness.driver.complete(approval, harness.progress);
      expect(end).toEqual({ kind: 'approved', iccData: Buffer.alloc(0) });
      await harness.driver.finish('DONE');
    }
  });

  it.each([Buffer.alloc(0), ARQC_DATA])(
    'takes no approval without a certificate where no host could be reached',
    async (data) => {
      harness.device.on('GCX', { ok: TAP });
      harness.device.on('GTK', GTK);
      harness.device.on('GOX', { ok: ONLINE });
      await harness.driver.start(REQUEST, harness.progress);
      harness.device.on('FCX', { ok: { PP_FCXRES: '000', PP_EMVDATA: data } });
      const end = await harness.driver.complete({ kind: 'unable-to-go-online' }, harness.progress);
      expect(end).toMatchObject({ kind: 'failed', failure: 'protocol-error' });
    },
  );

  it('does not ask for ever', async () => {
    harness.device.on('GCX', ...Array.from({ length: 20 }, () => ({ status: 'ST_CTLSMULTIPLE' as const })));
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
    expect(harness.device.ids.filter((id) => id === 'GCX')).toHaveLength(8);
  });

  it('reads a magstripe without a chip, PIN by its service code, before GTK', async () => {
    harness.device.on('GCX', { ok: { ...SWIPE, PP_TRK2INC: '420000******0075=3112120' } });
    harness.device.on('GPN', {
      block: encodeClassicResponse('GPN', { GPN_PINBLK: '0102030405060708', GPN_KSN: KSN.toString('hex') }),
    });
    harness.device.on('GTK', GTK);
    const outcome = await harness.driver.start(REQUEST, harness.progress);
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        facts: { entryMode: 'MAGSTRIPE', bin: '420000', last4Digits: '0075', expiry: '3112' },
        iccData: Buffer.alloc(0),
        pin: { data: Buffer.from('0102030405060708', 'hex'), ksn: KSN },
      },
    });
    expect(harness.device.ids).toEqual(['OPN', 'GCX', 'GPN', 'GTK']);
    const end = await harness.driver.complete(
      { kind: 'declined', responseCode: '05', issuerData: Buffer.alloc(0) },
      harness.progress,
    );
    expect(end).toEqual({ kind: 'declined', iccData: Buffer.alloc(0) });
    expect(harness.device.ids).not.toContain('FCX');
  });

  it('wants the chip of a card that has one, and takes its magstripe after the chip failed', async () => {
    const chipMagstripe: FieldValues = { ...SWIPE, PP_TRK2INC: '420000******0083=3112201' };
    harness.device.on(
      'GCX',
      { ok: chipMagstripe },
      { status: 'ST_DUMBCARD' },
      { ok: { ...chipMagstripe, PP_ICCSTAT: '1' } },
    );
    harness.device.on('GTK', GTK);
    const outcome = await harness.driver.start(REQUEST, harness.progress);
    expect(outcome).toMatchObject({ card: { facts: { entryMode: 'MAGSTRIPE_AS_FALLBACK' } } });
    expect(harness.device.ids).toEqual(['OPN', 'GCX', 'GCX', 'RMC', 'GCX', 'GTK']);
  });

  it('falls back also when the chip fails at its first cryptogram, once', async () => {
    harness.device.on('GCX', { ok: CHIP }, { ok: CHIP });
    harness.device.on('GTK', GTK, GTK);
    harness.device.on('GOX', { status: 'ST_ERRFALLBACK' }, { status: 'ST_ERRFALLBACK' });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
    expect(harness.device.ids).toEqual(['OPN', 'GCX', 'GTK', 'GOX', 'RMC', 'GCX', 'GTK', 'GOX']);
  });

  it('allows no fallback when the configuration does not', async () => {
    await harness.close();
    harness = new DriverHarness();
    await harness.open({ ...CONFIG, magstripeFallback: false });
    harness.device.on('GCX', { status: 'ST_DUMBCARD' });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
  });

  it('prompts to swipe again when no track could be read', async () => {
    harness.device.on('GCX', { ok: { PP_CARDTYPE: '00', PP_ICCSTAT: '0' } }, { ok: SWIPE });
    harness.device.on('GTK', GTK);
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({ kind: 'online-required' });
  });

  it('takes a tap that plays a magstripe', async () => {
    harness.device.on('GCX', {
      ok: { ...SWIPE, PP_CARDTYPE: '05', PP_AIDTABINFO: '010101', PP_LABEL: 'VISA' },
    });
    harness.device.on('GTK', GTK);
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      card: { facts: { entryMode: 'NFC_MAGSTRIPE' } },
    });
  });
});
