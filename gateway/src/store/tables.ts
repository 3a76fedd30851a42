import type { Rows, TableName } from './rows.js';

/** Shape of a table: both engines are driven by it. */
export interface TableShape {
  /** Primary key columns. */
  readonly key: readonly string[];
  /** Unique indexes by name; a row with a null in one of its columns is not in the index. */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** Other indexes that `find` may use. */
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  readonly columns: readonly string[];
}

type Column<T extends TableName> = keyof Rows[T] & string;

interface TypedShape<T extends TableName> {
  readonly key: readonly Column<T>[];
  readonly unique?: Readonly<Record<string, readonly Column<T>[]>>;
  readonly indexes?: Readonly<Record<string, readonly Column<T>[]>>;
  /** Every column, each once: checked by the compiler through the record. */
  readonly columns: Readonly<Record<Column<T>, true>>;
}

function shape<T extends TableName>(typed: TypedShape<T>): TableShape {
  return {
    key: typed.key,
    unique: typed.unique ?? {},
    indexes: typed.indexes ?? {},
    columns: Object.keys(typed.columns),
  };
}

/** Name of the primary key where an index is named. */
export const PRIMARY = 'primary';

/** The tables. A change here needs a migration (migrations.ts). */
export const TABLES: Readonly<Record<TableName, TableShape>> = {
  entities: shape<'entities'>({
    key: ['id'],
    indexes: { parent: ['parentId'], kind: ['kind'] },
    columns: {
      id: true,
      kind: true,
      parentId: true,
      name: true,
      compatibility: true,
      createdAtMs: true,
      version: true,
    },
  }),
  dispatching: shape<'dispatching'>({
    key: ['merchantId'],
    columns: { merchantId: true, rules: true, version: true },
  }),
  settings: shape<'settings'>({
    key: ['name'],
    columns: { name: true, value: true, version: true },
  }),
  tokens: shape<'tokens'>({
    key: ['id'],
    unique: { hash: ['hash'] },
    indexes: { entity: ['entityId'] },
    columns: {
      id: true,
      hash: true,
      sealed: true,
      entityId: true,
      label: true,
      rights: true,
      createdAtMs: true,
      lastUsedAtMs: true,
      revokedAtMs: true,
      version: true,
    },
  }),
  agents: shape<'agents'>({
    key: ['id'],
    indexes: { entity: ['entityId'] },
    columns: {
      id: true,
      entityId: true,
      publicKey: true,
      terminals: true,
      generation: true,
      epoch: true,
      createdAtMs: true,
      version: true,
    },
  }),
  intents: shape<'intents'>({
    key: ['id'],
    unique: { message: ['agentId', 'messageId'] },
    indexes: { state: ['state'], payment: ['paymentId'] },
    columns: {
      id: true,
      paymentId: true,
      entityId: true,
      agentId: true,
      messageId: true,
      state: true,
      kind: true,
      rootId: true,
      detail: true,
      createdAtMs: true,
      version: true,
    },
  }),
  payments: shape<'payments'>({
    key: ['id'],
    unique: { message: ['agentId', 'messageId'] },
    indexes: { root: ['rootId'], entity: ['entityId'], reference: ['entityId', 'reference'] },
    columns: {
      id: true,
      entityId: true,
      type: true,
      state: true,
      referencedId: true,
      rootId: true,
      amountMinor: true,
      currency: true,
      authorizedMinor: true,
      capturedMinor: true,
      refundedMinor: true,
      reversedMinor: true,
      captureCount: true,
      maxCaptures: true,
      capturesClosed: true,
      lockedBy: true,
      resultCode: true,
      description: true,
      approvalCode: true,
      responseCode: true,
      iccDataResponse: true,
      answer: true,
      brand: true,
      bin: true,
      last4Digits: true,
      holder: true,
      expiryMonth: true,
      expiryYear: true,
      vaultId: true,
      acquirer: true,
      acquirerReference: true,
      captureReference: true,
      agentId: true,
      messageId: true,
      terminalId: true,
      reference: true,
      offline: true,
      echo: true,
      createdAtMs: true,
      version: true,
    },
  }),
  claims: shape<'claims'>({
    key: ['agentId', 'reference'],
    columns: { agentId: true, reference: true, paymentId: true, released: true, version: true },
  }),
  inbox: shape<'inbox'>({
    key: ['agentId', 'messageId'],
    columns: {
      agentId: true,
      messageId: true,
      result: true,
      contentHash: true,
      createdAtMs: true,
      version: true,
    },
  }),
  tombstones: shape<'tombstones'>({
    key: ['agentId', 'messageId'],
    indexes: { age: ['createdAtMs'] },
    columns: { agentId: true, messageId: true, createdAtMs: true, version: true },
  }),
  streams: shape<'streams'>({
    key: ['agentId', 'terminalId'],
    indexes: { agent: ['agentId'] },
    columns: { agentId: true, terminalId: true, nextSequence: true, version: true },
  }),
  journalHeads: shape<'journalHeads'>({
    key: ['agentId'],
    indexes: { alarm: ['alarm'] },
    columns: {
      agentId: true,
      generation: true,
      lastRow: true,
      hash: true,
      alarm: true,
      alarmRow: true,
      alarmAtMs: true,
      updatedAtMs: true,
      version: true,
    },
  }),
  parked: shape<'parked'>({
    key: ['agentId', 'messageId'],
    indexes: { agent: ['agentId'], state: ['state'], sale: ['agentId', 'reference'] },
    columns: {
      agentId: true,
      messageId: true,
      terminalId: true,
      kind: true,
      sequence: true,
      reference: true,
      reasonCode: true,
      reason: true,
      state: true,
      note: true,
      message: true,
      createdAtMs: true,
      version: true,
    },
  }),
  cardUses: shape<'cardUses'>({
    key: ['card', 'counter'],
    indexes: { age: ['createdAtMs'] },
    columns: { card: true, counter: true, sale: true, paymentId: true, createdAtMs: true, version: true },
  }),
  explanations: shape<'explanations'>({
    key: ['kind', 'subject'],
    columns: { kind: true, subject: true, note: true, createdAtMs: true, version: true },
  }),
  events: shape<'events'>({
    key: ['id'],
    indexes: { entity: ['entityId'], payment: ['paymentId'] },
    columns: {
      id: true,
      entityId: true,
      kind: true,
      paymentId: true,
      payload: true,
      createdAtMs: true,
      version: true,
    },
  }),
  vault: shape<'vault'>({
    key: ['id'],
    indexes: { keyId: ['keyId'] },
    columns: {
      id: true,
      keyId: true,
      nonce: true,
      ciphertext: true,
      tag: true,
      createdAtMs: true,
      version: true,
    },
  }),
  idempotency: shape<'idempotency'>({
    key: ['entityId', 'idempotencyKey'],
    indexes: { age: ['createdAtMs'] },
    columns: {
      entityId: true,
      idempotencyKey: true,
      fingerprint: true,
      paymentId: true,
      httpStatus: true,
      answer: true,
      createdAtMs: true,
      version: true,
    },
  }),
};

/**
 * Columns of a named index.
 * @throws RangeError when the table has no such index: a caller's mistake
 */
export function indexColumns(table: TableName, index: string): readonly string[] {
  const { key, unique, indexes } = TABLES[table];
  const columns = index === PRIMARY ? key : (unique[index] ?? indexes[index]);
  if (!columns) throw new RangeError(`table ${table} has no index ${index}`);
  return columns;
}

/**
 * The column of an index that has one alone.
 * @throws RangeError when the table has no such index, or one of several columns: a caller's mistake
 */
export function singleColumn(table: TableName, index: string): string {
  const [column, ...more] = indexColumns(table, index);
  if (column === undefined || more.length > 0)
    throw new RangeError(`index ${index} of table ${table} has not one column alone`);
  return column;
}

/** Names of the unique indexes of a table, the primary key among them. */
export function uniqueIndexes(table: TableName): readonly string[] {
  return [PRIMARY, ...Object.keys(TABLES[table].unique)];
}
