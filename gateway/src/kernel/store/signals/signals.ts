/** What a signal is about. */
export const SIGNAL_TOPICS = ['commands', 'agents', 'cache', 'throttle'] as const;

/** What a signal is about: commands to an agent, an agent's row, rows that are cached, requests that a node has counted. */
export type SignalTopic = (typeof SIGNAL_TOPICS)[number];

/** A hint that something has happened. */
export interface Signal {
  readonly topic: SignalTopic;
  /** Which one it is about, in printable characters without a line break; empty: any. */
  readonly key: string;
}

/** Receives signals, those of this process among them. */
export type SignalListener = (signals: readonly Signal[]) => void;

/**
 * Hints between the processes that use a database. They come within milliseconds, or not at all: every listener also looks by itself from time
 * to time. A lost one costs time, never correctness.
 */
export interface Signals {
  /** Sends soon, together with others. Never fails. */
  send(signal: Signal): void;
  /** Returns what ends it. After a break in which signals may have been lost the listener receives any key of every topic. */
  listen(listener: SignalListener): () => void;
  /** Sends what waits, then ends. */
  close(): Promise<void>;
}

/** Signals of one process to itself: no other process uses its database. */
export class LocalSignals implements Signals {
  readonly #listeners = new Set<SignalListener>();

  send(signal: Signal): void {
    this.deliver([signal]);
  }

  /** Passes signals to all listeners. */
  deliver(signals: readonly Signal[]): void {
    for (const listener of this.#listeners) listener(signals);
  }

  listen(listener: SignalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}

/** Signals that anything may have changed. */
export const ANYTHING: readonly Signal[] = SIGNAL_TOPICS.map((topic) => ({ topic, key: '' }));
