import pg from 'pg';
import { MAX_WAITING_SIGNALS, readSignals, signalTexts } from '../signals/signal-text.js';
import {
  ANYTHING,
  LocalSignals,
  type Signal,
  type SignalListener,
  type Signals,
} from '../signals/signals.js';
import type { PostgresPlace } from './connection.js';

/** Limits of the connection for signals. */
const SIGNAL_LIMITS = {
  /** How long after its loss it is opened again, in milliseconds. */
  retryMs: 500,
  connectMs: 5_000,
  /** How long signals that wait are still sent at the end, in milliseconds. */
  closeMs: 1_000,
} as const;

/**
 * Signals over `NOTIFY`, on a connection of their own: none holds up a commit. What is signalled while one is on its way leaves with the next.
 */
export class PostgresSignals implements Signals {
  readonly #options: pg.ClientConfig;
  readonly #channel: string;
  readonly #local = new LocalSignals();
  #waiting = new Map<string, Signal>();
  #sending: Promise<void> | undefined;
  #client: Promise<pg.Client> | undefined;
  /** Ends when the connection listens. */
  #hearing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isListening = false;
  #isClosed = false;

  /** Opens no connection yet. */
  constructor({ url, schema }: PostgresPlace) {
    this.#channel = `tillbridge_${schema}`;
    this.#options = {
      connectionString: url,
      application_name: 'tillbridge-signals',
      connectionTimeoutMillis: SIGNAL_LIMITS.connectMs,
      query_timeout: SIGNAL_LIMITS.connectMs,
      keepAlive: true,
    };
  }

  send(signal: Signal): void {
    if (this.#isClosed) return;
    this.#local.send(signal);
    if (this.#waiting.size >= MAX_WAITING_SIGNALS)
      this.#waiting = new Map(ANYTHING.map((any) => [any.topic, any]));
    this.#waiting.set(`${signal.topic} ${signal.key}`, signal);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  listen(listener: SignalListener): () => void {
    this.#isListening = true;
    void this.#hear().catch(() => undefined);
    return this.#local.listen(listener);
  }

  /** Resolves when signals of others arrive, once there is a listener. @throws the driver's error */
  async ready(): Promise<void> {
    if (this.#isListening) await this.#hear();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await Promise.race([
      this.#sending,
      new Promise((resolve) => setTimeout(resolve, SIGNAL_LIMITS.closeMs).unref()),
    ]);
    await this.#local.close();
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    // What is signalled in the same turn leaves together.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      const texts = signalTexts([...this.#waiting.values()]);
      this.#waiting.clear();
      try {
        const client = await this.#connected();
        for (const text of texts) await client.query('SELECT pg_notify($1, $2)', [this.#channel, text]);
      } catch {
        // Lost: the others look by themselves.
      }
    }
  }

  #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const client = new pg.Client(this.#options);
    const connected = this.#connect(client).catch((error: unknown) => {
      lost();
      throw error;
    });
    const lost = (): void => {
      if (this.#client === connected) this.#lost();
    };
    client.on('error', () => undefined).once('end', lost);
    this.#client = connected;
    return connected;
  }

  async #connect(client: pg.Client): Promise<pg.Client> {
    client.on('notification', ({ processId, payload = '' }) => {
      // Its own listeners were called at once.
      if (processId !== (client as unknown as { readonly processID: number }).processID)
        this.#local.deliver(readSignals(payload));
    });
    await client.connect();
    return client;
  }

  /** Signals of others arrive from then on; those before may be lost. */
  #hear(): Promise<void> {
    this.#hearing ??= this.#connected().then(async (client) => {
      await client.query(`LISTEN ${pg.escapeIdentifier(this.#channel)}`);
      this.#local.deliver(ANYTHING);
    });
    return this.#hearing;
  }

  /** A process that listens opens another connection after a while, one that only sends does so when it sends. */
  #lost(): void {
    this.#client = undefined;
    this.#hearing = undefined;
    if (this.#isClosed || !this.#isListening) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => void this.#hear().catch(() => undefined), SIGNAL_LIMITS.retryMs).unref();
  }
}
