import {
  decideExchange,
  type ExchangeEvent,
  mayStandAfterReversal,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/decide-exchange.js';
import {
  approvedMinor,
  type ExchangeRecord,
} from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import { isForwarded } from '@tillbridge/gateway/core/acquirers/iso8583/rules/forwarding-order.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { atHost, mayHaveForgotten, NEW_HOST, standsAtHost, verdictsOn } from './host.js';
import type { Exchange, LinkAction, LinkSeams, LinkState } from './link-state.js';
import {
  begun,
  breachOf,
  callerAnswered,
  crashed,
  dueMessage,
  hasEnded,
  inOrder,
  lateBreach,
  NOW_MS,
  nameOf,
  newNumber,
  type RequestKind,
  spent,
  standsIn,
  withFewAttempts,
  without,
  withoutWait,
} from './link-steps.js';

/** What is explored of a link. */
export interface LinkBounds {
  readonly exchanges: number;
  /** Messages and answers that are lost or repeated, and waits that end too early. */
  readonly faults: number;
  /** Ends of the process, at any commit. */
  readonly crashes: number;
  /** What it may send; default: a sale, a capture and the advice of a stand-in. */
  readonly requests?: readonly (RequestKind | 'stand-in')[];
  /** Whole amounts, which no caller takes back; of all faults, answers to requests that are lost. Waits for them that end too early count for none. */
  readonly isNarrow?: boolean;
}

/** The link as it is. */
export const HONEST_LINK: LinkSeams = {
  decide: decideExchange,
  sends: (message) => message,
  receives: (answer) => answer,
  searches: true,
};

const WAYS = ['up', 'down'] as const;
const NARROW_WAYS = ['down'] as const;
const REQUESTS = ['sale', 'capture', 'stand-in'] as const;
/** What stays where the caller reverses a part. */
const REMAINING = { minor: 300, currency: 'EUR' };

/** The machine of exchanges with an acquirer's host, with all that a line and a host may do. */
export class LinkModel implements Model<LinkState, LinkAction> {
  readonly name: string;
  readonly initial: LinkState;
  readonly #parts = new Parts();
  readonly #seams: LinkSeams;
  readonly #requests: readonly (RequestKind | 'stand-in')[];
  readonly #isNarrow: boolean;

  constructor(
    { exchanges, faults, crashes, requests = REQUESTS, isNarrow = false }: LinkBounds,
    seams: LinkSeams = HONEST_LINK,
  ) {
    this.name = `link, ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`;
    this.#seams = seams;
    this.#requests = requests;
    this.#isNarrow = isNarrow;
    const first: Exchange = { up: [], down: [], host: NEW_HOST, caller: 'not-begun', takenBack: false };
    this.initial = {
      exchanges: Array.from({ length: exchanges }, () => this.#parts.one(first)),
      isDown: false,
      faults,
      crashes,
    };
  }

  /** Exchanges differ by their numbers alone: their order means nothing. */
  key({ exchanges, isDown, faults, crashes }: LinkState): string {
    const parts = exchanges.map((exchange) => this.#parts.number(exchange)).sort((a, b) => a - b);
    return [...parts, isDown, faults, crashes].join();
  }

  step(_state: LinkState, action: LinkAction): LinkState {
    return action.to();
  }

  violation({ exchanges }: LinkState): string | undefined {
    for (const { breach, caller, takenBack, record, host } of exchanges) {
      if (breach !== undefined) return breach;
      if (caller !== 'approved' || takenBack) continue;
      const stands = record?.state === 'answered' || record?.state === 'advice-pending';
      if (!record || !stands) return 'P1: what was answered as approved stands no more at the link';
      if (!record.standIn && standsAtHost(host) !== approvedMinor(record))
        return 'P2: the host holds another amount than was answered as approved';
    }
    return undefined;
  }

  isEnd({ exchanges, isDown }: LinkState): boolean {
    return !isDown && exchanges.every(hasEnded);
  }

  actions(state: LinkState): readonly LinkAction[] {
    const found: LinkAction[] = [];
    if (state.isDown) found.push({ name: 'the link starts again', to: () => this.#started(state) });
    else if (state.crashes > 0)
      found.push({ name: 'the link ends without a word', isFault: true, to: () => crashed(state) });
    for (const [at, exchange] of state.exchanges.entries()) {
      const which = state.exchanges.length > 1 ? ` (${at + 1})` : '';
      for (const { name, ...action } of this.#actionsOf(state, at, exchange))
        found.push({ name: name + which, ...action });
    }
    return found;
  }

  #actionsOf(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    return [
      ...(state.isDown ? [] : this.#byLink(state, at, exchange)),
      ...this.#byHost(state, at, exchange),
      ...this.#byLine(state, at, exchange),
    ];
  }

  /** What the link and its caller do. */
  #byLink(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    const { record, waits, caller, down, up } = exchange;
    const found: LinkAction[] = [];
    if (caller === 'not-begun' && state.moment?.begins !== false) {
      for (const request of this.#requests) found.push(...this.#begins(state, at, exchange, request));
    }
    if (record?.state === 'sent' && caller === 'unknown' && waits === undefined)
      found.push({
        name: 'the gateway has the link repeat the capture',
        to: () => this.#repeated(state, at, exchange, record),
      });
    if (record && isForwarded(record) && waits === undefined) {
      const kind = record.state === 'advice-pending' ? 'advice-sent' : 'reversal-sent';
      const after = this.#seams.decide(record, { kind, nowMs: NOW_MS });
      const what = kind === 'advice-sent' ? 'the advice' : 'the reversal';
      found.push(...this.#sending(`the link sends ${what}`, state, at, exchange, after, 'forwarded'));
    }
    if (waits !== undefined) {
      const mayCome = up.length + down.length > 0;
      if (!mayCome || (this.#isNarrow ? waits === 'request' : state.faults > 0))
        found.push({
          name: mayCome ? 'the link waits no longer for an answer that may come' : 'no answer comes in time',
          isFault: mayCome,
          to: () => this.#unanswered(mayCome && !this.#isNarrow ? spent(state) : state, at, exchange),
        });
    }
    found.push(...this.#takingBack(state, at, exchange), ...this.#searching(state, at, exchange));
    for (const [place, answer] of down.entries())
      found.push({
        name: `the link receives the answer ${answer.responseCode} to ${nameOf(answer)}`,
        to: () => this.#received(state, at, without(exchange, 'down', place), answer),
      });
    return found;
  }

  #begins(state: LinkState, at: number, exchange: Exchange, request: RequestKind | 'stand-in'): LinkAction[] {
    if (request === 'stand-in')
      return [
        {
          name: 'no host can be reached: the link stands in',
          to: () => this.#with(state, at, standsIn(exchange)),
        },
      ];
    const record = begun(request, state.moment?.nowMs);
    return this.#sending(`the link sends a ${request}`, state, at, exchange, record, 'request');
  }

  /** Journals, then sends; the process may end in between. */
  #sending(
    name: string,
    state: LinkState,
    at: number,
    exchange: Exchange,
    record: ExchangeRecord,
    waits: NonNullable<Exchange['waits']>,
  ): LinkAction[] {
    const caller = exchange.caller === 'not-begun' ? 'waits' : exchange.caller;
    const journaled: Exchange = { ...exchange, record, caller };
    const send = (): LinkState => {
      const due = dueMessage(record);
      const message = due && this.#seams.sends(due, journaled);
      const sent = message ? [...exchange.up, message] : exchange.up;
      const breach = message && breachOf(message, journaled);
      return this.#with(state, at, { ...journaled, waits, up: sent, ...(breach && { breach }) });
    };
    const found: LinkAction[] = [{ name, to: send }];
    if (state.crashes > 0)
      found.push({
        name: `${name}, and ends before a byte has left`,
        isFault: true,
        to: () => crashed(this.#with(state, at, journaled)),
      });
    return found;
  }

  #repeated(state: LinkState, at: number, exchange: Exchange, record: ExchangeRecord): LinkState {
    const due = dueMessage(record);
    const message = due && this.#seams.sends({ ...due, isRepeat: true }, exchange);
    const up = message ? [...exchange.up, message] : exchange.up;
    const breach = message && breachOf(message, exchange);
    return this.#with(state, at, {
      ...{ ...exchange, up, waits: 'request', caller: 'waits' },
      ...(breach && { breach }),
    });
  }

  /** The caller has it reversed: an outcome that is unknown, or a payment that is taken back. */
  #takingBack(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    const { caller, takenBack, record } = exchange;
    if (this.#isNarrow || takenBack || !record || (caller !== 'unknown' && caller !== 'approved')) return [];
    // Nothing follows a payment, and so no part of it stays, until the host has its advice.
    const ways =
      record.state === 'answered' && approvedMinor(record) > REMAINING.minor
        ? [undefined, REMAINING]
        : [undefined];
    return ways.map((remaining) => ({
      name: remaining ? 'the gateway takes back all but a part' : 'the gateway takes the request back',
      to: () => {
        const wanted = remaining ? { reference: 'reversal', remaining } : { reference: 'reversal' };
        const event = { kind: 'reverse', wanted, ...newNumber(record) } as const;
        return this.#with(state, at, { ...exchange, takenBack: true, record: this.#decided(record, event) });
      },
    }));
  }

  /** The totals of a day show that the host has more: what has no answer is reversed again. */
  #searching(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    const { record, host, up, down, waits } = exchange;
    const isQuiet = up.length + down.length === 0 && waits === undefined;
    if (!this.#seams.searches || !record || !isQuiet || !mayStandAfterReversal(record)) return [];
    if (standsAtHost(host) === 0) return [];
    return [true, false].map((asRepeat) => ({
      name: `totals differ: the link reverses once more, ${asRepeat ? 'as a repeat' : 'anew'}`,
      to: () => this.reversedAgain(state, at, asRepeat ? 'as-repeat' : 'anew'),
    }));
  }

  /** The link has an exchange reversed once more. */
  reversedAgain(state: LinkState, at: number, how: 'as-repeat' | 'anew'): LinkState {
    const exchange = state.exchanges[at];
    if (!exchange?.record) throw new RangeError(`there is no exchange ${at}`);
    const { number, nowMs } = newNumber(exchange.record);
    const event = { kind: 'doubted', nowMs, ...(how === 'anew' && { number }) } as const;
    return this.#with(state, at, { ...exchange, record: this.#decided(exchange.record, event) });
  }

  #unanswered(state: LinkState, at: number, exchange: Exchange): LinkState {
    const { record, waits, caller } = exchange;
    const over = withoutWait(exchange);
    if (waits !== 'request' || !record) return this.#with(state, at, over);
    const after = this.#decided(record, { kind: 'unanswered', ...newNumber(record) });
    return this.#with(state, at, { ...over, record: after, caller: caller === 'waits' ? 'unknown' : caller });
  }

  #received(state: LinkState, at: number, exchange: Exchange, received: ExchangeMessage): LinkState {
    const { record, waits } = exchange;
    const answer = this.#seams.receives(received, exchange);
    if (!record || !answer)
      return this.#with(state, at, { ...exchange, ...(record && lateBreach(record, record, received)) });
    const isOfReversal = answer.kind === 'reversal';
    const after = this.#decided(
      record,
      isOfReversal
        ? { kind: 'reversal-answered', answer }
        : { kind: 'answered', answer, ...newNumber(record) },
    );
    const isAwaited = isOfReversal || record.standIn ? waits === 'forwarded' : waits === 'request';
    const next: Exchange = { ...(isAwaited ? withoutWait(exchange) : exchange), record: after };
    return this.#with(
      state,
      at,
      callerAnswered({ ...next, ...lateBreach(record, after, answer) }, isAwaited),
    );
  }

  #decided(record: ExchangeRecord, event: ExchangeEvent): ExchangeRecord {
    return this.#seams.decide(record, event);
  }

  #started(state: LinkState): LinkState {
    const exchanges = state.exchanges.map((exchange) => {
      const { record, caller } = exchange;
      if (!record) return exchange;
      const after =
        record.state === 'sent'
          ? this.#decided(record, { kind: 'unanswered', ...newNumber(record) })
          : record;
      return this.#shared({ ...exchange, record: after, caller: caller === 'waits' ? 'unknown' : caller });
    });
    return { ...state, exchanges, isDown: false };
  }

  #byHost(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    const found: LinkAction[] = [];
    for (const [place, message] of exchange.up.entries()) {
      const arrive = (verdict: ReturnType<typeof verdictsOn>[number], forgets: boolean) => () => {
        const left = without(exchange, 'up', place);
        const { host, answer } = atHost(left.host, message, verdict, forgets, state.moment?.day);
        const down = state.isDown ? left.down : [...left.down, answer];
        return this.#with(state, at, { ...left, host, down });
      };
      for (const verdict of verdictsOn(exchange.host, message)) {
        if (this.#isNarrow && verdict === 'approves a part') continue;
        found.push({ name: `the host takes ${nameOf(message)}: ${verdict}`, to: arrive(verdict, false) });
      }
      if (mayHaveForgotten(exchange.host, message))
        found.push({
          name: `the host carries out ${nameOf(message)}, whose reversal it has acknowledged`,
          to: arrive('approves', true),
        });
    }
    return found;
  }

  /** The line loses and repeats. */
  #byLine(state: LinkState, at: number, exchange: Exchange): LinkAction[] {
    if (state.faults === 0) return [];
    return (this.#isNarrow ? NARROW_WAYS : WAYS).flatMap((way) =>
      exchange[way].flatMap((message, place): LinkAction[] => {
        if (this.#isNarrow && message.kind === 'reversal') return [];
        const what = way === 'up' ? nameOf(message) : `the answer to ${nameOf(message)}`;
        const again = { ...exchange, [way]: [...exchange[way], message] };
        const lost: LinkAction = {
          name: `${what} is lost`,
          isFault: true,
          to: () => this.#with(spent(state), at, without(exchange, way, place)),
        };
        if (this.#isNarrow) return [lost];
        return [
          lost,
          {
            name: `${what} is repeated by the line`,
            isFault: true,
            to: () => this.#with(spent(state), at, again),
          },
        ];
      }),
    );
  }

  #with(state: LinkState, at: number, exchange: Exchange): LinkState {
    return { ...state, exchanges: state.exchanges.with(at, this.#shared(exchange)) };
  }

  /** An exchange of parts that others have, too. */
  #shared(exchange: Exchange): Exchange {
    const { record, up, down } = exchange;
    return this.#parts.one({
      ...exchange,
      ...(record && { record: withFewAttempts(record) }),
      ...{ up: inOrder(up), down: inOrder(down) },
    });
  }
}
