import type { FastifyInstance } from 'fastify';
import {
  REVIEW_DECISION_PARAMETERS,
  REVIEW_LIST_PARAMETERS,
} from '../../../kernel/api/catalogue/administration/reviews.js';
import { readAdministration } from '../../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { ADMINISTRATION, type WithId } from '../../../kernel/http/request/route-kinds.js';
import type { ReviewDecisionRow } from '../../../kernel/store/rows.js';
import type { ReviewWork } from '../service.js';
import { carryOutReview, decideReview, listReviews, reviewedEntity } from '../service.js';

/** What the routes of reviews work with. */
interface ReviewRouteDeps extends HttpDeps {
  /** Carries out the decisions of persons on payments. */
  readonly reviews: ReviewWork;
}

/** Words on a payment, by the last part of their paths. */
const DECISIONS: Readonly<Record<string, ReviewDecisionRow['decision']>> = {
  release: 'released',
  refusal: 'refused',
};

/** Additions of ours: a merchant's payments that a person has to look at, and the word of that person. */
export function reviewRoutes(server: FastifyInstance, deps: ReviewRouteDeps): void {
  server.get('/v1/reviews', ADMINISTRATION.read, async (request) => {
    const { owners } = await readAdministration(request, REVIEW_LIST_PARAMETERS);
    return done(deps, { reviews: await listReviews(deps.store, owners) });
  });
  for (const [name, decision] of Object.entries(DECISIONS))
    server.post<WithId>(`/v1/reviews/:id/${name}`, ADMINISTRATION.change, async (request) => {
      const { values, owners, actor } = await readAdministration(request, REVIEW_DECISION_PARAMETERS);
      const { id: paymentId } = request.params;
      const { store } = deps;
      if ((await reviewedEntity(store, paymentId, owners)) === undefined)
        throw new RequestRefused('nothing-found');
      const word = { paymentId, decision, actor, note: values.get('note') ?? '' };
      const counted = await decideReview(deps, word);
      if (!counted) throw new RequestRefused('nothing-found');
      await carryOutReview(deps.reviews, counted);
      if (counted.decision !== decision) {
        const message = `the payment was ${counted.decision} before: the first word counts`;
        throw new RequestRefused('review-decided', [{ name: 'decision', value: decision, message }]);
      }
      return done(deps, { review: { paymentId, decision: counted.decision } });
    });
}
