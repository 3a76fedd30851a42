import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { UsedWalletTokenRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';

/** The use of a wallet's token by a payment. */
export type WalletTokenUse = Pick<UsedWalletTokenRow, 'wallet' | 'token' | 'expiresAtMs'>;

/** Check that a wallet's token can fail (errors/error-table.ts has their texts). */
export type WalletCheck =
  | 'not-set-up'
  | 'format'
  | 'version'
  | 'chain'
  | 'signature'
  | 'merchant'
  | 'expiry'
  | 'amount'
  | 'replay';

/** Result codes of the checks (docs/result-codes.md); all others are a token that cannot be deciphered. */
const CODES: Readonly<Partial<Record<WalletCheck, string>>> = {
  'not-set-up': '600.200.201',
  amount: '100.550.701',
  replay: '800.110.100',
};
const NOT_DECIPHERED = '200.100.603';
/** Answer of the issuer's side to a payment that never came to it (ISO 8583, field 39): format error. */
const RESPONSE_CODE = '30';

/** The refusal of a payment whose token failed a check: names field and check, nothing of the token. */
export function walletRefusal(
  wallet: WalletName,
  check: WalletCheck,
): { readonly resultCode: string; readonly responseCode: string; readonly detail: string } {
  return {
    resultCode: CODES[check] ?? NOT_DECIPHERED,
    responseCode: RESPONSE_CODE,
    detail: `${wallet}.paymentToken: ${check}`,
  };
}

/** The change that takes a token for a payment; undefined when a payment has used it. Pure. */
export function takeWalletToken(
  stored: UsedWalletTokenRow | undefined,
  use: WalletTokenUse,
  by: { readonly paymentId: string; readonly nowMs: number },
): Change | undefined {
  if (stored) return undefined;
  const row: UsedWalletTokenRow = { ...use, paymentId: by.paymentId, createdAtMs: by.nowMs, version: 1 };
  return { op: 'insert', table: 'usedWalletTokens', row };
}
