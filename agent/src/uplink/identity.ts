import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { replaceFile, syncPath } from '@tillbridge/platform/write-file.js';

/** Who this agent is towards the gateway: its id and the key pair made on this machine. */
export interface AgentIdentity {
  readonly agentId: string;
  readonly privateKey: KeyObject;
  /** SPKI PEM of the public half, as the gateway registers it. */
  readonly publicKeyPem: string;
}

/** The agent cannot prove who it is; the message names the file and what to do. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

/** Name of the key file in the agent's home: PKCS#8 PEM, Ed25519, mode 0600. */
export const IDENTITY_KEY_FILE = 'agent-key.pem';
/** Name of the file with a key that was made and is not known to the gateway yet. */
export const PENDING_KEY_FILE = 'agent-key.new.pem';
/** Name of the file in the agent's home that holds only the agent id. */
export const IDENTITY_ID_FILE = 'agent-id';

const AGENT_ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;

/**
 * The key that waits to become the home's; made at the first call. An enrolment that was interrupted goes on with it: the gateway may
 * know it already.
 * @throws IdentityError when it cannot be used
 */
export function pendingKey(home: string): KeyObject {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, PENDING_KEY_FILE);
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519');
    replaceFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  return readKey(path);
}

/**
 * Makes the pending key the home's, under this agent id. The key comes last and completes the identity.
 * @throws IdentityError for a bad id
 */
export function completeIdentity(home: string, agentId: string): void {
  if (!AGENT_ID.test(agentId)) throw new IdentityError(badId(agentId.length));
  replaceFile(join(home, IDENTITY_ID_FILE), `${agentId}\n`);
  renameSync(join(home, PENDING_KEY_FILE), join(home, IDENTITY_KEY_FILE));
  syncPath(home);
}

/** The agent id of a home; undefined where it has no whole identity. @throws IdentityError */
export function knownAgentId(home: string): string | undefined {
  return existsSync(join(home, IDENTITY_KEY_FILE)) ? loadIdentity(home).agentId : undefined;
}

/**
 * Reads the identity from `home`.
 * @throws IdentityError when a file is missing, unreadable, open to other users or no Ed25519 key.
 */
export function loadIdentity(home: string): AgentIdentity {
  const privateKey = readKey(join(home, IDENTITY_KEY_FILE));
  const agentId = read(join(home, IDENTITY_ID_FILE), 'the agent id').trim();
  if (!AGENT_ID.test(agentId))
    throw new IdentityError(`${join(home, IDENTITY_ID_FILE)}: ${badId(agentId.length)}`);
  return identityOf(agentId, privateKey);
}

function readKey(path: string): KeyObject {
  const pem = read(path, 'the key pair');
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new IdentityError(`${path} is open to other users: set its mode to 0600`);
  }
  return parseKey(pem, path);
}

function identityOf(agentId: string, privateKey: KeyObject): AgentIdentity {
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { agentId, privateKey, publicKeyPem };
}

function badId(length: number): string {
  return `an agent id is 1-64 letters, digits, dots, hyphens or underscores; this one has ${length} characters`;
}

function parseKey(pem: string, path: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The parser's own words may quote the file.
    throw new IdentityError(`${path} is no private key in PEM`);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new IdentityError(`${path} holds a key of type ${key.asymmetricKeyType}, expected ed25519`);
  }
  return key;
}

function read(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    const advice =
      code === 'ENOENT' ? '; this home has not been enrolled: run "tillbridge-agent enrol CODE"' : '';
    throw new IdentityError(`cannot read ${what} from ${path} (${code})${advice}`);
  }
}
