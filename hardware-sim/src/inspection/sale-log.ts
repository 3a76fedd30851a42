import { currencyAlpha } from '@tillbridge/wire/payment/currency-codes.js';
import { exactAmount } from '@tillbridge/wire/payment/money.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';
import type { Fault } from '../faults/fault.js';
import type { KernelDecision } from '../kernel/decision.js';
import type { CardholderAct } from '../terminals/core/cardholder-act.js';
import { requestedAmount, requestRole } from '../terminals/request-roles.js';
import type { WireFrame } from '../terminals/wire/wire-reader.js';

/** Sales of one terminal that are kept, and acts of a cardholder in one of them. */
export const MAX_SALES = 50;
const MAX_ACTS = 32;
/** Results of each kind that a sale keeps, and the length of one: as many as a scenario takes. */
export const MAX_RESULTS = 32;
export const MAX_RESULT_TEXT = 200;
/** A pause on the line after which a poll, or a request after the end of a transaction, belongs to no sale. */
export const SALE_PAUSE_MS = 10_000;

/** What a sale came to, as far as two runs of it have to agree: no counters, no cryptogram values. */
export interface SaleResult {
  /** The application that was selected; absent without a chip. */
  readonly application?: string;
  /** Types of the cryptograms in their order, such as `ARQC`, `TC`. */
  readonly cryptograms: readonly string[];
  /** What the kernel found out about the cardholder, in its order. */
  readonly cvm: readonly string[];
  /** What the host stated for the issuer. */
  readonly issuer: readonly string[];
}

/** A scenario that the next sale of a terminal is compared with. */
export interface ExpectedSale {
  readonly name: string;
  readonly cardholder: readonly CardholderAct[];
  readonly expected: SaleResult;
}

/** A sale as `GET /terminals/{id}/sales` shows it. */
export interface SaleView {
  /** Stays the same name after a restart of the simulator, where `number` begins at 1 again. */
  readonly id: string;
  /** That of its frames, exchanges and transactions. */
  readonly number: number;
  /** ISO 8601. */
  readonly at: string;
  /** When the host ended the transaction. */
  readonly endedAt?: string;
  /** Decimal, with `currency` where the host named one. */
  readonly amount?: string;
  readonly currency?: string;
  readonly cardholder: readonly CardholderAct[];
  readonly result: SaleResult;
  /** The scenario that it was run by, with what is different; `differences` is absent until the transaction has ended. */
  readonly scenario?: { readonly name: string; readonly differences?: readonly string[] };
}

/** Where an entry of another log belongs. */
export interface EntryPlace {
  /** Number of its sale; absent between sales. */
  readonly sale?: number;
  /** Number of the request of the host that was carried out. */
  readonly frame?: number;
}

interface Sale {
  readonly number: number;
  readonly atMs: number;
  readonly money: ReturnType<typeof requestedAmount>;
  readonly acts: CardholderAct[];
  readonly faults: readonly Fault[];
  readonly wanted: ExpectedSale | undefined;
  readonly cryptograms: string[];
  readonly cvm: string[];
  readonly issuer: string[];
  application: string | undefined;
  endedAtMs: number | undefined;
}

interface SaleLogDeps {
  readonly deviceType: DeviceType;
  readonly clock: Clock;
  /** The faults of the terminal as they stand. */
  readonly faults: () => readonly Fault[];
  readonly onChange: (sale: SaleView) => void;
}

/**
 * Which sale a frame, an exchange or a decision belongs to. A sale begins with the request that begins a transaction at the device and takes what
 * follows, also after the request that ends the transaction (the card leaves, the display thanks), until another one begins or the line pauses.
 */
export class SaleLog {
  readonly #deps: SaleLogDeps;
  #sales: Sale[] = [];
  #open: Sale | undefined;
  #last = 0;
  #request: number | undefined;
  #lastFrameMs = 0;
  #poll: 'none' | 'requested' | 'answered' = 'none';
  /** What a cardholder did before the host began the transaction. */
  #ahead: CardholderAct[] = [];
  #wanted: ExpectedSale | undefined;

