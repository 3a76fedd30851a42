import { wipe } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { isTestRoot } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import type { OpenedWalletToken } from '@tillbridge/wire/crypto/wallets/wallet-token.js';
import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { WALLET_TOKEN_CHECKS } from '../../kernel/errors/error-table.js';
import type { WalletKeyRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import { walletKeyContext } from '../vault/contexts.js';
import type { DataKeys } from '../vault/vault.js';
import { walletKeysFor } from './wallet-keys.js';

/** A token whose keys are the gateway's to know. */
interface WalletTokenRequest {
  readonly entityId: string;
  readonly wallet: WalletName;
  /** `<wallet>.paymentToken`. */
  readonly token: string;
}

/** The part of the security module that opens wallets' tokens; no private key comes out. */
export interface WalletTokens {
  /**
   * Verifies a token and opens it with the keys of an entity, or of its merchant.
   * @throws WalletTokenError with the check that failed; VaultError, StoreUnavailableError
   */
  open(request: WalletTokenRequest): Promise<OpenedWalletToken>;
}

/** A token failed a check; the message names the check and nothing of the token. */
export class WalletTokenError extends CodedError<keyof typeof WALLET_TOKEN_CHECKS> {}

/** The check behind each rule of the schemes. An unknown key and a wrong tag both mean: enciphered for another key. */
const CHECKS: Readonly<Partial<Record<CryptoError['rule'], WalletTokenError['code']>>> = {
  badVersion: 'version',
  badChain: 'chain',
  badSignature: 'signature',
  expiredKey: 'expiry',
  expiredMessage: 'expiry',
  unknownKey: 'merchant',
  badTag: 'merchant',
  notAllowed: 'merchant',
  malformed: 'format',
};

/** What {@link StoredWalletTokens} works with. */
interface WalletTokensOptions {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly dataKeys: DataKeys;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** `live`: the published test roots are not trusted. */
  readonly mode: 'test' | 'live';
}

/** Opens tokens with the keys and roots of the database. */
export class StoredWalletTokens implements WalletTokens {
  readonly #options: WalletTokensOptions;

  constructor(options: WalletTokensOptions) {
    this.#options = options;
  }

  async open({ entityId, wallet, token }: WalletTokenRequest): Promise<OpenedWalletToken> {
    const { store, clock } = this.#options;
    const nowMs = clock.nowMs();
    const [newest, ...older] = await walletKeysFor(store, entityId, wallet, nowMs);
    if (!newest) throw new WalletTokenError('not-set-up', `entity ${entityId} has no key of ${wallet}`);
    const roots = await this.#roots(wallet);
    // Its libraries for certificates and JWE are 180 files: most gateways never open a token.
    const { openWalletToken } = await import('@tillbridge/wire/crypto/wallets/wallet-token.js');
    const privateKeys = await this.#open([newest, ...older]);
    const { merchantIdentifier, entityId: gatewayMerchantId } = newest;
    try {
      return await openWalletToken(wallet, token, {
        roots,
        merchantIdentifier,
        gatewayMerchantId,
        privateKeys,
        nowMs,
      });
    } catch (error) {
      const check = error instanceof CryptoError ? CHECKS[error.rule] : undefined;
      if (check === undefined) throw error;
      throw new WalletTokenError(check, `a token of ${wallet} failed the check: ${check}`);
    } finally {
      wipe(...privateKeys);
    }
  }

  async #roots(wallet: WalletName): Promise<readonly Buffer[]> {
    const { store, mode } = this.#options;
    const rows = await store.find('walletRoots', 'wallet', [wallet]);
    const roots = rows.map(({ root }) => Buffer.from(root, 'base64'));
    return mode === 'live' ? roots.filter((root) => !isTestRoot(root)) : roots;
  }

  async #open(rows: readonly WalletKeyRow[]): Promise<readonly Buffer[]> {
    const { dataKeys } = this.#options;
    const opened: Buffer[] = [];
    for (const row of rows) {
      const loading = dataKeys.load(row.keyId);
      if (loading) await loading;
      opened.push(dataKeys.open(walletKeyContext(row), row));
    }
    return opened;
  }
}
