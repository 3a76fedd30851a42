import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { withSecret } from '@tillbridge/wire/bytes.js';
import { gatewayFiles } from './gateway-files.js';
import { readSecretFile } from './secret-file.js';

/**
 * The key of the chain of audit records: derived from that of the access tokens, which all nodes of a database share and no database holds.
 * Undefined in a home without keys.
 * @throws SecretFileError
 */
export function auditChainKey(home: string): KeyObject | undefined {
  const content = readSecretFile(gatewayFiles(home).tokenKey);
  if (content === undefined) return undefined;
  return withSecret(content, (bytes) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', 'tillbridge audit chain', 32))),
  );
}
