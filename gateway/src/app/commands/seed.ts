import type { KeyObject } from 'node:crypto';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { TEST_ROOTS } from '@tillbridge/wire/crypto/wallets/test-roots.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import {
  type AcquirerRouting,
  acquirerRouting,
  setAcquirerRouting,
} from '../../core/entities/acquirer-routing.js';
import { ensureRow, entityRow } from '../../core/entities/entities.js';
import type { AcquirerRoute } from '../../core/payments/routing/acquirer-routes.js';
import { tokenRow, tokenRowWithId } from '../../features/access-tokens/service.js';
import { PasswordHashes } from '../../features/console/users/password-hashes.js';
import { newUserRow } from '../../features/console/users/users.js';
import { addDevices } from '../../features/devices/service.js';
import { ensureSimulatedRates } from '../../features/settlement/simulated-rates.js';
import { createWalletKey } from '../../features/wallets/service.js';
import { endpointRow, newEndpointChanges } from '../../features/webhooks/service.js';
import { WebhookKeys } from '../../features/webhooks/webhook-keys.js';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import type { Store } from '../../kernel/store/store.js';
import { EXTERNAL_ACQUIRER, ensureDevelopmentKeys } from '../../security/development-keys.js';
import type { WrittenDevice } from '../../security/devices/inventory-file.js';
import { ensureGatewayIdentity } from '../../security/keys/gateway-identity.js';
import { ensureKeyFile } from '../../security/keys/key-file.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { securityFiles } from '../../security/security-files.js';
import { walletRootRow } from '../../security/wallets/wallet-roots.js';
import { withSecurityModule } from '../../security/with-security-module.js';
import type { GatewayConfig } from '../configuration/config.js';
import { type Credentials, ensureCredentials, type LegacyCredentials } from './credentials.js';

/** The development merchant as the wallets know it. */
const DEVELOPMENT_SHOP = 'merchant:development';
/** The development merchant as the acquirer of test mode EXTERNAL knows it. */
const EXTERNAL_MERCHANT = {
  merchantId: 'DEVELOPMENT0001',
  terminalId: 'ECOM0001',
  category: '5411',
  name: 'Development shop',
  city: 'Berlin',
  country: 'DE',
} as const;
/** All payments to that acquirer. */
const EXTERNAL_ROUTES: readonly AcquirerRoute[] = [
  { acquirer: EXTERNAL_ACQUIRER, merchant: EXTERNAL_MERCHANT },
];

/** What `seed --json` prints. */
export interface Seeded {
  readonly merchant: {
    readonly entityId: string;
    readonly merchantEntityId: string;
    readonly accessToken: string;
    /** Of the webhook endpoint that `listen` fetches from: 64 hex digits. */
    readonly webhookKey: string;
  };
  /** A channel whose cardholders are authenticated; the merchant's token acts for it. */
  readonly threeDSecureMerchant: { readonly entityId: string };
  /** A channel whose payments go to the acquirer's host. */
  readonly externalMerchant: { readonly entityId: string; readonly accessToken: string };
  /** A channel for clients of older integrations. */
  readonly legacyMerchant: LegacyCredentials;
  readonly simulatorToken: string;
  /** A user of the console: an operator, and an administrator of the merchant. */
  readonly console: { readonly user: string; readonly password: string };
}

/** The options of `seed` are wrong; the message names the option. Exit code 2. */
export class SeedError extends Error {
  override readonly name = 'SeedError';
}

/**
 * Makes a development home: keys, schema, a merchant with a channel, tokens, devices. A second run changes nothing but the test mode and returns the
 * same.
 * @param testMode of payments of the channel's terminals; absent: it stays as it is
 * @throws SeedError, SecretFileError, KeyStoreError, StoreUnavailableError
 */
