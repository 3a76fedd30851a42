import { resultGroup } from './result-codes/result-classes.js';
import { RESULT_CODE_TABLE } from './result-codes/result-code-table.js';
import { RETURN_REASONS, RETURN_WINDOWS_MS, type ReturnReason } from './sepa-returns.js';

const DAY_MS = 24 * 3_600_000;

/** How long after a payment a card scheme may take its money back, at most. */
export const CARD_CHARGEBACK_WINDOW_MS = 540 * DAY_MS;

/** What a reason of a chargeback means. */
interface ChargebackRule {
  /** Result code of the chargeback (gateway/docs/chargebacks.md). */
  readonly resultCode: string;
  /** How long after the payment, or the due date of a direct debit, it may come, in milliseconds. */
  readonly windowMs: number;
}

/** Result code by the reason of a card scheme: `10.4` is Visa's, `4837` Mastercard's. */
export const CARD_REASONS: Readonly<Record<string, string>> = {
  '10.1': '000.100.220',
  '10.2': '000.100.220',
  '10.3': '000.100.220',
  '10.4': '000.100.220',
  '10.5': '000.100.220',
  '11.1': '000.100.233',
  '11.2': '000.100.233',
  '11.3': '000.100.233',
  '12.1': '000.100.231',
  '12.5': '000.100.210',
  '12.6': '000.100.224',
  '13.1': '000.100.221',
  '13.2': '000.100.230',
  '13.3': '000.100.223',
  '13.6': '000.100.225',
  '13.7': '000.100.225',
  '4808': '000.100.233',
  '4834': '000.100.224',
  '4837': '000.100.220',
  '4842': '000.100.231',
  '4853': '000.100.223',
  '4855': '000.100.221',
  '4860': '000.100.225',
  '4863': '000.100.222',
  '4870': '000.100.232',
  '4871': '000.100.232',
};

/** Result codes of the group of chargebacks that stand for approvals (gateway/docs/result-codes.md). */
const APPROVALS: ReadonlySet<string> = new Set(['000.100.211', '000.100.212']);

/** Result codes of chargebacks (gateway/docs/chargebacks.md) that are reasons by themselves. */
const OWN_CODES: ReadonlySet<string> = new Set(
  Object.keys(RESULT_CODE_TABLE).filter((code) => resultGroup(code) === 'chargeback' && !APPROVALS.has(code)),
);

/** The rule of a reason: of a bank, a card scheme or a result code; for an unknown one that of no reason given. */
export function chargebackRule(reason: string): ChargebackRule {
  const known = Object.hasOwn(RETURN_REASONS, reason) ? RETURN_REASONS[reason as ReturnReason] : undefined;
  if (known) return { resultCode: known.resultCode, windowMs: RETURN_WINDOWS_MS[known.window] };
  const card = Object.hasOwn(CARD_REASONS, reason) ? CARD_REASONS[reason] : undefined;
  const own = OWN_CODES.has(reason) ? reason : RETURN_REASONS.MS03.resultCode;
  return { resultCode: card ?? own, windowMs: CARD_CHARGEBACK_WINDOW_MS };
}

/** Whether a reason is known. */
export function isChargebackReason(reason: string): boolean {
  return (
    Object.hasOwn(RETURN_REASONS, reason) || Object.hasOwn(CARD_REASONS, reason) || OWN_CODES.has(reason)
  );
}

/** Whether a payment may still be charged back for this reason. @param sinceMs of a direct debit the start of its due date */
export function isWithinChargebackWindow(reason: string, sinceMs: number, atMs: number): boolean {
  return atMs - sinceMs <= chargebackRule(reason).windowMs;
}
