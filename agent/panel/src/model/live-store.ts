import { EventClient, type StreamEvent } from '@tillbridge/panel-kit/events.js';
import { RefusedError } from '@tillbridge/panel-kit/refused-error.js';
import { State } from '@tillbridge/panel-kit/state.js';
import { type AgentClient, NotReachedError, type SaleRequest } from '../api/agent-client.js';
import type { Caller, Sale, TillRight } from '../api/answers.js';
import { remember, remembered } from '../api/remembered.js';
import {
  emptyView,
  MAX_SALES,
  type StoreView,
  withEvent,
  withoutShown,
  withSale,
  withSales,
  withStatus,
} from './store-view.js';

/** Events of the agent. */
const EVENT_TYPES = ['sale', 'declined-later', 'expired', 'progress', 'terminal', 'gateway', 'journal'];

/** How often the state is requested, in milliseconds: ages grow without an event. */
const LOOK_EVERY_MS = 5_000;

/** After an event the state is requested within this time, in milliseconds; events in between share the request. */
const LOOK_SOON_MS = 250;

/** Events that arrive within this time are drawn at once, in milliseconds. */
const DRAW_WITHIN_MS = 16;

/** Events that wait to be drawn, as where a page in the background is given less time. */
const MAX_PENDING_EVENTS = 1_000;

/** How often the condition of a terminal is requested, in milliseconds. */
const CONDITION_EVERY_MS = 5 * 60_000;

/** How far back the last sales are looked for, in milliseconds. */
export const SALES_SINCE_MS = 7 * 24 * 3_600_000;

/** Keeps the view of the store true: loads it, follows the events, and loads it anew when they were interrupted. */
export class LiveStore {
  readonly client: AgentClient;
  readonly view: State<StoreView>;
  readonly #signedOut: (locked: boolean) => void;
  readonly #events: EventClient;
  readonly #interval: ReturnType<typeof setInterval>;
  readonly #conditionRequestedAtMs = new Map<string, number>();
  #pending: StreamEvent[] = [];
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #streamOpen = false;
  /** Whether a call was lost while the stream counted as open. */
  #interrupted = false;
  #looking = false;
  #ended = false;

