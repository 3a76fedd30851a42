import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gatewayProgram } from '../../app/program.js';
import { entityRow } from '../../core/entities/entities.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import { ensureKeyFile } from '../../security/keys/key-file.js';
import { openReceiver, type Receiver } from './webhook-harness.test.support.js';

const ENTITY = 'a'.repeat(32);

let home: string;
let receiver: Receiver;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-webhooks-'));
  vi.stubEnv('GATEWAY_HOME', home);
  vi.stubEnv('GATEWAY_EGRESS_ALLOW', '127.0.0.1');
  prepareHome(home);
  const files = gatewayFiles(home);
  ensureKeyFile(files.tokenKey, systemRandom);
  const store = await SqliteStore.open(files.database);
  await store.commit([{ op: 'insert', table: 'entities', row: entityRow(ENTITY, 'One', null, 1) }]);
  await store.close();
  receiver = await openReceiver();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await receiver.close();
  rmSync(home, { recursive: true, force: true });
});

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly key?: string;
  readonly keys: readonly { readonly usedFrom: string }[];
}

/** Runs `webhooks …`; returns what it printed. */
async function webhooks<T = Shown>(...words: string[]): Promise<T> {
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  await gatewayProgram().parseAsync(['webhooks', ...words], { from: 'user' });
  return JSON.parse(printed.join('')) as T;
}

it('webhooks are made, tested, paused, resumed and removed; the key is shown once', async () => {
  const made = await webhooks('create', '--entity', ENTITY, '--url', receiver.url);
  expect(made).toMatchObject({ state: 'inactive', key: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { id } = made;
  expect(await webhooks('test', id)).toMatchObject({ state: 'active', test: { status: 204 } });
  expect(await webhooks('pause', id, '--note', 'moving')).toMatchObject({ state: 'paused', note: 'moving' });
  expect(await webhooks('resume', id)).toMatchObject({ state: 'active' });
  const listed = await webhooks<readonly Shown[]>('list', '--entity', ENTITY);
  expect(listed.map((each) => [each.id, 'key' in each])).toEqual([[id, false]]);
  expect(await webhooks('remove', id)).toEqual({ id, state: 'removed' });
  await expect(webhooks('show', id)).rejects.toMatchObject({ code: 'unknown-endpoint' });
});

it('webhooks say why a test was not taken', async () => {
  receiver.answer = (response) => response.writeHead(503).end();
  const { id } = await webhooks('create', '--entity', ENTITY, '--url', receiver.url);
  await expect(webhooks('test', id)).rejects.toThrow('the receiver did not take it: 503');
  vi.stubEnv('GATEWAY_EGRESS_ALLOW', '');
  await expect(webhooks('test', id)).rejects.toThrow(
    'the receiver did not take it: unusable-host (127.0.0.1 is, or stands for, an address of a private network)',
  );
});

it('webhooks rotate a key with the overlap that is requested', async () => {
  const { id, key } = await webhooks('create', '--entity', ENTITY);
  const rotated = await webhooks('rotate', id, '--overlap', '2');
  expect(rotated.key).not.toBe(key);
  const [before, after] = rotated.keys.map(({ usedFrom }) => Date.parse(usedFrom));
  expect((after ?? 0) - (before ?? 0)).toBeGreaterThanOrEqual(2 * 3_600_000);
});

it('webhooks resend a number or a time, and nothing else', async () => {
  const { id } = await webhooks('create', '--entity', ENTITY);
  expect(await webhooks('resend', id, '--since', '2026-11-20')).toEqual({ queued: 0 });
  await expect(webhooks('resend', id)).rejects.toThrow('name --sequence, or --since');
  await expect(webhooks('resend', id, '--sequence', '1', '--since', '2026-11-20')).rejects.toThrow(
    'name --sequence, or --since',
  );
  await expect(webhooks('resend', id, '--sequence', '1')).rejects.toMatchObject({ code: 'unknown-delivery' });
  expect(await webhooks('log', id)).toEqual([]);
});
