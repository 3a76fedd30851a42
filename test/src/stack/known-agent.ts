import { createPublicKey } from 'node:crypto';
import { AGENT_KEY, TestAgent } from '@tillbridge/gateway/core/bridge/test-agent.test.support.js';
import {
  PostgresStore,
  STORE_SCHEMA_NAME,
} from '@tillbridge/gateway/kernel/store/postgres/postgres-store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';

/** Makes an agent known in a database, under the key of the tests' agents. */
export async function addKnownAgent(databaseUrl: string, id: string, entityId: string): Promise<void> {
  const store = await PostgresStore.open({ url: databaseUrl, schema: STORE_SCHEMA_NAME });
  const publicKey = createPublicKey(AGENT_KEY).export({ type: 'spki', format: 'pem' }).toString();
  const row = newAgentRow({ id, entityId, publicKey, terminals: [] }, Date.now());
  await store.commit([{ op: 'insert', table: 'agents', row }]);
  await store.close();
}

/** The agent with a session at a gateway. */
export async function connectKnownAgent(gatewayUrl: string, agentId: string): Promise<TestAgent> {
  const agent = new TestAgent(`${gatewayUrl.replace('http', 'ws')}/bridge`);
  await agent.hello({ agentId });
  await agent.next('welcome');
  return agent;
}
