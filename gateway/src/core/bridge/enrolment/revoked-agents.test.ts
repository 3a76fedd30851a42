import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import type { AgentRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { entityRow } from '../../entities/entities.js';
import { REVOKED_LIMITS, RevokedAgents } from './revoked-agents.js';

let store: MemoryStore;
let clock: VirtualClock;
let reads: number;
let revoked: RevokedAgents;
beforeEach(async () => {
  store = new MemoryStore();
  clock = new VirtualClock();
  reads = 0;
  const findRange: MemoryStore['findRange'] = (...range) => {
    reads += 1;
    return store.findRange(...range);
  };
  revoked = new RevokedAgents({
    clock,
    store: { findRange, countRange: (...range) => store.countRange(...range) },
  });
  await store.commit([{ op: 'insert', table: 'entities', row: entityRow('e', 'Shop', null, 0) }]);
});

const agent = (id: string, state: AgentRow['state']): AgentRow => ({
  ...newAgentRow({ id, entityId: 'e', publicKey: id, terminals: [] }, 0),
  state,
});
const add = (...rows: readonly AgentRow[]) =>
  store.commit(rows.map((row): Change => ({ op: 'insert', table: 'agents', row })));
const turn = async (id: string, state: AgentRow['state']): Promise<void> => {
  const row = await store.get('agents', [id]);
  if (row) await store.commit([{ op: 'update', table: 'agents', row: { ...row, state } }]);
};
async function look(): Promise<readonly string[]> {
  const ids: string[] = [];
  await revoked.look((id) => ids.push(id));
  return ids.sort();
}

it('names each revoked agent as soon as one more is, and reads no row while none is', async () => {
  await add(agent('a', 'revoked'), agent('b', 'active'));
  expect(await look()).toEqual(['a']);
  reads = 0;
  expect([await look(), reads]).toEqual([[], 0]);
  await turn('b', 'revoked');
  expect(await look()).toEqual(['a', 'b']);
});

it('names all of many', async () => {
  await add(...Array.from({ length: 300 }, (_, at) => agent(`a${at}`, 'revoked')));
  expect(await look()).toHaveLength(300);
});

it('finds within a minute one that was revoked while another was replaced', async () => {
  await add(agent('a', 'revoked'), agent('b', 'active'));
  await look();
  await turn('a', 'active');
  await turn('b', 'revoked');
  await clock.advance(REVOKED_LIMITS.fullLookMs - 1);
  expect(await look()).toEqual([]);
  await clock.advance(1);
  expect(await look()).toEqual(['b']);
});

it('looks again where it could not read', async () => {
  await add(agent('a', 'revoked'));
  const { findRange } = store;
  store.findRange = () => Promise.reject(new Error('broken'));
  await expect(look()).rejects.toThrow('broken');
  store.findRange = findRange;
  expect(await look()).toEqual(['a']);
});
