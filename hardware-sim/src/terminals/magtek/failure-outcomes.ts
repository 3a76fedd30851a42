import type { OutcomeName, Technology } from '@tillbridge/protocol/terminals/magtek/notifications.js';
import { CardCommunicationError } from '../../cards/core/card.js';
import { KernelError } from '../../kernel/kernel-error.js';
import { isKeyFailure } from '../core/dukpt-device.js';
import { PinEntryEnded } from '../core/pin-pad.js';

/** The transaction ends with this notification. */
export interface TransactionEnd {
  readonly technology: Technology;
  readonly outcome: OutcomeName;
}

/** How a transaction with a chip ends after an error; undefined for one that nothing describes. */
export function endOfFailure(
  error: unknown,
  technology: 'contact' | 'contactless',
): TransactionEnd | undefined {
  if (error instanceof PinEntryEnded)
    return error.how === 'timeout'
      ? { technology: 'none', outcome: 'timeout' }
      : { technology, outcome: 'cancelled' };
  if (error instanceof CardCommunicationError || isKeyFailure(error))
    return { technology, outcome: 'failed' };
  if (error instanceof KernelError) return { technology, outcome: 'endApplication' };
  return undefined;
}

/** What a chip that could not be used leaves open: the same again, the magstripe at once, or nothing. */
export function fallbackOf(error: unknown): 'technical' | 'magstripe' | undefined {
  if (!(error instanceof KernelError)) return undefined;
  if (error.failure === 'no-application') return 'magstripe';
  return error.failure === 'card-mute' || error.failure === 'fallback' ? 'technical' : undefined;
}
