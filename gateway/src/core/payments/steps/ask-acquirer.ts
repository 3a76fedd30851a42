import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import type { IntentRow } from '../../../kernel/store/rows.js';
import { StoreUnavailableError } from '../../../kernel/store/store.js';
import type { AcquirerRequest } from '../../acquirers/acquirer.js';
import { acquirerNamed } from '../lookup/acquirer-route.js';
import { assertHeld } from '../ownership/own-intents.js';
import { detailOf } from '../rules/intent-detail.js';
import type { PaymentResult } from '../rules/requests.js';
import { completeIntent } from './complete-intent.js';
import type { PaymentContext } from './payment-context.js';
import { resolveIntent } from './resolve-intent.js';
import { recordAnswer } from './suspend.js';

/**
 * Sends a committed intent to the acquirer and records the result. Without an answer it requests the status from the acquirer. Money may move from
 * here on: whatever fails, the payment has an id and the resolver finishes it.
 * @throws TryLaterError with that id when the acquirer is silent, another node fences the request by now, or the outcome cannot be stored
 */
export async function askAcquirer(
  context: PaymentContext,
  intent: IntentRow,
  makeRequest: () => AcquirerRequest | Promise<AcquirerRequest>,
): Promise<PaymentResult> {
  assertHeld(context, intent.paymentId);
  const outcome = await carryOut(context, intent, makeRequest).catch((error: unknown) => {
    context.onFault(`no answer to intent ${intent.id}`, error);
    return undefined;
  });
  const recording = outcome ? recordAnswer(context, intent, outcome) : resolveIntent(context, intent);
  const result = await recording.catch((error: unknown) => {
    if (error instanceof TryLaterError) throw error;
    // An agent sends its message again: it has to learn that the database is at fault.
    if (error instanceof StoreUnavailableError && intent.messageId !== null) throw error;
    context.onFault(`the outcome of intent ${intent.id} was not stored`, error);
    throw new TryLaterError('the outcome was not stored', intent.paymentId);
  });
  if (result) return result;
  const why = outcome ? 'another node finds out the outcome' : 'the acquirer is silent';
  throw new TryLaterError(`${why}: it is not known yet`, intent.paymentId);
}

async function carryOut(
  context: PaymentContext,
  intent: IntentRow,
  makeRequest: () => AcquirerRequest | Promise<AcquirerRequest>,
) {
  const acquirer = acquirerNamed(context, detailOf(intent).draft.acquirer);
  const first = await acquirer.send(await makeRequest());
  return completeIntent(acquirer, intent, first);
}
