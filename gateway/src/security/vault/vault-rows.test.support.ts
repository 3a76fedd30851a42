import type { IntentRow, ParkedRow } from '../../kernel/store/rows.js';
import type { Change } from '../../kernel/store/store.js';

/** An entity `e1`, to which rows of tests belong. */
export const ENTITY_ROWS: readonly Change[] = [
  {
    op: 'insert',
    table: 'entities',
    row: {
      id: 'e1',
      kind: 'merchant',
      parentId: null,
      name: 'One',
      compatibility: 'specification',
      createdAtMs: 1,
      version: 1,
    },
  },
];

/** An intent of that entity. */
export function intentOf(id: string, state: IntentRow['state'] = 'done'): IntentRow {
  return {
    id,
    paymentId: `payment-${id}`,
    entityId: 'e1',
    agentId: null,
    messageId: null,
    state,
    kind: 'authorization',
    reference: null,
    rootId: null,
    owner: null,
    detail: '{}',
    createdAtMs: 1,
    version: 1,
  };
}

/** A parked message. */
export function parkedOf(agentId: string, messageId: string): ParkedRow {
  return {
    agentId,
    messageId,
    terminalId: 't1',
    kind: 'offlineRecord',
    sequence: 1,
    reference: null,
    reasonCode: 'malformed',
    reason: '',
    state: 'waiting',
    note: null,
    message: null,
    keyId: null,
    createdAtMs: 1,
    version: 1,
  };
}
