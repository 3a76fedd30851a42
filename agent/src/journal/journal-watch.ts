import type { StreamPosition } from '@tillbridge/wire/bridge/messages.js';
import { equalConstantTime } from '@tillbridge/wire/bytes.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import {
  type Journal,
  type JournalHead,
  type JournalRow,
  JournalUnavailable,
  type NewRow,
} from './journal.js';
import {
  GOOD_STANDING,
  type Hold,
  STANDING_KINDS,
  STANDINGS,
  type Standing,
  type StandingKind,
  standingAfter,
  standingRow,
  streamsRow,
} from './standing.js';

/** The gateway's verdict on the journal's head. */
export type HeadVerdict = 'unknown' | 'continues' | 'behind' | 'forked';

/** The gateway's side of the journal, as the uplink receives it. */
export interface JournalLink {
  /**
   * The session is up: the numbers that the gateway expects next, and the head that it keeps of this generation. Resolves when the
   * journal was looked up: the anchor fits that head now, if it ever will.
   */
  welcomed(streams: readonly StreamPosition[], kept: JournalHead | undefined): Promise<void>;
  /** A heartbeat was answered. */
  judged(verdict: HeadVerdict, kept: JournalHead | undefined): void;
  /** The gateway refuses this generation. */
  fenced(reason: string): void;
  /** The journal's own row where the gateway keeps the head, once it was looked up. */
  anchor(): JournalHead | undefined;
}

/** What keeps new sales away. */
export interface SaleHold {
  readonly hold: Hold;
  /** What to do, for a person. */
  readonly text: string;
}

/** What a watch works with. */
interface JournalWatchDeps {
  readonly journal: Journal;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Called with each new standing. */
  readonly onStanding?: (standing: Standing) => void;
  /** Called with faults of the program. */
  readonly onFault?: (error: unknown) => void;
}

const NOT_READ: SaleHold = { hold: 'all', text: 'the journal is still being read' };

/**
 * Watches whether this journal is the one that the gateway knows (agent/docs/journal.md): compares the heads, adopts the numbers that the
 * gateway expects, and keeps what it learnt in the journal itself, so that a restart without a link knows it, too.
 */
export class JournalWatch implements JournalLink {
  readonly #deps: JournalWatchDeps;
  #standing: Standing = GOOD_STANDING;
  /** The standing in the journal's rows. */
  #journaled: StandingKind = GOOD_STANDING.kind;
  #loaded = false;
  #anchor: JournalHead | undefined;
  #confirmed: JournalHead | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: JournalWatchDeps) {
    this.#deps = deps;
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** The newest row that the gateway keeps and this journal has: older ones need no proof any more. */
  get confirmed(): JournalHead | undefined {
    return this.#confirmed;
  }

  /** What the standing keeps the agent from; everything, until it is known what an earlier start has learnt. */
  get saleHold(): SaleHold {
    return this.#loaded ? STANDINGS[this.#standing.kind] : NOT_READ;
  }

  /** Reads the standing that an earlier start left. Resolves without it while the journal is away; the next message of the gateway reads it. */
  start(): Promise<void> {
    return this.#enqueue(async () => undefined);
  }

  welcomed(streams: readonly StreamPosition[], kept: JournalHead | undefined): Promise<void> {
    return this.#enqueue(async () => {
      await this.#adopt(streams);
      await this.#compare(kept);
    });
  }

  judged(verdict: HeadVerdict, kept: JournalHead | undefined): void {
    void this.#enqueue(async () => {
      if (verdict === 'behind' || verdict === 'forked') {
        await this.#become({
          kind: verdict,
          detail: `by the gateway's verdict; it keeps row ${kept?.row ?? 0}`,
        });
        return;
      }
      if (verdict === 'continues') this.#confirmed = kept;
      await this.#compare(kept);
    });
  }

  fenced(reason: string): void {
    void this.#enqueue(() => this.#become({ kind: 'fenced', detail: reason }));
  }

  anchor(): JournalHead | undefined {
    return this.#anchor;
  }

  /** Resolves when every verdict so far was processed. */
  idle(): Promise<void> {
    return this.#work;
  }

  /** One by one: each looks at what the one before has written. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(async () => {
      try {
        await this.#load();
        await work();
      } catch (error) {
        // Without the disk the verdict is dropped; the next heartbeat brings it again.
        if (!(error instanceof JournalUnavailable)) this.#deps.onFault?.(error);
      }
    });
    return this.#work;
  }

  async #load(): Promise<void> {
    if (this.#loaded) return;
    const { journal } = this.#deps;
    const rows: JournalRow[] = [];
    for (const kind of STANDING_KINDS) {
      const row = await journal.lastOfKind(kind);
      if (row) rows.push(row);
    }
    rows.sort((a, b) => a.row - b.row);
    this.#set(rows.reduce(standingAfter, GOOD_STANDING));
    this.#journaled = this.#standing.kind;
    this.#loaded = true;
  }

  /** No number that the gateway has seen is given away again; a restored journal is confirmed by that. */
  async #adopt(streams: readonly StreamPosition[]): Promise<void> {
    const ours = await this.#deps.journal.nextSequences();
    const higher = streams.filter(
      ({ terminalId, nextSequence }) => nextSequence > (ours.get(terminalId) ?? 1),
    );
    if (higher.length > 0 || this.#standing.kind === 'unconfirmed') await this.#append(streamsRow(higher));
    if (this.#standing.kind === 'fenced') await this.#become(GOOD_STANDING);
  }

  async #compare(kept: JournalHead | undefined): Promise<void> {
    if (!kept || kept.hash.length === 0) return;
    const { journal } = this.#deps;
    if (journal.head.row < kept.row) {
      const detail = `the gateway keeps row ${kept.row}, the journal ends at row ${journal.head.row}`;
      return this.#become({ kind: 'behind', detail });
    }
    const hash = await journal.hashAt(kept.row);
    if (!hash) {
      // Compaction has passed what a gateway put back from a backup keeps: the checkpoint is where the chain begins for both.
      this.#anchor = (await journal.part(journal.head.row, Number.MAX_SAFE_INTEGER, 1)).base;
      return;
    }
    this.#anchor = { row: kept.row, hash };
    if (!equalConstantTime(hash, kept.hash)) {
      return this.#become({
        kind: 'forked',
        detail: `row ${kept.row} is not the one that the gateway keeps`,
      });
    }
    this.#confirmed = kept;
    if (this.#standing.kind === 'behind' || this.#standing.kind === 'forked')
      await this.#become(GOOD_STANDING);
  }

  async #become(standing: Standing): Promise<void> {
    const { kind } = this.#standing;
    // A journal that may not sell at all does not become one that may sell a little by another contradiction.
    const contradicts = standing.kind === 'behind' || standing.kind === 'forked';
    if (contradicts && STANDINGS[kind].hold === 'all') return;
    // It holds from now on, whether or not the disk takes it; the next verdict of its kind is journaled again.
    if (standing.kind !== kind) this.#set(standing);
    if (standing.kind !== this.#journaled) await this.#append(standingRow(standing));
  }

  async #append(row: NewRow): Promise<void> {
    const { journal, clock } = this.#deps;
    await journal.append({ atMs: clock.nowMs(), rows: [row] });
    this.#set(standingAfter(this.#standing, row));
    this.#journaled = this.#standing.kind;
  }

  #set(standing: Standing): void {
    const isNew = standing.kind !== this.#standing.kind;
    this.#standing = standing;
    if (isNew) this.#deps.onStanding?.(standing);
  }
}
