import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { entityRow } from '@tillbridge/gateway/core/entities/entities.js';
import { tokenRow } from '@tillbridge/gateway/features/access-tokens/service.js';
import { endpointRow, newEndpointChanges } from '@tillbridge/gateway/features/webhooks/service.js';
import { WebhookKeys } from '@tillbridge/gateway/features/webhooks/webhook-keys.js';
import { TOKEN_RIGHTS, type TokenRight } from '@tillbridge/gateway/kernel/api/token-rights.js';
import { newId } from '@tillbridge/gateway/kernel/store/new-id.js';
import type { AuthenticationRow, DeviceRow } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import { newAccessToken } from '@tillbridge/gateway/security/tokens/access-tokens.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';

/** A merchant with its channels, tokens and agent. */
export interface Tenant {
  readonly merchant: string;
  readonly channel: string;
  readonly legacyChannel: string;
  /** A token with all rights of a merchant, and its id. */
  readonly token: string;
  readonly tokenId: string;
  readonly agent: string;
  readonly agentKey: KeyObject;
  readonly terminal: string;
  /** Serial of the device at that terminal, and of one in stock. */
  readonly device: string;
  readonly spareDevice: string;
  /** A webhook endpoint whose deliveries are fetched. */
  readonly webhook: string;
  /** Key serial number of the device's account data, and of its PINs, by the counter; hex. */
  readonly accountKsn: (counter: number) => string;
  readonly pinKsn: (counter: number) => string;
  /** Initial KSNs of the device in stock. */
  readonly spareKsns: readonly string[];
  /** An authentication on its own that has ended. */
  readonly authentication: string;
  /** Issues a token with one right. */
  tokenFor(right: TokenRight): Promise<string>;
}

export const RIGHTS = Object.keys(TOKEN_RIGHTS) as TokenRight[];

/** What is a tenant's own in an answer, and what stands for it in a comparison. */
export function ownNames(tenant: Tenant): Readonly<Record<string, string>> {
  return {
    [tenant.merchant]: 'own merchant',
    [tenant.channel]: 'own channel',
    [tenant.legacyChannel]: 'own old channel',
    [tenant.agent]: 'own agent',
    [tenant.tokenId]: 'own token',
    [tenant.device]: 'own device',
    [tenant.spareDevice]: 'own device in stock',
    [tenant.webhook]: 'own webhook endpoint',
    [tenant.accountKsn(0)]: 'own initial KSN',
    [tenant.pinKsn(0)]: 'own initial KSN of PINs',
    ...Object.fromEntries(tenant.spareKsns.map((ksn) => [ksn, 'own initial KSN of the device in stock'])),
  };
}

/** Devices that were made; each has another number. */
let devices = 0;

/** A device of the development key sets; in stock unless it has a place. */
function deviceRow(
  entityId: string,
  nowMs: number,
  place?: Pick<DeviceRow, 'agentId' | 'terminalId'>,
): DeviceRow {
  devices += 1;
  return {
    serial: String(100_000 + 10 * devices),
    deviceType: 'GERTEC_PPC930',
    accountKsn: `FFFF9877${fixed(devices)}${fixed(0)}`,
    pinKsn: `FFFF9876${fixed(devices)}${fixed(0)}`,
    entityId,
    agentId: null,
    terminalId: null,
    ...place,
    state: place ? 'active' : 'inStock',
    stateSinceMs: nowMs,
    highestCounter: 0,
    forgottenCounter: 0,
    unknownCounter: 0,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** An authentication on its own that has ended. */
function authenticationRow(entityId: string, nowMs: number): AuthenticationRow {
  return {
    id: newId(random),
    transId: randomUUID(),
    entityId,
    kind: 'stand-alone',
    state: 'done',
    compInd: null,
    resultCode: '000.400.110',
    answer: JSON.stringify({ threeDSecure: { eci: '05' } }),
    shopperResultUrl: null,
    proof: null,
    sealed: null,
    keyId: null,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** Six hex digits. */
const fixed = (value: number): string => value.toString(16).toUpperCase().padStart(6, '0');

/** Makes a tenant, all in one commit. */
export async function makeTenant(
  store: Store,
  tokenKey: KeyObject,
  { agent, terminal }: Pick<Tenant, 'agent' | 'terminal'>,
): Promise<Tenant> {
  const nowMs = clock.nowMs();
  const [merchant, channel, legacyChannel] = [newId(random), newId(random), newId(random)];
  const about = { entityId: merchant, merchantId: merchant, label: agent };
  const newToken = (rights: readonly TokenRight[]) => {
    const token = newAccessToken(random);
    const row = tokenRow({ tokenKey, clock, random }, token, { ...about, rights });
    return { token, tokenId: row.id, insert: { op: 'insert', table: 'tokens', row } as const };
  };
  // A token that sees all merchants belongs to none of them.
  const { insert, ...all } = newToken(RIGHTS.filter((right) => right !== 'operator'));
  const { privateKey: agentKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const known = { id: agent, entityId: channel, publicKey: pem, terminals: [terminal] };
  const device = deviceRow(channel, nowMs, { agentId: agent, terminalId: terminal });
  const spare = deviceRow(channel, nowMs);
  const authentication = authenticationRow(channel, nowMs);
  const webhook = newId(random);
  await store.commit([
    { op: 'insert', table: 'entities', row: entityRow(merchant, 'Merchant', null, nowMs) },
    { op: 'insert', table: 'entities', row: entityRow(channel, 'Channel', merchant, nowMs) },
    { op: 'insert', table: 'entities', row: entityRow(legacyChannel, 'Old', merchant, nowMs, 'legacy') },
    { op: 'insert', table: 'agents', row: newAgentRow(known, nowMs) },
    { op: 'insert', table: 'devices', row: device },
    { op: 'insert', table: 'devices', row: spare },
    { op: 'insert', table: 'authentications', row: authentication },
    ...webhookOf(webhook, channel, tokenKey, nowMs),
    insert,
  ]);
  const ksnsOf = (initial: string | null) => (counter: number) => `${initial?.slice(0, -6)}${fixed(counter)}`;
  return {
    merchant,
    channel,
    legacyChannel,
    ...all,
    agent,
    agentKey,
    terminal,
    device: device.serial,
    spareDevice: spare.serial,
    webhook,
    accountKsn: ksnsOf(device.accountKsn),
    pinKsn: ksnsOf(device.pinKsn),
    spareKsns: [spare.accountKsn, spare.pinKsn ?? ''],
    authentication: authentication.id,
    tokenFor: async (right) => {
      const { token, insert } = newToken([right]);
      await store.commit([insert]);
      return token;
    },
  };
}

/** The rows of a webhook endpoint without a URL. */
function webhookOf(id: string, entityId: string, tokenKey: KeyObject, nowMs: number): readonly Change[] {
  const { stored } = new WebhookKeys(tokenKey, random).make(id, nowMs);
  return newEndpointChanges(endpointRow({ entityId, types: ['PAYMENT'] }, id, stored, 'active', nowMs));
}
