import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { PoolNumbers } from '../commit-queue.js';
import { StoreUnavailableError } from '../store.js';
import { isConnectionLost, isLostRace, toStoreError } from './faults.js';

/** Limits of the connections to a server. */
export const POSTGRES_LIMITS = {
  /** Connections for reading that a process has at most, in addition to one for writing. */
  readers: 6,
  /** How long a connection may take to open, or to become free, in milliseconds. */
  connectMs: 5_000,
  /** How long a statement may run, in milliseconds. */
  statementMs: 15_000,
  /** How long it may wait for a lock of another node, in milliseconds. */
  lockMs: 8_000,
  /** After how long the server ends a transaction whose node has stopped in the middle of it, in milliseconds: its locks hold up the others. */
  idleTransactionMs: 2_000,
  /** How long the outcome of a commit is looked for whose connection was lost, and how often, in milliseconds. */
  outcomeMs: 3_000,
  outcomeRetryMs: 50,
  /** How often a transaction that lost a race inside the server is run again. */
  attempts: 5,
} as const;

const INT8 = 20;

/** Numbers of 64 bits as numbers; the others as the driver has them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? safeInteger
      : pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
};

interface Id {
  readonly id: string;
}

/** The id of a transaction, by which its outcome is found later. */
const ID_SQL = 'SELECT pg_current_xact_id()::text AS id';
const STATUS_SQL = 'SELECT pg_xact_status($1::text::xid8) AS status';

/** Where the tables are. */
export interface PostgresPlace {
  /** `postgres://…`; it may hold a password and is never shown. */
  readonly url: string;
  /** Schema of the tables; made where it is missing. */
  readonly schema: string;
}

