import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { NOTIFICATIONS } from '@tillbridge/protocol/terminals/idtech/commands.js';
import type { NeoFrame } from '@tillbridge/protocol/terminals/idtech/frame.js';
import { encodeKeyedRequest } from '@tillbridge/protocol/terminals/idtech/keyed-entry.js';
import { COMPONENTS, CORNERS, decodeObjectEvent } from '@tillbridge/protocol/terminals/idtech/screen.js';
import { STATUSES, statusOf } from '@tillbridge/protocol/terminals/idtech/statuses.js';
import { decodeStripeData } from '@tillbridge/protocol/terminals/idtech/stripe-data.js';
import type { CardData, StartOutcome } from '../core/driver.js';
import { type Failed, failed, STOPPED_BY_TILL } from '../core/result.js';
import { stripeData } from './card-data.js';
import { encipherFailure } from './device.js';
import { COMMAND_TIMEOUT_MS, KEYED_CARD_SECONDS } from './limits.js';
import type { NeoLink, Reply } from './link.js';
import { reading, statusFailure } from './replies.js';

/** A card that was keyed in, or how its entry ended without one. */
export type KeyedResult = CardData | Extract<StartOutcome, { kind: 'cancelled' }> | Failed;

const REQUEST = encodeKeyedRequest({ timeoutSeconds: KEYED_CARD_SECONDS, checkDigit: true });
const TIMEOUT_MS = KEYED_CARD_SECONDS * 1_000 + COMMAND_TIMEOUT_MS;

/** Looks out for the cashier who wants to key a card number in. */
export interface CornerWatch {
  /** The cancel that stopped the wait for a card, once the corner was held. */
  readonly held: Promise<Reply> | undefined;
  /** Ends the watch. */
  end(): void;
}

/**
 * Stops the wait for a card when somebody holds the top right corner of the screen for a second. The guide has the device
 * tell such a press from any screen; that it does so while it waits for a card was not read (from public sources incomplete).
 */
export function watchCorner(link: NeoLink): CornerWatch {
  let held: Promise<Reply> | undefined;
  const end = link.onNotification((frame) => {
    if (link.blocking && isCorner(frame)) held ??= link.cancel();
  });
  return {
    get held() {
      return held;
    },
    end,
  };
}

function isCorner({ command, second, data }: NeoFrame): boolean {
  if (command !== NOTIFICATIONS.objectEvent.command || second !== NOTIFICATIONS.objectEvent.second)
    return false;
  try {
    const { component, number } = decodeObjectEvent(data);
    return component === COMPONENTS.longPress && number === CORNERS.topRight;
  } catch (error) {
    if (error instanceof TerminalFormatError) return false;
    throw error;
  }
}

/**
 * Lets somebody key in a card number and its expiry (83-41). How an entry ends without a number was not read: with a
 * timeout's status, or as failed when the cancel key was pressed (from public sources incomplete).
 */
export async function askKeyedCard(link: NeoLink): Promise<KeyedResult> {
  const reply = await link.execute('keyedCard', REQUEST, TIMEOUT_MS);
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  const { status, data } = reply;
  const { hint } = statusOf(status);
  if (hint === 'timed-out') return { kind: 'cancelled', by: 'timeout' };
  if (hint === 'failed') return { kind: 'cancelled', by: 'cardholder' };
  if (status === STATUSES.secureInterface.code) return encipherFailure(link, 'keyedCard', status);
  if (hint !== 'ok') return statusFailure('keyedCard', status);
  const keyed = reading('keyedCard', () => decodeStripeData(data));
  if ('kind' in keyed) return keyed;
  if (keyed.source !== 'keyed')
    return failed('protocol-error', 'a card number was asked for, and a stripe came');
  return stripeData(keyed, 'MANUAL');
}
