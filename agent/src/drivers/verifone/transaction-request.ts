import { type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { encodeContainer } from '@tillbridge/wire/terminals/verifone/messages.js';
import { TAGS, TRANSACTION_OPTIONS } from '@tillbridge/wire/terminals/verifone/tags.js';
import type { Sale } from '../core/maker-session.js';
import { binary4, otherAmount } from '../core/transaction-values.js';

const NO = Buffer.of(0x00);
const NO_OPTIONS = Buffer.alloc(4);

/** A sale as SDI wants it. */
export interface TransactionRequest {
  /** CT START TRANSACTION. */
  readonly contact: Buffer;
  /** CT UPDATE TXN TAGS: the floor limit of this transaction. */
  readonly limits: Buffer;
  /** CT CONTINUE OFFLINE. */
  readonly offline: Buffer;
  /** CTLS SETUP TRANSACTION. */
  readonly contactless: Buffer;
  /** Amount and currency, for the display of a PIN entry. */
  readonly display: readonly TlvNode[];
}

/** Builds the commands' data, in the order of the published traces. */
export function transactionRequest({ request, values }: Sale): TransactionRequest {
  const display = [tlv('9F02', values.amount), tlv('5F2A', values.currency)];
  const common = [
    tlv('9C', values.type),
    ...display,
    ...otherAmount(values),
    tlv('5F36', values.exponent),
    tlv('9A', values.date),
    tlv('9F21', values.time),
  ];
  const sequence = tlv('9F41', values.sequence);
  const options = tlv(TAGS.transactionOptions, TRANSACTION_OPTIONS);
  return {
    contact: encodeContainer([
      ...common,
      sequence,
      options,
      tlv(TAGS.forceOnline, NO),
      tlv(TAGS.forceAcceptance, NO),
    ]),
    limits: encodeContainer([
      tlv(TAGS.updateOptions, NO_OPTIONS),
      tlv(TAGS.updateObjects, floorLimit(request.risk.floorLimitMinor)),
    ]),
    offline: encodeContainer([sequence, options]),
    contactless: encodeContainer([...common, sequence, tlv(TAGS.forceOnline, NO)]),
    display,
  };
}

/** Tag 9F1B: binary. The rest of the risk management stays as the device is configured. */
function floorLimit(minor: number): Buffer {
  return Buffer.concat([Buffer.from('9F1B04', 'hex'), binary4(minor)]);
}
