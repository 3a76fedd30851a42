import { join } from 'node:path';
import { listParked, wantAgain } from '@tillbridge/gateway/app/commands/inbox.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { expect } from 'vitest';
import type { TillRequest } from '../clients/agent-client.js';
import { until } from '../clients/http.js';
import { partHome } from '../stack/layout.js';
import type { TourContext } from '../tour/tour-context.js';
import { CRASH_AMOUNT } from './crash-journey.js';
import { SETTLE_MS, type TestStack } from './test-stack.js';

/** Makes the gateway of a system park an offline record. */
export class ParkedRecord {
  readonly #system: Pick<TestStack, 'home'>;
  readonly #tour: TourContext;

  constructor(system: Pick<TestStack, 'home'>, tour: TourContext) {
    this.#system = system;
    this.#tour = tour;
  }

  /** An offline sale of an agent that the network was cut from. */
  async sellOffline(): Promise<TillRequest> {
    const { simulator } = this.#tour;
    await simulator.network({ state: 'up' });
    await this.#tour.agent.untilGateway('up', SETTLE_MS);
    await this.#tour.begin();
    await simulator.network({ state: 'down' });
    await this.#tour.agent.untilGateway('down', SETTLE_MS);
    const request = this.#tour.request(CRASH_AMOUNT);
    const sale = await this.#tour.sell('maestro-offline-approved', request);
    expect(sale).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    return request;
  }

  /** An offline sale whose record the gateway has parked; the agent is connected. */
  async park(): Promise<TillRequest> {
    const request = await this.sellOffline();
    await this.parkWaiting();
    return request;
  }

  /** Has the gateway park the record that waits; the agent is connected then. */
  async parkWaiting(): Promise<void> {
    // The terminal no longer belongs to the agent, so the gateway cannot take its record.
    const terminals = await this.register(['9999']);
    await this.#tour.simulator.network({ state: 'up' });
    await this.untilParked();
    await this.register(terminals);
    // The session knows the terminals of its beginning.
    await this.#tour.simulator.network({ state: 'down' });
    await this.#tour.agent.untilGateway('down', SETTLE_MS);
    await this.#tour.simulator.network({ state: 'up' });
    await this.#tour.agent.untilGateway('up', SETTLE_MS);
  }

  async untilParked(): Promise<void> {
    await until('the record to be parked', SETTLE_MS, async () =>
      (await this.#tour.agent.queue()).body.parked === 1 ? true : undefined,
    );
  }

  /** Retries the one parked message, as the gateway's operator does. Resolves with its result. */
  async retry(): Promise<string> {
    return this.tried(await this.wantRetry());
  }

  /** Only requests the retry, as the commands `inbox list` and `inbox retry` do; the gateway need not run. Resolves with the id of the message. */
  async wantRetry(): Promise<string> {
    const store = await SqliteStore.open(this.#databaseFile);
    try {
      const [{ messageId } = { messageId: '' }] = await listParked(store, false);
      await wantAgain(store, { messageId });
      return messageId;
    } finally {
      await store.close();
    }
  }

  /** Waits until a message was tried again. Resolves with the result. */
  tried(messageId: string): Promise<string> {
    return until('the message to be tried again', SETTLE_MS, async () => {
      // Not by the command: a process for every look would cost more than the rest of the case.
      const row = await this.#database((store) =>
        store.get("SELECT note FROM parked WHERE messageId = ? AND state = 'resolved'", messageId),
      );
      return row && String(row.note);
    });
  }

  /** Writes which terminals belong to the agent; no command does that yet. Resolves with the former ones. */
  async register(terminals: readonly string[]): Promise<readonly string[]> {
    return this.#database(async (store) => {
      const former = await store.get('SELECT terminals FROM agents');
      await store.run('UPDATE agents SET terminals = ?', JSON.stringify(terminals));
      return JSON.parse(String(former?.terminals)) as string[];
    });
  }

  async #database<T>(work: (store: SqliteConnection) => Promise<T>): Promise<T> {
    const store = await SqliteConnection.open(this.#databaseFile);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  get #databaseFile(): string {
    return join(partHome(this.#system.home, 'gateway'), 'gateway.db');
  }
}
