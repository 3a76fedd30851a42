import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { MmsNotification } from '@tillbridge/wire/terminals/magtek/message.js';
import {
  DEVICE_UPDATES,
  HOST_ACTIONS,
  NOTIFICATIONS,
  payloadObject,
  readOutcome,
  readUpdate,
  type TransactionOutcome,
  type TransactionUpdate,
} from '@tillbridge/wire/terminals/magtek/notifications.js';
import { EventQueue } from '../core/event-queue.js';
import { attempt, isFailed } from '../core/result.js';
import type { MmsLink } from './link.js';

/** An unsolicited report of the device. */
export type Notice =
  | { readonly kind: 'update'; readonly update: TransactionUpdate; readonly object: Buffer | undefined }
  | { readonly kind: 'complete'; readonly outcome: TransactionOutcome; readonly detail: string }
  /** The transaction ended in a way that is not listed. */
  | { readonly kind: 'unknown-end'; readonly detail: string }
  /** The right button of the page that prompts for a card was touched. */
  | { readonly kind: 'right-button' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset-soon' }
  | { readonly kind: 'damaged' };

/** Reads a notification; undefined for one without meaning for a sale. @throws TerminalFormatError */
function readNotice({ id, detail, payload }: MmsNotification): Notice | undefined {
  switch (id) {
    case NOTIFICATIONS.transactionUpdate: {
      const update = readUpdate(detail);
      return update && { kind: 'update', update, object: payloadObject(payload) };
    }
    case NOTIFICATIONS.transactionComplete: {
      const outcome = readOutcome(detail);
      return outcome ? { kind: 'complete', outcome, detail } : { kind: 'unknown-end', detail };
    }
    case NOTIFICATIONS.hostAction:
      return detail === HOST_ACTIONS.rightButton ? { kind: 'right-button' } : undefined;
    case NOTIFICATIONS.deviceUpdate:
      if (detail === DEVICE_UPDATES.resetOccurred) return { kind: 'reset' };
      return detail === DEVICE_UPDATES.resetSoon ? { kind: 'reset-soon' } : undefined;
    default:
      return undefined;
  }
}

/**
 * Queue of notifications, and the state that follows from them: whether a chip is
 * in the slot, and whether the device has announced its reset.
 */
export class Notices extends EventQueue<Notice> {
  /** A chip was inserted and not removed, by the notifications so far. */
  inserted = false;
  /** The device has warned of its daily reset. */
  resetSoon = false;

  constructor(link: MmsLink, clock: Clock) {
    super(clock);
    link.listen({
      onMessage: (message) => {
        if (message.kind !== 'notification') return;
        const notice = attempt('notification', () => readNotice(message));
        if (isFailed(notice)) this.push({ kind: 'damaged' });
        else if (notice) this.push(notice);
      },
      onDamage: () => this.push({ kind: 'damaged' }),
      onEnd: () => this.end(),
    });
  }

  override push(notice: Notice): void {
    this.note(notice);
    super.push(notice);
  }

  private note(notice: Notice): void {
    if (notice.kind === 'reset-soon') this.resetSoon = true;
    if (notice.kind === 'reset') {
      this.resetSoon = false;
      this.inserted = false;
    }
    if (notice.kind !== 'update' || notice.update.technology !== 'contact') return;
    if (notice.update.what === 'inserted') this.inserted = true;
    if (notice.update.what === 'removed') this.inserted = false;
  }
}
