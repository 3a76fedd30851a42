import { join } from 'node:path';

/** The key files of a gateway, all of mode 0600, in `keys/` of its home. */
export interface SecurityFiles {
  /** Seals the key store. */
  readonly masterKey: string;
  /** The sealed keys. */
  readonly keys: string;
  /** Enciphers card data in the vault. */
  readonly vaultKey: string;
  /** Makes fingerprints of card numbers (keyed hash). */
  readonly fingerprintKey: string;
  /** The same for the INTERNAL acquirer, which shares nothing with the gateway's tables. */
  readonly internalAcquirerKey: string;
}

/**
 * Where the key files stand.
 * @param gatewayHome the gateway's own directory, `gateway/` of the home
 */
export function securityFiles(gatewayHome: string): SecurityFiles {
  const directory = join(gatewayHome, 'keys');
  return {
    masterKey: join(directory, 'master.key'),
    keys: join(directory, 'keystore.json'),
    vaultKey: join(directory, 'vault.key'),
    fingerprintKey: join(directory, 'fingerprint.key'),
    internalAcquirerKey: join(directory, 'internal-acquirer.key'),
  };
}
