import { type AcquirerAnswer, type AcquirerMoneyRequest, AcquirerUnreachableError } from '../acquirer.js';
import type { HostLink } from './link/host-link.js';
import type { RefundPart } from './rules/exchange-record.js';
import { partReference } from './rules/parts.js';

/** What a refund in parts works with. */
interface RefundInPartsDeps {
  readonly link: Pick<HostLink, 'reverse' | 'isReversed'>;
  /** Refunds one part; `capture` is the acquirer reference of the capture, `split` is journaled with the first part. */
  readonly refund: (
    request: AcquirerMoneyRequest,
    capture: string,
    split: readonly RefundPart[] | undefined,
  ) => Promise<AcquirerAnswer>;
}

/**
 * Refunds money of several captures, one message for each. The parts are journaled with the first one: a repeated request goes on where it ended.
 * Where the host declines one, those before it are taken back, the first one last: while that stands, others may.
 * @throws AcquirerUnreachableError a part has no outcome yet
 */
export async function refundInParts(
  request: AcquirerMoneyRequest,
  split: readonly RefundPart[],
  { link, refund }: RefundInPartsDeps,
): Promise<AcquirerAnswer> {
  let first: AcquirerAnswer | undefined;
  for (const [at, { capture, minor }] of split.entries()) {
    const acquirerReference = partReference(request.acquirerReference, at);
    const part = { ...request, acquirerReference, amount: { ...request.amount, minor } };
    const answer = await refund(part, capture, at === 0 ? split : undefined);
    if (!answer.approved) {
      for (let before = at - 1; before >= 0; before -= 1)
        await takeBack(link, partReference(request.acquirerReference, before));
      return answer;
    }
    first ??= answer;
  }
  if (!first) throw new Error('a refund has no part');
  return first;
}

/** Takes an exchange back, and waits until the host has acknowledged it. @throws AcquirerUnreachableError it has not yet */
export async function takeBack(
  link: Pick<HostLink, 'reverse' | 'isReversed'>,
  reference: string,
  wanted: Parameters<HostLink['reverse']>[1] = {},
): Promise<void> {
  await link.reverse(reference, wanted);
  if (await link.isReversed(reference)) return;
  throw new AcquirerUnreachableError('the host has not acknowledged the reversal yet');
}
