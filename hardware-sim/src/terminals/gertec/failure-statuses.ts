import { type StatusName, statusCode } from '@tillbridge/protocol/terminals/abecs/statuses.js';
import { TerminalFormatError } from '@tillbridge/protocol/terminals/format-error.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError, type KernelFailure } from '../../kernel/kernel-error.js';
import { isKeyFailure } from '../core/dukpt-device.js';
import { PinEntryEnded } from '../core/pin-pad.js';
import { StatusError } from './status-error.js';

/** Statuses of a chip by contacts (ABECS 2.12 §6.9.1.2, §6.9.3.1). */
const CONTACT: Readonly<Record<KernelFailure, StatusName>> = {
  'card-mute': 'ST_DUMBCARD',
  'no-application': 'ST_CARDAPPNAV',
  'application-blocked': 'ST_CARDINVALIDAT',
  'card-blocked': 'ST_CARDBLOCKED',
  'application-not-accepted': 'ST_CARDAPPNAUT',
  'card-data-invalid': 'ST_CARDINVDATA',
  'card-misbehaves': 'ST_CARDPROBLEMS',
  fallback: 'ST_ERRFALLBACK',
};

/** Statuses of a tap (ABECS 2.12 §6.9.1.3). */
const TAP: Readonly<Record<KernelFailure, StatusName>> = {
  'card-mute': 'ST_CTLSCOMMERR',
  'no-application': 'ST_CTLSAPPNAV',
  'application-blocked': 'ST_CTLSINVALIDAT',
  'card-blocked': 'ST_CTLSINVALIDAT',
  'application-not-accepted': 'ST_CTLSAPPNAUT',
  'card-data-invalid': 'ST_CTLSPROBLEMS',
  'card-misbehaves': 'ST_CTLSPROBLEMS',
  fallback: 'ST_CTLSPROBLEMS',
};

/**
 * The status of a failure; `ST_INTERR` for one that no other status describes.
 * @param face how the card was given
 * @param cardPresent whether the card still sits in the slot
 */
export function statusOfFailure(error: unknown, face: 'contact' | 'tap', cardPresent: boolean): number {
  if (error instanceof StatusError) return error.status;
  if (error instanceof PinEntryEnded) return statusCode(error.how === 'timeout' ? 'ST_TIMEOUT' : 'ST_CANCEL');
  if (error instanceof TerminalFormatError) return statusCode('ST_INVPARM');
  if (error instanceof KernelError) return statusCode((face === 'tap' ? TAP : CONTACT)[error.failure]);
  if (error instanceof CardCommunicationError) {
    if (face === 'tap') return statusCode('ST_CTLSCOMMERR');
    return statusCode(cardPresent ? 'ST_ERRCARD' : 'ST_NOCARD');
  }
  if (isKeyFailure(error)) return statusCode('ST_ERRKEY');
  return statusCode('ST_INTERR');
}