  constructor(deps: SaleLogDeps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  get sales(): readonly SaleView[] {
    return this.#sales.map(view);
  }

  /** What a scenario of a sale needs in addition to its view; undefined when the sale is forgotten. */
  find(number: number): { readonly view: SaleView; readonly faults: readonly Fault[] } | undefined {
    const sale = this.#sales.find((each) => each.number === number);
    return sale && { view: view(sale), faults: sale.faults };
  }

  /** Where what happens now belongs. */
  get place(): EntryPlace {
    return {
      ...(this.#open && { sale: this.#open.number }),
      ...(this.#request !== undefined && { frame: this.#request }),
    };
  }

  /** Compares the next sale with a scenario. */
  expect(wanted: ExpectedSale): void {
    this.#wanted = wanted;
  }

  /** The line was made anew: what was begun on the former one is over. */
  opened(): void {
    this.#open = undefined;
    this.#poll = 'none';
  }

  /** Takes a frame. @returns its sale, and whether it is part of a poll */
  frame(number: number, frame: WireFrame): { readonly sale?: number; readonly poll?: true } {
    const nowMs = this.#deps.clock.nowMs();
    const { direction, kind, text } = frame;
    const isPoll = this.#takesPoll(direction, kind, text, nowMs, number);
    this.#lastFrameMs = nowMs;
    return { ...(this.#open && { sale: this.#open.number }), ...(isPoll && { poll: true as const }) };
  }

  /** Takes a decision of the kernel. */
  decided({ topic, what, reason }: KernelDecision): void {
    const sale = this.#open;
    if (!sale) return;
    if (topic === 'selection') sale.application = what;
    else if (topic === 'cryptogram' || topic === 'cvm' || topic === 'issuer') {
      const results = topic === 'cryptogram' ? sale.cryptograms : sale[topic];
      // A host that never ends a transaction stays in one sale.
      if (results.length >= MAX_RESULTS) return;
      results.push((topic === 'issuer' ? reason : what).slice(0, MAX_RESULT_TEXT));
    } else return;
    this.#changed(sale);
  }

  /** Takes what a cardholder did. */
  acted(act: CardholderAct): void {
    const sale = this.#open;
    if (!sale || (sale.endedAtMs !== undefined && act.act !== 'remove')) {
      this.#ahead = act.act === 'remove' ? [] : [...this.#ahead, act].slice(-MAX_ACTS);
      return;
    }
    if (sale.acts.length < MAX_ACTS) sale.acts.push(act);
    this.#changed(sale);
  }

  #takesPoll(
    direction: WireFrame['direction'],
    kind: WireFrame['kind'],
    text: string,
    nowMs: number,
    number: number,
  ): boolean {
    if (kind === 'message' && direction === 'in') {
      const role = requestRole(this.#deps.deviceType, text);
      this.#closeAfterPause(role === 'polls', nowMs);
      if (role === 'begins') this.#begin(text, nowMs);
      else if (role === 'ends') this.#end(nowMs);
      this.#poll = role === 'polls' ? 'requested' : 'none';
      if (role !== 'polls') this.#request = number;
      return role === 'polls';
    }
    const isPoll = this.#poll !== 'none';
    if (kind !== 'message' || !isPoll) return isPoll;
    // The answer of the poll; what the device reports after that is its own.
    const isAnswer = this.#poll === 'requested';
    this.#poll = isAnswer ? 'answered' : 'none';
    return isAnswer;
  }

  #closeAfterPause(isPoll: boolean, nowMs: number): void {
    const sale = this.#open;
    if (!sale || nowMs - this.#lastFrameMs < SALE_PAUSE_MS) return;
    if (isPoll || sale.endedAtMs !== undefined) this.#open = undefined;
  }

  #begin(text: string, atMs: number): void {
    // Another way to read the card, or another try, in the same sale.
    if (this.#open && this.#open.endedAtMs === undefined) return;
    this.#last += 1;
    const sale: Sale = {
      number: this.#last,
      atMs,
      money: requestedAmount(text),
      acts: this.#ahead,
      faults: this.#deps.faults(),
      wanted: this.#wanted,
      cryptograms: [],
      cvm: [],
      issuer: [],
      application: undefined,
      endedAtMs: undefined,
    };
    this.#ahead = [];
    this.#wanted = undefined;
    this.#open = sale;
    this.#sales = [...this.#sales, sale].slice(-MAX_SALES);
    this.#changed(sale);
  }

  #end(nowMs: number): void {
    const sale = this.#open;
    if (!sale || sale.endedAtMs !== undefined) return;
    sale.endedAtMs = nowMs;
    this.#changed(sale);
  }

  #changed(sale: Sale): void {
    this.#deps.onChange(view(sale));
  }
}

function view(sale: Sale): SaleView {
  const { number, atMs, endedAtMs, money, acts, wanted } = sale;
  const currency = money?.currency === undefined ? undefined : currencyAlpha(money.currency);
  const at = new Date(atMs).toISOString();
  const [day = '', time = ''] = at.slice(2, 19).replaceAll(/[-:]/g, '').split('T');
  const result = resultOf(sale);
  return {
    id: `${day}-${time}-${number}`,
    number,
    at,
    ...(endedAtMs !== undefined && { endedAt: new Date(endedAtMs).toISOString() }),
    ...(money && { amount: exactAmount({ minor: money.minor, currency: currency ?? '' }) }),
    ...(currency !== undefined && { currency }),
    cardholder: [...acts],
    result,
    ...(wanted && {
      scenario: {
        name: wanted.name,
        ...(endedAtMs !== undefined && { differences: differences(wanted, acts, result) }),
      },
    }),
  };
}

function resultOf({ application, cryptograms, cvm, issuer }: Sale): SaleResult {
  return {
    ...(application !== undefined && { application }),
    cryptograms: [...cryptograms],
    cvm: [...cvm],
    issuer: [...issuer],
  };
}

/** What is other than a scenario has it, a line each. When the card leaves is not compared: people take their time. */
function differences(
  { cardholder, expected }: ExpectedSale,
  acts: readonly CardholderAct[],
  result: SaleResult,
): readonly string[] {
  const rows: readonly (readonly [what: string, expected: string, now: string])[] = [
    ['cardholder', actsText(cardholder), actsText(acts)],
    ['application', expected.application ?? '', result.application ?? ''],
    ['cryptograms', expected.cryptograms.join(', '), result.cryptograms.join(', ')],
    ['cardholder verification', expected.cvm.join(', '), result.cvm.join(', ')],
    ['issuer', expected.issuer.join(', '), result.issuer.join(', ')],
  ];
  return rows
    .filter(([, before, now]) => before !== now)
    .map(([what, before, now]) => `${what}: ${now || 'none'}; the scenario has ${before || 'none'}`);
}

function actsText(acts: readonly CardholderAct[]): string {
  return acts
    .flatMap((act) => {
      if (act.act === 'present') return [`${act.how} ${act.card}${act.second ? ' with a second card' : ''}`];
      if (act.act === 'pin') return [`PIN ${act.pin}`];
      return act.act === 'cancel' ? ['cancel'] : [];
    })
    .join(', ');
}
