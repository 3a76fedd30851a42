import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import {
  newDatabase,
  startServer,
  stopServer,
} from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import { PROGRAMS } from '../stack/layout.js';
import { startPart } from '../stack/part-process.js';
import { filledGateway } from './filled-gateway.js';
import { PAYMENT } from './payment-example.js';

/** Payments that are requested at the gateway on PostgreSQL. */
const READ = 20;

const run = promisify(execFile);

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Moves the payments of a gateway on SQLite into a PostgreSQL database by `export` and `import`, which compare counts and hashes; the
 * SQLite files are then byte for byte what they were, and a gateway on PostgreSQL answers for the payments.
 * @returns how long both commands took, in milliseconds
 */
export async function movePayments(count: number): Promise<number> {
  const { gateway, paymentIds } = await filledGateway(count, PAYMENT);
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-bench-transfer-'));
  const server = await startServer(folder, { settings: ['max_wal_size=4GB'] });
  try {
    const files = gatewayFiles(gateway.home);
    const hashes = () => Promise.all([files.database, files.acquirerDatabase].map(hashOf));
    const before = await hashes();
    const [file, databaseUrl] = [join(folder, 'rows'), await newDatabase(server.url)];
    const env = { ...process.env, GATEWAY_HOME: gateway.home, GATEWAY_PORT: '0' };
    const command = async (name: string, more: NodeJS.ProcessEnv = {}): Promise<string> =>
      (await run(process.execPath, [PROGRAMS.gateway, name, file], { env: { ...env, ...more } })).stdout;
    const startedMs = performance.now();
    const exported = await command('export');
    const imported = await command('import', { DATABASE_URL: databaseUrl });
    const tookMs = performance.now() - startedMs;
    if (exported.replaceAll('exported', 'imported') !== imported) throw new Error('the sums differ');
    if ((await hashes()).join() !== before.join()) throw new Error('the SQLite files have changed');
    await readAt({ ...env, DATABASE_URL: databaseUrl }, paymentIds, gateway.merchants[0]);
    return tookMs;
  } finally {
    await gateway.end();
    await stopServer(server, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads some of the payments from a gateway on PostgreSQL. */
async function readAt(
  env: NodeJS.ProcessEnv,
  ids: readonly string[],
  { entityId, token }: { readonly entityId: string; readonly token: string },
): Promise<void> {
  const node = await startPart({ name: 'gateway', args: [PROGRAMS.gateway, 'serve'], env });
  try {
    for (const id of ids.slice(0, READ)) {
      const url = `${node.listening.url}/v1/payments/${id}?entityId=${entityId}`;
      const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (status !== 200) throw new Error(`payment ${id} came to ${status}`);
    }
  } finally {
    await node.stop();
  }
}
