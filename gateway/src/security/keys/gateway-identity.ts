import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import { withSecret } from '@tillbridge/wire/bytes.js';
import { readSecretFile, SecretFileError, writeSecretFile } from '../../kernel/data-folder/secret-file.js';

/** By what the gateway proves itself to its agents. */
export interface GatewayIdentity {
  /** Ed25519. */
  readonly signingKey: KeyObject;
  /** What agents pin: the key that signs, then its backup, each as SubjectPublicKeyInfo in DER. */
  readonly identityKeys: readonly [Uint8Array, Uint8Array];
}

/** The files of an identity, each of mode 0600. */
interface IdentityFiles {
  readonly gatewayIdentity: string;
  readonly gatewayIdentityBackup: string;
  readonly gatewayIdentityBackupPublic: string;
}

/** Makes the identity of a home, with its backup, unless it has one. The key itself comes last. @throws SecretFileError */
export function ensureGatewayIdentity(files: IdentityFiles): GatewayIdentity {
  if (readSecretFile(files.gatewayIdentity) === undefined) {
    makeBackup(files);
    writeKey(files.gatewayIdentity, newKey());
  }
  return loadGatewayIdentity(files);
}

/** Reads the identity of a home. @throws SecretFileError */
export function loadGatewayIdentity(files: IdentityFiles): GatewayIdentity {
  const signingKey = readKey(files.gatewayIdentity, createPrivateKey);
  const backup = spkiOf(readKey(files.gatewayIdentityBackupPublic, createPublicKey));
  const current = spkiOf(signingKey);
  if (Buffer.compare(current, backup) === 0)
    throw new SecretFileError(
      `${files.gatewayIdentity} is its own backup: a rotation was interrupted; run "tillbridge-gateway agents rotate-gateway-key" again`,
    );
  return { signingKey, identityKeys: [current, backup] };
}

/**
 * Puts the backup in the place of the key and makes a new backup. Agents that pin the former pair take the new one with their next session.
 * @param backupFile where the backup is kept, if it is not in the home
 * @throws SecretFileError
 */
export function rotateGatewayIdentity(files: IdentityFiles, backupFile?: string): GatewayIdentity {
  const pinned = spkiOf(readKey(files.gatewayIdentityBackupPublic, createPublicKey));
  const current = spkiOf(readKey(files.gatewayIdentity, createPrivateKey));
  // Equal keys: an interrupted rotation, of which only the new backup is missing.
  if (Buffer.compare(current, pinned) !== 0) {
    const path = backupFile ?? files.gatewayIdentityBackup;
    const backup = readKey(path, createPrivateKey);
    if (Buffer.compare(spkiOf(backup), pinned) !== 0)
      throw new SecretFileError(`${path} is not the backup that agents know: give --backup-file FILE`);
    writeKey(files.gatewayIdentity, backup);
  }
  makeBackup(files);
  return loadGatewayIdentity(files);
}

/** The public half comes last: until then the former backup counts. */
function makeBackup(files: IdentityFiles): void {
  const key = newKey();
  writeKey(files.gatewayIdentityBackup, key);
  const publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
  writeSecretFile(files.gatewayIdentityBackupPublic, Buffer.from(publicPem));
}

function newKey(): KeyObject {
  return generateKeyPairSync('ed25519').privateKey;
}

function writeKey(path: string, key: KeyObject): void {
  const pem = Buffer.from(key.export({ type: 'pkcs8', format: 'pem' }));
  withSecret(pem, (bytes) => writeSecretFile(path, bytes));
}

function readKey(path: string, parse: (pem: Buffer) => KeyObject): KeyObject {
  const content = readSecretFile(path);
  if (content === undefined)
    throw new SecretFileError(
      `${path} is missing; "tillbridge-gateway init" makes it for a new home; else restore it: agents know the gateway by it`,
    );
  return withSecret(content, (pem) => {
    const key = parsed(pem, parse);
    if (key?.asymmetricKeyType !== 'ed25519')
      throw new SecretFileError(`${path} must hold an Ed25519 key in PEM`);
    return key;
  });
}

function parsed(pem: Buffer, parse: (pem: Buffer) => KeyObject): KeyObject | undefined {
  try {
    return parse(pem);
  } catch {
    // The parser's own words may quote the file.
    return undefined;
  }
}
