import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import { allRows, findAll } from '../../kernel/store/all-rows.js';
import type { Signals } from '../../kernel/store/signals/signals.js';
import type { Store } from '../../kernel/store/store.js';
import { agentEntry, counterEntry, deviceEntry, tokenEntry } from './trust-entry.js';
import type { TrustRecord } from './trust-record.js';

/** From one look at every row to the next, in milliseconds: what no record and no signal named is found by it. */
const FULL_LOOK_MS = 600_000;
/** How far wall clocks of machines may differ that write audit records, in milliseconds. */
const CLOCK_SLACK_MS = 60_000;
/** Hex digits of the time at the head of an audit record's id. */
const TIME_DIGITS = 12;

/** What {@link TrustFollower} works with. */
interface TrustFollowerParts {
  readonly store: Pick<Store, 'get' | 'find' | 'findAfter'>;
  readonly signals: Pick<Signals, 'listen'>;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  readonly record: Pick<TrustRecord, 'note'>;
}

/**
 * Notes what any process of the database revokes, with few reads: audit records name tokens and devices, a state names revoked agents, signals
 * name those that have another key.
 */
export class TrustFollower {
  readonly #parts: TrustFollowerParts;
  readonly #unlisten: () => void;
  readonly #signalled = new Set<string>();
  #wantsAll = true;
  #lookedAtMs = 0;
  #auditSinceMs = 0;

  constructor(parts: TrustFollowerParts) {
    this.#parts = parts;
    this.#unlisten = parts.signals.listen((signals) => {
      for (const { topic, key } of signals)
        if (topic === 'agents') {
          if (key === '') this.#wantsAll = true;
          else this.#signalled.add(key);
        }
    });
  }

  /** One look: at what is new, or at all of it. @throws StoreUnavailableError */
  async look(): Promise<void> {
    const { clock } = this.#parts;
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
    this.#lookedAtMs = clock.monotonicMs();
    this.#auditSinceMs = nowMs;
  }

  /** Ends the listening. */
  end(): void {
    this.#unlisten();
  }

  async #lookAtAll(): Promise<void> {
    const { store, record, clock } = this.#parts;
    for (const row of await allRows(store, 'tokens')) record.note(tokenEntry(row));
    for (const row of await allRows(store, 'agents')) record.note(agentEntry(row, clock.nowMs()));
    for (const row of await allRows(store, 'devices')) {
      record.note(deviceEntry(row));
      // Of a process that ended without a word, and of other nodes.
      record.note(counterEntry(row, clock.nowMs()));
    }
  }

  async #lookAtNews(): Promise<void> {
    const { store, record, clock } = this.#parts;
    await this.#lookAtAudit();
    for (const row of await findAll(store, 'agents', 'state', ['revoked']))
      record.note(agentEntry(row, clock.nowMs()));
    for (const id of [...this.#signalled]) {
      const row = await store.get('agents', [id]);
      if (row) record.note(agentEntry(row, clock.nowMs()));
      this.#signalled.delete(id);
    }
  }

  /** What was done with a token or device is in the audit record of the same commit. */
  async #lookAtAudit(): Promise<void> {
    const { store, record } = this.#parts;
    const after = Math.max(0, this.#auditSinceMs - CLOCK_SLACK_MS)
      .toString(16)
      .padStart(TIME_DIGITS, '0');
    let latestMs = this.#auditSinceMs;
    for (const { action, subject, createdAtMs } of await allRows(store, 'audit', [after])) {
      latestMs = Math.max(latestMs, createdAtMs);
      if (action.startsWith('token ')) {
        const row = await store.get('tokens', [subject]);
        if (row) record.note(tokenEntry(row));
      } else if (action.startsWith('devices ')) {
        const row = await store.get('devices', [subject]);
        if (row) record.note(deviceEntry(row));
      }
    }
    // A clock that was ahead must not hide what comes after it.
    this.#auditSinceMs = Math.min(latestMs, this.#parts.clock.nowMs());
  }
}
