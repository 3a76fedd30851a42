import { newAgentRow } from '@tillbridge/gateway/agents/agent-row.js';
import type { DeviceRow } from '@tillbridge/gateway/store/rows.js';
import type { Change } from '@tillbridge/gateway/store/store.js';
import type { StorePolicy } from '@tillbridge/protocol/payment/store-policy.js';
import { identityOf } from './secrets.js';
import { accountKsnOf, pinKsnOf, serialOf } from './simulated-terminals.js';

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

/** What the gateway's store holds on the first day: a merchant with its policy, its agents and their devices. */
export function firstDay(storePolicy: StorePolicy): Change[] {
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
  const policy = JSON.stringify(storePolicy);
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
    ...[...STORES, CLONE].flatMap(({ identity, terminals }, at) =>
      terminals.map(
        (terminalId, terminal): Change => ({
          op: 'insert',
          table: 'devices',
          row: deviceOf(at * terminals.length + terminal, identity.agentId, terminalId),
        }),
      ),
    ),
  ];
}

/** The device of a number at a terminal. */
function deviceOf(number: number, agentId: string, terminalId: string): DeviceRow {
  return {
    serial: serialOf(number),
    deviceType: 'GERTEC_PPC930',
    accountKsn: accountKsnOf(number),
    pinKsn: pinKsnOf(number),
    entityId: ENTITY,
    agentId,
    terminalId,
    state: 'active',
    stateSinceMs: START_MS,
    highestCounter: 0,
    forgottenCounter: 0,
    createdAtMs: START_MS,
    version: 1,
  };
}
