import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import { minorDigits } from '@tillbridge/protocol/payment/money.js';
import type { DriverProgress, StartRequest } from '../core/driver.js';
import type { CommandClient } from './command-client.js';
import type { AbecsConfig } from './config.js';
import type { AbecsSession } from './device.js';

/** What every step of a sale works with. */
export interface SaleContext {
  readonly client: CommandClient;
  readonly config: AbecsConfig;
  readonly session: AbecsSession;
  readonly request: StartRequest;
  /** ISO 4217 numeric of the request's currency. */
  readonly currencyNumber: string;
  readonly progress: (step: DriverProgress) => void;
  /** The till has asked to stop. */
  readonly stopped: () => boolean;
}

/** Transaction types of ISO 8583 (SPE_TRNTYPE, tag 9C). */
export const TRANSACTION_TYPES: Readonly<Record<StartRequest['kind'], Uint8Array>> = {
  sale: Uint8Array.of(0x00),
  preauthorization: Uint8Array.of(0x00),
  refund: Uint8Array.of(0x20),
};

/** SPE_AMOUNT: minor units, 12 digits. */
export function amountText(request: StartRequest): string {
  return String(request.amount.minor).padStart(12, '0');
}

/** Objects of the transaction that the tables do not hold: its number and the currency's exponent. */
export function transactionData(request: StartRequest): Buffer {
  const number = String(request.transactionSequenceNumber).padStart(8, '0').slice(-8);
  const exponent = Uint8Array.of(minorDigits(request.amount.currency));
  return encodeTlv([tlv('9F41', Buffer.from(number, 'hex')), tlv('5F36', exponent)]);
}
