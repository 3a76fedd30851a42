import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '@tillbridge/gateway/app/commands/seed.js';
import type { GatewayConfig } from '@tillbridge/gateway/app/configuration/config.js';
import { startGateway } from '@tillbridge/gateway/app/wiring/serve.js';
import { DEFAULT_CARD_TESTING_LIMITS } from '@tillbridge/gateway/features/checkouts/rules/checkout-limits.js';
import { DEFAULT_REQUEST_LOG } from '@tillbridge/gateway/features/request-log/request-log-settings.js';
import { DEFAULT_SCHEDULE_TIMES } from '@tillbridge/gateway/features/schedules/rules/shortest-interval.js';
import { gatewayFiles } from '@tillbridge/gateway/kernel/data-folder/gateway-files.js';
import { DEFAULT_HTTP_LIMITS } from '@tillbridge/gateway/kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '@tillbridge/gateway/kernel/http/throttle/throttle.js';
import { SqliteStore } from '@tillbridge/gateway/kernel/store/sqlite-store.js';
import { loadGatewayIdentity } from '@tillbridge/gateway/security/keys/gateway-identity.js';
import { loadKeyFile } from '@tillbridge/gateway/security/keys/key-file.js';
import { securityFiles } from '@tillbridge/gateway/security/security-files.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { OwnedIds } from './id-kinds.js';
import { makeOwned } from './owner.js';
import { OwnersData } from './owners-data.js';
import { sendRest } from './rest-client.js';
import { type Stranger, strangerOf } from './stranger.js';
import { makeTenant, type Tenant } from './tenant.js';

/** A gateway where all that one tenant has is known, and others reach for it. */
export interface TwoTenants {
  readonly url: string;
  readonly bridgeUrl: string;
  readonly owner: Tenant;
  /** What the owner has, one of each kind. */
  readonly owned: OwnedIds;
  /** What the gateway keeps about the owner. */
  readonly data: OwnersData;
  /** The acquirer's own record of what the owner has had done until the first stranger came. */
  ownersTransactions(): Promise<readonly object[]>;
  /** Another tenant, of whom nothing is known yet. */
  newStranger(): Promise<Stranger>;
  dispose(): Promise<void>;
}

/** No background work changes what is compared. */
const NEVER_MS = 86_400_000;

/** Starts the gateway on a fresh home and fills it. */
export async function openTwoTenants(): Promise<TwoTenants> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-tenants-'));
  const home = join(folder, 'gateway');
  const config: GatewayConfig = {
    home,
    host: '127.0.0.1',
    port: 0,
    log: { level: 'info', target: join(home, 'gateway.log') },
    resolverIntervalMs: NEVER_MS,
    parkAfterMs: NEVER_MS,
    transport: { mode: 'test', trustedProxies: [] },
    bridge: { tlsPins: [] },
    acquirers: [],
    egressAllowed: [],
    alerts: { mailTo: [] },
    throttle: DEFAULT_THROTTLE_RATES,
    limits: DEFAULT_HTTP_LIMITS,
    vault: { keepDays: 90, rotateDays: 365 },
    schedules: DEFAULT_SCHEDULE_TIMES,
    requestLog: DEFAULT_REQUEST_LOG,
    // All strangers come from one address.
    cardTesting: { ...DEFAULT_CARD_TESTING_LIMITS, windowMs: 1 },
  };
  await seed(config);
  const files = gatewayFiles(home);
  const gateway = await startGateway(config);
  const { url, bridgeUrl } = gateway;
  const store = await SqliteStore.open(files.database);
  const tokenKey = loadKeyFile(files.tokenKey);
  const owner = await makeTenant(store, tokenKey, { agent: 'store-of-owner', terminal: '7001' });
  const [identityKey = new Uint8Array()] = loadGatewayIdentity(securityFiles(home)).identityKeys;
  const operator = { store, clock, random, identityKey, actor: 'operator' };
  const owned = await makeOwned({ url, bridgeUrl, operator }, owner);
  const data = await OwnersData.of(files.database, owner);
  const count = (await transactions(url, owner)).length;
  let strangers = 0;
  const newStranger = async (): Promise<Stranger> => {
    strangers += 1;
    return strangerOf(url, store, tokenKey, 0x1000 + strangers);
  };
  return {
    url,
    bridgeUrl,
    owner,
    owned,
    data,
    ownersTransactions: async () => (await transactions(url, owner)).slice(0, count),
    newStranger,
    dispose: async () => {
      await data.close();
      await store.close();
      await gateway.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function transactions(url: string, owner: Tenant): Promise<readonly object[]> {
  const request = { method: 'GET', path: '/v1/simulator/transactions', form: {}, token: owner.token };
  return (await sendRest(url, request)).body as object[];
}
