import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedGateway, startGateway } from '../../stack/parts.js';

/** No throttle: the bench measures the gateway, not its limits. */
const NO_THROTTLE = Object.fromEntries(
  ['PAYMENTS', 'FOLLOW_UPS', 'READS', 'QUERY'].flatMap((operation) => [
    [`GATEWAY_THROTTLE_${operation}_PER_SECOND`, '1000000'],
    [`GATEWAY_THROTTLE_${operation}_BURST`, '1000000'],
  ]),
);

/** A gateway of its own process on a home of its own: SQLite, WAL, `synchronous=FULL`, the INTERNAL acquirer. */
export interface BenchGateway {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  /** The development merchant. */
  readonly entityId: string;
  readonly token: string;
  /** Bytes that the process has handed to write calls so far, those of sockets and logs among them (Linux). */
  writtenBytes(): number;
  /** Ends it and removes its home. */
  end(): Promise<void>;
}

/** Starts a gateway for a bench; `env` are further variables of its process. */
export async function startBenchGateway(env: NodeJS.ProcessEnv = NO_THROTTLE): Promise<BenchGateway> {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-bench-'));
  const { merchant } = await seedGateway(home, 0);
  const { process, url } = await startGateway(home, 0, env);
  return {
    port: Number(new URL(url).port),
    url,
    pid: process.pid,
    home,
    entityId: merchant.entityId,
    token: merchant.accessToken,
    writtenBytes: () =>
      Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${process.pid}/io`, 'latin1'))?.[1] ?? Number.NaN),
    async end() {
      await process.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
