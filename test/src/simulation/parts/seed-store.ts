import type { DeviceRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change } from '@tillbridge/gateway/kernel/store/store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { type SettlementTerms, termsRows } from '../sharing/settlement-terms.js';
import { identityOf } from './secrets.js';
import { accountKsnOf, pinKsnOf, serialOf } from './simulated-terminals.js';

/** When every simulation begins. */
export const START_MS = Date.UTC(2026, 10, 20, 8);
/** The merchant of the stores. */
export const ENTITY = 'a'.repeat(32);

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

/** Another merchant of the same gateway, and its store. */
export const HOSTILE = {
  entityId: 'b'.repeat(32),
  store: { name: 'hostile', identity: identityOf('agent-9'), terminals: ['901'] },
  /** Distinguishes the keys of its terminal from those of the others. */
  terminalNumber: 100,
  /** Numbers of terminals that it has at its counter, without an agent. */
  counter: { terminalId: '9901', numbers: [101, 102, 103] as const },
};

/** A merchant only over REST, whose requests come at once. */
export const SHARING_ENTITY = 'c'.repeat(32);

/** A merchant only over REST whose shoppers have gift cards, and another one. */
export const CART_ENTITIES = ['d'.repeat(32), 'e'.repeat(32)] as const;

/**
 * What the gateway's store holds on the first day: the merchants, the policy of the stores, the terms of the sharing one, endpoints of
 * notifications, agents and devices.
 */
export function firstDay(
  storePolicy: StorePolicy,
  terms: SettlementTerms,
  endpoints: readonly Change[],
): Change[] {
  return [
    merchant(ENTITY, 'Simulation'),
    merchant(HOSTILE.entityId, 'Hostile'),
    merchant(SHARING_ENTITY, 'Sharing'),
    ...CART_ENTITIES.map((id, at) => merchant(id, `Cart ${at + 1}`)),
    ...termsRows(SHARING_ENTITY, terms, START_MS),
    ...endpoints,
    {
      op: 'insert',
      table: 'storePolicies',
      row: {
        entityId: ENTITY,
        policy: JSON.stringify(storePolicy),
        updatedAtMs: START_MS,
        version: 1,
      },
    },
    ...STORES.map((store) => agent(ENTITY, store)),
    agent(HOSTILE.entityId, HOSTILE.store),
    ...[...STORES, CLONE].flatMap((store, at) => devices(ENTITY, store, at * store.terminals.length)),
    ...devices(HOSTILE.entityId, HOSTILE.store, HOSTILE.terminalNumber),
    ...HOSTILE.counter.numbers.map((number) =>
      device(HOSTILE.entityId, number, { agentId: null, terminalId: HOSTILE.counter.terminalId }),
    ),
  ];
}

/** A merchant on the first day. */
export function merchant(id: string, name: string): Change {
  return {
    op: 'insert',
    table: 'entities',
    row: {
      id,
      kind: 'merchant',
      parentId: null,
      name,
      compatibility: 'specification',
      createdAtMs: START_MS,
      version: 1,
    },
  };
}

type Store = Pick<typeof STORE_1, 'identity' | 'terminals'>;

function agent(entityId: string, { identity, terminals }: Store): Change {
  return {
    op: 'insert',
    table: 'agents',
    row: newAgentRow(
      { id: identity.agentId, entityId, publicKey: identity.publicKeyPem, terminals },
      START_MS,
    ),
  };
}

/** The devices at the terminals of a store, numbered from the first. */
function devices(entityId: string, { identity, terminals }: Store, first: number): Change[] {
  return terminals.map((terminalId, at) =>
    device(entityId, first + at, { agentId: identity.agentId, terminalId }),
  );
}

function device(entityId: string, number: number, place: Pick<DeviceRow, 'agentId' | 'terminalId'>): Change {
  return {
    op: 'insert',
    table: 'devices',
    row: {
      serial: serialOf(number),
      deviceType: 'GERTEC_PPC930',
      accountKsn: accountKsnOf(number),
      pinKsn: pinKsnOf(number),
      entityId,
      ...place,
      state: 'active',
      stateSinceMs: START_MS,
      highestCounter: 0,
      forgottenCounter: 0,
      unknownCounter: 0,
      createdAtMs: START_MS,
      version: 1,
    },
  };
}
