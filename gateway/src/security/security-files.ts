import { join } from 'node:path';

/** The key files of a gateway, each of mode 0600. */
export type SecurityFiles = Readonly<ReturnType<typeof securityFiles>>;

/**
 * The paths of the key files.
 * @param gatewayHome the gateway's own directory, `gateway/` of the home
 */
export function securityFiles(gatewayHome: string) {
  const directory = join(gatewayHome, 'keys');
  return {
    /** Seals the key store. */
    masterKey: join(directory, 'master.key'),
    /** The sealed keys. */
    keys: join(directory, 'keystore.json'),
    /** Enciphers card data in the vault. */
    vaultKey: join(directory, 'vault.key'),
    /** Makes fingerprints of card numbers (keyed hash). */
    fingerprintKey: join(directory, 'fingerprint.key'),
    /** The same for the INTERNAL acquirer, which shares nothing with the gateway's tables. */
    internalAcquirerKey: join(directory, 'internal-acquirer.key'),
  };
}
