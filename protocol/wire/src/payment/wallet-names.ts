/** The digital wallets of the API (gateway/docs/wallets.md): A gives tokens of the EC_v1 style, B of the ECv1 and ECv2 styles, C signed JWE tokens. */
export const WALLET_NAMES = ['walletA', 'walletB', 'walletC'] as const;

/** A digital wallet. */
export type WalletName = (typeof WALLET_NAMES)[number];
