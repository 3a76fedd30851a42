import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';
import { VirtualClock } from '@tillbridge/protocol/seams/testing/virtual-clock.js';
import { allRows } from '../store/all-rows.js';
import { signallingStore } from '../store/signalling-store.js';
import { LocalSignals } from '../store/signals/signals.js';
import type { Change, Store } from '../store/store.js';
import { TABLES, type TableName } from '../store/tables.js';
import { MemoryStore } from '../store/testing/memory-store.js';
import { asRow } from '../store/working-set.js';
import { recordKey } from './record-file.js';
import { RESTORE_ROUND_MS, RestoreWatch } from './restore-watch.js';
import { CommitActivity, watchedCommits } from './watch-commits.js';

const KEY = recordKey(createSecretKey(Buffer.alloc(32, 7)));

/** The rows of a database, by table. */
export type Backup = ReadonlyMap<TableName, readonly unknown[]>;

/** A database, and homes of gateways that use it: all real but the clock and the engine of the database. */
export class RestoredDatabase {
  readonly folder = mkdtempSync(join(tmpdir(), 'restored-database-'));
  readonly clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  readonly faults: string[] = [];
  /** As CLI commands and other processes use it. */
  store: Store;
  readonly signals = new LocalSignals();
  readonly #emptied: () => Promise<Store>;

  /** @param emptied makes a store without a row */
  constructor(store: Store = new MemoryStore(), emptied = async (): Promise<Store> => new MemoryStore()) {
    this.store = store;
    this.#emptied = emptied;
  }

  async fill(...changes: readonly Change[]): Promise<void> {
    const row = { name: 'database', value: 'one', version: 1 } as const;
    await this.store.commit([{ op: 'insert', table: 'settings', row }, ...changes]);
  }

  /** Starts a gateway on a home. */
  async start(name = 'a'): Promise<Node> {
    const node = new Node(this, join(this.folder, name, 'restore', 'record'));
    await node.start();
    return node;
  }

  async backup(): Promise<Backup> {
    const names = Object.keys(TABLES) as TableName[];
    return new Map(
      await Promise.all(names.map(async (table) => [table, await allRows(this.store, table)] as const)),
    );
  }

  /** Puts a backup in the place of the database. */
  async putBack(backup: Backup): Promise<void> {
    const store = await this.#emptied();
    for (const [table, rows] of backup)
      for (const row of rows)
        await store.commit([{ op: 'insert', table, row: { ...asRow(row as never), version: 1 } } as Change]);
    this.store = store;
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** A gateway on a database: what it commits itself goes through its own store. */
export class Node {
  readonly path: string;
  readonly #world: RestoredDatabase;
  #activity = new CommitActivity();
  #watch: RestoreWatch | undefined;

  constructor(world: RestoredDatabase, path: string) {
    this.#world = world;
    this.path = path;
  }

  async start(): Promise<void> {
    const { clock, faults, signals } = this.#world;
    this.#activity = new CommitActivity();
    this.#watch = await RestoreWatch.begin({
      store: this.store,
      ...{ signals, clock, random, path: this.path, key: KEY, activity: this.#activity },
      onFault: (what) => faults.push(what),
    });
  }

  get store(): Store {
    const world = this.#world;
    const now: Store = {
      commit: (changes) => world.store.commit(changes),
      get: (table, key) => world.store.get(table, key),
      find: (table, index, values, options) => world.store.find(table, index, values, options),
      findRange: (table, index, range) => world.store.findRange(table, index, range),
      countRange: (table, index, range) => world.store.countRange(table, index, range),
      findAfter: (table, after, options) => world.store.findAfter(table, after, options),
      check: () => world.store.check(),
      close: async () => undefined,
    };
    return signallingStore(watchedCommits(now, this.#activity), world.signals);
  }

  /** A second passes, and the gateway looks again. */
  async second(): Promise<void> {
    await this.#world.clock.advance(RESTORE_ROUND_MS);
    await this.#watch?.round();
  }

  async stop(): Promise<void> {
    await this.#watch?.end();
  }
}
