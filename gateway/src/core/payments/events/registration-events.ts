import type { EventKind } from '../../../kernel/events/event-kinds.js';
import { type FramedEventDeps, framedEvent } from '../../../kernel/events/framed-event.js';
import type { RegistrationRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { registrationAnswer } from '../view/registration-view.js';

/** What events of registrations are made with. */
export type RegistrationEventDeps = FramedEventDeps;

/**
 * The changes that report the outcome of a registration without a payment to the merchant, with the registration as it was in that commit.
 * @param resultCode of the request
 * @throws StoreUnavailableError
 */
export function registrationEvent(
  deps: RegistrationEventDeps,
  kind: Extract<EventKind, `registration-${string}`>,
  row: RegistrationRow,
  resultCode: string,
): Promise<readonly Change[]> {
  return framedEvent(deps, { entityId: row.entityId, kind, resultCode }, (frame) =>
    registrationAnswer(row, frame),
  );
}
