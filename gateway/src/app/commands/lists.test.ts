import { expect, test } from 'vitest';
import { entityRow, listEntities } from '../../core/entities/entities.js';
import { listTokens } from '../../features/access-tokens/service.js';
import { FIND_LIMIT } from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { listParked } from './inbox.js';

const COUNT = FIND_LIMIT + 1;
const idOf = (at: number): string => at.toString(16).padStart(32, '0');

test('the lists of the command line have more rows than one page', async () => {
  const store = new MemoryStore();
  const ids = Array.from({ length: COUNT }, (_, at) => idOf(at));
  const common = { createdAtMs: 1, version: 1 };
  for (const id of ids) {
    const token = { id, hash: id, sealed: null, entityId: id, merchantId: id, label: '', rights: '["pay"]' };
    const parked = {
      terminalId: '1',
      kind: 'capture',
      sequence: 1,
      reference: null,
      reasonCode: '',
      reason: '',
    };
    await store.commit([
      { op: 'insert', table: 'entities', row: entityRow(id, 'Shop', null, 1) },
      { op: 'insert', table: 'tokens', row: { ...token, ...common, lastUsedAtMs: null, revokedAtMs: null } },
      {
        op: 'insert',
        table: 'parked',
        row: {
          agentId: 'a',
          messageId: id,
          ...parked,
          ...common,
          state: 'waiting',
          note: null,
          message: null,
          keyId: null,
        },
      },
    ]);
  }
  expect((await listEntities(store)).map(({ id }) => id)).toEqual(ids);
  expect((await listTokens(store)).map(({ id }) => id)).toEqual(ids);
  expect((await listParked(store, false)).map(({ messageId }) => messageId)).toEqual(ids);
});
