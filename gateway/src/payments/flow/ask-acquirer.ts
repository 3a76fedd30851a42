import type { AcquirerRequest } from '../../acquirers/acquirer.js';
import type { IntentRow } from '../../store/rows.js';
import { detailOf } from '../decide/intent-detail.js';
import { type PaymentResult, TryLaterError } from '../decide/requests.js';
import { acquirerNamed } from '../find/acquirer-route.js';
import { assertHeld } from '../ownership/own-intents.js';
import { completeIntent } from './complete-intent.js';
import type { PaymentContext } from './payment-context.js';
import { resolveIntent } from './resolve-intent.js';
import { recordAnswer } from './suspend.js';

/**
 * Sends a committed intent to the acquirer and records the result. Without an answer it asks the acquirer for the status.
 * @throws TryLaterError when the acquirer is silent, or another node fences the request by now; StoreUnavailableError
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
  const result = outcome
    ? await recordAnswer(context, intent, outcome)
    : await resolveIntent(context, intent);
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
