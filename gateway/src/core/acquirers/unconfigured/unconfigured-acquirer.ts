import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  AcquirerUnreachableError,
} from '../acquirer.js';
import type { AcquirerRequestKind } from '../request-kinds.js';

/** No acquirer is configured: a fault of the installation ("channel not set up for this payment method", docs/result-codes.md). */
const NOT_SET_UP: AcquirerAnswer = { approved: false, resultCode: '600.200.201', responseCode: '92' };
/** Answer to a reversal: there is nothing to reverse. */
const NOTHING_TO_REVERSE: AcquirerAnswer = { approved: true, resultCode: '000.000.000', responseCode: '00' };

/** What the goods have left the store for: refusing it would lose the money. */
const ADVICE_KINDS: ReadonlySet<AcquirerRequestKind> = new Set(['advice']);

/**
 * Stands where no acquirer is configured: no request goes anywhere. A payment is refused with a configuration code; a sale that was
 * decided offline gets no answer, so that its agent keeps it until there is an acquirer.
 */
export class UnconfiguredAcquirer implements Acquirer {
  readonly name = 'NONE';

  async send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    if (request.kind === 'reversal') return NOTHING_TO_REVERSE;
    if (request.deferred || ADVICE_KINDS.has(request.kind))
      throw new AcquirerUnreachableError('no acquirer is configured: offline sales wait');
    return NOT_SET_UP;
  }

  async status(): Promise<AcquirerStatus> {
    return { state: 'unknown' };
  }
}
