import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../../kernel/store/testing/memory-store.js';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { AGENT, ENTITY } from '../../payments/payment-harness.test.support.js';
import { COMMAND_LIMITS } from './agent-command.js';
import { requestCommand } from './request-command.js';

it(`lets ${COMMAND_LIMITS.waiting} commands wait, also where more are requested at once`, async () => {
  const store = new MemoryStore();
  const row = newAgentRow({ id: AGENT, entityId: ENTITY, publicKey: 'key', terminals: [] }, 1);
  await store.commit([{ op: 'insert', table: 'agents', row }]);
  const deps = { store, clock: new VirtualClock(), random, actor: 'anna' };
  const requested = await Promise.allSettled(
    Array.from({ length: 2 * COMMAND_LIMITS.waiting }, () => requestCommand(deps, AGENT, { action: 'ping' })),
  );
  const refused = requested.filter((each) => each.status === 'rejected');
  expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
    Array(COMMAND_LIMITS.waiting).fill('too-many'),
  );
  const waiting = await store.find('agentCommands', 'agent', [AGENT, 'waiting']);
  expect(waiting).toHaveLength(COMMAND_LIMITS.waiting);
});
