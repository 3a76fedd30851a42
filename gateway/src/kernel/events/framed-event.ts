import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { type AnswerFrame, answerFrame } from '../http/request/answer-frame.js';
import { newTimeOrderedId } from '../store/new-id.js';
import type { Change } from '../store/store.js';
import type { EntityEvents } from './entity-events.js';
import type { EventKind } from './event-kinds.js';

/** What events are made with that no payment is about. */
export interface FramedEventDeps {
  readonly events: EntityEvents;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
  readonly buildNumber: string;
}

/** The changes that report something to an entity in addition to its payments, in the frame of an answer. @throws StoreUnavailableError */
export async function framedEvent(
  { events, clock, random, buildNumber }: FramedEventDeps,
  {
    entityId,
    kind,
    resultCode,
  }: { readonly entityId: string; readonly kind: EventKind; readonly resultCode: string },
  payloadOf: (frame: AnswerFrame, nowMs: number) => object,
): Promise<readonly Change[]> {
  const { changes } = await events.of(entityId);
  const nowMs = clock.nowMs();
  const id = newTimeOrderedId(random, nowMs);
  const payload = payloadOf(answerFrame(resultCode, { buildNumber, ndc: id, nowMs }), nowMs);
  return changes({ id, kind, paymentId: null, payload, nowMs });
}
