import { WALLET_NAMES } from '@tillbridge/protocol/payment/wallet-names.js';
import { idOf, integer, oneOf, optional, table, text } from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';

/** Keys, roots and used tokens of wallets. */
export const WALLETS_TABLES = {
  /** A wallet's token that was used, once, by one payment. */
  usedWalletTokens: table('usedWalletTokens', {
    key: ['wallet', 'token'],
    indexes: { expiry: ['expiresAtMs'] },
    columns: {
      wallet: oneOf(...WALLET_NAMES),
      /** Keyed fingerprint of the token's own id, hex. */
      token: text(),
      paymentId: text(),
      /** From then on the token is refused as expired. */
      expiresAtMs: integer(),
      createdAtMs,
      version,
    },
  }),

  /** A merchant's key pair that a wallet enciphers tokens for (security/wallets). */
  walletKeys: table('walletKeys', {
    key: ['id'],
    isWide: true,
    indexes: { entity: ['entityId', 'wallet'], keyId: ['keyId'] },
    columns: {
      id: text(),
      /** Merchant or channel; a channel without keys of its own uses those of its merchant. */
      entityId: idOf('entities'),
      wallet: oneOf(...WALLET_NAMES),
      /** The merchant as the wallet knows it; the same for all keys of an entity and wallet. */
      merchantIdentifier: text(),
      /** SPKI PEM. */
      publicKey: text(),
      /** The data key that seals the private key. */
      keyId: idOf('dataKeys'),
      /** PKCS#8, sealed, hex. */
      sealed: text(),
      /** Rotated: it opens tokens until then. Null while it is in place. */
      endsAtMs: optional(integer()),
      createdAtMs,
      version,
    },
  }),

  /** What the signatures of a wallet's tokens lead to. */
  walletRoots: table('walletRoots', {
    key: ['wallet', 'id'],
    isWide: true,
    indexes: { wallet: ['wallet'] },
    columns: {
      wallet: oneOf(...WALLET_NAMES),
      /** SHA-256 of the root, hex. */
      id: text(),
      /** Certificate of walletA, public key (SPKI) of the others: DER, base64. */
      root: text(),
      label: text(),
      createdAtMs,
      version,
    },
  }),
};
