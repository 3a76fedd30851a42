import type { CardData } from '@tillbridge/agent/drivers/core/driver.js';
import { ForwardProjection } from '@tillbridge/agent/journal/forward-projection.js';
import type { ForwardQueue, StreamEnvelope } from '@tillbridge/agent/journal/forward-queue.js';
import type { Journal, JournalRow, JournalWrite } from '@tillbridge/agent/journal/journal.js';
import { decide, observe } from '@tillbridge/agent/sale/machine/decide.js';
import {
  type Decision,
  type Effect,
  NOTHING_LIVE,
  REPLAYED_LIVE,
  type Sale,
  type SaleEvent,
  type SaleTimer,
  type SensitiveData,
  type StepContext,
} from '@tillbridge/agent/sale/machine/state/events.js';
import { evolve } from '@tillbridge/agent/sale/machine/state/evolve.js';
import { type Fact, isDurable, isStreamFact } from '@tillbridge/agent/sale/machine/state/facts.js';
import { toGatewayAnswer } from '@tillbridge/agent/sale/machine/state/gateway-answer.js';
import { isOpen, type SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { staysOpen } from '@tillbridge/agent/sale/machine/steps/late-decline.js';
import {
  authorizationRequest,
  statusRequest,
  streamEnvelope,
} from '@tillbridge/agent/sale/records/bridge-messages.js';
import { factToRow, replaySale, rowToFact } from '@tillbridge/agent/sale/records/fact-rows.js';
import {
  mayGoLive,
  type SenderEffect,
  type SenderEvent,
  senderStep,
} from '@tillbridge/agent/uplink/stream-sender.js';
import type { LiveEnvelope } from '@tillbridge/agent/uplink/uplink.js';
import type { Outcome } from '@tillbridge/wire/bridge/messages.js';
import type { AgentRules, AgentState, Place, SaleAtPlace, UpMessage } from './agent-state.js';
import { PLACES } from './card.js';

/** Everything happens in one moment: times are events. */
const AT_MS = Date.UTC(2026, 10, 20, 12);
const PROFILE = { deviceType: 'GERTEC_PPC930', pinEntryAvailable: true };
const NO_HASH = new Uint8Array();
type Pull = Extract<SenderEffect, { readonly kind: 'pull' }>;

const SALES = new WeakMap<readonly JournalRow[], readonly (SaleState | undefined)[]>();

/** The sale of a place that the rows contain; undefined where it was not accepted. */
export function saleState(rows: readonly JournalRow[], at: number): SaleState | undefined {
  const known = SALES.get(rows);
  if (known) return known[at];
  const states = PLACES.map((place) =>
    replaySale(rows.filter(({ reference }) => reference === place.reference)),
  );
  SALES.set(rows, states);
  return states[at];
}

/** The place of a message. */
export function placeOf(messageId: string): number {
  return PLACES.findIndex(({ ids }) => messageId.startsWith(ids));
}

/** An agent whose sale at a place has changed. */
export function withSale(agent: AgentState, at: number, change: Partial<SaleAtPlace>): AgentState {
  return { ...agent, sales: agent.sales.map((sale, each) => (each === at ? { ...sale, ...change } : sale)) };
}

function placeAt(at: number): Place {
  const place = PLACES[at];
  if (!place) throw new RangeError(`there is no place ${at}`);
  return place;
}

function profileAt(at: number): typeof PROFILE & { readonly id: string } {
  return { id: placeAt(at).terminalId, ...PROFILE };
}

const PROJECTIONS = new WeakMap<readonly JournalRow[], ForwardProjection>();

/** The forward queue that the rows tell; it is only read. */
export function projectionOf(rows: readonly JournalRow[]): ForwardProjection {
  const known = PROJECTIONS.get(rows);
  if (known) return known;
  const projection = new ForwardProjection();
  for (const row of rows) projection.apply(row);
  PROJECTIONS.set(rows, projection);
  return projection;
}

/**
 * One step of an agent: what it decides is decided by the sale machine, the forward projection and the stream sender of the product; here are
 * the disk, the terminal and the socket that they act on.
 */
export class AgentRun {
  state: AgentState;
  /** What the step gave to the socket. */
  readonly up: UpMessage[] = [];
  readonly #rules: AgentRules;
  readonly #pulls: Pull[] = [];
  readonly #endsAfterCommit: boolean;

  /** @param endsAfterCommit the process ends as soon as its rows are on disk */
  constructor(state: AgentState, rules: AgentRules, endsAfterCommit = false) {
    this.state = state;
    this.#rules = rules;
    this.#endsAfterCommit = endsAfterCommit;
  }

  /** Accepts the sale of a place, as the service does it: journaled first. */
  accept(at: number): void {
    const sale = { type: 'sale', minor: 1_234, currency: 'EUR', onlineOnly: false } as const;
    this.#change(at, { live: NOTHING_LIVE });
    this.#append(at, [{ kind: 'accepted', sale }], true);
    this.post(at, { kind: 'begin' });
  }

  /** Lets the sale of a place take an event. */
  post(at: number, event: SaleEvent): void {
    const before = this.#sale(at);
    if (!before) return;
    const sale = observe(before, event);
    const decision = decide(sale, event, this.#context(at));
    this.#commit(at, sale, decision);
    if (!this.#endsAfterCommit) for (const effect of decision.effects ?? []) this.#perform(at, effect);
    this.#shows(at);
  }

  /** An acknowledgement of the gateway for a message of the stream. */
  acknowledged(messageId: string, outcome: Outcome): void {
    void this.#queue().acknowledged(messageId, outcome);
    if (!this.#endsAfterCommit) this.feed({ kind: 'recorded', messageId });
  }

  /** The gateway will not take a message. */
  parked(messageId: string, code: string, text: string): void {
    if (projectionOf(this.state.rows).get(messageId))
      this.post(placeOf(messageId), { kind: 'parked', messageId, code, text });
    if (!this.#endsAfterCommit) this.feed({ kind: 'recorded', messageId });
  }

  /** Lets the sender of the streams take an event; what it pulls is read in {@link pump}. */
  feed(event: SenderEvent): void {
    this.#pulls.push(...this.#step(event));
  }

  /** Gives the sender what it asks of the queue, until it asks for nothing. */
  async pump(): Promise<void> {
    if (this.#endsAfterCommit) return;
    for (let pull = this.#pulls.shift(); pull; pull = this.#pulls.shift()) {
      const { session, terminalId, afterSequence } = pull;
      const envelope = await this.#queue().next(terminalId, afterSequence);
      this.feed({ kind: 'pulled', session, terminalId, envelope, atMs: 0 });
    }
  }

  #step(event: SenderEvent): readonly Pull[] {
    const { state, effects } = senderStep(this.state.sender, event);
    this.state = { ...this.state, sender: state };
    return effects.flatMap((effect) => {
      if (effect.kind === 'pull') return [effect];
      this.up.push(effect.envelope);
      return this.#step({ kind: 'written', session: effect.session });
    });
  }

  #sale(at: number): Sale | undefined {
    const { live, isReading } = this.#at(at);
    const stored = saleState(this.state.rows, at);
    return stored && { state: isReading ? { ...stored, phase: 'reading-card' } : stored, live };
  }

  #at(at: number): SaleAtPlace {
    const sale = this.state.sales[at];
    if (!sale) throw new RangeError(`place ${at} is not explored`);
    return sale;
  }

  #change(at: number, change: Partial<SaleAtPlace>): void {
    this.state = withSale(this.state, at, change);
  }

  #commit(at: number, { live }: Sale, { facts = [], sensitive = [], live: changed }: Decision): void {
    const rowsBefore = this.state.rows.length;
    this.#change(at, { live: { ...live, ...changed } });
    if (facts.some((fact) => fact.kind === 'reading')) this.#change(at, { isReading: true });
    const durable = facts.filter(isDurable);
    if (durable.length > 0) this.#append(at, durable, this.#staysOpen(at, durable), sensitive);
    const rows = this.state.rows;
    if (rows.length > rowsBefore) this.#change(at, { isReading: false });
    const state = saleState(rows, at);
    if (state && !isOpen(state)) this.#change(at, { live: REPLAYED_LIVE });
    const isNews = rows.slice(rowsBefore).some(({ sequence }) => sequence > 0);
    const { terminalId } = placeAt(at);
    if (isNews && !this.#endsAfterCommit) this.feed({ kind: 'work', terminalId });
  }

  #staysOpen(at: number, facts: readonly Fact[]): boolean {
    const { reference, terminalId } = placeAt(at);
    const place = { reference, terminalId, row: 0, atMs: AT_MS };
    const before = saleState(this.state.rows, at);
    return staysOpen(
      facts.reduce<SaleState>((state, fact) => evolve(state, fact, place), before as SaleState),
    );
  }

  /** Writes rows, through the bug that may stand before the disk. */
  #append(at: number, facts: readonly Fact[], open: boolean, sensitive: readonly SensitiveData[] = []): void {
    const { seams } = this.#rules;
    const { reference, terminalId } = placeAt(at);
    const write: JournalWrite = {
      atMs: AT_MS,
      rows: facts.map((fact) => factToRow(fact, reference, terminalId)),
      sale: { reference, open },
    };
    const disk = { append: (written: JournalWrite) => this.#store(written) } as unknown as Journal;
    const journal = seams.journal?.(disk) ?? disk;
    void journal.append(write);
    // What is kept for a message that a bug has taken out is never read.
    const blobs = Object.fromEntries(sensitive.map((data) => [data.messageId, data]));
    this.state = { ...this.state, blobs: { ...this.state.blobs, ...blobs } };
  }

  #store({ rows }: JournalWrite): Promise<readonly JournalRow[]> {
    const stored = [...this.state.rows];
    for (const { inStream, ...row } of rows) {
      const isBefore = (each: JournalRow) => each.sequence > 0 && each.terminalId === row.terminalId;
      const sequence = inStream ? 1 + stored.filter(isBefore).length : 0;
      stored.push({ ...row, row: stored.length + 1, atMs: AT_MS, sequence, hash: NO_HASH });
    }
    this.state = { ...this.state, rows: stored };
    return Promise.resolve(stored.slice(-rows.length));
  }

  #perform(at: number, effect: Effect): void {
    const { terminal, timers } = this.#at(at);
    const timersBut = (timer: SaleTimer) => timers.filter((name) => name !== timer);
    switch (effect.do) {
      case 'start-card':
        this.#change(at, { terminal: { at: 'reading' } });
        break;
      case 'cancel-card':
        if (terminal.at === 'reading') this.#change(at, { terminal: { at: 'reading', cancelled: true } });
        break;
      case 'complete-card':
        this.#change(at, { terminal: { at: 'completing', with: effect.result.kind } });
        break;
      case 'decline-card':
      case 'finish-card':
        this.#change(at, { terminal: { at: 'idle' } });
        break;
      case 'send-authorization':
        this.#change(at, { sent: this.#live(at, this.#request(at, effect.messageId, effect.card)) });
        break;
      case 'ask-status':
        this.#ask(at, effect.messageId);
        break;
      case 'set-timer':
        this.#change(at, { timers: [...timersBut(effect.timer), effect.timer].sort() });
        break;
      case 'stop-timer':
        this.#change(at, { timers: timersBut(effect.timer) });
        break;
      case 'wake-link':
        break;
    }
  }

  #request(at: number, messageId: string, card: CardData | undefined): LiveEnvelope {
    const sale = this.#sale(at);
    if (!sale) throw new Error('a request belongs to a sale');
    return authorizationRequest(sale.state, messageId, profileAt(at), card, AT_MS);
  }

  #ask(at: number, messageId: string): void {
    const { asks = (status: LiveEnvelope) => status } = this.#rules.seams;
    const request = this.#request(at, messageId, placeAt(at).card);
    this.#live(at, asks(statusRequest(`status of ${messageId}`, messageId), request));
  }

  /** Whether any byte may leave. */
  #live(at: number, envelope: LiveEnvelope): boolean {
    if (!mayGoLive(this.state.sender, 0)) return false;
    this.up.push(envelope);
    if (envelope.kind === 'authorizationRequest') this.#change(at, { requests: this.#at(at).requests + 1 });
    return true;
  }

  /** A till's call is answered as soon as the sale has its end; one whose cancellation was answered calls no more. */
  #shows(at: number): void {
    const state = saleState(this.state.rows, at);
    const isOver = this.#at(at).shown === 'cancelled';
    if (this.#endsAfterCommit || !state || isOpen(state) || isOver) return;
    this.#change(at, { shown: state.outcome });
  }

  #context(at: number): StepContext {
    const { policy } = this.#rules;
    const { ids, terminalId, reference } = placeAt(at);
    const isUsed = (row: JournalRow) => row.messageId !== undefined && row.reference === reference;
    const used = this.state.rows.filter(isUsed).length;
    const id = (next: number): string => `${ids}${used + next}`;
    return {
      nowMs: AT_MS,
      ids: [id(1), id(2), id(3), id(4), id(5)],
      policy,
      link: this.state.sender.up ? 'up' : 'down',
      offlineReasons: policy.offline.enabled ? [] : ['switched-off'],
      offline: {
        policy: policy.offline,
        terminalId,
        journalReady: true,
        clockBehind: false,
        contactAgeMs: 0,
        unforwarded: [],
      },
      fingerprint: () => 'card' as ReturnType<StepContext['fingerprint']>,
    };
  }

  /** The forward queue of the product's projection, through the bug that may stand before it. */
  #queue(): ForwardQueue {
    const queue = {
      next: async (terminalId: string, after: number) => this.#next(terminalId, after),
      acknowledged: async (messageId: string, outcome: Outcome) => {
        if (!projectionOf(this.state.rows).get(messageId)) return;
        this.post(placeOf(messageId), { kind: 'acknowledged', messageId, answer: toGatewayAnswer(outcome) });
      },
    } as unknown as ForwardQueue;
    return this.#rules.seams.queue?.(queue) ?? queue;
  }

  #next(terminalId: string, after: number): StreamEnvelope | undefined {
    const item = projectionOf(this.state.rows).next(terminalId, after);
    const row = this.state.rows.find(
      ({ messageId }) => messageId !== undefined && messageId === item?.messageId,
    );
    const fact = row && rowToFact(row);
    const at = PLACES.findIndex((place) => place.terminalId === terminalId);
    const state = saleState(this.state.rows, at);
    if (!item || !fact || !state || !isStreamFact(fact)) return undefined;
    const sensitive = this.state.blobs[item.messageId];
    return streamEnvelope(state, fact, { sequence: item.sequence, ageMs: 0 }, profileAt(at), sensitive);
  }
}
