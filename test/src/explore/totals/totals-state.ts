import type { LinkTotalsDeps } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { Action } from '../core/model.js';
import type { ProcessState } from '../gateway/gateway-host.js';
import type { StoredRows } from '../gateway/stored-rows.js';
import type { LinkSeams, LinkState } from '../link/link-state.js';

/** What the comparison of totals is given to do. */
export type TotalsWork = {
  readonly nowMs: number;
  /** All that it has in memory. */
  readonly lookedBefore?: number;
} & (
  | { readonly kind: 'round' }
  /** The host has announced that its settlement day has begun. */
  | { readonly kind: 'announced'; readonly day: string }
);

/** A link, its host and their settlement days. */
export interface TotalsState {
  /** Exchanges, faults that may still come, and the moment. */
  readonly link: LinkState;
  /** The place of the moment among all moments. */
  readonly at: number;
  /** Settlement days on which another sale was booked, whose answer the link has. */
  readonly others: readonly string[];
  /** Totals that are stored. */
  readonly rows: StoredRows;
  readonly process: ProcessState<TotalsWork>;
  readonly lookedBefore?: number;
  /** It has looked for totals at this moment, as it does many times an hour. */
  readonly hasLooked: boolean;
}

/** What may happen to a link and its days: the state after it is known only when it is taken. */
export interface TotalsAction extends Action {
  readonly to: () => TotalsState | Promise<TotalsState>;
}

/** Where a deliberate bug may stand. */
export interface TotalsSeams {
  readonly store?: (store: Store) => Store;
  readonly link?: (link: LinkTotalsDeps['link']) => LinkTotalsDeps['link'];
  readonly receives?: LinkSeams['receives'];
}
