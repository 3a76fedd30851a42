import { currencyAlpha, isCurrency } from '../../payment/currency-codes.js';
import type { Money } from '../../payment/money.js';
import { CryptoError } from '../ciphers/errors.js';
import { objectField, type TokenObject, textField } from './token-json.js';

/** What a wallet's token carries, the same for all three. Memory only. */
export interface WalletPayment {
  readonly pan: string;
  /** 01 to 12. */
  readonly expiryMonth: string;
  /** Four digits. */
  readonly expiryYear: string;
  /** `DPAN`: a network token that stands for the card. `PAN`: the number on the card, which proves nothing of its holder. */
  readonly numberType: 'PAN' | 'DPAN';
  /** Proof that the wallet authenticated the holder, base64; with a network token. */
  readonly cryptogram?: string;
  /** Two digits. */
  readonly eci?: string;
  /** The amount that the shopper agreed to, where the token has it. */
  readonly amount?: Money;
}

const PAN = /^\d{8,19}$/;
const CRYPTOGRAM = /^[A-Za-z0-9+/]{4,64}={0,2}$/;

/** The contents of an EC_v1 style token. @throws CryptoError malformed */
export function readPaymentOfA(payload: TokenObject): WalletPayment {
  const expiry = /^(\d\d)(\d\d)\d\d$/.exec(textField(payload, 'applicationExpirationDate'));
  if (!expiry) throw malformed('applicationExpirationDate');
  const [, year = '', month = ''] = expiry;
  const proof = objectField(payload, 'paymentData');
  return card({
    pan: textField(payload, 'applicationPrimaryAccountNumber'),
    expiryMonth: month,
    expiryYear: `20${year}`,
    numberType: 'DPAN',
    cryptogram: textField(proof, 'onlinePaymentCryptogram'),
    eci: proof.eciIndicator,
    amount: money(payload.transactionAmount, currencyAlpha(textField(payload, 'currencyCode'))),
  });
}

/** The contents of an ECv1 or ECv2 style token: both name a network token and its proof in their own way. @throws CryptoError malformed */
export function readPaymentOfB(payload: TokenObject): WalletPayment {
  const details = objectField(payload, 'paymentMethodDetails');
  const isOlderToken = payload.paymentMethod === 'TOKENIZED_CARD';
  const isToken = isOlderToken || details.authMethod === 'CRYPTOGRAM_3DS';
  const { transactionAmount, currencyCode } = payload;
  return card({
    pan: textField(details, isOlderToken ? 'dpan' : 'pan'),
    expiryMonth: numberText(details.expirationMonth, 2),
    expiryYear: numberText(details.expirationYear, 4),
    numberType: isToken ? 'DPAN' : 'PAN',
    cryptogram: isToken ? textField(details, isOlderToken ? '3dsCryptogram' : 'cryptogram') : undefined,
    eci: isToken ? details[isOlderToken ? '3dsEciIndicator' : 'eciIndicator'] : undefined,
    amount: transactionAmount === undefined ? undefined : money(transactionAmount, currencyCode),
  });
}

/** The contents of a JWE style token (protocol/docs/cryptography.md). @throws CryptoError malformed */
export function readPaymentOfC(payload: TokenObject): WalletPayment {
  const { numberType } = payload;
  if (numberType !== 'PAN' && numberType !== 'DPAN') throw malformed('numberType');
  return card({
    pan: textField(payload, 'pan'),
    expiryMonth: textField(payload, 'expiryMonth'),
    expiryYear: textField(payload, 'expiryYear'),
    numberType,
    cryptogram: numberType === 'DPAN' ? textField(payload, 'cryptogram') : undefined,
    eci: payload.eci,
    amount: money(payload.amount, payload.currency),
  });
}

interface Fields {
  readonly pan: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly numberType: WalletPayment['numberType'];
  readonly cryptogram: string | undefined;
  readonly eci: unknown;
  readonly amount: Money | undefined;
}

function card({ cryptogram, eci, amount, ...fields }: Fields): WalletPayment {
  if (!PAN.test(fields.pan)) throw malformed('card number');
  if (!/^(0[1-9]|1[0-2])$/.test(fields.expiryMonth)) throw malformed('expiry month');
  if (!/^20\d\d$/.test(fields.expiryYear)) throw malformed('expiry year');
  if (cryptogram !== undefined && !CRYPTOGRAM.test(cryptogram)) throw malformed('cryptogram');
  const indicator = eci === undefined || eci === null || eci === '' ? undefined : numberText(eci, 2);
  return {
    ...fields,
    ...(cryptogram !== undefined && { cryptogram }),
    ...(indicator !== undefined && { eci: indicator }),
    ...(amount && { amount }),
  };
}

/** @throws CryptoError malformed where it is no whole amount in minor units of a currency */
function money(minor: unknown, currency: unknown): Money {
  const isAmount = typeof minor === 'number' && Number.isSafeInteger(minor) && minor >= 0;
  if (!isAmount || typeof currency !== 'string' || !isCurrency(currency)) throw malformed('amount');
  return { minor, currency };
}

/** Digits that may come as a number or as a text. @throws CryptoError malformed */
function numberText(value: unknown, length: number): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^\d{1,4}$/.test(text) || text.length > length) throw malformed('number');
  return text.padStart(length, '0');
}

function malformed(what: string): CryptoError {
  return new CryptoError('malformed', `${what} is not as the scheme defines it`);
}
