import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { entityRow } from '../../core/entities/entities.js';
import { auditOf } from '../../kernel/audit/audit.js';
import { confirmRestore } from '../../kernel/restored-database/restore-gap.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { AgentRow, DeviceRow, RestoreGapRow, TokenRow } from '../../kernel/store/rows.js';
import { signallingStore } from '../../kernel/store/signalling-store.js';
import { LocalSignals } from '../../kernel/store/signals/signals.js';
import type { Change, Store } from '../../kernel/store/store.js';
import { TABLES, type TableName } from '../../kernel/store/tables.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { asRow } from '../../kernel/store/working-set.js';
import { newAgentRow } from '../agents/agent-row.js';
import { exampleDevice } from '../devices/device-example.test.support.js';
import { recordKey } from './record-file.js';
import { RESTORE_ROUND_MS, RestoreWatch } from './restore-watch.js';
import { CommitActivity, watchedCommits } from './watch-commits.js';

/** Key of the files. */
export const KEY = recordKey(createSecretKey(Buffer.alloc(32, 7)));

const TOKEN: TokenRow = {
  ...{ id: 't1', hash: 'h1', sealed: null, entityId: 'e', merchantId: 'e', label: 'l', rights: '["pay"]' },
  ...{ createdAtMs: 0, lastUsedAtMs: null, revokedAtMs: null, version: 1 },
};
const AGENT = newAgentRow({ id: 'a1', entityId: 'e', publicKey: 'first', terminals: ['1'] }, 0);
const DEVICE: DeviceRow = exampleDevice({ serial: 'S1', entityId: 'e', agentId: 'a1', stateSinceMs: 0 });

/** The rows of a database, by table. */
export type Backup = ReadonlyMap<TableName, readonly unknown[]>;

/** A database, and homes of gateways that use it: all real but the clock and the engine of the database. */
export class RestoredDatabase {
  readonly folder = mkdtempSync(join(tmpdir(), 'restored-database-'));
  readonly clock: VirtualClock;
  readonly faults: string[] = [];
  /** As CLI commands and other processes use it. */
  store: Store;
  readonly signals = new LocalSignals();
  readonly #emptied: () => Promise<Store>;

  /** @param emptied makes a store without a row */
  constructor(
    store: Store = new MemoryStore(),
    emptied = async (): Promise<Store> => new MemoryStore(),
    clock = new VirtualClock(Date.UTC(2026, 10, 20, 12)),
  ) {
    this.store = store;
    this.#emptied = emptied;
    this.clock = clock;
  }

  /** Stores a merchant with a token, an agent and a device, and more. */
  async fill(...more: readonly Change[]): Promise<void> {
    const row = { name: 'database', value: 'one', version: 1 } as const;
    await this.store.commit([
      { op: 'insert', table: 'settings', row },
      { op: 'insert', table: 'entities', row: entityRow('e', 'Merchant', null, 0) },
      { op: 'insert', table: 'tokens', row: TOKEN },
      { op: 'insert', table: 'agents', row: AGENT },
      { op: 'insert', table: 'devices', row: DEVICE },
      ...more,
    ]);
  }

  async token(): Promise<TokenRow> {
    return (await this.store.get('tokens', [TOKEN.id])) as TokenRow;
  }

  async agent(): Promise<AgentRow> {
    return (await this.store.get('agents', [AGENT.id])) as AgentRow;
  }

  async device(): Promise<DeviceRow> {
    return (await this.store.get('devices', [DEVICE.serial])) as DeviceRow;
  }

  /** As the command line does it, in a separate process. */
  async revokeToken(): Promise<void> {
    const row = { ...(await this.token()), revokedAtMs: this.clock.nowMs() };
    await this.store.commit([{ op: 'update', table: 'tokens', row }, this.#audited('token revoke', row.id)]);
  }

  /** The same of the agent. */
  async revokeAgent(): Promise<void> {
    const before = await this.agent();
    const row = { ...before, state: 'revoked', epoch: before.epoch + 1 } as const;
    await this.store.commit([{ op: 'update', table: 'agents', row }, this.#audited('agents revoke', row.id)]);
  }

  /** The same of the device. */
  async suspendDevice(): Promise<void> {
    const row = {
      ...(await this.device()),
      ...{ state: 'suspended' as const, stateSinceMs: this.clock.nowMs() },
    };
    const record = this.#audited('devices suspend', row.serial);
    await this.store.commit([{ op: 'update', table: 'devices', row }, record]);
  }

  /** What the operator does in the end. @throws OperatorError */
  confirm(): Promise<RestoreGapRow> {
    return confirmRestore({ store: this.store, clock: this.clock, random, actor: 'operator' }, 'compared');
  }

  #audited(action: string, subject: string): Change {
    return auditOf({ clock: this.clock, random }, { actor: 'operator', action, subject, detail: {} });
  }

  /** Starts a gateway on a home. */
  async start(name = 'a'): Promise<HomeOfGateway> {
    const node = new HomeOfGateway(this, join(this.folder, name, 'restore', 'record'));
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
export class HomeOfGateway {
  readonly path: string;
  readonly #restored: RestoredDatabase;
  #activity = new CommitActivity();
  #watch: RestoreWatch | undefined;

  constructor(restored: RestoredDatabase, path: string) {
    this.#restored = restored;
    this.path = path;
  }

  async start(): Promise<void> {
    const { clock, faults, signals } = this.#restored;
    this.#activity = new CommitActivity();
    this.#watch = await RestoreWatch.begin({
      store: this.store,
      ...{ signals, clock, random, path: this.path, key: KEY, activity: this.#activity },
      onFault: (what) => faults.push(what),
    });
  }

  get store(): Store {
    const restored = this.#restored;
    const now: Store = {
      commit: (changes) => restored.store.commit(changes),
      get: (table, key) => restored.store.get(table, key),
      find: (table, index, values, options) => restored.store.find(table, index, values, options),
      findRange: (table, index, range) => restored.store.findRange(table, index, range),
      countRange: (table, index, range) => restored.store.countRange(table, index, range),
      findAfter: (table, after, options) => restored.store.findAfter(table, after, options),
      check: () => restored.store.check(),
      close: async () => undefined,
    };
    return signallingStore(watchedCommits(now, this.#activity), restored.signals);
  }

  /** A second passes, and the gateway looks again. */
  async second(): Promise<void> {
    await this.#restored.clock.advance(RESTORE_ROUND_MS);
    await this.#watch?.round();
  }

  /** An exchange with an acquirer, as its link notes it. */
  exchange(sequence: number): void {
    this.#watch?.linkCheckpoint('EXTERNAL').note(sequence);
  }

  /** The last one, as its link looks it up when it is opened. */
  get lastExchange(): number | undefined {
    return this.#watch?.linkCheckpoint('EXTERNAL').last();
  }

  /** A sale of the device. */
  sell(counter: number): Promise<void> {
    return this.store.commit([
      { op: 'raise-counter', serial: DEVICE.serial, column: 'highestCounter', to: counter },
    ]);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.#watch?.end();
  }
}
