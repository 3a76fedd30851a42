import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { GatewayConfig } from '../config.js';
import { gatewayFiles } from '../gateway-files.js';
import { ensureDevelopmentKeys } from '../security/development-keys.js';
import { ensureKeyFile } from '../security/key-file.js';
import { SqliteStore } from '../store/sqlite-store.js';
import type { Store } from '../store/store.js';
import { systemClock, systemRandom } from '../system-seams.js';
import { ensureCredentials, type LegacyCredentials } from './credentials.js';
import { ensureRow, entityRow } from './entities.js';
import { prepareHome } from './home.js';
import { tokenRow, tokenRowWithId } from './tokens.js';

/** An agent to register. */
export interface SeedAgent {
  readonly id: string;
  /** Its Ed25519 public key, PEM. */
  readonly publicKeyFile: string;
  readonly terminals: readonly string[];
}

/** What `seed --json` prints. */
export interface Seeded {
  readonly merchant: {
    readonly entityId: string;
    readonly merchantEntityId: string;
    readonly accessToken: string;
  };
  /** A channel for clients of older integrations. */
  readonly legacyMerchant: LegacyCredentials;
  readonly simulatorToken: string;
  readonly agent?: { readonly id: string; readonly terminals: readonly string[] };
}

/** The request of `seed` makes no sense; the message names the option. Exit code 2. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
}

/**
 * Brings a development home into being: keys, schema, a merchant with a channel, tokens, an agent. Running it again changes nothing and
 * gives the same answer.
 * @throws SeedError, SecretFileError, KeyStoreError, StoreUnavailableError
 */
export async function seed(config: GatewayConfig, agent: SeedAgent | undefined): Promise<Seeded> {
  const publicKey = agent && readPublicKey(agent);
  const files = gatewayFiles(config.home);
  prepareHome(config.home);
  ensureDevelopmentKeys(config.home, systemRandom);
  const tokenKey = ensureKeyFile(files.tokenKey, systemRandom);
  const credentials = ensureCredentials(files.credentials, systemRandom);
  const { merchantEntityId, entityId, accessToken, simulatorToken, legacy } = credentials;
  const nowMs = systemClock.nowMs();
  const store = await SqliteStore.open(files.database);
  try {
    const merchant = entityRow(merchantEntityId, 'Development merchant', null, nowMs);
    const channel = entityRow(entityId, 'Development channel', merchantEntityId, nowMs);
    await ensureRow(store, { op: 'insert', table: 'entities', row: merchant });
    await ensureRow(store, { op: 'insert', table: 'entities', row: channel });
    const older = entityRow(
      legacy.entityId,
      'Development channel, legacy',
      merchantEntityId,
      nowMs,
      'legacy',
    );
    await ensureRow(store, { op: 'insert', table: 'entities', row: older });
    const deps = { tokenKey, clock: systemClock, random: systemRandom };
    const about = { entityId: merchantEntityId, label: 'development' };
    for (const [token, right] of [
      [accessToken, 'payments'],
      [simulatorToken, 'simulator:read'],
    ] as const) {
      const row = tokenRow(deps, token, { ...about, rights: [right] });
      await ensureRow(store, { op: 'insert', table: 'tokens', row });
    }
    const ofLegacy = {
      entityId: legacy.entityId,
      label: 'development, legacy',
      rights: ['payments'],
    } as const;
    const byHeader = tokenRow(deps, legacy.accessToken, ofLegacy);
    await ensureRow(store, { op: 'insert', table: 'tokens', row: byHeader });
    // A user id and its password are a token and its id.
    const byPassword = tokenRowWithId(deps, legacy.userId, legacy.password, ofLegacy);
    await ensureRow(store, { op: 'insert', table: 'tokens', row: byPassword });
    if (agent && publicKey !== undefined) await ensureAgent(store, agent, publicKey, entityId, nowMs);
  } finally {
    await store.close();
  }
  return {
    merchant: { entityId, merchantEntityId, accessToken },
    legacyMerchant: legacy,
    simulatorToken,
    ...(agent && { agent: { id: agent.id, terminals: agent.terminals } }),
  };
}

/** A known agent keeps its epoch; one that comes with another key starts anew, its old generations have no key any more. */
async function ensureAgent(
  store: Store,
  { id, terminals }: SeedAgent,
  publicKey: string,
  entityId: string,
  nowMs: number,
): Promise<void> {
  const stored = await store.get('agents', [id]);
  const wanted = { entityId, publicKey, terminals: JSON.stringify(terminals) };
  if (!stored) {
    const row = { id, ...wanted, generation: 0, epoch: 0, createdAtMs: nowMs, version: 1 };
    await store.commit([{ op: 'insert', table: 'agents', row }]);
    return;
  }
  const sameKey = stored.publicKey === publicKey;
  if (sameKey && stored.terminals === wanted.terminals && stored.entityId === entityId) return;
  const row = { ...stored, ...wanted, generation: sameKey ? stored.generation : 0 };
  await store.commit([{ op: 'update', table: 'agents', row }]);
}

function readPublicKey({ publicKeyFile }: SeedAgent): string {
  try {
    const key = createPublicKey(readFileSync(publicKeyFile));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('another kind of key');
    return key.export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    throw new SeedError(`--public-key-file ${publicKeyFile} must be a readable Ed25519 public key in PEM`);
  }
}
