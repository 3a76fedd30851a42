import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { TAGS, TEMPLATES } from '@tillbridge/protocol/terminals/miura/tags.js';
import type { StartRequest } from '../core/driver.js';
import type { Failed } from '../core/result.js';
import { transactionValues } from '../core/transaction-values.js';

/** DFA204: the device lets the cardholder choose among applications; DFA203: risk management stage of its own files. */
const DEVICE_CHOOSES = Buffer.of(0x01);
const RISK_STAGE = Buffer.of(0x00);

/** What the objects of a request must look like in its answer, so that a late answer is not taken for it. */
export interface RequestMark {
  /** Tag 9F02. */
  readonly amount: Buffer;
  /** Tag 9F21. */
  readonly time: Buffer;
}

/** A sale as MPI wants it. */
export interface TransactionRequest {
  readonly kind: 'request';
  /** E0 of START TRANSACTION. */
  readonly contact: Buffer;
  /** E0 of START CONTACTLESS TRANSACTION. */
  readonly contactless: Buffer;
  readonly amount: Buffer;
  readonly currency: Buffer;
  readonly mark: RequestMark;
}

/** Builds the commands' data, in the order of the published frame. */
export function transactionRequest(request: StartRequest): TransactionRequest | Failed {
  const values = transactionValues(request);
  if (values.kind === 'failed') return values;
  const { type, amount, currency, date, time } = values;
  const common = [tlv('9C', type), tlv('9F02', amount), tlv('9A', date), tlv('9F21', time)];
  const choice = [tlv(TAGS.applicationSelection, DEVICE_CHOOSES), tlv(TAGS.riskStage, RISK_STAGE)];
  const end = tlv('5F2A', currency);
  return {
    kind: 'request',
    contact: encodeTlv([tlv(TEMPLATES.commandData, [...common, ...choice, end])]),
    contactless: encodeTlv([tlv(TEMPLATES.commandData, [...common, end])]),
    amount,
    currency,
    mark: { amount, time },
  };
}
