import type { WalletName } from '../payment/wallet-names.js';

/** The order on the sheet of a simulated wallet, which the shopper approves: a real wallet gets it from its maker's library. */
export interface SheetOrder {
  readonly wallet: WalletName;
  /** Decimal text, and ISO 4217 code. */
  readonly amount: string;
  readonly currency: string;
  /** The merchant as the wallet knows it. */
  readonly merchantIdentifier: string;
  /** The merchant's public key: SPKI, DER, base64. */
  readonly merchantKey: string;
  /** The merchant behind a recipient `gateway:…` of walletB. */
  readonly gatewayMerchantId?: string;
}

/** What the sheet reports to the page around it: the token as `<wallet>.paymentToken` takes it, or that the shopper wants to pay otherwise. */
export type SheetAnswer =
  | { readonly type: 'authorized'; readonly token: string }
  | { readonly type: 'cancelled' };

/** Path of the sheet at the simulated bank. */
export const SHEET_PATH = '/wallets/sheet';

/** The address of the sheet for an order. The page around adds `label`, which names the shop, and `origin`, its own. */
export function sheetAddress(bankUrl: string, order: SheetOrder): string {
  const address = new URL(SHEET_PATH, bankUrl);
  for (const [name, value] of Object.entries(order)) address.searchParams.set(name, value);
  return address.href;
}
