import { exactAmount, type Money } from '@tillbridge/wire/payment/money.js';
import type { SalePhase } from '../machine/state/answer.js';
import type { SaleReason } from '../machine/state/facts.js';
import { capturesOf, offlineRecordOf, reversalOf, voiceOf } from '../machine/state/messages.js';
import { GATEWAY_SILENT, RESOLVED_OTHERWISE, RESTORED_IN_DOUBT } from '../machine/state/parked-codes.js';
import {
  amountOf,
  approvedAmount,
  cashBackOf,
  isAuthorizedLater,
  isPartlyApproved,
  type SaleState,
} from '../machine/state/sale-state.js';
import { capturedMinor } from '../machine/steps/captures.js';
import { becauseText } from '../offline/offline-reasons.js';

const SAFE = 'The card was NOT charged; it is safe to try again.';
/** The same of a refund. */
const NOT_REFUNDED = 'NOTHING was given back; it is safe to try again.';

const OPEN_TEXTS: Readonly<Record<Exclude<SalePhase, 'done' | 'parked'>, string>> = {
  accepted: 'Sale accepted. Preparing the terminal.',
  'reading-card': 'Waiting for the card.',
  authorizing: 'Waiting for the answer.',
  completing: 'Finishing with the card.',
  unknown:
    'No answer yet: not approved. The outcome is being found out; whatever was recorded will be reversed.',
  reversing: 'Not approved: the ledger entry is being reversed. Do not hand over goods for this sale.',
};

/** The disk failed at the approval, and may have kept it: only when it can be read again is it known. */
const NOT_RECORDED_TEXT =
  'The sale could not be recorded: NOT approved, and not known to have failed. Do not charge again before the agent shows how it ended.';

const END_TEXTS: Readonly<Record<SaleReason, string>> = {
  approved: 'Approved.',
  'approved-offline': 'Approved offline by the card; subject to authorization.',
  'approved-deferred': 'Taken offline without authorization; the merchant carries the risk.',
  'declined-by-issuer': `Declined by the issuer. ${SAFE}`,
  'declined-by-card': `Declined by the card. ${SAFE}`,
  'declined-later':
    'Approved offline, but DECLINED later: no money was received. Follow up with the customer.',
  'expired-offline':
    'Taken offline, but not forwarded in time: EXPIRED, no money was received. Follow up with the customer.',
  referral: `The issuer wants a call before it decides: NOT approved, the card was NOT charged. Call it, and enter the approval code it gives you; without a code, ask for another card.`,
  'approved-by-voice': 'Approved by the issuer on the phone.',
  'voice-code-refused':
    'The issuer does not know the approval code: NOT approved, no money was received. Check the code and enter it again, or ask for another card.',
  'refused-by-gateway': `Refused by the gateway. ${SAFE}`,
  'cancelled-by-cardholder': `Cancelled by the customer. ${SAFE}`,
  'cancelled-by-till': `Cancelled. ${SAFE}`,
  'card-timeout': `No card was presented. ${SAFE}`,
  'terminal-failed': `The terminal could not finish. ${SAFE}`,
  'gateway-unreachable': `No connection, and this sale needs one. ${SAFE}`,
  'offline-not-allowed': `No connection, and the offline rules do not allow this sale. ${SAFE}`,
  'no-answer': `No answer came in time. ${SAFE}`,
  'amount-differs': `The gateway approved another amount; it was reversed. ${SAFE}`,
  'reversed-by-till': 'The sale was reversed.',
  'rest-released': 'What was not captured is released; what was captured stays. Refund it to give it back.',
  'reversal-refused': 'The reversal was refused: the sale stands as it was.',
  'manually-resolved': 'Manually resolved.',
  'agent-restarted': `The agent was restarted during the sale. ${SAFE}`,
  'journal-unavailable': `The sale could not be recorded. ${SAFE}`,
};

const PARKED_TEXT = 'Staff must resolve this sale: the gateway did not take a message of this sale.';

const TOO_OLD =
  'It waited too long to be authorized: do not count on the money. The gateway decides when it is reached.';

const SILENT_TEXT =
  'Staff must resolve this sale: it is not known whether the card was charged. Its reversal is stored and reverses the sale when the gateway answers; do not charge again without asking the customer or the acquirer.';

const IN_DOUBT_TEXT =
  'Staff must resolve this sale: the disk of the agent was replaced during this sale, and how it ended may be missing. It may be approved: look at the receipts or ask the acquirer before charging again.';

/** What an offline sale is called once the gateway has approved it; another end has its own words. */
const TAKEN_OFFLINE: ReadonlySet<SaleReason | undefined> = new Set(['approved-offline', 'approved-deferred']);
const SURE_TEXTS = {
  'card-approved': 'Approved offline by the card; authorized since.',
  deferred: 'Taken offline without authorization; authorized since.',
} as const;

