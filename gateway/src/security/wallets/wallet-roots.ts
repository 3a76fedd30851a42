import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { toLowerHex } from '@tillbridge/wire/bytes.js';
import type { WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import type { WalletRootRow } from '../../kernel/store/rows.js';

/** The row of a root: a certificate of walletA, a public key (SPKI) of the others, DER. */
export function walletRootRow(
  wallet: WalletName,
  der: Uint8Array,
  label: string,
  createdAtMs: number,
): WalletRootRow {
  const id = toLowerHex(createHash('sha256').update(der).digest());
  return { wallet, id, root: Buffer.from(der).toString('base64'), label, createdAtMs, version: 1 };
}

/**
 * The root in a PEM text: DER of a certificate of walletA, of a public key of the others.
 * @throws Error of the crypto library when it is none
 */
export function readWalletRoot(wallet: WalletName, pem: Buffer): Buffer {
  if (wallet === 'walletA') return new X509Certificate(pem).raw;
  return createPublicKey(pem).export({ format: 'der', type: 'spki' });
}
