import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '../store/sqlite-store.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { describeAuditChain } from './audit-chain-contract.test.support.js';

describeAuditChain('memory', async () => {
  const store = new MemoryStore();
  return { stores: [store, store], dispose: () => store.close() };
});

describeAuditChain('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillbridge-audit-'));
  const file = join(folder, 'gateway.db');
  const [first, second] = [await SqliteStore.open(file), await SqliteStore.open(file)];
  const dispose = async () => {
    await first.close();
    await second.close();
    await rm(folder, { recursive: true });
  };
  return { stores: [first, second], dispose };
});
