import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadConfig } from '../../configuration/config.js';
import { gatewayProgram } from '../../program.js';
import { type RunningGateway, startGateway } from '../../wiring/serve.js';
import { type Seeded, seed } from '../seed.js';

let folder: string;
let gateway: RunningGateway | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-backup-'));
  vi.stubEnv('GATEWAY_PORT', '0');
  vi.stubEnv('DATABASE_URL', '');
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const backup = (to: string) => gatewayProgram().parseAsync(['backup', to], { from: 'user' });

async function startOn(home: string): Promise<void> {
  vi.stubEnv('GATEWAY_HOME', home);
  gateway = await startGateway(loadConfig(undefined, process.env));
}

async function pay({ merchant }: Seeded): Promise<string> {
  const form = {
    entityId: merchant.entityId,
    amount: '12.34',
    currency: 'EUR',
    paymentType: 'DB',
    'card.number': '4200000000000000',
    'card.expiryMonth': '12',
    'card.expiryYear': '2099',
  };
  const response = await fetch(`${gateway?.url}/v1/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${merchant.accessToken}`, connection: 'close' },
    body: new URLSearchParams(form),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

async function statusOf({ merchant }: Seeded, id: string): Promise<number> {
  const url = `${gateway?.url}/v1/payments/${id}?entityId=${merchant.entityId}`;
  const headers = { authorization: `Bearer ${merchant.accessToken}`, connection: 'close' };
  return (await fetch(url, { headers })).status;
}

it('copies a home whose gateway runs; a gateway on the copy knows what was acknowledged before', async () => {
  const [home, copy] = [join(folder, 'gateway'), join(folder, 'copy')];
  vi.stubEnv('GATEWAY_HOME', home);
  const seeded = await seed(loadConfig(undefined, process.env));
  await startOn(home);
  const before = await pay(seeded);
  const during = Promise.all(Array.from({ length: 20 }, () => pay(seeded)));
  await backup(copy);
  await during;
  const after = await pay(seeded);
  await expect(backup(copy)).rejects.toThrow('is there already');
  await gateway?.close();
  for (const kept of ['keys', 'credentials.json'])
    cpSync(join(home, kept), join(copy, kept), { recursive: true });
  await startOn(copy);
  expect(await statusOf(seeded, before)).toBe(200);
  expect(await statusOf(seeded, after)).toBe(404);
  await pay(seeded);
});

it('refuses a home without a database, and a database on a server', async () => {
  vi.stubEnv('GATEWAY_HOME', join(folder, 'empty'));
  await expect(backup(join(folder, 'copy'))).rejects.toThrow('has no gateway database yet');
  vi.stubEnv('DATABASE_URL', 'postgres://user@127.0.0.1:5432/none');
  await expect(backup(join(folder, 'copy'))).rejects.toThrow('with its own tools');
});
