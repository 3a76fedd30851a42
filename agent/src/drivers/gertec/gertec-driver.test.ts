import { settle } from '@tillbridge/protocol/seams/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIVENESS_INTERVAL_MS } from '../core/limits.js';
import { tableVersion } from './device.js';
import { CHIP, CONFIG, DriverWorld, GTK, ONLINE, REQUEST } from './driver-world.test.support.js';
import { openWith } from './session.js';

let world: DriverWorld;
beforeEach(() => {
  world = new DriverWorld();
});
afterEach(() => world.close());

describe('opening a session', () => {
  it('frees the device, learns what it is, and is ready', async () => {
    await world.open();
    expect(world.driver.state).toBe('ready');
    expect(world.device.cancels).toBe(1);
    expect(world.device.ids.slice(0, 2)).toEqual(['OPN', 'GIX']);
    expect(world.device.ids).not.toContain('TLI');
    expect(world.driver.identity).toEqual({
      maker: 'GERTEC',
      model: 'PPC-930',
      firmware: '1400.12503',
      serial: '7200032211005539',
    });
    await world.clock.advance(0);
    expect(world.device.ids.slice(2)).toEqual(['OPN', 'DSP']);
  });

  it('loads the tables when their version differs, once', async () => {
    world.device.tableVersion = 'OLD0000001';
    await world.open();
    expect(world.driver.state).toBe('ready');
    expect(world.device.ids.filter((id) => id === 'TLR').length).toBeGreaterThan(1);
    expect(world.device.ids.indexOf('TLE')).toBeGreaterThan(world.device.ids.indexOf('TLR'));
    expect(world.device.tableVersion).toBe(tableVersion(CONFIG.tables));
    await world.device.unplug();
    await world.clock.advance(1_000);
    expect(world.driver.state).toBe('ready');
    expect(world.device.ids.filter((id) => id === 'TLI')).toHaveLength(1);
  });

  it('stays away from ready while the tables cannot be stored, and tries again', async () => {
    world.device.tableVersion = 'OLD0000001';
    world.device.on('TLE', { status: 'ST_TABERR' });
    await world.open();
    expect(world.driver.state).toBe('connecting');
    const refused = await world.driver.start(REQUEST, world.progress);
    expect(refused).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    await world.clock.advance(1_000);
    expect(world.driver.state).toBe('ready');
  });

  it('finds a device that is plugged in later, and one that was deaf', async () => {
    world.plugged = false;
    await world.open();
    expect(world.driver.state).toBe('disconnected');
    world.plugged = true;
    world.device.on('OPN', 'deaf', 'deaf', 'deaf');
    await world.clock.advance(20_000);
    expect(world.driver.state).toBe('ready');
    expect(world.states).toEqual(['connecting', 'ready']);
  });

  it('refuses a configuration that ABECS cannot carry', () => {
    expect(() => openWith({ ...CONFIG, pinKeyIndex: 100 }, world.clock)).toThrow(/key index/);
    expect(openWith(CONFIG, world.clock)).toBeTypeOf('function');
  });
});

