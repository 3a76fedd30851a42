import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { TAGS, TEMPLATES } from '@tillbridge/wire/terminals/miura/tags.js';
import { otherAmount, type TransactionValues } from '../core/transaction-values.js';

/** DFA204: the device lets the cardholder choose among applications; DFA203: the risk management stage of its files. */
const DEVICE_CHOOSES = Buffer.of(0x01);
const RISK_STAGE = Buffer.of(0x00);

/** A sale as MPI wants it. */
export interface TransactionRequest {
  /** E0 of START TRANSACTION. */
  readonly contact: Buffer;
  /** E0 of START CONTACTLESS TRANSACTION. */
  readonly contactless: Buffer;
}

/** Builds the commands' data, in the order of the published frame. */
export function transactionRequest(values: TransactionValues): TransactionRequest {
  const { type, amount, currency, date, time } = values;
  const amounts = [tlv('9F02', amount), ...otherAmount(values)];
  const common = [tlv('9C', type), ...amounts, tlv('9A', date), tlv('9F21', time)];
  const choice = [tlv(TAGS.applicationSelection, DEVICE_CHOOSES), tlv(TAGS.riskStage, RISK_STAGE)];
  const end = tlv('5F2A', currency);
  return {
    contact: encodeTlv([tlv(TEMPLATES.commandData, [...common, ...choice, end])]),
    contactless: encodeTlv([tlv(TEMPLATES.commandData, [...common, end])]),
  };
}
