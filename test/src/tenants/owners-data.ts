import { TABLES, type TableName } from '@tillbridge/gateway/kernel/store/tables.js';
import { SqliteConnection, type SqlRow } from '@tillbridge/platform/sqlite/connection.js';
import type { Tenant } from './tenant.js';

/** Columns that name the owner of a row. */
const OWNER_COLUMNS = [
  'id',
  'entityId',
  'merchantId',
  'parentId',
  'agentId',
  'serial',
  'subject',
  'endpointId',
  'userId',
] as const;
/** Tables whose rows name no owner: those that were there before anybody else came are the owner's. */
const BY_TIME: readonly TableName[] = [
  'vault',
  'usedAtcs',
  'usedWalletTokens',
  'riskAttempts',
  'scheduleRuns',
  'linkExchanges',
  'linkSettled',
  'users',
  'userSessions',
  'userInvitations',
];
/** Tables with nothing of any tenant. */
const WITHOUT_OWNER: readonly TableName[] = [
  'settings',
  'audit',
  'explanations',
  'dataKeys',
  'walletRoots',
  'nodes',
  'nodeEnds',
  'singleWork',
  'settlementCursors',
  'settlementRuns',
  'exchangeRates',
  'widgetBuilds',
  'recentUses',
  'linkNumbers',
  'linkTotals',
  'linkFiles',
  'acquirerFiles',
  'linkKeys',
  'linkGaps',
  'databaseMarks',
  'restoreGaps',
  // The gateway makes them by itself, of payments that are compared here.
  'paymentSlices',
  'latePayments',
  // They count by card and acquirer, for all merchants.
  'standInCounts',
  // Written after the answers, of the owner's own requests too; that no other one gets into it has a test of its own (request-log/routes.test.ts).
  'requestLog',
];
/** What a stranger changes by design, and why. */
const CHANGED_BY_DESIGN: Partial<Record<TableName, readonly string[]>> = {
  // Guesses at a code are counted, and end it.
  enrolmentCodes: ['failures', 'version'],
};

/** The rows that the gateway keeps about the owner. */
export class OwnersData {
  readonly #database: SqliteConnection;
  readonly #ids: readonly string[];
  readonly #sinceMs = Date.now();
  #before: ReadonlyMap<string, string> = new Map();

  private constructor(database: SqliteConnection, owner: Tenant) {
    this.#database = database;
    const { merchant, channel, legacyChannel, agent, device, spareDevice, webhook } = owner;
    this.#ids = [merchant, channel, legacyChannel, agent, device, spareDevice, webhook];
  }

  /** Remembers what is kept now; no other tenant may have data yet. */
  static async of(file: string, owner: Tenant): Promise<OwnersData> {
    const data = new OwnersData(await SqliteConnection.open(file, { access: 'read-only' }), owner);
    data.#before = await data.#rows();
    return data;
  }

  /** The rows that have changed since, came or went; empty when none has. */
  async changes(): Promise<string[]> {
    const now = await this.#rows();
    return [...new Set([...this.#before.keys(), ...now.keys()])].filter(
      (key) => this.#before.get(key) !== now.get(key),
    );
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #rows(): Promise<Map<string, string>> {
    const rows = new Map<string, string>();
    for (const table of Object.keys(TABLES) as TableName[]) {
      const ignored = CHANGED_BY_DESIGN[table] ?? [];
      for (const row of await this.#rowsOf(table)) {
        const key = TABLES[table].key.map((column) => row[column]);
        const kept = Object.entries(row).filter(([column]) => !ignored.includes(column));
        rows.set(`${table} ${key.join(' ')}`, JSON.stringify(kept));
      }
    }
    return rows;
  }

  #rowsOf(table: TableName): Promise<readonly SqlRow[]> {
    if (WITHOUT_OWNER.includes(table)) return Promise.resolve([]);
    const select = `SELECT * FROM "${table}" WHERE`;
    if (BY_TIME.includes(table)) return this.#database.all(`${select} createdAtMs <= ?`, this.#sinceMs);
    const columns = OWNER_COLUMNS.filter((column) => Object.hasOwn(TABLES[table].columns, column));
    if (!columns.some((column) => column !== 'id' || table === 'entities'))
      throw new Error(
        `whose are the rows of ${table}? Add it to BY_TIME or WITHOUT_OWNER in test/src/tenants/owners-data.ts`,
      );
    const list = this.#ids.map(() => '?').join();
    const where = columns.map((column) => `"${column}" IN (${list})`).join(' OR ');
    return this.#database.all(`${select} ${where}`, ...columns.flatMap(() => this.#ids));
  }
}
