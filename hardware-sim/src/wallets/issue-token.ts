import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { issueTokenA } from './token-a.js';
import { issueTokenB } from './token-b.js';
import { issueTokenC } from './token-c.js';
import type { TokenOrder } from './token-order.js';

const ISSUERS: Readonly<Record<WalletName, (order: TokenOrder) => string | Promise<string>>> = {
  walletA: issueTokenA,
  walletB: issueTokenB,
  walletC: issueTokenC,
};

/** Issues what goes into `<wallet>.paymentToken`, under the published test roots: gateways in live mode refuse it. */
export async function issueToken(order: TokenOrder): Promise<string> {
  return ISSUERS[order.wallet](order);
}
