import { isInUse, type NotedEntry, type TrustEntry } from './trust-entry.js';

/** Bounds of what a home writes down. Beyond them the entries that were noted first are left out. */
export const RECORD_LIMITS = {
  /** Tokens, agents and devices. */
  revoked: 10_000,
  /** Counters of devices. */
  counters: 50_000,
} as const;

type Limits = Readonly<Record<keyof typeof RECORD_LIMITS, number>>;

/** What a home writes down. */
interface Written {
  /** Since when it lacks nothing. */
  readonly beganMs: number;
  readonly entries: readonly NotedEntry[];
}

/**
 * What this home has seen revoked and used up, in memory, in the order in which it was noted. It grows by what is noted, whatever becomes of the
 * database.
 */
export class TrustRecord {
  readonly #entries = new Map<string, NotedEntry>();
  readonly #beganMs: number;
  readonly #nowMs: () => number;
  readonly #limits: Limits;
  /** Whether what was written down had reached its bound: then more was known than this record has. */
  readonly #wasFull: Readonly<Record<keyof Limits, boolean>>;
  #latestMs = 0;
  #isInOrder = true;
  #revision = 0;

  /** @param nowMs time by which marks of the database are made */
  constructor({ beganMs, entries }: Written, nowMs: () => number, limits: Limits = RECORD_LIMITS) {
    this.#beganMs = beganMs;
    this.#nowMs = nowMs;
    this.#limits = limits;
    for (const entry of entries) this.#put(entry);
    const count = this.#count();
    this.#wasFull = {
      revoked: count.revoked >= limits.revoked,
      counters: count.counters >= limits.counters,
    };
  }

  /** Grows with every entry that changes something. */
  get revision(): number {
    return this.#revision;
  }

  /** All that is known, and since when it lacks nothing: a backup of before may have more that was revoked since. */
  get known(): Written {
    return { beganMs: this.#beganMs, entries: [...this.#entries.values()] };
  }

  /** Adds what a caller has seen; of two entries about the same the newer one stays, in whatever order they come. */
  note(entry: TrustEntry | undefined): void {
    if (entry) this.#add(entry, this.#now());
  }

  /**
   * The same of what a process finds when it begins. Where more was known before than was written down, it was most likely this: it is as old as
   * the row, and not of today. Else each start would make all backups older than the record.
   */
  recall(entry: TrustEntry | undefined): void {
    if (!entry) return;
    const group = groupOf(entry);
    if (!group || !this.#wasFull[group]) {
      this.note(entry);
      return;
    }
    const rowMs = entry.kind === 'counter' ? 0 : entry.atMs;
    this.#add(entry, Math.min(Math.max(this.#beganMs - 1, rowMs), this.#now()));
    this.#isInOrder = false;
  }

  /** The last exchange with an acquirer; undefined where none was noted. */
  lastExchange(acquirer: string): number | undefined {
    const entry = this.#entries.get(nameOf({ kind: 'link', id: acquirer }));
    return entry?.kind === 'link' ? entry.sequence : undefined;
  }

  /** What is to be written down: without what was noted first, beyond the bounds. Then it lacks what was before that. */
  written(): Written {
    this.#order();
    const count = this.#count();
    const over = {
      revoked: count.revoked - this.#limits.revoked,
      counters: count.counters - this.#limits.counters,
    };
    let beganMs = this.#beganMs;
    const entries = [...this.#entries.values()].filter((entry) => {
      const group = groupOf(entry);
      if (!group || over[group] <= 0) return true;
      over[group] -= 1;
      beganMs = Math.max(beganMs, entry.notedMs + 1);
      return false;
    });
    return { beganMs, entries };
  }

  #now(): number {
    this.#latestMs = Math.max(this.#latestMs, this.#nowMs());
    return this.#latestMs;
  }

  #add(entry: TrustEntry, notedMs: number): void {
    if (!isNews(this.#entries.get(nameOf(entry)), entry)) return;
    this.#put({ ...entry, notedMs });
    this.#revision += 1;
  }

  #put(entry: NotedEntry): void {
    const name = nameOf(entry);
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    this.#latestMs = Math.max(this.#latestMs, entry.notedMs);
  }

  #order(): void {
    if (this.#isInOrder) return;
    const entries = [...this.#entries.values()].sort((one, other) => one.notedMs - other.notedMs);
    this.#entries.clear();
    for (const entry of entries) this.#entries.set(nameOf(entry), entry);
    this.#isInOrder = true;
  }

  #count(): Record<keyof Limits, number> {
    const count = { revoked: 0, counters: 0 };
    for (const entry of this.#entries.values()) {
      const group = groupOf(entry);
      if (group) count[group] += 1;
    }
    return count;
  }
}

/** What an entry is counted with; the few links are not counted. */
function groupOf({ kind }: TrustEntry): keyof Limits | undefined {
  if (kind === 'link') return undefined;
  return kind === 'counter' ? 'counters' : 'revoked';
}

function nameOf({ kind, id }: Pick<TrustEntry, 'kind' | 'id'>): string {
  return `${kind}/${id}`;
}

function isNews(before: TrustEntry | undefined, entry: TrustEntry): boolean {
  // A device in use matters where it was not before.
  if (!before) return entry.kind !== 'device' || !isInUse(entry.state);
  const isSameState = before.kind === 'device' && entry.kind === 'device' && before.state === entry.state;
  return placeOf(entry) > placeOf(before) && !isSameState;
}

/** Which of two entries about the same is the newer one. */
function placeOf(entry: TrustEntry): number {
  switch (entry.kind) {
    case 'counter':
      return entry.counter;
    case 'link':
      return entry.sequence;
    case 'agent':
      return entry.epoch;
    case 'device':
      return entry.atMs;
    case 'token':
      return 0;
  }
}
