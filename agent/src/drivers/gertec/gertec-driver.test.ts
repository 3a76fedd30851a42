import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIVENESS_INTERVAL_MS } from '../core/limits.js';
import { tableVersion } from './device.js';
import { CHIP, CONFIG, DriverHarness, GTK, ONLINE, REQUEST } from './driver-harness.test.support.js';
import { openWith } from './session.js';

let harness: DriverHarness;
beforeEach(() => {
  harness = new DriverHarness();
});
afterEach(() => harness.close());

describe('opening a session', () => {
  it('frees the device, learns what it is, and is ready', async () => {
    await harness.open();
    expect(harness.driver.state).toBe('ready');
    expect(harness.device.cancels).toBe(1);
    expect(harness.device.ids.slice(0, 2)).toEqual(['OPN', 'GIX']);
    expect(harness.device.ids).not.toContain('TLI');
    expect(harness.driver.identity).toEqual({
      maker: 'GERTEC',
      model: 'PPC-930',
      firmware: '1400.12503',
      serial: '7200032211005539',
    });
    await harness.clock.advance(0);
    expect(harness.device.ids.slice(2)).toEqual(['OPN', 'DSP']);
  });

  it('does not sell with a device that is refused, until it is ready and not refused', async () => {
    harness.refusal = 'another device';
    await harness.open();
    expect(await harness.driver.start(REQUEST, harness.progress)).toEqual({
      kind: 'failed',
      failure: 'wrong-device',
      detail: '7200032211005539: another device',
    });
    expect(harness.device.ids).not.toContain('GCX');
    harness.refusal = undefined;
    await harness.driver.status();
    harness.device.on('GCX', { status: 'ST_TIMEOUT' });
    expect(await harness.driver.start(REQUEST, harness.progress)).toEqual({
      kind: 'cancelled',
      by: 'timeout',
    });
  });

  it('loads the tables when their version differs, once', async () => {
    harness.device.tableVersion = 'OLD0000001';
    await harness.open();
    expect(harness.driver.state).toBe('ready');
    expect(harness.device.ids.filter((id) => id === 'TLR').length).toBeGreaterThan(1);
    expect(harness.device.ids.indexOf('TLE')).toBeGreaterThan(harness.device.ids.indexOf('TLR'));
    expect(harness.device.tableVersion).toBe(tableVersion(CONFIG.tables));
    await harness.device.unplug();
    await harness.clock.advance(1_000);
    expect(harness.driver.state).toBe('ready');
    expect(harness.device.ids.filter((id) => id === 'TLI')).toHaveLength(1);
  });

  it('stays away from ready while the tables cannot be stored, and tries again', async () => {
    harness.device.tableVersion = 'OLD0000001';
    harness.device.on('TLE', { status: 'ST_TABERR' });
    await harness.open();
    expect(harness.driver.state).toBe('connecting');
    const refused = await harness.driver.start(REQUEST, harness.progress);
    expect(refused).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    await harness.clock.advance(1_000);
    expect(harness.driver.state).toBe('ready');
  });

  it('finds a device that is plugged in later, and one that was deaf', async () => {
    harness.plugged = false;
    await harness.open();
    expect(harness.driver.state).toBe('disconnected');
    harness.plugged = true;
    harness.device.on('OPN', 'deaf', 'deaf', 'deaf');
    await harness.clock.advance(20_000);
    expect(harness.driver.state).toBe('ready');
    expect(harness.states).toEqual(['connecting', 'ready']);
  });

  it('refuses a configuration that ABECS cannot carry', () => {
    expect(() => openWith({ ...CONFIG, pinKeyIndex: 100 }, harness.clock)).toThrow(/key index/);
    expect(openWith(CONFIG, harness.clock)).toBeTypeOf('function');
  });
});

