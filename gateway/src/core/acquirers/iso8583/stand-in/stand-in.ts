import { present } from '@tillbridge/wire/present.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { decideAgain } from '../../../../kernel/store/decide-again.js';
import type { StandInCountRow } from '../../../../kernel/store/rows.js';
import type { Change, Store } from '../../../../kernel/store/store.js';
import type { Fingerprint } from '../../../../security/tokens/fingerprint.js';
import type { AcquirerDecision, AcquirerMoneyRequest } from '../../acquirer.js';
import type { StoreLinkJournal } from '../journal/store-link-journal.js';
import type { HostLink } from '../link/host-link.js';
import {
  decideStandIn,
  HISTORY_LENGTH,
  type StandInDay,
  type StandInRule,
  storableAdvice,
} from '../rules/decide-stand-in.js';
import { standInDecision } from '../rules/exchange-answer.js';
import type { ExchangePurpose } from '../rules/exchange-record.js';
import type { RequestValues } from '../rules/exchange-request.js';

export const STAND_IN_LIMITS = {
  /** Advices of this node that may wait for a host at once; beyond that nothing is approved. */
  waitingAdvices: 10_000,
  /** Payments of this node that may wait for their turn to be counted; beyond that nothing is approved. */
  waitingTurns: 1_000,
} as const;

/** In the place of a card: all cards of an acquirer. */
const ALL_CARDS = '*';
const DAY_MS = 24 * 3_600_000;

/** What stand-in works with. */
interface StandInsDeps {
  /** Name of the acquirer. */
  readonly acquirer: string;
  readonly rule: StandInRule;
  readonly store: Pick<Store, 'get'>;
  readonly journal: Pick<StoreLinkJournal, 'ofCard'>;
  readonly link: Pick<HostLink, 'standIn' | 'waitingAdvices'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'setTimer'>;
}

/** Approves payments in the place of hosts that cannot be reached, by the rule of the acquirer. */
export class StandIns {
  readonly #deps: StandInsDeps;
  #turn: Promise<unknown> = Promise.resolve();
  #waitingTurns = 0;

  constructor(deps: StandInsDeps) {
    this.#deps = deps;
  }

  /** The fingerprint of the card of a request, by which its exchanges are found again; undefined where it has none. */
  cardOf({ instrument }: AcquirerMoneyRequest): string | undefined {
    return instrument?.kind === 'card' ? this.#deps.fingerprint('card', instrument.pan) : undefined;
  }

  /**
   * Approves a payment of which nothing was sent, as far as the rule allows; it is stored, and counted against its card and its acquirer, before
   * this resolves.
   * @param advice what the host receives
   * @returns undefined where the rule does not allow it
   * @throws DuplicateExchangeError the reference was used; Iso8583Error; StoreUnavailableError
   */
  async approve(
    request: AcquirerMoneyRequest,
    advice: RequestValues,
    purpose: ExchangePurpose,
  ): Promise<AcquirerDecision | undefined> {
    if (this.#waitingTurns >= STAND_IN_LIMITS.waitingTurns) return undefined;
    this.#waitingTurns += 1;
    // All of them count against the acquirer: side by side they would only lose races.
    const turn = this.#turn
      .catch(() => undefined)
      .then(() => this.#approve(request, advice, purpose))
      .finally(() => {
        this.#waitingTurns -= 1;
      });
    this.#turn = turn;
    return turn;
  }

  async #approve(
    request: AcquirerMoneyRequest,
    advice: RequestValues,
    purpose: ExchangePurpose,
  ): Promise<AcquirerDecision | undefined> {
    const { rule, store, journal, link, clock } = this.#deps;
    const card = this.cardOf(request);
    const isFull = (link.waitingAdvices?.count ?? 0) >= STAND_IN_LIMITS.waitingAdvices;
    if (card === undefined || isFull) return undefined;
    const intent = await store.get('intents', [request.acquirerReference]);
    const owner = intent && { entityId: intent.entityId, paymentId: intent.paymentId };
    // A payment of the card, or of the acquirer, at another node may be faster.
    const round = async (): Promise<AcquirerDecision | undefined> => {
      const history = await journal.ofCard(card, HISTORY_LENGTH);
      const [ofCard, ofAll] = await Promise.all([this.#count(card), this.#count(ALL_CARDS)]);
      const before = { card: dayOf(ofCard), all: dayOf(ofAll) };
      const verdict = decideStandIn(rule, request, { nowMs: clock.nowMs(), history, ...before });
      if (!verdict.approved) return undefined;
      const counted = [
        this.#counted(card, ofCard, verdict.card),
        this.#counted(ALL_CARDS, ofAll, verdict.all),
      ];
      const { acquirerReference } = request;
      const sameCommit = { changes: counted, ...present({ owner }) };
      return standInDecision(
        await link.standIn(acquirerReference, storableAdvice(advice), purpose, sameCommit),
      );
    };
    return decideAgain(this.#deps, round, { key: `standInCounts/${this.#deps.acquirer}` });
  }

  #count(card: string): Promise<StandInCountRow | undefined> {
    return this.#deps.store.get('standInCounts', [this.#deps.acquirer, card]);
  }

  #counted(card: string, known: StandInCountRow | undefined, { day, count, sums }: StandInDay): Change {
    const { acquirer } = this.#deps;
    const begin = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
    const row = {
      ...{ acquirer, card, day, count, sums: JSON.stringify(sums) },
      expiresAtMs: begin + 2 * DAY_MS,
      version: known?.version ?? 1,
    };
    return { op: known ? 'update' : 'insert', table: 'standInCounts', row };
  }
}

function dayOf(row: StandInCountRow | undefined): StandInDay | undefined {
  return row && { day: row.day, count: row.count, sums: JSON.parse(row.sums) };
}
