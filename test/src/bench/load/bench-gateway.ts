import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entityRow } from '@tillbridge/gateway/cli/entities.js';
import { tokenRow } from '@tillbridge/gateway/cli/tokens.js';
import { gatewayFiles } from '@tillbridge/gateway/home/gateway-files.js';
import { loadKeyFile } from '@tillbridge/gateway/security/keys/key-file.js';
import { SqliteStore } from '@tillbridge/gateway/store/sqlite-store.js';
import { toHex } from '@tillbridge/protocol/bytes.js';
import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import { partHome } from '../../stack/layout.js';
import { seedGateway, startGateway } from '../../stack/parts.js';

/** No throttle: the bench measures the gateway, not its limits. */
export const NO_THROTTLE: NodeJS.ProcessEnv = Object.fromEntries(
  ['PAYMENTS', 'FOLLOW_UPS', 'READS', 'QUERY'].flatMap((operation) => [
    [`GATEWAY_THROTTLE_${operation}_PER_SECOND`, '1000000'],
    [`GATEWAY_THROTTLE_${operation}_BURST`, '1000000'],
  ]),
);

/** Whose requests a load sends. */
export interface BenchMerchant {
  readonly entityId: string;
  readonly token: string;
}

/** A gateway of its own process on a home of its own: SQLite, WAL, `synchronous=FULL`, the INTERNAL acquirer. */
export interface BenchGateway {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** The development merchant, and further ones. */
  readonly merchants: readonly [BenchMerchant, ...BenchMerchant[]];
  /** Bytes that the process has handed to write calls so far, those of sockets and logs among them (Linux). */
  writtenBytes(): number;
  /** Ends it and removes its home. */
  end(): Promise<void>;
}

/** Starts a gateway for a bench; `env` are further variables of its process, `more` merchants beside the development merchant. */
export async function startBenchGateway(env: NodeJS.ProcessEnv, more = 0): Promise<BenchGateway> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-bench-'));
  const { merchant } = await seedGateway(home, 0);
  const others = await addMerchants(partHome(home, 'gateway'), more);
  const { process, url } = await startGateway(home, 0, env);
  return {
    port: Number(new URL(url).port),
    url,
    pid: process.pid,
    merchants: [{ entityId: merchant.entityId, token: merchant.accessToken }, ...others],
    writtenBytes: () =>
      Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${process.pid}/io`, 'latin1'))?.[1] ?? Number.NaN),
    async end() {
      await process.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
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
