import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryJournal } from '../journal/testing/memory-journal.js';
import { BridgeUplink } from '../uplink/bridge-uplink.js';
import { TestGateway } from '../uplink/gateway.test.support.js';
import { createIdentity } from '../uplink/identity.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import { SaleRunner } from './runner.js';
import { FINGERPRINT_KEY } from './sale.test.support.js';
import { ScriptedDriver } from './scripted-driver.test.support.js';
import { World } from './world.test.support.js';

const HOUR_MS = 3_600_000;
const PROFILE = { id: '11', deviceType: 'GERTEC_PPC930', deviceId: '123', pinEntryAvailable: true };

let home: string;
let gateway: TestGateway;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'agent-welcome-'));
  gateway = await TestGateway.listen();
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await gateway.close();
  rmSync(home, { recursive: true });
});

/** A store that sold without its gateway, in a process that ended with the power. */
async function soldOffline(): Promise<World> {
  const world = await new World().boot();
  world.wire.set('down');
  await world.sell({ reference: 'E1' });
  await world.sell({ reference: 'E2' });
  world.wire.kill();
  await world.journal.close();
  return world;
}

/** The next process on the same disk, over a real socket. */
async function start({ disk, clock, random, policy }: World): Promise<BridgeUplink> {
  const journal = new MemoryJournal(disk);
  const driver = new ScriptedDriver();
  const terminals = [{ profile: PROFILE, driver }];
  const runner = new SaleRunner({
    journal,
    clock,
    random,
    policy,
    terminals,
    fingerprintKey: FINGERPRINT_KEY,
  });
  const uplink = new BridgeUplink({
    speaker: { identity: createIdentity(home, 'store-1'), bootId: 'boot-2', generation: 1, software: 'test' },
    connect: websocketConnector(gateway.url),
    queue: runner.queue,
    terminals: () => [],
    clock,
    random,
    log: pino({ level: 'silent' }),
  });
  closing.push(
    () => uplink.close(),
    () => runner.close(),
  );
  await runner.start(uplink);
  uplink.start();
  return uplink;
}

describe('a Welcome', () => {
  it('makes it sure at every connection: a machine that slept knows no time of its own', async () => {
    const world = await soldOffline();
    const soldMs = world.clock.nowMs();
    const uplink = await start(world);
    const session = await gateway.session();
    await session.welcome({ timeMs: soldMs + HOUR_MS });
    expect((await session.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: false });
    session.cut();
    await expect.poll(() => uplink.state).toBe('down');
    world.clock.jumpWall(25 * HOUR_MS);
    await world.clock.advance(1_000);
    const next = await gateway.session();
    await next.welcome({ timeMs: soldMs + 25 * HOUR_MS });
    expect((await next.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: true });
  });

  it.each([
    ['as long off as the gateway says', 25 * HOUR_MS],
    ['that stands still while the machine is off', 0],
    ['that was set back while the machine was off', -48 * HOUR_MS],
  ])(
    'after a start makes the age of a record sure before any of it is sent, with a clock %s',
    async (_what, jumpMs) => {
      const world = await soldOffline();
      const gatewayMs = world.clock.nowMs() + 25 * HOUR_MS;
      world.clock.jumpWall(jumpMs);
      await start(world);
      const session = await gateway.session();
      await session.welcome({ timeMs: gatewayMs });
      for (const reference of ['E1', 'E2']) {
        const { body } = await session.take('offlineRecord');
        expect(body).toMatchObject({ reference, expired: true });
      }
      expect(world.kinds('E1')).toContain('too-old');
    },
  );

  it('sends a record that is young enough as it is, whatever the clock of the machine says', async () => {
    const world = await soldOffline();
    const gatewayMs = world.clock.nowMs() + HOUR_MS;
    world.clock.jumpWall(48 * HOUR_MS);
    await start(world);
    const session = await gateway.session();
    await session.welcome({ timeMs: gatewayMs });
    expect((await session.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: false });
  });
});
