import type { Money } from '@tillbridge/wire/payment/money.js';
import type { ManualOutcome } from '../machine/state/answer.js';
import type { StepContext } from '../machine/state/events.js';
import {
  capturesOf,
  isStanding,
  precedingReversalOf,
  reversalOf,
  voiceOf,
} from '../machine/state/messages.js';
import type { SaleState } from '../machine/state/sale-state.js';
import { reversalRefusal } from '../machine/steps/after-decision.js';
import { captureRefusal, standingCapture } from '../machine/steps/captures.js';
import { acknowledgeRefusal } from '../machine/steps/late-decline.js';
import { resolutionRefusal } from '../machine/steps/manual-resolution.js';
import { APPROVAL_CODE, voiceRefusal } from '../machine/steps/voice.js';
import type { SaleActor } from '../runtime/sale-actor.js';
import { checkRepeatedCapture } from './request-rules.js';
import { type CaptureOptions, SaleError } from './sale-service.js';

/*
 * Requests of a till about an earlier sale. The machine does nothing where a rule forbids it; here the till gets the rule as an error, also
 * where another call changed the sale between the check and the event.
 */

/** Reverses an approved sale, or has a parked reversal tried again. `by`: the till that requests it. @throws SaleError `not-allowed` */
export async function reverseSale(actor: SaleActor, by: string | undefined): Promise<void> {
  if (isBeingReversed(actor.state)) return;
  refuse(actor.state, reversalRefusal(actor.state));
  await actor.post({ kind: 'reverse', ...requestedBy(by) });
  if (!isBeingReversed(actor.state)) refuse(actor.state, reversalRefusal(actor.state));
}

/** Captures a preauthorization or a part of it, each part once. @throws SaleError `not-allowed`, `reference-conflict` */
export async function captureSale(
  actor: SaleActor,
  { minor, currency }: Money,
  { captureReference, final = captureReference === undefined }: CaptureOptions,
): Promise<void> {
  const named = captureReference === undefined ? {} : { reference: captureReference };
  const wish = { minor, final, ...named };
  const { request } = actor.state;
  if (currency !== request.currency) refuse(actor.state, `its currency is ${request.currency}`);
  if (!standingCapture(actor.state, captureReference)) {
    refuse(actor.state, captureRefusal(actor.state, wish));
    const before = capturesOf(actor.state).length;
    await actor.post({ kind: 'capture', ...wish });
    // By now ours may be acknowledged or refused: that it was made is what counts.
    const made = capturesOf(actor.state)
      .slice(before)
      .some((each) => each.reference === captureReference);
    if (!made) refuse(actor.state, captureRefusal(actor.state, wish));
  }
  checkRepeatedCapture(actor.state, wish);
}

/** Enters the approval code of a call to the issuer. @throws SaleError `bad-request`, `not-allowed` */
export async function approveSaleByVoice(
  actor: SaleActor,
  approvalCode: string,
  context: Pick<StepContext, 'nowMs' | 'policy'>,
): Promise<void> {
  if (!APPROVAL_CODE.test(approvalCode)) {
    throw new SaleError(
      'bad-request',
      'approvalCode must be 2 to 6 letters or digits, as the issuer gave it',
    );
  }
  const voice = voiceOf(actor.state);
  if (voice?.approvalCode === approvalCode && isStanding(voice)) return;
  refuse(actor.state, voiceRefusal(actor.state, context));
  await actor.post({ kind: 'voice-approved', approvalCode });
  if (voiceOf(actor.state)?.approvalCode !== approvalCode) {
    refuse(actor.state, 'another approval code was entered');
  }
}

/** Resolves a parked sale manually. @throws SaleError `not-allowed` */
export async function resolveSale(
  actor: SaleActor,
  resolution: { readonly outcome: ManualOutcome; readonly note: string; readonly by?: string },
): Promise<void> {
  const { outcome } = resolution;
  refuse(actor.state, resolutionRefusal(actor.state, outcome));
  await actor.post({ kind: 'resolve-manually', ...resolution });
  if (actor.state.reason !== 'manually-resolved')
    refuse(actor.state, resolutionRefusal(actor.state, outcome));
}

/** Acknowledges a late decline. @throws SaleError `not-allowed` */
export async function acknowledgeSale(actor: SaleActor, by: string | undefined): Promise<void> {
  if (actor.state.lateDeclineAcknowledged) return;
  refuse(actor.state, acknowledgeRefusal(actor.state));
  await actor.post({ kind: 'late-decline-acknowledged', ...requestedBy(by) });
}

/** The till that requested it, where known. */
export function requestedBy(by: string | undefined): { readonly by?: string } {
  return by === undefined ? {} : { by };
}

/** All of it: a first ledger entry whose reversal is parked is not. */
function isBeingReversed(state: SaleState): boolean {
  const own = reversalOf(state)?.deliveryStatus;
  const isUnderWay = own === 'queued' || own === 'acknowledged';
  return isUnderWay && precedingReversalOf(state)?.deliveryStatus !== 'parked';
}

function refuse({ reference }: SaleState, reason: string | undefined): void {
  if (reason !== undefined) throw new SaleError('not-allowed', `sale ${reference}: ${reason}`);
}