export async function seed(
  config: GatewayConfig,
  devices: readonly WrittenDevice[] = [],
  testMode?: AcquirerRouting['testMode'],
): Promise<Seeded> {
  if (config.transport.mode === 'live') {
    throw new SeedError(
      'mode is live: seed makes a development home with published keys; use "init", "entity create" and "token create"',
    );
  }
  const files = gatewayFiles(config.home);
  prepareHome(config.home);
  const nowMs = systemClock.nowMs();
  // First: the database shows a live home, which gets no test keys.
  return withHomeStore(config, async (store) => {
    ensureDevelopmentKeys(config.home, systemRandom);
    ensureGatewayIdentity(securityFiles(config.home));
    const tokenKey = ensureKeyFile(files.tokenKey, systemRandom);
    const credentials = ensureCredentials(files.credentials, systemRandom);
    const { merchantEntityId, entityId, accessToken, simulatorToken, legacy, webhook } = credentials;
    await ensureEntities(store, credentials, nowMs);
    if (testMode) await setTestMode(store, entityId, testMode);
    await ensureTokens(store, credentials, tokenKey);
    await ensureWebhook(store, credentials, tokenKey, nowMs);
    await ensureUser(store, credentials, nowMs);
    await ensureDevices(store, devices);
    await ensureTestRoots(store, nowMs);
    await ensureSimulatedRates(store, nowMs);
    await ensureWalletKeys(config, store, merchantEntityId);
    return {
      merchant: { entityId, merchantEntityId, accessToken, webhookKey: webhook.key },
      threeDSecureMerchant: { entityId: credentials.threeDSecureEntityId },
      externalMerchant: { entityId: credentials.externalEntityId, accessToken },
      legacyMerchant: legacy,
      simulatorToken,
      console: { user: credentials.console.user, password: credentials.console.password },
    };
  });
}

/** One entity of each kind: a merchant with rules, a channel, one with 3D Secure, one of test mode EXTERNAL, and one for clients of older integrations. */
async function ensureEntities(store: Store, credentials: Credentials, nowMs: number): Promise<void> {
  const { merchantEntityId, entityId, legacy, threeDSecureEntityId, externalEntityId } = credentials;
  const older = 'Development channel, legacy';
  for (const row of [
    entityRow(merchantEntityId, 'Development merchant', null, nowMs),
    entityRow(entityId, 'Development channel', merchantEntityId, nowMs),
    entityRow(threeDSecureEntityId, 'Development channel, 3D Secure', merchantEntityId, nowMs),
    entityRow(externalEntityId, 'Development channel, EXTERNAL', merchantEntityId, nowMs),
    entityRow(legacy.entityId, older, merchantEntityId, nowMs, 'legacy'),
  ]) {
    await ensureRow(store, { op: 'insert', table: 'entities', row });
  }
  const active = { entityId: threeDSecureEntityId, active: 1, version: 1 } as const;
  await ensureRow(store, { op: 'insert', table: 'threeDSecureSettings', row: active });
  const external = { entityId: externalEntityId, testMode: 'EXTERNAL', version: 1 } as const;
  await ensureRow(store, {
    op: 'insert',
    table: 'acquirerRouting',
    row: { ...external, routes: JSON.stringify(EXTERNAL_ROUTES) },
  });
  // By this number the files of the acquirer name it.
  const clearing = { aboveId: null, currency: null, fees: null, ftpPassword: null, version: 1 };
  await ensureRow(store, {
    op: 'insert',
    table: 'settlementAccounts',
    row: { ...clearing, entityId: merchantEntityId, clearingMerchantId: EXTERNAL_MERCHANT.merchantId },
  });
  // The merchant's payments are routed, all to one channel; `entity routing` sets other rules.
  const rules = JSON.stringify([{ channelId: entityId }]);
  const row = { merchantId: merchantEntityId, rules, version: 1 };
  await ensureRow(store, { op: 'insert', table: 'routing', row });
}

async function setTestMode(
  store: Store,
  entityId: string,
  testMode: AcquirerRouting['testMode'],
): Promise<void> {
  if ((await acquirerRouting(store, entityId)).testMode === testMode) return;
  await setAcquirerRouting(store, entityId, { routes: EXTERNAL_ROUTES, testMode }, [EXTERNAL_ACQUIRER]);
}

