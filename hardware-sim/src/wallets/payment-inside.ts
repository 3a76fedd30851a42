import { randomBytes } from 'node:crypto';
import type { WalletPayment } from '@tillbridge/wire/crypto/wallets/wallet-payment.js';
import type { Money } from '@tillbridge/wire/payment/money.js';

/** Bytes of a token's id, and of a cryptogram (28 characters of base64). */
const TOKEN_ID_BYTES = 16;
const CRYPTOGRAM_BYTES = 20;

/** A card in a simulated wallet. */
export interface WalletCard {
  readonly pan: string;
  readonly expiryYear: string;
  readonly expiryMonth: string;
  /** The number on the card, without a network token's proof; walletA gives none. */
  readonly isPlain: boolean;
}

/** What a token carries for a card: a network token comes with a fresh proof. */
export function paymentInside({ isPlain, ...card }: WalletCard, amount: Money): WalletPayment {
  const proof = { cryptogram: randomBytes(CRYPTOGRAM_BYTES).toString('base64'), eci: '05' };
  return { ...card, numberType: isPlain ? 'PAN' : 'DPAN', ...(!isPlain && proof), amount };
}

/** A fresh id of a token. */
export function newTokenId(): string {
  return randomBytes(TOKEN_ID_BYTES).toString('hex');
}
