import {
  NUMBERS_PER_SECOND,
  STAN_BLOCK_KEEP_MS,
} from '@tillbridge/gateway/core/acquirers/iso8583/journal/store-numbers.js';
import { TOTALS_LIMITS } from '@tillbridge/gateway/core/acquirers/iso8583/totals/link-totals.js';
import type { TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Range, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { LINK_MUTATIONS, type LinkMutationName } from '../../simulation/mutations/link-mutations.js';
import { redirected } from '../../simulation/mutations/redirected.js';
import { DAYS } from './host-days.js';
import type { TotalsSeams } from './totals-state.js';

/** Numbers of messages in the time for which requests of the day before are looked for, too. */
const OVERLAP_NUMBERS = ((TOTALS_LIMITS.overlapMs + STAN_BLOCK_KEEP_MS) / 1_000) * NUMBERS_PER_SECOND;

/** What has no answer is looked for from the end of the day before on. */
function forgetsOverlap(store: Store): Store {
  return redirected(store, {
    findRange: async <T extends TableName>(table: T, index: string, range: Range<T>) => {
      const { from = 0 } = range;
      const isLater = index === 'sequence' && from > 0;
      return store.findRange(table, index, isLater ? { ...range, from: from + OVERLAP_NUMBERS } : range);
    },
  });
}

/** The bugs of totals, in what they stand on. */
export const TOTALS_BUGS = {
  'what a host carried out after its reversal stands where its answer was lost': {
    store:
      LINK_MUTATIONS['what a host carried out after its reversal stands where its answer was lost'].store,
  },
  'totals of a settlement day leave reversals out': {
    store: LINK_MUTATIONS['totals of a settlement day leave reversals out'].store,
  },
  'totals of a settlement day are never compared': {
    store: LINK_MUTATIONS['totals of a settlement day are never compared'].store,
  },
  'a settlement day goes on after its end': {
    receives: (answer) => (answer.settlementDate ? { ...answer, settlementDate: DAYS[0] } : answer),
  },
} as const satisfies Partial<Record<LinkMutationName, TotalsSeams>>;

/** Former bugs of the product and of the simulation, which a seed had shown. */
export const FORMER_TOTALS_BUGS = {
  'what a host carries out on the day after its request is looked for on the day before alone': {
    store: forgetsOverlap,
  },
  'a hold that a host begins on a later day is never looked for': {
    link: (link) => ({
      question: (question) => link.question(question),
      reverseAgain: async (reference, how) =>
        how === 'as-repeat' ? link.reverseAgain(reference, how) : undefined,
    }),
  },
} as const satisfies Readonly<Record<string, TotalsSeams>>;
