import { join } from 'node:path';
import { type HomeLock, lockHome } from '@tillbridge/platform/home-lock.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { GATEWAY_ADDRESS_FILE } from '../uplink/gateway-address.js';
import { GATEWAY_PINS_FILE } from '../uplink/gateway-trust.js';
import { IDENTITY_ID_FILE, IDENTITY_KEY_FILE } from '../uplink/identity.js';

/** Name of the file in the agent’s home that holds the tills’ bearer token alone, mode 0600. */
export const TILL_TOKEN_FILE = 'till-token';

/** Names of the agent's files in its home, other than identity, token and log. */
export const HOME_FILES = {
  journal: 'journal.db',
  blobKey: 'blob.key',
  /** Which device stands at which terminal's place. */
  devices: 'devices.json',
  /** The tills and the digests of their tokens. */
  tills: 'tills.json',
  /** Browsers that stay signed in, by digests. */
  sessions: 'till-sessions.json',
  /** What tills that speak ZVT register with. */
  zvtPassword: 'zvt-password',
} as const;

/** Names of what the nexo interface keeps in the home: its authority, its certificate, and the key that tills share. */
export const NEXO_FILES = {
  authority: 'nexo-ca.pem',
  authorityKey: 'nexo-ca.key',
  certificate: 'nexo-certificate.pem',
  certificateKey: 'nexo-certificate.key',
  messageKey: 'nexo-key.json',
} as const;

/** Files of the agent's identity. A home that has them keeps them: a copy of its journal may have older ones. */
export const IDENTITY_FILES = [
  IDENTITY_ID_FILE,
  GATEWAY_ADDRESS_FILE,
  GATEWAY_PINS_FILE,
  IDENTITY_KEY_FILE,
] as const;

/** Files of a home that a new home needs to go on as the same agent: they travel in the encrypted copy of the journal. */
export const SECRET_FILES = [
  ...IDENTITY_FILES,
  HOME_FILES.blobKey,
  TILL_TOKEN_FILE,
  HOME_FILES.zvtPassword,
  NEXO_FILES.authority,
  NEXO_FILES.authorityKey,
  NEXO_FILES.messageKey,
] as const;

/** Locks the home for this process: two agents on one journal would sell one reference twice (P2). @throws HomeInUseError, HomeUnusableError */
export function lockAgentHome(home: string): Promise<HomeLock> {
  return lockHome({ home, program: 'agent', variable: 'AGENT_HOME' });
}

/** The secret files that the home has. */
export function readSecretFiles(home: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const name of SECRET_FILES) {
    const content = readIfThere(join(home, name));
    if (content) files.set(name, content);
  }
  return files;
}