  /** `signedOut`: called when the agent does not know this browser any more, or wants the PIN of the cashier. */
  constructor(client: AgentClient, caller: Caller, signedOut: (locked: boolean) => void) {
    this.client = client;
    this.view = new State(emptyView(caller, remembered(caller.till)));
    this.#signedOut = signedOut;
    this.#events = new EventClient({
      address: (lastEventId) => this.#address(lastEventId),
      types: EVENT_TYPES,
      onEvent: (event) => this.#hear(event),
      onState: (state) => {
        this.#streamOpen = state === 'open';
        this.#interrupted = false;
        if (state === 'open') void this.load();
        else this.#lost();
      },
    });
    this.#interval = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  /** Stops all requests. */
  end(): void {
    this.#ended = true;
    clearInterval(this.#interval);
    clearTimeout(this.#soon);
    clearTimeout(this.#drawing);
    this.#events.end();
  }

  /** Whether the token has a right. */
  may(right: TillRight): boolean {
    return this.view.value.caller.rights.includes(right);
  }

  /** Loads all that is shown. */
  async load(): Promise<void> {
    await Promise.all([this.#look(), this.#loadSales()]);
  }

  /** Works with another terminal, after the next sign-in too. */
  select(terminalId: string): void {
    remember(this.view.value.caller.till, { terminalId });
    this.view.change((view) => ({ ...view, selected: terminalId }));
  }

  /** Puts the answer of a terminal away. */
  putAway(terminalId: string): void {
    this.view.change((view) => withoutShown(view, terminalId));
  }

  /** Starts a sale on a terminal, which this till has from then on. @throws RefusedError, NotReachedError */
  start(request: SaleRequest): Promise<Sale> {
    const { terminalId, reference } = request;
    remember(this.view.value.caller.till, { terminalId, sale: reference });
    return this.act(this.client.start(request));
  }

  /** Does something that answers with a sale, and shows what became of it. @throws RefusedError, NotReachedError */
  async act(call: Promise<Sale>): Promise<Sale> {
    try {
      const sale = await call;
      this.view.change((view) => withSale(view, sale));
      return sale;
    } finally {
      this.#lookSoon();
    }
  }

  async #address(lastEventId: string | undefined): Promise<string | undefined> {
    try {
      const query = new URLSearchParams({ token: await this.client.streamToken() });
      if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
      return `/v1/events?${query}`;
    } catch (error) {
      if (isSignedOut(error) || isLocked(error)) {
        this.#signedOut(isLocked(error));
        return undefined;
      }
      throw error;
    }
  }

  /** Events that arrive together are drawn together. */
  #hear(event: StreamEvent): void {
    this.#pending.push(event);
    if (this.#pending.length >= MAX_PENDING_EVENTS) this.#applyPending();
    else this.#drawing ??= setTimeout(() => this.#applyPending(), DRAW_WITHIN_MS);
  }

  #applyPending(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    const pending = this.#pending;
    this.#pending = [];
    if (this.#ended) return;
    this.view.change((view) => ({ ...pending.reduce(withEvent, view), receivedAtMs: this.client.nowMs() }));
    if (pending.some(({ type }) => type !== 'progress')) this.#lookSoon();
  }

  #lost(): void {
    this.view.change((view) => (view.reached ? { ...view, reached: false } : view));
  }

  #lookSoon(): void {
    if (this.#soon !== undefined || this.#ended) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#look();
    }, LOOK_SOON_MS);
  }

  async #look(): Promise<void> {
    if (this.#ended) return;
    // What changes while the answers are under way may not be in them.
    if (this.#looking) return this.#lookSoon();
    this.#looking = true;
    try {
      const report = this.may('report');
      const [status, queue, history] = await Promise.all([
        this.client.status(),
        report ? unlessRefused(this.client.queue()) : undefined,
        report ? unlessRefused(this.client.history()) : undefined,
      ]);
      this.view.change((view) => ({
        ...withStatus(view, status),
        queue,
        history,
        reached: this.#streamOpen && !this.#interrupted,
        receivedAtMs: this.client.nowMs(),
      }));
      if (this.#interrupted) this.#events.renew();
      await this.#loadShown();
      void this.#askConditions();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#looking = false;
    }
  }

  async #loadSales(): Promise<void> {
    try {
      const sales = await this.client.lastSales(this.client.nowMs() - SALES_SINCE_MS, MAX_SALES);
      this.view.change((view) => withSales(view, sales));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** A sale that runs, or is parked, may be older than those that are listed. */
  async #loadShown(): Promise<void> {
    const { shown, sales } = this.view.value;
    const listed = new Set(sales.map(({ reference }) => reference));
    const missing = Object.values(shown).filter((reference) => !listed.has(reference));
    await Promise.all(
      missing.map(async (reference) => {
        // One of another till is not there for this one.
        const sale = await this.client.sale(reference).catch(() => undefined);
        if (sale) this.view.change((view) => withSale(view, sale));
      }),
    );
  }

  async #askConditions(): Promise<void> {
    const nowMs = Date.now();
    for (const { id, state } of this.view.value.status?.terminals ?? []) {
      if (state !== 'ready') continue;
      if (nowMs - (this.#conditionRequestedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < CONDITION_EVERY_MS)
        continue;
      this.#conditionRequestedAtMs.set(id, nowMs);
      const condition = await this.client.condition(id).catch(() => undefined);
      if (condition?.kind === 'condition')
        this.view.change((view) => ({ ...view, conditions: { ...view.conditions, [id]: condition } }));
    }
  }

  /** A token that is no longer known ends the stream of events, which requests a new one and is refused. */
  #failed(error: unknown): void {
    if (isLocked(error)) this.#signedOut(true);
    if (!(error instanceof NotReachedError)) return;
    this.#interrupted = this.#streamOpen;
    this.#lost();
  }
}

/** A part that is refused leaves out what needs it, and nothing else. */
function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof RefusedError) return undefined;
    throw error;
  });
}

/** Whether this browser is not signed in, by the refusal of a call that needs no right. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof RefusedError && /^not-auth/.test(error.code);
}

/** Whether the page needs the PIN of the cashier. */
export function isLocked(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'pin-needed';
}
