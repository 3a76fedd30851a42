/** Response codes of the issuer simulator (ISO 8583 field 39, tag 8A) and the result code of the API that each becomes (spec 2.10). */
export const RESPONSE_CODES = {
  /** Approved. */
  '00': '000.100.110',
  /** Refer to card issuer: call, and an approval code may follow. */
  '01': '800.100.200',
  /** Do not honour. */
  '05': '800.100.152',
  /** Request in progress: whoever decides has not done so yet. */
  '09': '000.200.000',
  /** Approved in part: for less than was asked for. */
  '10': '000.400.040',
  /** Invalid transaction. */
  '12': '800.100.191',
  /** Invalid amount. */
  '13': '800.100.174',
  /** No such card. */
  '14': '800.100.151',
  /** Format error. */
  '30': '800.100.156',
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
  /** Transaction not permitted. */
  '57': '800.100.170',
  /** Above the limit. */
  '61': '800.100.162',
  /** Restricted card. */
  '62': '800.100.168',
  /** Security violation: the cryptogram is not the card's, or the proof of authentication is for something else. */
  '63': '800.100.158',
  /** PIN tries used up. */
  '75': '800.100.178',
  /** Reference used before with other content. */
  '94': '800.100.167',
  /** Of our own, where ISO 8583 has none: the shopper refused the payment at the bank. */
  N1: '100.396.101',
  /** It was cancelled before the shopper decided. */
  N2: '100.396.103',
  /** There is no way to the bank. */
  N3: '600.200.700',
  /** Of tokens: suspended. */
  T1: '800.100.317',
  /** A cryptogram or verification code is needed first. */
  T2: '800.100.318',
  /** The token has expired. */
  T3: '800.100.330',
  /** There is no such token. */
  T4: '800.100.326',
  /** The cryptogram or code is not the token's. */
  T5: '800.100.308',
} as const;

/** A response code that the simulator gives. */
export type ResponseCode = keyof typeof RESPONSE_CODES;

/** The response code for approvals. */
export const APPROVED: ResponseCode = '00';

/** The response code for approvals of a part. */
export const APPROVED_IN_PART: ResponseCode = '10';

/** The response code of what is not decided yet. */
export const PENDING: ResponseCode = '09';

/** Response codes of payments that are approved at a bank. */
export const REFUSED_BY_SHOPPER: ResponseCode = 'N1';
export const CANCELLED: ResponseCode = 'N2';
export const NO_LINK: ResponseCode = 'N3';

/** Whether money moves with this response code. */
export function isApproval(responseCode: string): boolean {
  return responseCode === APPROVED || responseCode === APPROVED_IN_PART;
}

/** Result code of a response code; what is not in the table is a decline without a reason. */
export function resultCodeOf(responseCode: string): string {
  return responseCode in RESPONSE_CODES ? RESPONSE_CODES[responseCode as ResponseCode] : '800.100.100';
}