describe('cancelling and faults', () => {
  beforeEach(async () => {
    await harness.open();
    await harness.clock.advance(0);
    harness.device.seen.length = 0;
  });

  it('ends as cancelled by the till, and is ready for the next sale', async () => {
    harness.device.on('GCX', 'hang');
    const sale = harness.driver.start(REQUEST, harness.progress);
    await harness.device.arrives('GCX');
    await settle();
    await harness.driver.cancel();
    expect(await sale).toEqual({ kind: 'cancelled', by: 'till' });
    expect(harness.driver.state).toBe('ready');
    await harness.device.say({ id: 'GCX', status: 0, blocks: [] });
    harness.device.on('GCX', { status: 'ST_TIMEOUT' });
    expect(await harness.driver.start(REQUEST, harness.progress)).toEqual({
      kind: 'cancelled',
      by: 'timeout',
    });
  });

  it('cancels nothing while idle, and never the card at its second cryptogram', async () => {
    const cancels = harness.device.cancels;
    await harness.driver.cancel();
    expect(harness.device.cancels).toBe(cancels);
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    await harness.driver.start(REQUEST, harness.progress);
    harness.device.on('FCX', 'hang');
    const end = harness.driver.complete({ kind: 'unable-to-go-online' }, harness.progress);
    await harness.device.arrives('FCX');
    await harness.driver.cancel();
    expect(harness.device.cancels).toBe(cancels);
    await harness.device.say({ id: 'FCX', status: 0, blocks: [Buffer.from('80580003313030', 'hex')] });
    expect(await end).toMatchObject({ kind: 'declined' });
  });

  it('runs one command at a time', async () => {
    harness.device.on('GCX', 'hang');
    const sale = harness.driver.start(REQUEST, harness.progress);
    await harness.device.arrives('GCX');
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'terminal-busy',
    });
    await settle();
    await harness.driver.cancel();
    await sale;
  });

  it.each(['GCX', 'GTK', 'GOX'] as const)(
    'fails with terminal-gone when the port goes during %s, and comes back',
    async (id) => {
      if (id !== 'GCX') harness.device.on('GCX', { ok: CHIP });
      if (id === 'GOX') harness.device.on('GTK', GTK);
      harness.device.on(id, 'hang');
      const sale = harness.driver.start(REQUEST, harness.progress);
      await harness.device.arrives(id);
      harness.plugged = false;
      await harness.device.unplug();
      expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
      expect(harness.driver.state).toBe('disconnected');
      harness.plugged = true;
      await harness.clock.advance(10_000);
      expect(harness.driver.state).toBe('ready');
    },
  );

  it('does not complete a card of a former session', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', GTK);
    harness.device.on('GOX', { ok: ONLINE });
    await harness.driver.start(REQUEST, harness.progress);
    await harness.device.unplug();
    await harness.clock.advance(1_000);
    expect(harness.driver.state).toBe('ready');
    const end = await harness.driver.complete({ kind: 'unable-to-go-online' }, harness.progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(harness.device.ids).not.toContain('FCX');
  });

  it('gives up a device that falls silent, then frees it by CAN', async () => {
    harness.device.on('GCX', { ok: CHIP });
    harness.device.on('GTK', 'hang');
    const sale = harness.driver.start(REQUEST, harness.progress);
    await harness.device.arrives('GTK');
    const { cancels } = harness.device;
    await harness.clock.advance(10_000);
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
    await harness.clock.advance(1_000);
    expect(harness.device.cancels).toBe(cancels + 1);
    expect(harness.driver.state).toBe('ready');
  });

  it('resends a command that was not confirmed, and requests a damaged answer again', async () => {
    harness.device.on('GCX', 'deaf', { ok: CHIP });
    harness.device.on('GTK', { damagedOnce: GTK.ok });
    harness.device.on('GOX', { ok: ONLINE });
    const sale = harness.driver.start(REQUEST, harness.progress);
    await harness.device.arrives('GCX');
    await harness.clock.advance(2_000);
    await harness.clock.advance(500);
    expect(await sale).toMatchObject({ kind: 'online-required' });
    expect(harness.device.ids).toEqual(['OPN', 'GCX', 'GCX', 'GTK', 'GOX']);
  });

  it('fails with protocol-error for an answer that cannot be read, and begins anew', async () => {
    harness.device.on('GCX', { block: Buffer.from('not tlv') });
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
    await settle();
    expect(harness.driver.state).toBe('ready');
  });

  it('looks for signs of life while idle, without CAN, and reconnects a dead device', async () => {
    const { cancels } = harness.device;
    await harness.clock.advance(3 * LIVENESS_INTERVAL_MS);
    expect(harness.device.ids.filter((id) => id === 'GIX')).toHaveLength(3);
    expect(harness.device.cancels).toBe(cancels);
    harness.states.length = 0;
    harness.device.on('GIX', 'deaf', 'deaf', 'deaf');
    await harness.clock.advance(LIVENESS_INTERVAL_MS + 10_000);
    expect(harness.states).toEqual(['connecting', 'ready']);
  });

  it('waits for a sign of life that runs before it starts', async () => {
    harness.device.on('GIX', 'hang');
    const life = harness.device.arrives('GIX');
    await harness.clock.advance(LIVENESS_INTERVAL_MS);
    await life;
    harness.device.on('GCX', { status: 'ST_TIMEOUT' });
    const sale = harness.driver.start(REQUEST, harness.progress);
    await settle();
    expect(harness.device.ids.at(-1)).toBe('GIX');
    await harness.device.say({ id: 'GIX', status: 0, blocks: [] });
    expect(await sale).toEqual({ kind: 'cancelled', by: 'timeout' });
  });

  it('ends everything when closed', async () => {
    harness.device.on('GCX', 'hang');
    const sale = harness.driver.start(REQUEST, harness.progress);
    await harness.device.arrives('GCX');
    await harness.driver.close();
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(harness.driver.state).toBe('disconnected');
    expect(harness.clock.nextTimerInMs()).toBeUndefined();
    expect(await harness.driver.start(REQUEST, harness.progress)).toMatchObject({
      kind: 'failed',
      failure: 'terminal-gone',
    });
  });
});
