import type { WalletPayment } from '@tillbridge/wire/crypto/wallets/wallet-payment.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';

/** What a token can have wrong; each is found by another check of the receiver. */
export const TOKEN_FLAWS = ['format', 'version', 'chain', 'signature', 'merchant', 'expiry'] as const;

/** One of {@link TOKEN_FLAWS}. */
export type TokenFlaw = (typeof TOKEN_FLAWS)[number];

/** A token to issue. */
export interface TokenOrder {
  readonly wallet: WalletName;
  /** The merchant's public key, SPKI DER. */
  readonly merchantKey: Uint8Array;
  /** Identifier of walletA, recipient of walletB, audience of walletC. */
  readonly merchantIdentifier: string;
  /** The merchant behind a recipient `gateway:…` of walletB. */
  readonly gatewayMerchantId?: string;
  /** Scheme of walletB; ECv2 when absent. */
  readonly version?: 'ECv1' | 'ECv2';
  readonly payment: WalletPayment;
  /** The token's own id. */
  readonly tokenId: string;
  readonly nowMs: number;
  readonly flaw?: TokenFlaw;
}

/** How long a token of walletB or walletC can be used, in milliseconds. */
export const TOKEN_LIFE_MS = 3_600_000;

/** When a token expires; one that is to have expired did so a second ago. */
export function expiryOf({ nowMs, flaw }: Pick<TokenOrder, 'nowMs' | 'flaw'>): number {
  return flaw === 'expiry' ? nowMs - 1_000 : nowMs + TOKEN_LIFE_MS;
}