/** Runs one statement of a transaction; all that are begun without waiting go to the server together. */
export type Run = <Row = unknown>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Connections to a schema of a PostgreSQL server: some for reading, one for transactions, which run one after the other. */
export class PostgresConnections {
  readonly #options: pg.ClientConfig;
  readonly #readers: pg.Pool;
  /** Names of prepared statements by their text. */
  readonly #names = new Map<string, string>();
  #writer: Promise<pg.Client> | undefined;
  /** Ends when the transactions before have ended. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Opens no connection yet. */
  constructor(
    { url, schema }: PostgresPlace,
    limits: Partial<Record<keyof typeof POSTGRES_LIMITS, number>> = {},
  ) {
    const { connectMs, statementMs, lockMs, idleTransactionMs, readers } = { ...POSTGRES_LIMITS, ...limits };
    const settings = {
      search_path: schema,
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleTransactionMs,
      // Statements are run often with few kinds of values: planning them anew costs more than it gains.
      plan_cache_mode: 'force_generic_plan',
    };
    this.#options = {
      connectionString: url,
      application_name: 'tillbridge-gateway',
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      connectionTimeoutMillis: connectMs,
      // The server ends what takes too long; this is for a server that does not answer at all.
      query_timeout: statementMs + connectMs,
      keepAlive: true,
      types: TYPES,
    };
    this.#readers = new pg.Pool({ ...this.#options, max: readers, allowExitOnIdle: true });
    // A lost idle connection: the next query opens another one.
    this.#readers.on('error', () => undefined);
  }

  /** Connections for reading: how many there are, are free, and how many queries wait for one. */
  get pool(): PoolNumbers {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#readers;
    return { open, idle, waiting };
  }

  /** All rows of a query. @throws StoreUnavailableError */
  async all<Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    this.#assertOpen();
    try {
      return (await this.#readers.query(this.#prepared(sql, values))).rows as Row[];
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /**
   * Runs work in one transaction (READ COMMITTED), again where it lost a race inside the server. On return it is durable.
   * The last statements of the work and the commit may be on their way together: the work need not wait for them.
   * @throws ConstraintError, StoreUnavailableError: nothing was written, unless the connection was lost during the commit and the server cannot confirm it
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.#inTurn(work));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #inTurn<T>(work: (run: Run) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      this.#assertOpen();
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isLostRace(error) || attempt === POSTGRES_LIMITS.attempts) throw toStoreError(error);
      }
    }
  }

  /**
   * Runs reads that all see the rows as they are at one moment, while others write.
   * @throws StoreUnavailableError
   */
  async snapshot<T>(work: (run: Run) => Promise<T>): Promise<T> {
    this.#assertOpen();
    const client = await this.#readers.connect().catch((error: unknown) => {
      throw toStoreError(error);
    });
    const run = async <Row>(sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
      try {
        return (await client.query(sql, [...values])).rows as Row[];
      } catch (error) {
        throw toStoreError(error);
      }
    };
    try {
      await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return await work(run);
    } finally {
      // Nothing was written: the transaction ends with its connection.
      client.release(true);
    }
  }

  /** Waits for what runs, then closes all connections. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const writer = await this.#writer?.catch(() => undefined);
    await writer?.end().catch(() => undefined);
    await this.#readers.end();
  }

  async #attempt<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#connectedWriter();
    const begun: Promise<unknown>[] = [];
    const run = <Row>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]> => {
      sendTogether(client);
      const query = values === undefined ? client.query(sql) : client.query(this.#prepared(sql, values));
      begun.push(query);
      return query.then(({ rows }) => rows as Row[]);
    };
    let result: { readonly done: T; readonly id: string } | undefined;
    try {
      const [, [{ id }], done] = await Promise.all([
        run('BEGIN'),
        run(ID_SQL, []) as Promise<[Id]>,
        work(run),
      ]);
      result = { done, id };
      const committing = client.query('COMMIT');
      await Promise.all([...begun, committing]);
      // The commit of a transaction that has failed rolls it back.
      if ((await committing).command !== 'COMMIT') throw new Error('the transaction was rolled back');
      return done;
    } catch (error) {
      await Promise.allSettled(begun);
      // What was prepared after a failed statement does not exist: another connection knows what it has.
      this.#writer = undefined;
      hangUp(client);
      // The server has not confirmed the commit: it may stand.
      if (result && isConnectionLost(error) && (await this.#isCommitted(result.id))) return result.done;
      throw error;
    }
  }

  /** Whether a transaction was committed whose connection was lost; false as well where the server cannot be queried in time. */
  async #isCommitted(id: string): Promise<boolean> {
    for (const endMs = performance.now() + POSTGRES_LIMITS.outcomeMs; performance.now() < endMs; ) {
      const [found] = await this.all<{ readonly status: string | null }>(STATUS_SQL, [id]).catch(() => []);
      if (found && found.status !== 'in progress') return found.status === 'committed';
      await setTimeout(POSTGRES_LIMITS.outcomeRetryMs);
    }
    return false;
  }

  #connectedWriter(): Promise<pg.Client> {
    if (this.#writer) return this.#writer;
    const client = new pg.Client({ ...this.#options, pipeline: true } as pg.ClientConfig);
    const connected = client.connect().then(() => client);
    // One that ends late must not be taken for the one after it, which would never be closed.
    const forget = (): void => {
      if (this.#writer === connected) this.#writer = undefined;
    };
    client.on('error', forget).on('end', forget);
    connected.catch(forget);
    this.#writer = connected;
    return connected;
  }

  #prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return { name, text, values: [...values] };
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new StoreUnavailableError('closed', 'the database is closed');
  }
}

/** Statements that are begun in one turn leave in one write: a write for each was a sixth of the work of a commit. */
function sendTogether(client: pg.Client): void {
  const stream = streamOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Ends a connection at once: the answer to a goodbye may never come, and the server rolls back what was not committed. */
function hangUp(client: pg.Client): void {
  streamOf(client).destroy();
}

function streamOf(client: pg.Client): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}

/** @throws RangeError for a number that JavaScript cannot hold */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is beyond the integers that a number holds`);
  return value;
}
