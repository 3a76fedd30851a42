import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import {
  DuplicateKey,
  JOURNAL_LIMITS,
  type Journal,
  type JournalRow,
  JournalUnavailable,
} from '../../journal/journal.js';
import { decide, observe } from '../machine/decide.js';
import type {
  Decision,
  Effect,
  Sale,
  SaleEvent,
  SensitiveData,
  StepContext,
} from '../machine/state/events.js';
import { evolve } from '../machine/state/evolve.js';
import { type Fact, isDurable } from '../machine/state/facts.js';
import { messageOf, reversalOf } from '../machine/state/messages.js';
import { holdsTerminal, type SaleState } from '../machine/state/sale-state.js';
import { reversal } from '../machine/steps/common.js';
import { staysOpen } from '../machine/steps/late-decline.js';
import type { FingerprintCard } from '../offline/card-fingerprint.js';
import type { UnforwardedSale } from '../offline/offline-exposure.js';
import { loadSale } from '../records/compacted-sale.js';
import { factToRow, rowToFact } from '../records/fact-rows.js';
import { encodeSensitive } from '../records/sensitive-codec.js';
import { claimOf } from './offline-claim.js';

/** What an actor needs of the runner around it. */
export interface ActorPorts {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Inputs of a step, gathered at the moment of the event. */
  context(state: SaleState): StepContext;
  /** A keyed hash. */
  readonly fingerprint: FingerprintCard;
  /** Carries out an effect; what comes of it is posted to the actor. */
  perform(actor: SaleActor, effect: Effect): void;
  /** Rows were committed; `states[i]` is the sale after `rows[i]`. */
  committed(rows: readonly JournalRow[], states: readonly SaleState[]): void;
  /** The state changed, journaled or not. */
  changed(state: SaleState): void;
}

interface Posted {
  readonly event: SaleEvent | { readonly kind: 'flush' };
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * One sale at work: takes its events one by one, journals what they lead to, then lets the effects happen.
 * When the disk refuses, the sale goes on to an outcome that is true without the row, and owes the row to the disk.
 */
export class SaleActor {
  readonly #ports: ActorPorts;
  readonly #inbox: Posted[] = [];
  readonly #waiters = new Set<() => void>();
  #sale: Sale;
  #owed: readonly Fact[] = [];
  /** An approval's record that the disk reported as lost, and may have all the same. */
  #denied: string | undefined;
  /** What is on its way to the disk. */
  #writing: Decision | undefined;
  /** What the denied record took, as long as the disk may have kept it. */
  #doubtful: UnforwardedSale | undefined;
  #retry: Timer | undefined;
  #working = false;

  constructor(ports: ActorPorts, sale: Sale) {
    this.#ports = ports;
    this.#sale = sale;
  }

  /** As it may be reported: not as failed while the disk may hold the approval, which a restart would bring back. */
  get state(): SaleState {
    const { state } = this.#sale;
    return this.#denied !== undefined && state.outcome === 'failed' ? inDoubt(state) : state;
  }

  get live(): Sale['live'] {
    return this.#sale.live;
  }

  /** Offline money that this sale may be taking, and that no row shows yet. */
  get claim(): UnforwardedSale | undefined {
    return claimOf(this.#sale, this.#writing, this.#ports.fingerprint) ?? this.#doubtful;
  }

  /** Nothing waits to be done, and nothing is owed. */
  get isIdle(): boolean {
    return !this.#working && this.#inbox.length === 0 && !this.#owes && this.#waiters.size === 0;
  }

  /** Something has to be written, or looked for, when the disk is back. */
  get #owes(): boolean {
    return this.#owed.length > 0 || this.#denied !== undefined;
  }

  /**
   * Hands over an event; resolves when it was dealt with.
   * @throws JournalUnavailable when it changed nothing because it could not be journaled
   */
  post(event: SaleEvent): Promise<void> {
    return this.#add(event);
  }

  /** Writes what is owed, now that the disk takes it again; where nothing is, believes what the disk has. */
  flush(): Promise<void> {
    return this.#add({ kind: 'flush' });
  }

