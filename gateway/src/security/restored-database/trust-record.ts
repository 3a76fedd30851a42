import { isInUse, type TrustEntry } from './trust-entry.js';

/** Bounds of what a home writes down. Beyond them the oldest entries go. */
const RECORD_LIMITS = {
  /** Tokens, agents and devices. */
  revoked: 10_000,
  /** Counters of devices. */
  counters: 50_000,
} as const;

/** What a record begins with. */
interface RecordStart {
  /** Since when it lacks nothing. */
  readonly beganMs: number;
  readonly entries: readonly TrustEntry[];
}

/** What this home has seen revoked and used up, in memory. It grows by what is noted, whatever becomes of the database. */
export class TrustRecord {
  readonly #entries = new Map<string, TrustEntry>();
  #beganMs: number;
  #revision = 0;

  constructor({ beganMs, entries }: RecordStart) {
    this.#beganMs = beganMs;
    for (const entry of entries) this.#entries.set(nameOf(entry), entry);
  }

  /** Since when it lacks nothing: a backup of before may have more that was revoked since. */
  get beganMs(): number {
    return this.#beganMs;
  }

  /** Grows with every entry that says something new. */
  get revision(): number {
    return this.#revision;
  }

  /** The entries, those of one kind after those of another. */
  get entries(): readonly TrustEntry[] {
    return [...this.#entries.values()];
  }

  /** Adds what a caller has seen; of two entries about the same the newer one stays, in whatever order they come. */
  note(entry: TrustEntry | undefined): void {
    if (!entry) return;
    const name = nameOf(entry);
    const before = this.#entries.get(name);
    if (!isNews(before, entry)) return;
    this.#entries.set(name, entry);
    this.#revision += 1;
  }

  /** Drops the oldest entries beyond the bounds: from then on the record lacks what was before them. */
  bound(limits: { readonly revoked: number; readonly counters: number } = RECORD_LIMITS): void {
    const counters = this.entries.filter(({ kind }) => kind === 'counter');
    const revoked = this.entries.filter(({ kind }) => kind !== 'counter');
    this.#drop(counters, limits.counters);
    this.#drop(revoked, limits.revoked);
  }

  #drop(entries: TrustEntry[], most: number): void {
    if (entries.length <= most) return;
    entries.sort((one, other) => one.atMs - other.atMs);
    for (const entry of entries.slice(0, entries.length - most)) {
      this.#entries.delete(nameOf(entry));
      this.#beganMs = Math.max(this.#beganMs, entry.atMs + 1);
    }
  }
}

function nameOf({ kind, id }: TrustEntry): string {
  return `${kind}/${id}`;
}

function isNews(before: TrustEntry | undefined, entry: TrustEntry): boolean {
  // A device in use matters where it was not before.
  if (!before) return entry.kind !== 'device' || !isInUse(entry.state);
  if (entry.kind === 'counter') return before.kind === 'counter' && entry.counter > before.counter;
  if (entry.kind === 'agent') return before.kind === 'agent' && entry.epoch > before.epoch;
  if (entry.kind === 'device')
    return before.kind === 'device' && entry.atMs > before.atMs && entry.state !== before.state;
  return false;
}
