import { newAgentRow } from '@tillbridge/gateway/agents/agent-row.js';
import type { Change } from '@tillbridge/gateway/store/store.js';
import { identityOf } from './secrets.js';

/** When every simulation begins. */
export const START_MS = Date.UTC(2026, 10, 20, 8);
const ENTITY = 'a'.repeat(32);

const newStore = (number: number) => ({
  name: `store-${number}`,
  identity: identityOf(`agent-${number}`),
  terminals: [1, 2, 3].map((terminal) => `${number}0${terminal}`),
});
const STORE_1 = newStore(1);
/** The stores of every simulation. */
export const STORES = [STORE_1, newStore(2)];
/** A second machine with the keys and the configuration of store 1, without its journal. */
export const CLONE = { ...STORE_1, name: 'clone-1' };

/** What the gateway's store holds on the first day: a merchant and its agents. */
export function firstDay(): Change[] {
  const entity: Change = {
    op: 'insert',
    table: 'entities',
    row: {
      id: ENTITY,
      kind: 'merchant',
      parentId: null,
      name: 'Simulation',
      compatibility: 'specification',
      createdAtMs: START_MS,
      version: 1,
    },
  };
  const policy = JSON.stringify({ version: 1, unlinkedRefunds: true });
  return [
    entity,
    {
      op: 'insert',
      table: 'storePolicies',
      row: { entityId: ENTITY, policy, updatedAtMs: START_MS, version: 1 },
    },
    ...STORES.map(
      ({ identity, terminals }): Change => ({
        op: 'insert',
        table: 'agents',
        row: newAgentRow(
          { id: identity.agentId, entityId: ENTITY, publicKey: identity.publicKeyPem, terminals },
          START_MS,
        ),
      }),
    ),
  ];
}
