import {
  REVIEW_DECISION_PARAMETERS,
  REVIEW_LIST_PARAMETERS,
} from '@tillbridge/protocol/api/catalogue/administration/reviews.js';
import type { FastifyInstance } from 'fastify';
import { carryOutReview, decideReview, listReviews } from '../../risk/reviews.js';
import type { ReviewDecisionRow } from '../../store/rows.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, RequestRefused } from '../request/envelope.js';
import { formOf } from '../request/form.js';
import { validValues } from '../request/valid-values.js';

const READ = { config: { right: 'administration', throttle: 'reads' } } as const;
const DECIDE = { config: { right: 'administration', throttle: 'followUps' } } as const;
/** Code of a list, and of a word, that was taken. */
const DONE = '000.000.100';

/** Words on a payment, by the last part of their paths. */
const DECISIONS: Readonly<Record<string, ReviewDecisionRow['decision']>> = {
  release: 'released',
  refusal: 'refused',
};

/** Additions of ours: a merchant's payments that a person has to look at, and the word of that person. */
export function reviewRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/reviews', READ, async (request) => {
    const values = validValues(formOf(request), REVIEW_LIST_PARAMETERS);
    const owners = await callerOf(request).readableEntities(values.get('entityId'));
    return { ...envelope(deps, DONE), reviews: await listReviews(deps.store, owners) };
  });
  for (const [name, decision] of Object.entries(DECISIONS))
    server.post<{ Params: { id: string } }>(`/v1/reviews/:id/${name}`, DECIDE, async (request) => {
      const values = validValues(formOf(request), REVIEW_DECISION_PARAMETERS);
      const caller = callerOf(request);
      const owners = await caller.readableEntities(values.get('entityId'));
      const { id: paymentId } = request.params;
      const { store } = deps;
      const asked =
        (await store.get('approvalReviews', [paymentId])) ??
        (await store.get('reviewDecisions', [paymentId])) ??
        (await store.get('waits', [paymentId]));
      if (!asked || !owners.includes(asked.entityId)) throw new RequestRefused('nothing-found');
      const word = { paymentId, decision, actor: `token ${caller.token.id}`, note: values.get('note') ?? '' };
      const counted = await decideReview(deps, word);
      if (!counted) throw new RequestRefused('nothing-found');
      await carryOutReview(deps.reviews, counted);
      return { ...envelope(deps, DONE), review: { paymentId, decision: counted.decision } };
    });
}
