import { join } from 'node:path';
import { NO_CARD } from '@tillbridge/gateway/core/payments/rules/drafts.js';
import type { IntentRow, PaymentRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import { columnsByName, type Workload, workload } from './workload.js';

type Commit = readonly Change[];

const AT = Date.UTC(2026, 10, 20, 12);
const GROUPS = 48;
/** Payments whose commits wait for the same flush. */
const SALES_IN_GROUP = 5;
/** By then the log has been moved into the database without a close, and begun anew. */
const REOPEN_AFTER = 45;
const SHOWN_TABLES = ['entities', 'agents', 'intents', 'payments', 'claims', 'inbox', 'streams'] as const;
/** Answers of the size that those of a chip card have. */
const RESULT_BYTES = 2_000;

const SETTING_UP: Commit = [
  {
    op: 'insert',
    table: 'entities',
    row: {
      id: 'e1',
      kind: 'merchant',
      compatibility: 'specification',
      parentId: null,
      name: 'One',
      createdAtMs: AT,
      version: 1,
    },
  },
  {
    op: 'insert',
    table: 'agents',
    row: newAgentRow({ id: 'a1', entityId: 'e1', publicKey: 'key', terminals: ['1'] }, AT),
  },
];

/** The gateway's store: for each sale the intent, then payment, stored answer and stream in one commit. */
export const storeWorkload: Workload = workload<Store, Commit>({
  steps: steps(),
  open: (folder) => SqliteStore.open(join(folder, 'gateway.db')),
  inMemory: () => new MemoryStore(),
  carryOut: (store, commit) => store.commit(commit),
  show,
  examine: (store) => store.check(),
  close: (store) => store.close(),
});

function steps(): readonly (readonly Commit[] | 'reopen')[] {
  const made: (readonly Commit[] | 'reopen')[] = [[SETTING_UP]];
  for (let group = 0; group < GROUPS; group += 1) {
    const sales = Array.from({ length: SALES_IN_GROUP }, (_, at) => group * SALES_IN_GROUP + at + 1);
    made.push(
      sales.map((sale) => begin(sale)),
      sales.map((sale) => end(sale)),
    );
    if (group === REOPEN_AFTER) made.push('reopen');
  }
  return made;
}

function intent(sale: number, state: IntentRow['state']): IntentRow {
  return {
    id: `i${sale}`,
    paymentId: `p${sale}`,
    entityId: 'e1',
    agentId: 'a1',
    messageId: `m${sale}`,
    state,
    kind: 'authorization',
    reference: null,
    rootId: null,
    owner: null,
    detail: '{}',
    createdAtMs: AT + sale,
    version: 1,
  };
}

function begin(sale: number): Commit {
  const reference = `S-${sale}`;
  return [
    { op: 'require-absent', table: 'tombstones', index: 'primary', values: ['a1', `m${sale}`] },
    { op: 'insert', table: 'intents', row: intent(sale, 'open') },
    {
      op: 'insert',
      table: 'claims',
      row: { agentId: 'a1', reference, paymentId: `p${sale}`, released: 0, version: 1 },
    },
  ];
}

function end(sale: number): Commit {
  const result = JSON.stringify({ disposition: 'approved', iccDataResponse: 'A5'.repeat(RESULT_BYTES / 2) });
  return [
    { op: 'update', table: 'intents', row: intent(sale, 'done') },
    { op: 'insert', table: 'payments', row: payment(sale) },
    {
      op: 'insert',
      table: 'inbox',
      row: {
        agentId: 'a1',
        messageId: `m${sale}`,
        result,
        contentHash: null,
        createdAtMs: AT + sale,
        version: 1,
      },
    },
    { op: 'advance-stream', agentId: 'a1', terminalId: '1', nextSequence: sale + 1 },
  ];
}

function payment(sale: number): PaymentRow {
  const amountMinor = 100 * sale;
  return {
    id: `p${sale}`,
    entityId: 'e1',
    shortId: String(sale),
    type: 'DB',
    state: 'captured',
    referencedId: null,
    rootId: null,
    amountMinor,
    currency: 'EUR',
    authorizedMinor: amountMinor,
    capturedMinor: amountMinor,
    refundedMinor: 0,
    chargedBackMinor: 0,
    reversedMinor: 0,
    captureCount: 1,
    maxCaptures: null,
    capturesClosed: 0,
    lockedBy: null,
    resultCode: '000.000.000',
    description: 'Transaction succeeded',
    approvalCode: '123456',
    responseCode: '00',
    iccDataResponse: null,
    answer: '{}',
    method: 'CC',
    ...NO_CARD,
    brand: 'VISA',
    vaultId: null,
    acquirer: 'INTERNAL',
    acquirerReference: `i${sale}`,
    captureReference: null,
    agentId: 'a1',
    messageId: `m${sale}`,
    terminalId: '1',
    reference: `S-${sale}`,
    offline: null,
    echo: '{}',
    createdAtMs: AT + sale,
    version: 1,
  };
}

async function show(store: Store): Promise<string> {
  const tables: unknown[] = [];
  for (const table of SHOWN_TABLES) {
    const rows = await store.findAfter(table, undefined);
    tables.push([table, rows.map(columnsByName)]);
  }
  return JSON.stringify(tables);
}
