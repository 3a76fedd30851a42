import { APPROVED_IN_PART, isWholeApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';

/** Declines of ISO 8583 (field 39, tag 8A), and the result code of the API that each one becomes. */
export const DECLINE_CODES = {
  /** Refer to card issuer: call, and an approval code may follow. */
  '01': '800.100.200',
  /** The same, under special conditions. */
  '02': '800.100.200',
  /** Invalid merchant. */
  '03': '800.100.190',
  /** Pick up the card. */
  '04': '800.100.171',
  /** Do not honour. */
  '05': '800.100.152',
  /** Error. */
  '06': '800.100.100',
  /** Pick up the card, special conditions. */
  '07': '800.100.171',
  /** Invalid transaction. */
  '12': '800.100.191',
  /** Invalid amount. */
  '13': '800.100.174',
  /** No such card. */
  '14': '800.100.151',
  /** No such issuer. */
  '15': '800.100.151',
  /** Enter again. */
  '19': '800.100.176',
  /** The record is not found. */
  '25': '800.100.167',
  /** Format error. */
  '30': '800.100.156',
  /** Expired card, pick up. */
  '33': '800.100.157',
  /** Suspected fraud, pick up. */
  '34': '800.100.158',
  /** Restricted card, pick up. */
  '36': '800.100.168',
  /** PIN tries used up, pick up. */
  '38': '800.100.178',
  /** Lost card. */
  '41': '800.100.165',
  /** Stolen card. */
  '43': '800.100.159',
  /** Not enough money. */
  '51': '800.100.203',
  /** Expired card. */
  '54': '800.100.157',
  /** Wrong PIN. */
  '55': '800.100.166',
  /** No card record. */
  '56': '800.100.151',
  /** Transaction not permitted to the cardholder. */
  '57': '800.100.170',
  /** Transaction not permitted to the terminal. */
  '58': '800.100.170',
  /** Suspected fraud. */
  '59': '800.100.158',
  /** Above the limit. */
  '61': '800.100.162',
  /** Restricted card. */
  '62': '800.100.168',
  /** Security violation: the cryptogram is not the card's, or the proof of authentication is for something else. */
  '63': '800.100.158',
  /** Too many withdrawals. */
  '65': '800.100.179',
  /** Answer received too late. */
  '68': '900.100.400',
  /** PIN tries used up. */
  '75': '800.100.178',
  /** The card verification value is wrong. */
  '82': '800.100.153',
  /** The issuer is not available. */
  '91': '900.100.600',
  /** No route to the issuer. */
  '92': '900.100.201',
  /** Violation of law. */
  '93': '800.100.170',
  /** Reference used before with other content. */
  '94': '800.100.167',
  /** The system does not work. */
  '96': '900.100.200',
} as const;

/** Result code of an approval of a part. */
export const APPROVED_IN_PART_CODE = '000.400.040';
/** Result code of a decline without a reason. */
const DECLINED_CODE = '800.100.100';

/**
 * The result code that a response code becomes; what no table knows is a decline without a reason.
 * @param approvalCode that of approvals of the whole amount
 * @param codes what else an acquirer answers, in addition to ISO 8583
 */
export function resultCodeOf(
  responseCode: string,
  approvalCode: string,
  codes: Readonly<Record<string, string>> = DECLINE_CODES,
): string {
  if (isWholeApproval(responseCode)) return approvalCode;
  if (responseCode === APPROVED_IN_PART) return APPROVED_IN_PART_CODE;
  return (Object.hasOwn(codes, responseCode) && codes[responseCode]) || DECLINED_CODE;
}
