import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { Signals } from '../../kernel/store/signals/signals.js';
import type { Store } from '../../kernel/store/store.js';
import { agentEntry, counterEntry, deviceEntry, type TrustEntry, tokenEntry } from './trust-entry.js';
import type { TrustRecord } from './trust-record.js';

/** From one look at every row to the next, in milliseconds: what no record and no signal named is found by it. */
const FULL_LOOK_MS = 600_000;
/** How far wall clocks of machines may differ that write audit records, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;
/** Hex digits of the time at the head of an audit record's id. */
const TIME_DIGITS = 12;

/** What {@link TrustFollower} works with. */
interface TrustFollowerDeps {
  readonly store: Pick<Store, 'get' | 'findAfter'>;
  readonly signals: Pick<Signals, 'listen'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly record: Pick<TrustRecord, 'note' | 'recall'>;
}

/**
 * Notes what any process of the database revokes, with few reads: audit records of commands name tokens, devices and agents, signals name the
 * agents that have another key.
 */
export class TrustFollower {
  readonly #deps: TrustFollowerDeps;
  readonly #unlisten: () => void;
  readonly #signalled = new Set<string>();
  #wantsAll = true;
  #hasSeenAll = false;
  #lookedAtMs = 0;
  #auditSinceMs = 0;

  constructor(deps: TrustFollowerDeps) {
    this.#deps = deps;
    this.#unlisten = deps.signals.listen((signals) => {
      for (const { topic, key } of signals)
        if (topic === 'agents') {
          if (key === '') this.#wantsAll = true;
          else this.#signalled.add(key);
        }
    });
  }

  /** One look: at what is new, or at all of it. @throws StoreUnavailableError */
  async look(): Promise<void> {
    const { clock } = this.#deps;
    const isDue = this.#wantsAll || clock.monotonicMs() - this.#lookedAtMs >= FULL_LOOK_MS;
    if (!isDue) return this.#lookAtNews();
    const nowMs = clock.nowMs();
    this.#wantsAll = false;
    this.#signalled.clear();
    try {
      await this.#lookAtAll();
    } catch (error) {
      this.#wantsAll = true;
      throw error;
    }
    this.#hasSeenAll = true;
    this.#lookedAtMs = clock.monotonicMs();
    this.#auditSinceMs = nowMs;
  }

  /** Ends the listening. */
  end(): void {
    this.#unlisten();
  }

  async #lookAtAll(): Promise<void> {
    const { store, record, clock } = this.#deps;
    const note = (entry: TrustEntry | undefined): void =>
      this.#hasSeenAll ? record.note(entry) : record.recall(entry);
    for (const row of await allRows(store, 'tokens')) note(tokenEntry(row));
    for (const row of await allRows(store, 'agents')) note(agentEntry(row, clock.nowMs()));
    for (const row of await allRows(store, 'devices')) {
      note(deviceEntry(row));
      // Of a process that ended without a word, and of other nodes.
      note(counterEntry(row, clock.nowMs()));
    }
  }

  async #lookAtNews(): Promise<void> {
    await this.#lookAtAudit();
    for (const id of [...this.#signalled]) {
      await this.#noteAgent(id);
      this.#signalled.delete(id);
    }
  }

  async #noteAgent(id: string): Promise<void> {
    const { store, record, clock } = this.#deps;
    const row = await store.get('agents', [id]);
    if (row) record.note(agentEntry(row, clock.nowMs()));
  }

  /** What was done with a token, device or agent is in the audit record of the same commit. */
  async #lookAtAudit(): Promise<void> {
    const { store, record, clock } = this.#deps;
    const nowMs = clock.nowMs();
    const after = Math.max(0, this.#auditSinceMs - CLOCK_SLACK_MS)
      .toString(16)
      .padStart(TIME_DIGITS, '0');
    for (const { action, subject } of await allRows(store, 'audit', [after])) {
      if (action.startsWith('token ')) {
        const row = await store.get('tokens', [subject]);
        if (row) record.note(tokenEntry(row));
      } else if (action.startsWith('devices ')) {
        const row = await store.get('devices', [subject]);
        if (row) record.note(deviceEntry(row));
      } else if (action.startsWith('agents ')) await this.#noteAgent(subject);
    }
    this.#auditSinceMs = nowMs;
  }
}
