import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { stamp } from './columns.js';

/** Keys, roots and used tokens of wallets. */
export const WALLETS_TABLES = tables({
  /** A wallet's token that was used, once, by one payment. */
  usedWalletTokens: shape(
    {
      wallet: column.oneOf(...WALLET_NAMES),
      /** Keyed fingerprint of the token's own id, hex. */
      token: column.text(),
      paymentId: column.text(),
      /** From then on the token is refused as expired. */
      expiresAtMs: column.integer(),
      ...stamp,
    },
    { key: ['wallet', 'token'], indexes: { expiry: ['expiresAtMs'] } },
  ),

  /** A merchant's key pair that a wallet enciphers tokens for (security/wallets). */
  walletKeys: shape(
    {
      id: column.text(),
      /** Merchant or channel; a channel without keys of its own uses those of its merchant. */
      entityId: column.idOf('entities'),
      wallet: column.oneOf(...WALLET_NAMES),
      /** The merchant as the wallet knows it; the same for all keys of an entity and wallet. */
      merchantIdentifier: column.text(),
      /** SPKI PEM. */
      publicKey: column.text(),
      /** The data key that seals the private key. */
      keyId: column.idOf('dataKeys'),
      /** PKCS#8, sealed, hex. */
      sealed: column.text(),
      /** Rotated: it opens tokens until then. Null while it is in place. */
      endsAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { isWide: true, indexes: { entity: ['entityId', 'wallet'], keyId: ['keyId'] } },
  ),

  /** What the signatures of a wallet's tokens lead to. */
  walletRoots: shape(
    {
      wallet: column.oneOf(...WALLET_NAMES),
      /** SHA-256 of the root, hex. */
      id: column.text(),
      /** Certificate of walletA, public key (SPKI) of the others: DER, base64. */
      root: column.text(),
      label: column.text(),
      ...stamp,
    },
    { key: ['wallet', 'id'], isWide: true, indexes: { wallet: ['wallet'] } },
  ),
});
