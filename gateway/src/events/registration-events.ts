import { registrationAnswer } from '../payments/view/registration-view.js';
import type { RegistrationRow } from '../store/rows.js';
import type { Change } from '../store/store.js';
import type { EventKind } from './event-kinds.js';
import { type FramedEventParts, framedEvent } from './framed-event.js';

/** What events of registrations are made with. */
export type RegistrationEventParts = FramedEventParts;

/**
 * The changes that tell the merchant what became of a registration without a payment, with the registration as it was in that commit.
 * @param resultCode of what was asked for
 * @throws StoreUnavailableError
 */
export function registrationEvent(
  parts: RegistrationEventParts,
  kind: Extract<EventKind, `registration-${string}`>,
  row: RegistrationRow,
  resultCode: string,
): Promise<readonly Change[]> {
  return framedEvent(parts, { entityId: row.entityId, kind, resultCode }, (frame) =>
    registrationAnswer(row, frame),
  );
}
