import { fromHex } from '@tillbridge/wire/bytes.js';
import { decodeTlv, encodeTlv, TlvError } from '@tillbridge/wire/emv/tlv.js';
import { APPROVED, APPROVED_IN_PART, isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { exactAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { AcquirerDecision } from '../../acquirer.js';
import { resultCodeOf } from '../../response-codes.js';
import type { StoredMessage } from './exchange-record.js';
import { STAND_IN_CODE } from './mapping.js';

/** Response code of an answer without one: an error of the host. */
const NO_CODE = '96';

/**
 * A host's answer as the gateway takes it (pure). What is for the card alone is there only while it is fresh: no journal keeps it.
 * @param approvalResult result code of approvals
 */
export function decisionOf(
  answer: StoredMessage & Pick<ExchangeMessage, 'iccData'>,
  approvalResult: string,
): AcquirerDecision {
  const { responseCode = NO_CODE, approvalCode, iccData, amount } = answer;
  const approved = isApproval(responseCode);
  return {
    approved,
    resultCode: resultCodeOf(responseCode, approvalResult),
    responseCode,
    ...present({
      approvalCode: approved ? approvalCode : undefined,
      approvedMinor: responseCode === APPROVED_IN_PART ? amount?.minor : undefined,
      iccDataResponse: iccData === undefined ? undefined : issuerData(iccData),
      avsResponse: answer.avsResult,
      cvvResponse: answer.cvvResult,
      details: detailsOf(answer),
      networkTransactionId: approved ? answer.networkTransactionId : undefined,
    }),
  };
}

/** Names of the amounts of field 54 that people know, by their types (ISO 8583, field 54). */
const AMOUNT_NAMES: Readonly<Record<string, string>> = {
  '01': 'LedgerBalance',
  '02': 'AvailableBalance',
  '40': 'CashBackAmount',
  '44': 'TipAmount',
};

/** Amounts and texts that an answer has in addition; the first amount of a type counts. */
function detailsOf({
  additionalAmounts = [],
  resultTexts,
}: Pick<StoredMessage, 'additionalAmounts' | 'resultTexts'>): Readonly<Record<string, string>> | undefined {
  const details: Record<string, string> = { ...resultTexts };
  for (const { type, amount } of [...additionalAmounts].reverse()) {
    const name = AMOUNT_NAMES[type];
    if (name !== undefined) details[name] = `${exactAmount(amount)} ${amount.currency}`;
  }
  return Object.keys(details).length === 0 ? undefined : details;
}

/** What an issuer sends its card: issuer scripts, approval and response code, authentication data (EMV Book 3 §6.5.4, Annex A). */
const FOR_CARD: ReadonlySet<string> = new Set(['71', '72', '89', '8A', '91']);

/** What of field 55 is for the card: hosts give back what they were sent, too. Undefined where nothing is, or the bytes are no data objects. */
function issuerData(hex: string): Uint8Array | undefined {
  try {
    const data = decodeTlv(fromHex(hex)).filter(({ tag }) => FOR_CARD.has(tag));
    return data.length === 0 ? undefined : encodeTlv(data);
  } catch (error) {
    if (error instanceof TlvError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** An approval that the gateway gave by itself (pure). */
export function standInDecision(approvalCode: string): AcquirerDecision {
  return { approved: true, isStandIn: true, resultCode: STAND_IN_CODE, responseCode: APPROVED, approvalCode };
}
