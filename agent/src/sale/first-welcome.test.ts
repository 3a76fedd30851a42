import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryJournal } from '../journal/testing/memory-journal.test.support.js';
import { BridgeUplink } from '../uplink/bridge-uplink.js';
import { enrolledHome, memoryTrust } from '../uplink/enrolled-home.test.support.js';
import { TestGateway } from '../uplink/gateway.test.support.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import { SaleRunner } from './runner.js';
import { FINGERPRINT_KEY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import { ScriptedDriver } from './scripted-driver.test.support.js';

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
async function soldOffline(): Promise<SaleHarness> {
  const harness = await new SaleHarness().boot();
  harness.wire.set('down');
  await harness.sell({ reference: 'E1' });
  await harness.sell({ reference: 'E2' });
  harness.wire.kill();
  await harness.journal.close();
  return harness;
}

/** The next process on the same disk, over a real socket. */
async function start({ disk, clock, random, policy }: SaleHarness): Promise<BridgeUplink> {
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
    speaker: { identity: enrolledHome(home, 'store-1'), bootId: 'boot-2', generation: 1, software: 'test' },
    connect: websocketConnector(gateway.url),
    trust: memoryTrust(),
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
  it('makes it sure at every connection: the clock of a machine that slept proves no time', async () => {
    const harness = await soldOffline();
    const soldMs = harness.clock.nowMs();
    const uplink = await start(harness);
    const session = await gateway.session();
    await session.welcome({ timeMs: soldMs + HOUR_MS });
    expect((await session.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: false });
    session.cut();
    await expect.poll(() => uplink.state).toBe('down');
    harness.clock.jumpWall(25 * HOUR_MS);
    await harness.clock.advance(1_000);
    const next = await gateway.session();
    await next.welcome({ timeMs: soldMs + 25 * HOUR_MS });
    expect((await next.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: true });
  });

  it('after a start makes the age of a record sure before any of it is sent', async () => {
    const harness = await soldOffline();
    harness.clock.jumpWall(25 * HOUR_MS);
    await start(harness);
    const session = await gateway.session();
    await session.welcome({ timeMs: harness.clock.nowMs() });
    for (const reference of ['E1', 'E2']) {
      const { body } = await session.take('offlineRecord');
      expect(body).toMatchObject({ reference, expired: true });
    }
    expect(harness.kinds('E1')).toContain('too-old');
  });

  it.each([
    ['stood still while the machine was off', 0],
    ['was set back while the machine was off', -48 * HOUR_MS],
  ])('expires nothing where the clock %s: the gateway sees both ages', async (_what, jumpMs) => {
    const harness = await soldOffline();
    const gatewayMs = harness.clock.nowMs() + 25 * HOUR_MS;
    harness.clock.jumpWall(jumpMs);
    await start(harness);
    const session = await gateway.session();
    await session.welcome({ timeMs: gatewayMs });
    const { body } = await session.take('offlineRecord');
    expect(body).toMatchObject({ reference: 'E1', expired: false });
    expect(body.ageMs).toBeLessThan(HOUR_MS);
    expect(harness.kinds('E1')).not.toContain('too-old');
  });

  it('sends a record that is young enough unchanged, at any clock of the machine', async () => {
    const harness = await soldOffline();
    const gatewayMs = harness.clock.nowMs() + HOUR_MS;
    harness.clock.jumpWall(48 * HOUR_MS);
    await start(harness);
    const session = await gateway.session();
    await session.welcome({ timeMs: gatewayMs });
    expect((await session.take('offlineRecord')).body).toMatchObject({ reference: 'E1', expired: false });
  });
});
