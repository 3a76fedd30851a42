import type { AcquirerAnswer } from '../../acquirers/acquirer.js';
import type { IntentRow, PaymentRow } from '../../store/rows.js';
import type { MessagePlace } from './message-changes.js';
import type { FollowUpType, ForcedVerdict } from './requests.js';

/** What the resolver does with an intent that the acquirer has never seen. */
export type Recovery =
  /** Make the acquirer refuse it for ever, then record that it failed: nobody waits for it any more. */
  | 'fence'
  /** Send it again under the same reference: it needs nothing that was lost. */
  | 'resend'
  /** The agent keeps it and sends it again. */
  | 'await-agent';

/** What an intent keeps so that it can be finished after a crash. Nothing sensitive. */
export interface IntentDetail {
  /** The payment without its outcome. */
  readonly draft: PaymentRow;
  readonly recovery: Recovery;
  /** Reference of the reversal that reverses the request: it fences one that never came, or gives free what leads to no capture. */
  readonly fenceReference: string;
  /** The reversal that fences may have been sent: nothing but its own answer ends the intent any more. */
  readonly fencing?: true;
  /** The message to answer. */
  readonly place?: MessagePlace;
  readonly followUp?: FollowUpDetail;
  /** Code that an approval carries in place of the acquirer's, because a test asked for it. */
  readonly approvedAs?: string;
  /** A payment whose risk is looked at once the issuer has answered. */
  readonly risk?: {
    /** The score that a test asks for. */
    readonly forcedScore?: number;
  };
  /** An approval keeps the payment details for later payments. */
  readonly registers?: true;
}

/** The follow-up part of an intent. */
export interface FollowUpDetail {
  /** Absent in the intents of older builds: there it is the draft's type. */
  readonly type?: FollowUpType;
  readonly targetId: string;
  readonly amountMinor: number;
  readonly final: boolean;
  /** Acquirer reference that is followed. */
  readonly originalReference: string;
  /** Reversal of a PA.CP: what holds the money, and the reference of the reversal that gives it free once the capture is reversed. */
  readonly release?: { readonly originalReference: string; readonly acquirerReference: string };
  /** Account data of the payment that is followed, where the issuer is asked again. */
  readonly vaultId?: string;
}

/** The part of the detail that a forced approval needs. */
export function approvedAs(verdict: ForcedVerdict | undefined): Pick<IntentDetail, 'approvedAs'> {
  return verdict?.kind === 'approved' ? { approvedAs: verdict.resultCode } : {};
}

/** Reads what was written with the intent. */
export function detailOf(intent: IntentRow): IntentDetail {
  return JSON.parse(intent.detail) as IntentDetail;
}

/** What an intent came to, once nothing more has to be asked. */
export interface IntentOutcome extends AcquirerAnswer {
  /** Score of the risk check, where there was one. */
  readonly riskScore?: number;
}
