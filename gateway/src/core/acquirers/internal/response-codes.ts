import { APPROVED, APPROVED_IN_PART } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { APPROVED_IN_PART_CODE, DECLINE_CODES, resultCodeOf } from '../response-codes.js';

/** Response codes of the issuer simulator (ISO 8583 field 39, tag 8A) and the result code of the API that each becomes. */
const RESPONSE_CODES = {
  ...DECLINE_CODES,
  /** Approved. */
  [APPROVED]: '000.100.110',
  /** Request in progress: there is no decision yet. */
  '09': '000.200.000',
  /** Partial approval: for less than was requested. */
  [APPROVED_IN_PART]: APPROVED_IN_PART_CODE,
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

/** The response code of what is not decided yet. */
export const PENDING: ResponseCode = '09';

/** Response codes of payments that are approved at a bank. */
export const REFUSED_BY_SHOPPER: ResponseCode = 'N1';
export const CANCELLED: ResponseCode = 'N2';
export const NO_LINK: ResponseCode = 'N3';

/** Result code of a response code of the simulator. */
export function simulatedResultCode(responseCode: string): string {
  return resultCodeOf(responseCode, RESPONSE_CODES[APPROVED], RESPONSE_CODES);
}