  /**
   * Resolves when `isDone` holds, or `maxWaitMs` after `mayWait` stopped holding: the till gets an open state in bounded time.
   */
  async waitFor(
    isDone: (state: SaleState) => boolean,
    mayWait: (state: SaleState) => boolean,
    maxWaitMs: number,
  ): Promise<void> {
    if (isDone(this.state)) return;
    await new Promise<void>((resolve) => {
      let timer: { cancel(): void } | undefined;
      const end = () => {
        this.#waiters.delete(look);
        timer?.cancel();
        resolve();
      };
      const look = () => {
        if (isDone(this.state)) end();
        else if (!mayWait(this.state)) timer ??= this.#ports.clock.setTimer(maxWaitMs, end);
      };
      this.#waiters.add(look);
      look();
    });
  }

  #add(event: Posted['event']): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#inbox.push({ event, resolve, reject });
      if (!this.#working) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#inbox.shift(); next; next = this.#inbox.shift()) {
      try {
        await this.#take(next.event);
        next.resolve();
      } catch (error) {
        next.reject(error);
      }
    }
    this.#working = false;
    this.#ports.changed(this.state);
  }

  async #take(event: Posted['event']): Promise<void> {
    if (event.kind === 'flush') {
      await this.#payOwed();
      return;
    }
    // The rows on disk count before anything is decided. While the disk is away they cannot be read; the event's own write reports that.
    if (this.#owes) await this.#payOwed().catch(ignoreUnavailable);
    this.#sale = observe(this.#sale, event);
    const context = this.#ports.context(this.#sale.state);
    const decision = decide(this.#sale, event, context);
    this.#writing = decision;
    try {
      await this.#commit(decision);
    } catch (error) {
      if (error instanceof DuplicateKey) return this.#reload();
      if (!(error instanceof JournalUnavailable)) throw error;
      this.#denied ??= approvingMessageOf(decision);
      if (this.#denied !== undefined) this.#doubtful ??= this.claim;
      this.#goOnWithoutDisk(context);
      this.#payLater(error);
      throw error;
    } finally {
      this.#writing = undefined;
    }
    this.#after(decision);
  }

  async #payOwed(): Promise<void> {
    try {
      await this.#reverseStoredApproval();
      if (this.#owed.length > 0) await this.#commit({});
      await this.#catchUp();
    } catch (error) {
      if (error instanceof DuplicateKey) return this.#reload();
      if (error instanceof JournalUnavailable) this.#payLater(error);
      throw error;
    }
  }

  /** Reverses an approval that is on disk although the till got the answer that the sale failed; nothing else is written before. */
  async #reverseStoredApproval(): Promise<void> {
    const messageId = this.#denied;
    if (messageId === undefined) return;
    const { journal } = this.#ports;
    const kept = await journal.rowOfMessage(messageId);
    const state = kept && (await loadSale(journal, this.#sale.state.reference));
    this.#denied = undefined;
    this.#doubtful = undefined;
    if (!state || reversalOf(state)) {
      this.#tell();
      return;
    }
    const [id] = this.#ports.context(state).ids;
    const reversed = reversal(state, id, 'journal-unavailable', 'failed');
    this.#owed = [reversed];
    this.#sale = { ...this.#sale, state: this.#evolve(state, reversed) };
    this.#tell();
  }

  /** Writes later what is owed: a disk that was only too slow reports no recovery. */
  #payLater({ reason }: JournalUnavailable): void {
    this.#retry?.cancel();
    if (reason === 'closed' || !this.#owes) return;
    this.#retry = this.#ports.clock.setTimer(JOURNAL_LIMITS.probeIntervalMs, () => {
      void this.flush().catch(() => undefined);
    });
  }

  async #commit({ facts = [], sensitive = [], live }: Decision): Promise<void> {
    const durable = [...this.#owed, ...facts.filter(isDurable)];
    const rows = durable.length > 0 ? await this.#append(durable, this.#fold(facts), sensitive) : [];
    const fresh = rows.slice(this.#owed.length);
    const states: SaleState[] = rows.slice(0, this.#owed.length).map(() => this.#sale.state);
    this.#owed = [];
    this.#retry?.cancel();
    let { state } = this.#sale;
    for (const fact of facts.filter((each) => !isDurable(each))) state = this.#evolve(state, fact);
    for (const row of fresh) {
      const fact = rowToFact(row);
      if (fact) state = evolve(state, fact, row);
      states.push(state);
    }
    this.#sale = { state, live: { ...this.#sale.live, ...live } };
    // From here on the rows decide.
    this.#writing = undefined;
    if (rows.length > 0) this.#ports.committed(rows, states);
  }

  #append(
    facts: readonly Fact[],
    after: SaleState,
    sensitive: readonly SensitiveData[],
  ): Promise<readonly JournalRow[]> {
    const { reference, terminalId } = this.#sale.state;
    const wipe = facts.flatMap((fact) => wipedBy(fact, this.#sale.state));
    return this.#ports.journal.append({
      atMs: this.#ports.clock.nowMs(),
      rows: facts.map((fact) => factToRow(fact, reference, terminalId)),
      // The next boot has to find late declines that are not acknowledged, too.
      sale: { reference, open: staysOpen(after) },
      blobs: sensitive.map((data) => ({ messageId: data.messageId, bytes: encodeSensitive(data) })),
      wipe,
    });
  }

  #after({ facts = [], effects = [] }: Decision): void {
    if (facts.length > 0) this.#tell();
    for (const effect of effects) this.#ports.perform(this, effect);
  }

  #goOnWithoutDisk(context: StepContext): void {
    const decision = decide(this.#sale, { kind: 'journal-lost' }, context);
    const { facts = [], live } = decision;
    this.#owed = [...this.#owed, ...facts.filter(isDurable)];
    this.#sale = { state: this.#fold(facts), live: { ...this.#sale.live, ...live } };
    this.#after(decision);
  }

  /** The disk has a row that was reported as lost: the row counts. */
  async #reload(): Promise<void> {
    const state = await loadSale(this.#ports.journal, this.#sale.state.reference);
    if (!state) return;
    this.#owed = [];
    this.#sale = { ...this.#sale, state };
    this.#tell();
    void this.post({ kind: 'restarted' }).catch(() => undefined);
  }

  /** The disk may have rows that it reported as lost: a sale behind its card is nothing but its rows. */
  async #catchUp(): Promise<void> {
    if (holdsTerminal(this.#sale.state)) return;
    const state = await loadSale(this.#ports.journal, this.#sale.state.reference);
    if (!state || sameButTimeline(state, this.#sale.state)) return;
    this.#sale = { ...this.#sale, state };
    this.#tell();
  }

  #fold(facts: readonly Fact[]): SaleState {
    return facts.reduce((state, fact) => this.#evolve(state, fact), this.#sale.state);
  }

  #evolve(state: SaleState, fact: Fact): SaleState {
    const { reference, terminalId } = state;
    return evolve(state, fact, { reference, terminalId, row: 0, atMs: this.#ports.clock.nowMs() });
  }

  #tell(): void {
    this.#ports.changed(this.state);
    for (const look of [...this.#waiters]) look();
  }
}

/** Ids of messages whose sensitive data are no longer needed; a parked reversal needs none. */
function wipedBy(fact: Fact, state: SaleState): readonly string[] {
  switch (fact.kind) {
    case 'acknowledged':
    case 'withdrawn':
      return [fact.messageId];
    case 'parked': {
      const kind = messageOf(state, fact.messageId)?.kind;
      return kind === 'reversal' || kind === 'preceding-reversal' ? [fact.messageId] : [];
    }
    default:
      return [];
  }
}

/** The message that made the sale an approved one, where the decision was that. */
function approvingMessageOf({ facts = [] }: Decision): string | undefined {
  return facts.find((fact) => fact.kind === 'offline-record' || fact.kind === 'voice-authorization')
    ?.messageId;
}

/** The state of a sale that may have failed or not: only the disk has it, once it can be read again. */
function inDoubt(state: SaleState): SaleState {
  return { ...state, phase: 'unknown', outcome: null, reason: 'journal-unavailable' };
}

/** The timeline also has what is not journaled. */
function sameButTimeline(a: SaleState, b: SaleState): boolean {
  return JSON.stringify({ ...a, timeline: [] }) === JSON.stringify({ ...b, timeline: [] });
}

function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof JournalUnavailable)) throw error;
}
