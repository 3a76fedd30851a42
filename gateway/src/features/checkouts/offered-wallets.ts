import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { present } from '@tillbridge/wire/present.js';
import { sheetAddress } from '@tillbridge/wire/simulated-bank/wallet-sheet.js';
import type { Store } from '../../kernel/store/store.js';
import { walletKeysFor } from '../../security/wallets/wallet-keys.js';
import type { CheckoutParameters } from './checkout-parameters.js';

/** A wallet that an entity can be paid by. */
export interface OfferedWallet {
  readonly name: WalletName;
  /** The sheet of the simulated wallet (test mode); absent: the shop's page brings the token. */
  readonly sheetUrl?: string;
}

/** What wallets are looked up with. */
interface OfferedWalletsDeps {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly nowMs: number;
  /** The simulated bank, which has the sheets; test mode alone. */
  readonly simulatedBankUrl: string | undefined;
}

/** The wallets whose tokens the gateway opens for an entity: those that it, or its merchant, has a key of. @throws StoreUnavailableError */
export async function offeredWallets(
  { store, nowMs, simulatedBankUrl }: OfferedWalletsDeps,
  entityId: string,
  { amount, currency }: CheckoutParameters,
): Promise<readonly OfferedWallet[]> {
  const offered = WALLET_NAMES.map(async (wallet): Promise<readonly OfferedWallet[]> => {
    const [key] = await walletKeysFor(store, entityId, wallet, nowMs);
    if (!key) return [];
    if (simulatedBankUrl === undefined || amount === undefined || currency === undefined)
      return [{ name: wallet }];
    const { merchantIdentifier, publicKey, entityId: owner } = key;
    const gatewayMerchantId = merchantIdentifier.startsWith('gateway:') ? owner : undefined;
    const merchantKey = publicKey.replaceAll(/-----[^-]*-----|\s/g, '');
    const order = { wallet, amount, currency, merchantIdentifier, merchantKey };
    return [
      {
        name: wallet,
        sheetUrl: sheetAddress(simulatedBankUrl, { ...order, ...present({ gatewayMerchantId }) }),
      },
    ];
  });
  return (await Promise.all(offered)).flat();
}
