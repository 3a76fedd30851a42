import { NOTIFICATIONS } from '@tillbridge/wire/terminals/idtech/commands.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { encodeKeyedRequest } from '@tillbridge/wire/terminals/idtech/keyed-entry.js';
import { decodeMagstripeData } from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import { COMPONENTS, CORNERS, decodeObjectEvent } from '@tillbridge/wire/terminals/idtech/screen.js';
import { STATUSES, statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import type { CardData } from '../core/driver.js';
import {
  attempt,
  cancelled,
  failed,
  isFailed,
  type SaleEnd,
  STOPPED_BY_TILL,
  TIMED_OUT,
} from '../core/result.js';
import { magstripeData } from './card-data.js';
import { encipherFailure } from './device.js';
import { COMMAND_TIMEOUT_MS, KEYED_CARD_SECONDS } from './limits.js';
import type { NeoLink, Reply } from './link.js';
import { reading, statusFailure } from './replies.js';

/** A card that was keyed in, or how its entry ended without one. */
export type KeyedResult = CardData | SaleEnd;

const REQUEST = encodeKeyedRequest({ timeoutSeconds: KEYED_CARD_SECONDS, checkDigit: true });
const TIMEOUT_MS = KEYED_CARD_SECONDS * 1_000 + COMMAND_TIMEOUT_MS;

/** Watches for the cashier's request to key a card number in. */
interface CornerWatch {
  /** The cancel that stopped the wait for a card, once the corner was held. */
  readonly held: Promise<Reply> | undefined;
  /** Ends the watch. */
  end(): void;
}

/**
 * Stops the wait for a card when the top right corner of the screen is held for a second. By the guide the device
 * reports such a press on any screen; whether also while it waits for a card is from public sources incomplete.
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
  const event = attempt('OBJECT EVENT', () => decodeObjectEvent(data));
  if (isFailed(event)) return false;
  return event.component === COMPONENTS.longPress && event.number === CORNERS.topRight;
}

/**
 * Prompts for a card number and its expiry (83-41). How an entry without a number ends is not published: here with a
 * timeout's status, or as failed when the cancel key was pressed (from public sources incomplete).
 */
export async function askKeyedCard(link: NeoLink): Promise<KeyedResult> {
  const reply = await link.execute('keyedCard', REQUEST, TIMEOUT_MS);
  if (isFailed(reply)) return reply;
  if (reply.kind === 'cancelled') return STOPPED_BY_TILL;
  const { status, data } = reply;
  const { hint } = statusOf(status);
  if (hint === 'timed-out') return TIMED_OUT;
  if (hint === 'failed') return cancelled(false);
  if (status === STATUSES.secureInterface.code) return encipherFailure(link, 'keyedCard', status);
  if (hint !== 'ok') return statusFailure('keyedCard', status);
  const keyed = reading('keyedCard', () => decodeMagstripeData(data));
  if (isFailed(keyed)) return keyed;
  if (keyed.source !== 'keyed')
    return failed('protocol-error', 'a card number was requested, and a magstripe came');
  return magstripeData(keyed, 'MANUAL');
}