describe('cancelling and faults', () => {
  beforeEach(async () => {
    await world.open();
    await world.clock.advance(0);
    world.device.seen.length = 0;
  });

  it('ends as cancelled by the till, and is ready for the next sale', async () => {
    world.device.on('GCX', 'hang');
    const sale = world.driver.start(REQUEST, world.progress);
    await world.device.arrives('GCX');
    await settle();
    await world.driver.cancel();
    expect(await sale).toEqual({ kind: 'cancelled', by: 'till' });
    expect(world.driver.state).toBe('ready');
    await world.device.say({ id: 'GCX', status: 0, blocks: [] });
    world.device.on('GCX', { status: 'ST_TIMEOUT' });
    expect(await world.driver.start(REQUEST, world.progress)).toEqual({ kind: 'cancelled', by: 'timeout' });
  });

  it('cancels nothing while idle, and never the card at its second cryptogram', async () => {
    const cancels = world.device.cancels;
    await world.driver.cancel();
    expect(world.device.cancels).toBe(cancels);
    world.device.on('GCX', { ok: CHIP });
    world.device.on('GTK', GTK);
    world.device.on('GOX', { ok: ONLINE });
    await world.driver.start(REQUEST, world.progress);
    world.device.on('FCX', 'hang');
    const end = world.driver.complete({ kind: 'unable-to-go-online' }, world.progress);
    await world.device.arrives('FCX');
    await world.driver.cancel();
    expect(world.device.cancels).toBe(cancels);
    await world.device.say({ id: 'FCX', status: 0, blocks: [Buffer.from('80580003303030', 'hex')] });
    expect(await end).toMatchObject({ kind: 'approved' });
  });

  it('runs one command at a time', async () => {
    world.device.on('GCX', 'hang');
    const sale = world.driver.start(REQUEST, world.progress);
    await world.device.arrives('GCX');
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'terminal-busy',
    });
    await settle();
    await world.driver.cancel();
    await sale;
  });

  it.each(['GCX', 'GTK', 'GOX'] as const)(
    'says terminal-gone when the port goes during %s, and comes back',
    async (id) => {
      if (id !== 'GCX') world.device.on('GCX', { ok: CHIP });
      if (id === 'GOX') world.device.on('GTK', GTK);
      world.device.on(id, 'hang');
      const sale = world.driver.start(REQUEST, world.progress);
      await world.device.arrives(id);
      world.plugged = false;
      await world.device.unplug();
      expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
      expect(world.driver.state).toBe('disconnected');
      world.plugged = true;
      await world.clock.advance(10_000);
      expect(world.driver.state).toBe('ready');
    },
  );

  it('does not complete a card of a former session', async () => {
    world.device.on('GCX', { ok: CHIP });
    world.device.on('GTK', GTK);
    world.device.on('GOX', { ok: ONLINE });
    await world.driver.start(REQUEST, world.progress);
    await world.device.unplug();
    await world.clock.advance(1_000);
    expect(world.driver.state).toBe('ready');
    const end = await world.driver.complete({ kind: 'unable-to-go-online' }, world.progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(world.device.ids).not.toContain('FCX');
  });

  it('gives up a device that falls silent, then frees it by CAN', async () => {
    world.device.on('GCX', { ok: CHIP });
    world.device.on('GTK', 'hang');
    const sale = world.driver.start(REQUEST, world.progress);
    await world.device.arrives('GTK');
    const { cancels } = world.device;
    await world.clock.advance(10_000);
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
    await world.clock.advance(1_000);
    expect(world.device.cancels).toBe(cancels + 1);
    expect(world.driver.state).toBe('ready');
  });

  it('resends a command that was not confirmed, and asks a damaged answer again', async () => {
    world.device.on('GCX', 'deaf', { ok: CHIP });
    world.device.on('GTK', { damagedOnce: GTK.ok });
    world.device.on('GOX', { ok: ONLINE });
    const sale = world.driver.start(REQUEST, world.progress);
    await world.device.arrives('GCX');
    await world.clock.advance(2_000);
    await world.clock.advance(500);
    expect(await sale).toMatchObject({ kind: 'online-required' });
    expect(world.device.ids).toEqual(['OPN', 'GCX', 'GCX', 'GTK', 'GOX']);
  });

  it('says protocol-error for an answer that cannot be read, and begins anew', async () => {
    world.device.on('GCX', { block: Buffer.from('not tlv') });
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
    await settle();
    expect(world.driver.state).toBe('ready');
  });

  it('looks for signs of life while idle, without CAN, and reconnects a dead device', async () => {
    const { cancels } = world.device;
    await world.clock.advance(3 * LIVENESS_INTERVAL_MS);
    expect(world.device.ids.filter((id) => id === 'GIX')).toHaveLength(3);
    expect(world.device.cancels).toBe(cancels);
    world.states.length = 0;
    world.device.on('GIX', 'deaf', 'deaf', 'deaf');
    await world.clock.advance(LIVENESS_INTERVAL_MS + 10_000);
    expect(world.states).toEqual(['connecting', 'ready']);
  });

  it('waits for a sign of life that runs before it starts', async () => {
    world.device.on('GIX', 'hang');
    const life = world.device.arrives('GIX');
    await world.clock.advance(LIVENESS_INTERVAL_MS);
    await life;
    world.device.on('GCX', { status: 'ST_TIMEOUT' });
    const sale = world.driver.start(REQUEST, world.progress);
    await settle();
    expect(world.device.ids.at(-1)).toBe('GIX');
    await world.device.say({ id: 'GIX', status: 0, blocks: [] });
    expect(await sale).toEqual({ kind: 'cancelled', by: 'timeout' });
  });

  it('ends everything when closed', async () => {
    world.device.on('GCX', 'hang');
    const sale = world.driver.start(REQUEST, world.progress);
    await world.device.arrives('GCX');
    await world.driver.close();
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(world.driver.state).toBe('disconnected');
    expect(world.clock.nextTimerInMs()).toBeUndefined();
    expect(await world.driver.start(REQUEST, world.progress)).toMatchObject({
      kind: 'failed',
      failure: 'terminal-gone',
    });
  });
});
