import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentIdentity } from '@tillbridge/agent/uplink/identity.js';
import { ensureDevelopmentKeys } from '@tillbridge/gateway/security/development-keys.js';
import type { ReadableKeyStore } from '@tillbridge/gateway/security/keys/key-store.js';
import { SoftwareKeyStore } from '@tillbridge/gateway/security/keys/software-key-store.js';
import { securityFiles } from '@tillbridge/gateway/security/security-files.js';
import { spkiOf } from '@tillbridge/wire/bridge/identity-key.js';
import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import { SeededRandom } from '../kernel/seeded-random.js';

/** Keys that every simulation has in common: making them is slow, and nothing in a simulation changes them. */
export interface Secrets {
  readonly keys: ReadableKeyStore;
  readonly dataKey: KeyObject;
  readonly fingerprintKey: KeyObject;
  readonly acquirerHashKey: KeyObject;
}

let made: Secrets | undefined;

/** The development keys in a real key store, made once in this process. */
export function sharedSecrets(): Secrets {
  made ??= makeSecrets();
  return made;
}

function makeSecrets(): Secrets {
  const home = mkdtempSync(join(tmpdir(), 'tillbridge-simulation-'));
  // The key store reads its master key whenever it opens a key.
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const random = new SeededRandom('secrets');
  ensureDevelopmentKeys(home, random);
  const { keys: keysPath, masterKey: masterKeyPath } = securityFiles(home);
  return {
    keys: SoftwareKeyStore.open({ keysPath, masterKeyPath, mode: 'test', random }),
    dataKey: createSecretKey(Buffer.alloc(32, 2)),
    fingerprintKey: createSecretKey(Buffer.alloc(32, 3)),
    acquirerHashKey: createSecretKey(Buffer.alloc(32, 1)),
  };
}

/** PKCS#8 of an Ed25519 private key, up to its 32 bytes (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key pair that follows from a name: the same in every replay. */
function keyOf(name: string): KeyObject {
  const secret = Buffer.from(new SeededRandom(name).bytes(32));
  const der = Buffer.concat([ED25519_PREFIX, secret]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** By what the gateway of every simulation proves itself. */
export const GATEWAY_KEY: KeyObject = keyOf('gateway identity');
/** What every agent pins. */
export const GATEWAY_PINS: GatewayPins = {
  identityKeys: [spkiOf(GATEWAY_KEY), spkiOf(keyOf('backup of the gateway identity'))],
  tlsPins: [],
  authorities: [],
};

/** An agent's identity whose key follows from its name: the same in every replay. */
export function identityOf(agentId: string): AgentIdentity {
  const privateKey = keyOf(`identity ${agentId}`);
  const publicKeyPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return { agentId, privateKey, publicKeyPem };
}
