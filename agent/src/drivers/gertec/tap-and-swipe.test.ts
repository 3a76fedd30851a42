import { encodeClassicResponse } from '@tillbridge/protocol/terminals/abecs/classic.js';
import type { FieldValues } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHIP, CONFIG, DriverWorld, GTK, KSN, ONLINE, REQUEST, SWIPE } from './driver-world.test.support.js';

let world: DriverWorld;
beforeEach(() => {
  world = new DriverWorld();
});
afterEach(() => world.close());

describe('taps and swipes', () => {
  beforeEach(async () => {
    await world.open();
    await world.clock.advance(0);
    world.device.seen.length = 0;
  });

  const TAP: FieldValues = { ...CHIP, PP_CARDTYPE: '06', PP_DEVTYPE: '00' };

  it('tries a tap once more, then asks to insert or swipe', async () => {
    world.device.on('GCX', { status: 'ST_CTLSCOMMERR' }, { status: 'ST_CTLSCOMMERR' }, { ok: CHIP });
    world.device.on('GTK', GTK);
    world.device.on('GOX', { ok: ONLINE });
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      card: { facts: { entryMode: 'ICC' } },
    });
    const options = world.device.seen
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
  ] as const)('asks for another interface after %s', async (status) => {
    world.device.on('GCX', { status }, { status: 'ST_TIMEOUT' });
    expect(await world.driver.start(REQUEST, world.progress)).toEqual({ kind: 'cancelled', by: 'timeout' });
    expect(world.device.lastOf('GCX').fields.text('SPE_GCXOPT')).toBe('00000');
  });

  it('waits for the phone and takes the next tap', async () => {
    world.device.on('GCX', { status: 'ST_CTLSEXTCVM' }, { ok: TAP });
    world.device.on('GTK', GTK);
    world.device.on('GOX', { ok: { ...ONLINE, PP_GOXRES: '200100' } });
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'NFC_ICC' } },
    });
    expect(world.device.lastOf('GCX').fields.text('SPE_DSPMSG')).toContain('PHONE');
  });

  it('does not ask for ever', async () => {
    world.device.on('GCX', ...Array.from({ length: 20 }, () => ({ status: 'ST_CTLSMULTIPLE' as const })));
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
    expect(world.device.ids.filter((id) => id === 'GCX')).toHaveLength(8);
  });

  it('reads a magstripe without a chip, PIN by its service code, before GTK', async () => {
    world.device.on('GCX', { ok: { ...SWIPE, PP_TRK2INC: '420000******0075=3112120' } });
    world.device.on('GPN', {
      block: encodeClassicResponse('GPN', { GPN_PINBLK: '0102030405060708', GPN_KSN: KSN.toString('hex') }),
    });
    world.device.on('GTK', GTK);
    const outcome = await world.driver.start(REQUEST, world.progress);
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        facts: { entryMode: 'MAGSTRIPE', bin: '420000', last4Digits: '0075', expiry: '3112' },
        iccData: Buffer.alloc(0),
        pin: { data: Buffer.from('0102030405060708', 'hex'), ksn: KSN },
      },
    });
    expect(world.device.ids).toEqual(['OPN', 'GCX', 'GPN', 'GTK']);
    const end = await world.driver.complete(
      { kind: 'declined', responseCode: '05', issuerData: Buffer.alloc(0) },
      world.progress,
    );
    expect(end).toEqual({ kind: 'declined', iccData: Buffer.alloc(0) });
    expect(world.device.ids).not.toContain('FCX');
  });

  it('wants the chip of a card that has one, and takes its magstripe after the chip failed', async () => {
    const chipMagstripe: FieldValues = { ...SWIPE, PP_TRK2INC: '420000******0083=3112201' };
    world.device.on(
      'GCX',
      { ok: chipMagstripe },
      { status: 'ST_DUMBCARD' },
      { ok: { ...chipMagstripe, PP_ICCSTAT: '1' } },
    );
    world.device.on('GTK', GTK);
    const outcome = await world.driver.start(REQUEST, world.progress);
    expect(outcome).toMatchObject({ card: { facts: { entryMode: 'MAGSTRIPE_AS_FALLBACK' } } });
    expect(world.device.ids).toEqual(['OPN', 'GCX', 'GCX', 'RMC', 'GCX', 'GTK']);
  });

  it('falls back also when the chip fails at its first cryptogram, once', async () => {
    world.device.on('GCX', { ok: CHIP }, { ok: CHIP });
    world.device.on('GTK', GTK, GTK);
    world.device.on('GOX', { status: 'ST_ERRFALLBACK' }, { status: 'ST_ERRFALLBACK' });
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
    expect(world.device.ids).toEqual(['OPN', 'GCX', 'GTK', 'GOX', 'RMC', 'GCX', 'GTK', 'GOX']);
  });

  it('allows no fallback when the configuration does not', async () => {
    await world.close();
    world = new DriverWorld();
    await world.open({ ...CONFIG, magstripeFallback: false });
    world.device.on('GCX', { status: 'ST_DUMBCARD' });
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'card-error',
    });
  });

  it('asks to swipe again when no track could be read', async () => {
    world.device.on('GCX', { ok: { PP_CARDTYPE: '00', PP_ICCSTAT: '0' } }, { ok: SWIPE });
    world.device.on('GTK', GTK);
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({ kind: 'online-required' });
  });

  it('takes a tap that plays a magstripe', async () => {
    world.device.on('GCX', {
      ok: { ...SWIPE, PP_CARDTYPE: '05', PP_AIDTABINFO: '010101', PP_LABEL: 'VISA' },
    });
    world.device.on('GTK', GTK);
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      card: { facts: { entryMode: 'NFC_MAGSTRIPE' } },
    });
  });
});
