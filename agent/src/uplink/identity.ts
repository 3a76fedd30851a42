import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';
import { createFile } from '@tillbridge/protocol/platform/write-file.js';

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
/** Name of the file in the agent's home that holds the agent id alone. */
export const IDENTITY_ID_FILE = 'agent-id';

const AGENT_ID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;

/**
 * Makes an agent id and an Ed25519 key pair in `home`. The key comes last and completes the identity: an id that an
 * interrupted attempt left without a key is replaced.
 * @throws IdentityError when the home already has a key (a second one would fence the first).
 */
export function createIdentity(home: string, agentId: string = randomUUID()): AgentIdentity {
  if (!AGENT_ID.test(agentId)) throw new IdentityError(badId(agentId.length));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const keyPath = join(home, IDENTITY_KEY_FILE);
  if (existsSync(keyPath)) throw new IdentityError(`${keyPath} exists: this home already has an identity`);
  const { privateKey } = generateKeyPairSync('ed25519');
  const idPath = join(home, IDENTITY_ID_FILE);
  rmSync(idPath, { force: true });
  createFile(idPath, `${agentId}\n`);
  createFile(keyPath, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return identityOf(agentId, privateKey);
}

/**
 * Reads the identity from `home`.
 * @throws IdentityError when a file is missing, unreadable, open to other users or no Ed25519 key.
 */
export function loadIdentity(home: string): AgentIdentity {
  const keyPath = join(home, IDENTITY_KEY_FILE);
  const pem = read(keyPath, 'the key pair');
  if (process.platform !== 'win32' && (statSync(keyPath).mode & 0o077) !== 0) {
    throw new IdentityError(`${keyPath} is open to other users: set its mode to 0600`);
  }
  const agentId = read(join(home, IDENTITY_ID_FILE), 'the agent id').trim();
  if (!AGENT_ID.test(agentId))
    throw new IdentityError(`${join(home, IDENTITY_ID_FILE)}: ${badId(agentId.length)}`);
  return identityOf(agentId, parseKey(pem, keyPath));
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
    const advice = code === 'ENOENT' ? '; the agent has not been enrolled in this home' : '';
    throw new IdentityError(`cannot read ${what} from ${path} (${code})${advice}`);
  }
}
