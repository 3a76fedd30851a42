import { rowOf } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import { NUMBERS_PER_SECOND } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-numbers.js';
import type { ExchangeRecord } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import { isForwarded } from '@tillbridge/gateway/core/acquirers/iso8583/rules/forwarding-order.js';
import { dayNumber } from '@tillbridge/gateway/core/acquirers/iso8583/rules/host-movements.js';
import { TOTALS_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { Parts } from '../core/canonical.js';
import type { Model } from '../core/model.js';
import { IDLE, ProcessHost } from '../gateway/gateway-host.js';
import type { Entry, OpenCall, Reply } from '../gateway/replayed-process.js';
import { committed, findRows, type StoredRows } from '../gateway/stored-rows.js';
import { HONEST_LINK, LinkModel } from '../link/link-model.js';
import type { Exchange, LinkState } from '../link/link-state.js';
import { begun, crashed, spent } from '../link/link-steps.js';
import { answered, DAYS, dayEnded, dayOf, OTHER_MINOR } from './host-days.js';
import { ACQUIRER, totalsProgram } from './totals-program.js';
import type { TotalsAction, TotalsSeams, TotalsState, TotalsWork } from './totals-state.js';

/** What is explored of the settlement days of a link. */
export interface TotalsBounds {
  readonly requests: readonly ('sale' | 'hold')[];
  readonly exchanges: number;
  readonly days: keyof typeof COURSES;
  /** Answers that are lost. */
  readonly faults: number;
  /** Ends of the process, at any commit. */
  readonly crashes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** As often totals are compared. */
const MOST_ATTEMPTS = 1 + TOTALS_LIMITS.repeatPausesMs.length;
/** Half an hour before the first day ends. */
const BEGIN_MS = Date.UTC(2026, 10, 20, 23, 30);
/** When things happen about the ends of two days. */
interface Course {
  /** In hours since the beginning; at the end there are as many as comparisons need. */
  readonly moments: readonly number[];
  /** The last moment at which requests begin. A host carries a request out an hour later at most: what is later never comes. */
  readonly lastBegin: number;
  /** In which moments the host ends each day by itself. */
  readonly ends: readonly (readonly [first: number, last: number])[];
  /** A day may end unannounced: then a question, or the answer to another sale, shows it. */
  readonly mayBeSilent: boolean;
}

const COURSES: Readonly<Record<'announced' | 'any', Course>> = {
  announced: {
    moments: [0, 1, 24, 25, 26],
    lastBegin: 0,
    ends: [
      [0, 1],
      [2, 2],
    ],
    mayBeSilent: false,
  },
  any: {
    moments: [0, 1, 2, 24, 26, 27, 28],
    lastBegin: 1,
    ends: [
      [0, 2],
      [3, 4],
    ],
    mayBeSilent: true,
  },
};

/** Exchanges of a link about the ends of settlement days, and the totals that are compared then. */
export class TotalsModel implements Model<TotalsState, TotalsAction> {
  readonly name = 'totals of settlement days';
  readonly initial: TotalsState;
  readonly #link: LinkModel;
  readonly #course: Course;
  readonly #parts = new Parts();
  readonly #host: ProcessHost<TotalsWork>;

  constructor({ days, ...bounds }: TotalsBounds, seams: TotalsSeams = {}) {
    // What is reversed once more is decided by the code that compares totals.
    this.#link = new LinkModel(
      { ...bounds, isNarrow: true },
      {
        ...HONEST_LINK,
        searches: false,
        ...(seams.receives && { receives: seams.receives }),
      },
    );
    this.#course = COURSES[days];
    this.#host = new ProcessHost(() => totalsProgram(seams), this.#parts);
    this.initial = {
      link: { ...this.#link.initial, moment: { nowMs: BEGIN_MS, day: DAYS[0], begins: true } },
      ...{ at: 0, others: [], rows: {}, process: IDLE, hasLooked: false },
    };
  }

  key({ link, at, others, rows, process, lookedBefore, hasLooked }: TotalsState): string {
    const parts = [rows, process].map((part) => this.#parts.number(part));
    return [this.#link.key(link), link.moment?.day, at, others, ...parts, lookedBefore, hasLooked].join('|');
  }

  async step(_state: TotalsState, action: TotalsAction): Promise<TotalsState> {
    const state = await action.to();
    return { ...state, rows: this.#parts.one(state.rows), process: this.#parts.one(state.process) };
  }

  violation({ link }: TotalsState): string | undefined {
    return this.#link.violation(link);
  }

  /** Link and host agree, and no totals differ. What is still compared when the time is over comes to its end later. */
  isEnd({ link, at, rows, process }: TotalsState): boolean {
    if (process.running.length > 0 || link.isDown) return false;
    const differ = findRows(rows, 'linkTotals', 'state', ['different']);
    const isOver = this.#course.mayBeSilent && at === this.#course.moments.length - 1;
    if (isOver && differ.some(({ attempts }) => attempts < MOST_ATTEMPTS)) return true;
    return this.#link.isEnd(link) && differ.length === 0;
  }

  actions(state: TotalsState): readonly TotalsAction[] {
    const { link, process } = state;
    const course = this.#course;
    const ofLink = this.#link
      .actions(link)
      .map(({ to, ...action }): TotalsAction => ({ ...action, to: () => withLink(state, to()) }));
    if (link.isDown) return [...ofLink, ...byHost(state, course)];
    const calls = process.open.flatMap((call) => this.#ofCall(state, call));
    // A comparison takes seconds: no day ends meanwhile.
    if (process.running.length > 0) return [...ofLink, ...calls];
    const found = [...ofLink, ...byHost(state, course), ...byTime(state, course)];
    // A comparison while an exchange has no outcome is put off.
    if (link.exchanges.some(isOpen)) return found;
    found.push({
      name: 'the gateway looks for totals to compare',
      to: () => this.#begin(state, { kind: 'round' }),
    });
    const after = dayMayEnd(state, course) ? dayEnded(state) : undefined;
    if (after)
      found.push({
        name: 'the settlement day of the host ends, and it announces that',
        to: () => this.#begin(after, { kind: 'announced', day: dayOf(after) }),
      });
    return found;
  }

  #begin(
    state: TotalsState,
    what: { readonly kind: 'round' } | { readonly kind: 'announced'; readonly day: string },
  ): Promise<TotalsState> {
    const { lookedBefore, link } = state;
    // Later than the requests of the moment.
    const nowMs = (link.moment?.nowMs ?? BEGIN_MS) + MINUTE_MS;
    const work: TotalsWork = { ...what, nowMs, ...(lookedBefore !== undefined && { lookedBefore }) };
    return this.#entry(state, { what: 'start', work });
  }

  async #entry(state: TotalsState, entry: Entry<TotalsWork>): Promise<TotalsState> {
    const rows = this.#parts.one(storedRows(state));
    const { process, ended } = await this.#host.step(state.process, entry, rows);
    let after: TotalsState = { ...state, process };
    for (const { work, result } of ended) {
      if (work.kind === 'round') after = { ...after, hasLooked: true };
      if (typeof result === 'object') throw new Error(`a comparison fails: ${JSON.stringify(result)}`);
      if (typeof result === 'number') after = { ...after, lookedBefore: result };
    }
    return after;
  }

  #ofCall(state: TotalsState, open: OpenCall): TotalsAction[] {
    const { call } = open;
    const replied = (from: TotalsState, reply: Reply) => () =>
      this.#entry(from, { what: 'reply', call, reply });
    if (open.kind === 'reverse-again') {
      const at = state.link.exchanges.findIndex((_, place) => referenceOf(place) === open.reference);
      const name = `the link reverses once more, ${open.how === 'as-repeat' ? 'as a repeat' : 'anew'}`;
      const link = this.#link.reversedAgain(state.link, at, open.how);
      return [{ name, to: replied({ ...state, link }, { kind: 'committed' }) }];
    }
    if (open.kind === 'commit') {
      const stored = committed(storedRows(state), open.changes);
      if ('conflict' in stored)
        return [{ name: 'the gateway loses a race', to: replied(state, { kind: 'conflict', ...stored }) }];
      const name = `the gateway stores totals (${call})`;
      const { linkTotals = [] } = stored.rows;
      const after = { ...state, rows: { linkTotals } };
      const found: TotalsAction[] = [{ name, to: replied(after, { kind: 'committed' }) }];
      if (state.link.crashes > 0)
        found.push({
          name: `${name}, and ends`,
          isFault: true,
          to: () => withLink(after, crashed(after.link)),
        });
      return found;
    }
    if (open.kind !== 'question') throw new Error(`a comparison calls ${open.kind}`);
    const { state: after, message } = answered(state, open.question);
    const name = `${message.network ?? message.kind} (${call})`;
    const answer = message.responseCode === '95' ? ', and has other ones' : '';
    const found: TotalsAction[] = [
      { name: `the host answers the ${name}${answer}`, to: replied(after, { kind: 'message', message }) },
    ];
    if (state.link.faults > 0 && this.#course.mayBeSilent) {
      const lost = { ...after, link: spent(after.link) };
      found.push({
        name: `the answer to the ${name} is lost`,
        isFault: true,
        to: replied(lost, { kind: 'message' }),
      });
    }
    return found;
  }
}

/** The state with a changed link: a process that ends loses what it compares. */
function withLink(state: TotalsState, link: LinkState): TotalsState {
  if (!link.isDown || state.link.isDown) return { ...state, link };
  const { lookedBefore: _, ...kept } = state;
  return { ...kept, link, process: IDLE };
}

/** Whether the host may end its day by itself now. */
function dayMayEnd(state: TotalsState, { ends }: Course): boolean {
  const [first, last] = ends[DAYS.indexOf(dayOf(state))] ?? [];
  return first !== undefined && last !== undefined && state.at >= first && state.at <= last;
}

function byHost(state: TotalsState, course: Course): TotalsAction[] {
  if (!course.mayBeSilent) return [];
  const { link, others } = state;
  const day = dayOf(state);
  const found: TotalsAction[] = dayMayEnd(state, course)
    ? [{ name: 'the settlement day of the host ends', to: () => dayEnded(state) }]
    : [];
  if (!link.isDown && !others.includes(day))
    found.push({ name: 'another sale is booked', to: () => ({ ...state, others: [...others, day] }) });
  return found;
}

/** Time passes where all else that takes less has ended. */
function byTime(state: TotalsState, { moments, ends, lastBegin, mayBeSilent }: Course): TotalsAction[] {
  const { link, at, process, hasLooked } = state;
  const hour = moments[at];
  const next = moments[at + 1];
  const { moment } = link;
  if (hour === undefined || next === undefined || !moment || link.isDown || process.running.length > 0)
    return [];
  const mayEnd = ends.some(([, last], which) => last === at && moment.day === DAYS[which]);
  const isNextHour = next - hour === 1;
  if (
    mayEnd ||
    (mayBeSilent && !hasLooked) ||
    !link.exchanges.every((exchange) => mayWait(exchange, isNextHour ? moment.nowMs : undefined))
  )
    return [];
  const after = { ...moment, nowMs: BEGIN_MS + next * HOUR_MS, begins: at + 1 <= lastBegin };
  const name = isNextHour ? 'an hour passes' : `${next - hour} hours pass`;
  return [{ name, to: () => ({ ...state, at: at + 1, hasLooked: false, link: { ...link, moment: after } }) }];
}

/** Whether nothing of an exchange is under way but a request that began at this moment. */
function mayWait(exchange: Exchange, nowMs: number | undefined): boolean {
  const { record, up, down } = exchange;
  const mayBeLate = record?.createdAtMs === nowMs && up.every(({ kind }) => kind !== 'reversal');
  return !isOpen(exchange) && down.length === 0 && (up.length === 0 || mayBeLate);
}

/** Whether an exchange has no outcome, or its process waits for an answer. */
function isOpen({ record, waits }: Exchange): boolean {
  return waits !== undefined || (record !== undefined && (record.state === 'sent' || isForwarded(record)));
}

function referenceOf(place: number): string {
  return `exchange-${place + 1}`;
}

/** All rows that the comparison reads: totals, and the exchanges as the journal of the link has them. */
function storedRows({ link, others, rows }: TotalsState): StoredRows {
  const exchanges = link.exchanges.flatMap(({ record }, place) =>
    record ? [journaled(record, referenceOf(place), place)] : [],
  );
  const booked = others.map((day, place) => {
    const sale = begun('sale', BEGIN_MS);
    const other = {
      ...sale,
      state: 'answered',
      booked: { day: dayNumber(day), minor: OTHER_MINOR },
    } as const;
    const answer = { ...other.request, responseCode: '00' } as ExchangeRecord['answer'];
    return journaled({ ...other, ...(answer && { answer }) }, `other-${day}`, 100 + place);
  });
  return { ...rows, linkExchanges: [...exchanges, ...booked] };
}

function journaled(record: ExchangeRecord, reference: string, place: number): LinkExchangeRow {
  const sequence = Math.floor((record.createdAtMs / 1_000) * NUMBERS_PER_SECOND) + place;
  const row = rowOf({ ...record, reference, sequence }, ACQUIRER, null);
  return { ...row, stan: String(sequence) };
}