/** End texts of a deferred sale, which was never approved. */
const LOST_DEFERRED: Readonly<Partial<Record<SaleReason, string>>> = {
  'declined-later':
    'Taken offline without authorization, and DECLINED later: no money was received. Follow up with the customer.',
};

/** Result codes of a request that never reached who decides (result code catalogue: communication errors). */
const NOT_REACHED = /^900\./;
const NOT_REACHED_TEXT = `The issuer could not be reached. ${SAFE}`;

/** The text for the cashier, made only of the sale's state. */
export function cashierText(state: SaleState): string {
  if (state.phase === 'parked') return parkedText(state);
  if (state.phase !== 'done') return openText(state);
  const text = endText(state);
  return state.outcome === 'approved' && capturesOf(state).length > 0
    ? `${text} ${captureText(state)}`
    : text;
}

function endText(state: SaleState): string {
  const text = plainEndText(state);
  const { reason, detail } = state;
  const offline = offlineRecordOf(state);
  if (reason === 'manually-resolved') return manualResolutionText(state);
  if (reason === 'reversal-refused') return detail ? `${text} (${detail})` : text;
  if (offline?.expired && offline.deliveryStatus === 'queued') return `${text} ${TOO_OLD}`;
  if (isPartlyApproved(state)) return `${text} ${partText(state)}`;
  if (offline && isAuthorizedLater(state) && TAKEN_OFFLINE.has(reason)) return SURE_TEXTS[offline.approval];
  if (reason === 'approved' && state.request.cashBackMinor !== undefined) return `${text} ${cashText(state)}`;
  return reason === 'approved-by-voice' && voiceOf(state)?.deliveryStatus === 'queued'
    ? `${text} The gateway has not recorded it yet.`
    : text;
}

function manualResolutionText(state: SaleState): string {
  const { outcome, detail = '' } = state;
  const text = `${plainEndText(state)} ${outcome ?? ''}: ${detail}`;
  return reversalOf(state)?.deliveryStatus === 'queued'
    ? `${text}. Whatever was recorded is being reversed.`
    : text;
}

function plainEndText(state: SaleState): string {
  const { reason = 'terminal-failed', answer, request, detail } = state;
  const notReached = reason === 'declined-by-issuer' && NOT_REACHED.test(answer?.resultCode ?? '');
  const deferred = offlineRecordOf(state)?.approval === 'deferred' ? LOST_DEFERRED[reason] : undefined;
  const text = notReached ? NOT_REACHED_TEXT : (deferred ?? END_TEXTS[reason]);
  const named =
    NAMES_THE_RULE.has(reason) && detail
      ? text.replace('. ', `: ${becauseText(detail.split(', '))}. `)
      : text;
  return request.type === 'refund' ? named.replace(SAFE, NOT_REFUNDED) : named;
}

/** Ends whose detail is what the offline rules have against the sale. */
const NAMES_THE_RULE: ReadonlySet<SaleReason> = new Set(['gateway-unreachable', 'offline-not-allowed']);

/** What the till hands out. */
function cashText(state: SaleState): string {
  const cash = cashBackOf(state);
  return cash ? `Hand out ${exactAmount(cash)} ${cash.currency} in cash.` : '';
}

/** The text for the cashier with the amount that is still to be paid. */
function partText(state: SaleState): string {
  const requested = amountOf(state);
  const approved = approvedAmount(state);
  const rest = { ...requested, minor: requested.minor - approved.minor };
  return `ONLY ${amountText(approved)} of ${amountText(requested)}: ${amountText(rest)} is still to be paid another way.`;
}

function amountText(amount: Money): string {
  return `${amount.currency} ${exactAmount(amount)}`;
}

function parkedText({ parked }: SaleState): string {
  if (parked?.code === GATEWAY_SILENT) return SILENT_TEXT;
  if (parked?.code === RESTORED_IN_DOUBT) return IN_DOUBT_TEXT;
  if (parked?.code === RESOLVED_OTHERWISE) return `Staff must resolve this sale: ${parked.text}.`;
  return `${PARKED_TEXT} ${parked?.text ?? ''}`.trim();
}

function openText(state: SaleState): string {
  if (state.phase === 'reversing' && state.reason === 'reversed-by-till')
    return 'The sale is being reversed.';
  if (state.phase === 'unknown' && state.reason === 'journal-unavailable') return NOT_RECORDED_TEXT;
  return state.phase === 'done' || state.phase === 'parked' ? '' : OPEN_TEXTS[state.phase];
}

function captureText(state: SaleState): string {
  const last = capturesOf(state).at(-1);
  const taken = amountText({ minor: capturedMinor(state), currency: state.request.currency });
  if (last?.deliveryStatus === 'queued') return 'The capture is on its way.';
  if (last?.deliveryStatus === 'refused') return `The capture was refused. Captured: ${taken}.`;
  return last?.final ? `Captured: ${taken}.` : `Captured so far: ${taken}.`;
}
