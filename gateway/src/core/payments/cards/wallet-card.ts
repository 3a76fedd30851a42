import type { OpenedWalletToken } from '@tillbridge/wire/crypto/wallets/wallet-token.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Change, Store } from '../../../kernel/store/store.js';
import type { Fingerprint } from '../../../security/tokens/fingerprint.js';
import { WalletTokenError, type WalletTokens } from '../../../security/wallets/wallet-tokens.js';
import {
  takeWalletToken,
  type WalletCheck,
  type WalletTokenUse,
  walletRefusal,
} from '../instruments/wallet-token-use.js';
import { NO_CARD } from '../rules/drafts.js';
import type { RefusedCard } from '../rules/prepared-card.js';
import type { CardData, PaymentRequest, WalletProof } from '../rules/requests.js';

/** What wallets' cards are read with. */
interface WalletCardContext {
  readonly store: Pick<Store, 'get'>;
  readonly wallets: WalletTokens;
  readonly fingerprint: Fingerprint;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** A card out of a wallet, and what came with it. */
export interface WalletCard {
  readonly ok: true;
  readonly name: WalletName;
  readonly card: CardData;
  readonly proof?: WalletProof;
  /** Absent where the merchant deciphered the token. */
  readonly use?: WalletTokenUse;
}

/**
 * The card of a wallet: of its token, or as the merchant deciphered it. Undefined for a payment without a wallet.
 * @throws VaultError, StoreUnavailableError
 */
export async function walletCard(
  context: WalletCardContext,
  request: PaymentRequest,
): Promise<WalletCard | RefusedCard | undefined> {
  const { wallet, card, origin, amount } = request;
  if (!wallet) return undefined;
  const { name } = wallet;
  if (!('token' in wallet)) {
    const { proof } = wallet;
    return card && { ok: true, name, card: { numberType: 'DPAN', ...card }, proof };
  }
  const opened = await open(context, origin.entityId, name, wallet.token);
  if (typeof opened === 'string') return refused(name, opened);
  const { payment, tokenId, expiresAtMs } = opened;
  const agreed = payment.amount;
  if (agreed && (agreed.minor !== amount.minor || agreed.currency !== amount.currency))
    return refused(name, 'amount');
  const { pan: number, expiryMonth, expiryYear, numberType, cryptogram, eci } = payment;
  return {
    ok: true,
    name,
    card: { number, expiryMonth, expiryYear, numberType },
    ...(cryptogram !== undefined && { proof: { cryptogram, ...(eci !== undefined && { eci }) } }),
    use: { wallet: name, token: context.fingerprint('wallet token', `${name}/${tokenId}`), expiresAtMs },
  };
}

/** What the token carries, or the check that it failed. */
async function open(
  { wallets, onFault }: Pick<WalletCardContext, 'wallets' | 'onFault'>,
  entityId: string,
  wallet: WalletName,
  token: string,
): Promise<OpenedWalletToken | WalletCheck> {
  try {
    return await wallets.open({ entityId, wallet, token });
  } catch (error) {
    if (!(error instanceof WalletTokenError)) throw error;
    onFault('a wallet token was refused', error);
    return error.code;
  }
}

function refused(wallet: WalletName, check: WalletCheck): RefusedCard {
  return { ok: false, ...walletRefusal(wallet, check), trace: { ...NO_CARD, wallet } };
}

/**
 * Takes a wallet's token for a payment: the changes, or the refusal where another payment has used it.
 * @throws StoreUnavailableError
 */
export async function takeTokenOf(
  { store, clock }: Pick<WalletCardContext, 'store' | 'clock'>,
  use: WalletTokenUse | undefined,
  paymentId: string,
): Promise<{ readonly changes: readonly Change[]; readonly refusal?: ReturnType<typeof walletRefusal> }> {
  if (!use) return { changes: [] };
  const stored = await store.get('usedWalletTokens', [use.wallet, use.token]);
  const change = takeWalletToken(stored, use, { paymentId, nowMs: clock.nowMs() });
  return change ? { changes: [change] } : { changes: [], refusal: walletRefusal(use.wallet, 'replay') };
}
