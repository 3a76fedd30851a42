import type { Clock, Timer } from '@tillbridge/protocol/seams/clock.js';
import type { Key } from '../store/store.js';
import { DIFFERENCE_KINDS, type Difference, nameOf } from './difference.js';
import { Inspection, type InspectionParts } from './inspect.js';
import { KnownDifferences, keyOf } from './known-differences.js';

/** Limits of the check. */
export interface CheckLimits {
  /** Rows of each kind that one step looks at. */
  readonly batch: number;
  /** Pause between two steps, in milliseconds. */
  readonly intervalMs: number;
  /** An intent without an outcome is a difference after this time, in milliseconds. */
  readonly overdueMs: number;
}

/** The limits in production: an acquirer may be gone for a day before its intents are a difference. */
export const CHECK_LIMITS: CheckLimits = { batch: 100, intervalMs: 2_000, overdueMs: 24 * 3_600_000 };

/** What the check works with. */
export interface InvariantCheckParts extends Omit<InspectionParts, 'overdueMs' | 'clock'> {
  readonly clock: Clock;
  readonly log: { warn(about: object, text: string): void; error(about: object, text: string): void };
  readonly limits?: Partial<CheckLimits>;
}

type Walk = 'payments' | 'inbox' | 'intents' | 'newEntries' | 'entries';

/**
 * The continuous comparison of payments, stored answers and the acquirer's record. It walks through all of them in small steps, new
 * entries of the acquirer first and all the others round and round; what it finds stays counted until it stands no more, or a person has
 * explained it (`explanations`).
 */
export class InvariantCheck {
  readonly #parts: InvariantCheckParts;
  readonly #limits: CheckLimits;
  readonly #inspection: Inspection;
  readonly #known = new KnownDifferences();
  readonly #walks: Readonly<Record<Walk, () => Promise<boolean>>>;
  readonly #after = new Map<'payments' | 'inbox' | 'intents', Key>();
  #newest = 0;
  #round = 0;
  /** Walks that have come to their end since the last whole round. */
  readonly #done = new Set<Walk>();
  #completedAtMs: number | undefined;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The last step ended in a fault: said once, until a step goes well again. */
  #failing = false;

