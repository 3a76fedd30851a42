import type { AccountData } from '../../../security/module/security-module.js';
import type { AcquirerInstrument, AcquirerMerchant, AcquirerPointOfSale } from '../../acquirers/acquirer.js';
import type { WalletTokenUse } from '../instruments/wallet-token-use.js';
import type { CardTrace } from './drafts.js';

/** A request whose card, or other means of payment, is known and in order. `instrument` and `pos` live in memory only. */
export interface PreparedCard {
  readonly ok: true;
  readonly instrument: AcquirerInstrument;
  /** For the vault, which leaves track data out; absent for what is no card. */
  readonly toSeal?: AccountData;
  /** The row of the vault that has it already. */
  readonly vaultId?: string;
  readonly pos?: AcquirerPointOfSale;
  /** The acquirer whose zone key the PIN is under; absent where that is still to be found. */
  readonly route?: { readonly name: string; readonly merchant?: AcquirerMerchant };
  readonly trace: CardTrace;
  /** The wallet's token that it came out of: no other payment may use it. */
  readonly walletToken?: WalletTokenUse;
}

/** A request that ends here, with its result code. */
export interface RefusedCard {
  readonly ok: false;
  readonly resultCode: string;
  /** Tag 8A for the card. */
  readonly responseCode: string;
  /** Which field was refused and why, for the merchant (`resultDetails.ExtendedDescription`); nothing of its content. */
  readonly detail?: string;
  readonly trace: CardTrace;
}
