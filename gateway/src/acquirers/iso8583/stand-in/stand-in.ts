import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { CommitConflict, type Store } from '../../../store/store.js';
import type { AcquirerDecision, AcquirerMoneyRequest } from '../../acquirer.js';
import { decideStandIn, keptAdvice, type StandInDay, type StandInRule } from '../decide/decide-stand-in.js';
import { standInDecision } from '../decide/exchange-answer.js';
import type { ExchangePurpose } from '../decide/exchange-record.js';
import type { RequestValues } from '../decide/exchange-request.js';
import { timeText } from '../journal/store-numbers.js';
import type { HostLink } from '../link/host-link.js';

/** Tries to count a payment of a card that other nodes count too. */
const MAX_TRIES = 8;

/** Advices of this node that may wait for a host at once; beyond that nothing is approved. */
export const MAX_WAITING_ADVICES = 10_000;

/** What stand-in works with. */
export interface StandInsParts {
  /** Name of the acquirer. */
  readonly acquirer: string;
  readonly rule: StandInRule;
  readonly store: Pick<Store, 'get'>;
  readonly link: Pick<HostLink, 'standIn' | 'waitingAdvices'>;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Approves payments in the place of hosts that cannot be reached, by the rule of the acquirer. */
export class StandIns {
  readonly #parts: StandInsParts;

  constructor(parts: StandInsParts) {
    this.#parts = parts;
  }

  /**
   * Approves a payment of which nothing was sent, as far as the rule allows; it is stored, and counted against its card, before this resolves.
   * @param advice what the host is told of it
   * @returns undefined where the rule does not allow it
   * @throws KnownExchangeError the reference was used; Iso8583Error; StoreUnavailableError
   */
  async approve(
    request: AcquirerMoneyRequest,
    advice: RequestValues,
    purpose: ExchangePurpose,
  ): Promise<AcquirerDecision | undefined> {
    const { acquirer, rule, store, link, fingerprint, clock } = this.#parts;
    if (request.instrument?.kind !== 'card') return undefined;
    if ((link.waitingAdvices?.count ?? 0) >= MAX_WAITING_ADVICES) return undefined;
    const card = fingerprint('card', request.instrument.pan);
    for (let left = MAX_TRIES; ; left -= 1) {
      const known = await store.get('standInCounts', [acquirer, card]);
      const before: StandInDay | undefined = known && { ...known, sums: JSON.parse(known.sums) };
      const after = decideStandIn(rule, request, before, timeText(clock.nowMs()).slice(0, 8));
      if (!after) return undefined;
      const { day, count, sums } = after;
      const row = { acquirer, card, day, count, sums: JSON.stringify(sums), version: known?.version ?? 1 };
      const counted = { op: known ? 'update' : 'insert', table: 'standInCounts', row } as const;
      try {
        const code = await link.standIn(request.acquirerReference, keptAdvice(advice), purpose, [counted]);
        return standInDecision(code);
      } catch (error) {
        // Another payment of the card was faster.
        if (!(error instanceof CommitConflict) || left === 0) throw error;
      }
    }
  }
}
