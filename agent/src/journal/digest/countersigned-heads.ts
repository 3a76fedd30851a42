import { isHeadOf } from '@tillbridge/wire/bridge/countersigned-head.js';
import type { WireCountersignedHead, WireJournalTree } from '@tillbridge/wire/bridge/messages.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { COUNTERSIGNED_ROW, type Journal, JournalUnavailable } from '../journal.js';
import { headOfRow, headRow } from './head-row.js';
import { JournalDigest } from './journal-digest.js';
import { journalSource } from './journal-source.js';

/** Limits of countersigning, by name. */
export const COUNTERSIGN_LIMITS = {
  /** Between two heads that the gateway is to sign: each costs a row of the journal. */
  intervalMs: 5 * 60_000,
  /** Rows that are looked through for one of a sale, at most: behind so many a head is due in any case. */
  rowsLookedAt: 256,
} as const;

/** What the uplink works with: the head to send with the next heartbeat, and what the gateway answered. */
export interface HeadLink {
  offer(): WireJournalTree | undefined;
  /** A heartbeat was answered, with or without a head. */
  answered(head: WireCountersignedHead | undefined): void;
}

/** What {@link CountersignedHeads} works with. */
interface CountersignedHeadsDeps {
  readonly journal: Journal;
  readonly agentId: string;
  readonly generation: number;
  /** Keys by which the gateway proves itself, SubjectPublicKeyInfo in DER. */
  readonly identityKeys: () => readonly Uint8Array[];
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  /** Called where heads cannot be countersigned, and with faults of the program. */
  readonly onFault: (error: unknown) => void;
}

/** The gateway signed something else than this journal has. */
class OtherHeadError extends Error {
  override readonly name = 'OtherHeadError';
}

/** Has the gateway countersign the journal's head when sales were journaled, and keeps what it signed as rows of the journal. */
export class CountersignedHeads implements HeadLink {
  readonly #deps: CountersignedHeadsDeps;
  readonly #digest: JournalDigest;
  #last: WireCountersignedHead | undefined;
  #isLoaded = false;
  #offer: WireJournalTree | undefined;
  #dueMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: CountersignedHeadsDeps) {
    this.#deps = deps;
    this.#digest = new JournalDigest(journalSource(deps.journal));
  }

  offer(): WireJournalTree | undefined {
    return this.#offer;
  }

  answered(head: WireCountersignedHead | undefined): void {
    this.#work = this.#work.then(async () => {
      try {
        await this.#load();
        if (head) await this.#take(head);
        else if (!this.#offer) await this.#prepare();
        this.#hasFailed = false;
      } catch (error) {
        // Without the disk nothing is lost: a later heartbeat begins again.
        if (error instanceof JournalUnavailable) return;
        this.#offer = undefined;
        if (!this.#hasFailed) this.#deps.onFault(error);
        this.#hasFailed = true;
      }
    });
  }

  /** Resolves when every answer so far was processed. */
  idle(): Promise<void> {
    return this.#work;
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return;
    const { journal, generation } = this.#deps;
    const row = await journal.lastOfKind(COUNTERSIGNED_ROW);
    const head = row && headOfRow(row);
    if (head?.generation === generation) this.#last = head;
    this.#isLoaded = true;
  }

  async #prepare(): Promise<void> {
    const { journal, clock } = this.#deps;
    if (clock.monotonicMs() < this.#dueMs) return;
    const since = this.#last;
    const { row, hash } = journal.head;
    if (!(await this.#hasSaleBehind(since?.row ?? 0))) return;
    const root = await this.#digest.root(row);
    const consistency = since ? await this.#digest.consistency(since.row, row) : [];
    this.#offer = { row, hash, root, consistency: [...consistency], ...(since && { since }) };
  }

  /** Heads of a store that does not sell would only make each other due. */
  async #hasSaleBehind(row: number): Promise<boolean> {
    const { rowsLookedAt } = COUNTERSIGN_LIMITS;
    const leaves = await this.#deps.journal.leaves(row, rowsLookedAt);
    return leaves.length === rowsLookedAt || leaves.some(({ reference }) => reference !== '');
  }

  async #take(head: WireCountersignedHead): Promise<void> {
    const { journal, clock } = this.#deps;
    const wanted = this.#offer;
    this.#offer = undefined;
    await this.#check(head);
    if (head.row > (this.#last?.row ?? 0))
      await journal.append({ atMs: clock.nowMs(), rows: [headRow(head)] });
    this.#last = head;
    // An older one is where the gateway wants the proof to begin: the next heartbeat offers again.
    if (wanted && head.row >= wanted.row) this.#dueMs = clock.monotonicMs() + COUNTERSIGN_LIMITS.intervalMs;
    else await this.#prepare();
  }

  /** @throws OtherHeadError */
  async #check(head: WireCountersignedHead): Promise<void> {
    const { journal, agentId, generation, identityKeys } = this.#deps;
    if (head.generation !== generation || !isHeadOf(agentId, head, identityKeys()))
      throw new OtherHeadError('the gateway sent a head that it did not sign for this journal');
    if (head.row > journal.head.row)
      throw new OtherHeadError(`the gateway has signed row ${head.row}, the journal ends before it`);
    const hash = await journal.hashAt(head.row);
    if (hash && !equalConstantTime(hash, head.hash))
      throw new OtherHeadError(`the gateway has signed another row ${head.row} than the journal has`);
    if (!equalConstantTime(await this.#digest.root(head.row), head.root))
      throw new OtherHeadError(
        `the gateway has signed another tree of ${head.row} rows than the journal has`,
      );
  }
}
