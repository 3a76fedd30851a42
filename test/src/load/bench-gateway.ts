import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { tokenRow } from '@tillbridge/gateway/features/access-tokens/service.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import type { DeviceRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { exampleDevice } from '@tillbridge/gateway/security/devices/device-example.test.support.js';
import { loadGatewayIdentity } from '@tillbridge/gateway/security/keys/gateway-identity.js';
import { loadKeyFile } from '@tillbridge/gateway/security/keys/key-file.js';
import { securityFiles } from '@tillbridge/gateway/security/security-files.js';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import { partHome } from '../stack/layout.js';
import { seedGateway, startGateway } from '../stack/parts.js';
import type { FleetAgent } from './fleet.js';
import { registerAgents } from './register-agents.js';

/** No throttle: the bench measures the gateway, not its limits. */
export const NO_THROTTLE: NodeJS.ProcessEnv = Object.fromEntries(
  ['PAYMENTS', 'FOLLOW_UPS', 'READS', 'QUERY'].flatMap((operation) => [
    [`GATEWAY_THROTTLE_${operation}_PER_SECOND`, '1000000'],
    [`GATEWAY_THROTTLE_${operation}_BURST`, '1000000'],
  ]),
);

/** Whose requests a load sends. */
interface BenchMerchant {
  readonly entityId: string;
  readonly token: string;
}

/** Agents that a bench registers, and the keys by which they know the gateway. */
interface BenchAgents {
  readonly agents: readonly FleetAgent[];
  /** The devices of the first agents, in their order. */
  readonly devices: readonly { readonly model: DeviceType; readonly serial: string }[];
  /** SPKI in base64. */
  readonly identityKeys: readonly string[];
}

/** What a gateway begins with. */
interface BenchGatewayOptions {
  /** Further variables of its process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Merchants in addition to the development merchant. */
  readonly merchants?: number;
  /** Agents of the development merchant. */
  readonly agents?: number;
  /** Terminals of each agent; default 1. */
  readonly terminals?: number;
  /** Devices of the agents' terminals, as they stand in the inventory; their entity is the development merchant. */
  readonly deviceRows?: readonly DeviceRow[];
  /** Models of the devices at terminal 1 of the first agents; there is an agent for each. */
  readonly devices?: readonly DeviceType[];
}

/** A gateway in a separate process on a separate home: SQLite, WAL, `synchronous=FULL`, the INTERNAL acquirer. */
export interface BenchGateway {
  readonly port: number;
  readonly url: string;
  readonly bridgeUrl: string;
  readonly pid: number;
  /** Its own folder. */
  readonly home: string;
  readonly fleet: BenchAgents;
  /** The development merchant, and further ones. */
  readonly merchants: readonly [BenchMerchant, ...BenchMerchant[]];
  /** Bytes that the process has handed to write calls so far, those of sockets and logs among them (Linux). */
  writtenBytes(): number;
  /** The end of what it wrote to stderr. */
  words(): string;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** Ends the process; its home stays. */
  stop(): Promise<void>;
  /** Starts it again after {@link BenchGateway.kill} or {@link BenchGateway.stop}, at the same port. */
  start(): Promise<void>;
  /** Ends it and removes its home. */
  end(): Promise<void>;
}

/** Starts a gateway for a bench; `env` are further variables of its process, `more` merchants in addition to the development merchant. */
export function startBenchGateway(env: NodeJS.ProcessEnv, more = 0): Promise<BenchGateway> {
  return openBenchGateway({ env, merchants: more });
}

/** Starts a gateway for a bench. */
export async function openBenchGateway(options: BenchGatewayOptions): Promise<BenchGateway> {
  const { env = {}, merchants: more = 0, devices = [], agents = devices.length } = options;
  const root = mkdtempSync(join(tmpdir(), 'tillbridge-bench-'));
  const home = partHome(root, 'gateway');
  const seeded = await seedGateway(root, 0);
  const merchant = { entityId: seeded.merchant.entityId, token: seeded.merchant.accessToken };
  const others = await addMerchants(home, more);
  const fleet = await addAgents(home, merchant, { ...options, agents, devices });
  let running = await startGateway(root, 0, env);
  const port = Number(new URL(running.url).port);
  return {
    port,
    url: running.url,
    bridgeUrl: running.bridgeUrl,
    get pid() {
      return running.process.pid;
    },
    home,
    fleet,
    merchants: [merchant, ...others],
    writtenBytes: () =>
      Number(
        /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${running.process.pid}/io`, 'latin1'))?.[1] ?? Number.NaN,
      ),
    words: () => running.process.lastWords(),
    kill: () => running.process.kill(),
    stop: () => running.process.stop(),
    async start() {
      running = await startGateway(root, port, env);
    },
    async end() {
      await running.process.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function addAgents(
  home: string,
  { entityId }: BenchMerchant,
  options: Required<Pick<BenchGatewayOptions, 'agents' | 'devices'>> & BenchGatewayOptions,
): Promise<BenchAgents> {
  const { agents: count, devices: models, terminals = 1, deviceRows = [] } = options;
  const { identityKeys } = loadGatewayIdentity(securityFiles(home));
  const store = await SqliteStore.open(gatewayFiles(home).database);
  const agents = await registerAgents(store, { entityId, count, terminals });
  const devices = models.map((model, at) => ({ model, serial: `BENCH${at.toString().padStart(5, '0')}` }));
  await store.commit([
    ...devices.map(({ model, serial }, at) => {
      const { ksnData: accountKsn, ksnPin: pinKsn } = defaultKsns(model, serial);
      const place = { entityId, agentId: `bench-${at}`, terminalId: '1' };
      const row = exampleDevice({ serial, deviceType: model, accountKsn, pinKsn, ...place });
      return { op: 'insert', table: 'devices', row } as const;
    }),
    ...deviceRows.map((row) => ({ op: 'insert', table: 'devices', row: { ...row, entityId } }) as const),
  ]);
  await store.close();
  return { agents, devices, identityKeys: identityKeys.map((key) => Buffer.from(key).toString('base64')) };
}

async function addMerchants(home: string, count: number): Promise<readonly BenchMerchant[]> {
  const files = gatewayFiles(home);
  const deps = { tokenKey: loadKeyFile(files.tokenKey), clock, random };
  const store = await SqliteStore.open(files.database);
  const merchants: BenchMerchant[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = toHex(random.bytes(16)).toLowerCase();
    const token = `tb_${toHex(random.bytes(24))}`;
    const about = { entityId: id, merchantId: id, label: 'bench', rights: ['pay', 'read'] as const };
    await store.commit([
      { op: 'insert', table: 'entities', row: entityRow(id, `Merchant ${at}`, null, clock.nowMs()) },
      { op: 'insert', table: 'tokens', row: tokenRow(deps, token, about) },
    ]);
    merchants.push({ entityId: id, token });
  }
  await store.close();
  return merchants;
}