  constructor(parts: InvariantCheckParts) {
    this.#parts = parts;
    this.#limits = { ...CHECK_LIMITS, ...parts.limits };
    const { overdueMs } = this.#limits;
    this.#inspection = new Inspection({ ...parts, overdueMs });
    this.#walks = {
      newEntries: () => this.#walkNewEntries(),
      payments: () => this.#walkPayments(),
      inbox: () => this.#walkInbox(),
      intents: () => this.#walkIntents(),
      entries: () => this.#walkEntries(),
    };
  }

  /** What is found and not explained. */
  get known(): KnownDifferences {
    return this.#known;
  }

  /** When everything had last been looked at once more, milliseconds since 1970; undefined before the first time. */
  get completedAtMs(): number | undefined {
    return this.#completedAtMs;
  }

  /** One step: a part of each walk, and what is known already once more. @throws StoreUnavailableError, AcquirerUnreachableError */
  async step(): Promise<void> {
    await this.#lookAgain();
    for (const [name, walk] of Object.entries(this.#walks) as [Walk, () => Promise<boolean>][]) {
      if (await walk()) this.#done.add(name);
    }
    if (this.#done.size < Object.keys(this.#walks).length) return;
    this.#done.clear();
    this.#completedAtMs = this.#parts.clock.nowMs();
  }

  /** Goes on until everything was looked at, however much there is: for a check that has just been made. @throws as {@link step} */
  async full(): Promise<void> {
    while (this.#completedAtMs === undefined) await this.step();
  }

  /** Takes a step now and then, until {@link stop}. A fault of disk or acquirer ends the step, not the check. */
  start(): void {
    this.#running = this.step()
      .then(
        () => {
          this.#failing = false;
        },
        (error: unknown) => {
          if (!this.#failing) this.#parts.log.warn({ err: error }, 'invariants cannot be checked now');
          this.#failing = true;
        },
      )
      .finally(() => {
        if (this.#stopped) return;
        this.#timer = this.#parts.clock.setTimer(this.#limits.intervalMs, () => this.start());
      });
  }

  /** Ends the check; resolves when the running step is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #walkPayments(): Promise<boolean> {
    const { store } = this.#parts;
    const page = await store.findAfter('payments', this.#after.get('payments'), this.#page());
    for (const row of page) await this.#judge(await this.#inspection.payment(row));
    return this.#goOn('payments', page.length, page.at(-1)?.id);
  }

  async #walkInbox(): Promise<boolean> {
    const page = await this.#parts.store.findAfter('inbox', this.#after.get('inbox'), this.#page());
    for (const row of page) await this.#judge(await this.#inspection.answer(row));
    const last = page.at(-1);
    return this.#goOn('inbox', page.length, last?.agentId, last?.messageId);
  }

  async #walkIntents(): Promise<boolean> {
    const after = this.#after.get('intents');
    const options = { ...this.#page(), ...(after && { after }) };
    const page = await this.#parts.store.find('intents', 'state', ['open'], options);
    for (const row of page) await this.#judge(await this.#inspection.intent(row));
    return this.#goOn('intents', page.length, page.at(-1)?.id);
  }

  /** What the acquirer recorded since the last step. */
  async #walkNewEntries(): Promise<boolean> {
    const { record } = this.#parts;
    const page = (await record?.entriesAfter(this.#newest, this.#limits.batch)) ?? [];
    for (const { entry } of page) await this.#judge(await this.#inspection.entry(entry));
    this.#newest = page.at(-1)?.position ?? this.#newest;
    return page.length < this.#limits.batch;
  }

  /** All entries, round and round: a payment may vanish long after. */
  async #walkEntries(): Promise<boolean> {
    const { record } = this.#parts;
    const page = (await record?.entriesAfter(this.#round, this.#limits.batch)) ?? [];
    for (const { entry } of page) await this.#judge(await this.#inspection.entry(entry));
    const ended = page.length < this.#limits.batch;
    this.#round = ended ? 0 : (page.at(-1)?.position ?? 0);
    return ended;
  }

  #page(): { readonly limit: number } {
    return { limit: this.#limits.batch };
  }

  /** Where the next step goes on; true when this one came to the end. */
  #goOn(walk: 'payments' | 'inbox' | 'intents', count: number, ...key: (string | undefined)[]): boolean {
    const ended = count < this.#limits.batch;
    if (ended) this.#after.delete(walk);
    else
      this.#after.set(
        walk,
        key.map((part) => part ?? ''),
      );
    return ended;
  }

  async #lookAgain(): Promise<void> {
    for (const known of this.#known.list().slice(0, this.#limits.batch)) {
      const found = await this.#inspection.again(known.subject);
      const stands = found.find((each) => keyOf(each) === keyOf(known));
      this.#known.remove(known);
      // Behind the others now: in the next step it is their turn.
      if (stands && !(await this.#isExplained(known))) this.#known.add(stands, known.sinceMs);
      else this.#parts.log.warn(about(known), 'difference cleared');
    }
  }

  async #judge(found: readonly Difference[]): Promise<void> {
    for (const difference of found) {
      if (await this.#isExplained(difference)) continue;
      if (this.#known.add(difference, this.#parts.clock.nowMs()))
        this.#parts.log.error(about(difference), 'difference between payments, answers and acquirer');
    }
  }

  async #isExplained({ kind, subject }: Difference): Promise<boolean> {
    return (await this.#parts.store.get('explanations', [kind, nameOf(subject)])) !== undefined;
  }
}

function about({ kind, subject, detail }: Difference): object {
  return { kind, subject: nameOf(subject), detail, meaning: DIFFERENCE_KINDS[kind] };
}
