import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../kernel/http/request/authenticate.js';
import { done, RequestRefused } from '../../kernel/http/request/envelope.js';
import type { PaymentRow } from '../../kernel/store/rows.js';
import { readStory } from '../payments/story/sources.js';
import { storyOf } from '../payments/story/story.js';
import { storyView } from '../payments/story/story-view.js';
import type { PaymentRouteDeps } from './payment-deps.js';

/** The answer with the story of a payment, as far as the caller may see it. @throws RequestRefused, StoreUnavailableError */
export async function timelineAnswer(
  deps: PaymentRouteDeps,
  payment: PaymentRow,
  request: FastifyRequest,
): Promise<object> {
  const caller = callerOf(request);
  const sources = await readStory(deps.store, payment.id, await caller.readableEntities(undefined));
  const story = sources && storyOf(sources, deps.clock.nowMs());
  if (!story) throw new RequestRefused('nothing-found');
  return done(deps, storyView(story, caller.has('diagnostics')));
}
