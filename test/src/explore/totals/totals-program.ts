import { StoreLinkJournal } from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-link-journal.js';
import { LinkTotals } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import type { Program } from '../gateway/replayed-process.js';
import type { TotalsSeams, TotalsWork } from './totals-state.js';

/** Name of the acquirer. */
export const ACQUIRER = 'HOST';

/** The comparison of totals of a gateway. Each work gives what it has in memory then. */
export function totalsProgram(seams: TotalsSeams = {}): Program<TotalsWork> {
  return ({ store: given, link: line }) => {
    const store = seams.store?.(given) ?? given;
    const link = seams.link?.(line) ?? line;
    return async ({ nowMs, lookedBefore, ...work }) => {
      const journal = new StoreLinkJournal({ store, acquirer: ACQUIRER });
      const deps = { acquirer: ACQUIRER, store, journal, link, clock: { nowMs: () => nowMs } };
      const totals = new LinkTotals(deps, lookedBefore);
      await (work.kind === 'round' ? totals.round() : totals.announced(work.day));
      return totals.lookedBefore;
    };
  };
}