async function ensureTokens(store: Store, credentials: Credentials, tokenKey: KeyObject): Promise<void> {
  const { merchantEntityId, accessToken, simulatorToken, legacy } = credentials;
  const deps = { tokenKey, clock: systemClock, random: systemRandom };
  const about = { entityId: merchantEntityId, merchantId: merchantEntityId, label: 'development' };
  const ofLegacy = {
    entityId: legacy.entityId,
    merchantId: merchantEntityId,
    label: 'development, legacy',
    rights: ['pay', 'refund', 'credit', 'read'],
  } as const;
  for (const row of [
    tokenRow(deps, accessToken, {
      ...about,
      rights: ['pay', 'refund', 'credit', 'read', 'reports', 'administration'],
    }),
    tokenRow(deps, simulatorToken, { ...about, rights: ['simulator', 'operator'] }),
    tokenRow(deps, legacy.accessToken, ofLegacy),
    // A user id and its password are a token and its id.
    tokenRowWithId(deps, legacy.userId, legacy.password, ofLegacy),
  ]) {
    await ensureRow(store, { op: 'insert', table: 'tokens', row });
  }
}

/** A user who may see and do everything at the development merchant. */
async function ensureUser(
  store: Store,
  { console: { id, user: email, password }, merchantEntityId: entityId }: Credentials,
  nowMs: number,
): Promise<void> {
  if (await store.get('users', [id])) return;
  const hash = await new PasswordHashes().hash(password);
  const row = newUserRow({ id, email, name: 'Demo', isOperator: true }, nowMs);
  await ensureRow(store, { op: 'insert', table: 'users', row: { ...row, state: 'active', password: hash } });
  const role = { userId: id, entityId, role: 'admin', createdAtMs: nowMs, version: 1 } as const;
  await ensureRow(store, { op: 'insert', table: 'userRoles', row: role });
}

/** The development system trusts the tokens that the simulator issues. */
async function ensureTestRoots(store: Store, nowMs: number): Promise<void> {
  for (const wallet of WALLET_NAMES) {
    const row = walletRootRow(
      wallet,
      Buffer.from(TEST_ROOTS[wallet], 'base64'),
      'published test root',
      nowMs,
    );
    await ensureRow(store, { op: 'insert', table: 'walletRoots', row });
  }
}

/** The development merchant has a key of each wallet, so that its payment form shows their buttons. */
async function ensureWalletKeys(config: GatewayConfig, store: Store, entityId: string): Promise<void> {
  const known = await Promise.all(
    WALLET_NAMES.map((wallet) => store.find('walletKeys', 'entity', [entityId, wallet])),
  );
  if (known.every(({ length }) => length > 0)) return;
  await withSecurityModule(config, async (module) => {
    const deps = { store, clock: systemClock, random: systemRandom, actor: operatorName() };
    const { ring: dataKeys } = await openDataKeys(module, deps);
    for (const [at, wallet] of WALLET_NAMES.entries())
      if (known[at]?.length === 0)
        await createWalletKey(
          { ...deps, dataKeys },
          { entityId, wallet, merchantIdentifier: DEVELOPMENT_SHOP },
        );
  });
}

/** An endpoint without a URL; inactive until a client listens, so that nothing is queued in vain. */
async function ensureWebhook(
  store: Store,
  { merchantEntityId, webhook }: Credentials,
  tokenKey: KeyObject,
  nowMs: number,
): Promise<void> {
  if (await store.get('webhookEndpoints', [webhook.id])) return;
  const { stored } = new WebhookKeys(tokenKey, systemRandom).make(webhook.id, nowMs, webhook.key);
  await store.commit(
    newEndpointChanges(endpointRow({ entityId: merchantEntityId }, webhook.id, stored, 'inactive', nowMs)),
  );
}

/** A device that is there stays as it is: an operator may have suspended it since. */
async function ensureDevices(store: Store, devices: readonly WrittenDevice[]): Promise<void> {
  const fresh: WrittenDevice[] = [];
  for (const device of devices) if (!(await store.get('devices', [device.serial]))) fresh.push(device);
  const actor = operatorName();
  await addDevices({ store, clock: systemClock, random: systemRandom, actor }, fresh);
}
