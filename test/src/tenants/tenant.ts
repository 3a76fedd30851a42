import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { newAgentRow } from '@tillbridge/gateway/agents/agent-row.js';
import { entityRow } from '@tillbridge/gateway/cli/entities.js';
import { tokenRow } from '@tillbridge/gateway/cli/tokens.js';
import { newId } from '@tillbridge/gateway/payments/flow/payment-context.js';
import { newAccessToken, TOKEN_RIGHTS } from '@tillbridge/gateway/security/tokens/access-tokens.js';
import type { Change, Store } from '@tillbridge/gateway/store/store.js';
import type { TokenRight } from '@tillbridge/protocol/api/openapi/endpoints.js';
import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/protocol/platform/system-random.js';

/** A merchant with its channels, tokens and agent. */
export interface Tenant {
  readonly merchant: string;
  readonly channel: string;
  readonly legacyChannel: string;
  /** A token with all rights, and its id. */
  readonly token: string;
  readonly tokenId: string;
  readonly agent: string;
  readonly agentKey: KeyObject;
  readonly terminal: string;
  /** A token with one right. */
  readonly tokenFor: Readonly<Record<TokenRight, string>>;
}

export const RIGHTS = Object.keys(TOKEN_RIGHTS) as TokenRight[];

/** Makes a tenant, all in one commit. */
export async function makeTenant(
  store: Store,
  tokenKey: KeyObject,
  { agent, terminal }: Pick<Tenant, 'agent' | 'terminal'>,
): Promise<Tenant> {
  const nowMs = clock.nowMs();
  const [merchant, channel, legacyChannel] = [newId(random), newId(random), newId(random)];
  const about = { entityId: merchant, merchantId: merchant, label: agent };
  const tokens: Change[] = [];
  const issue = (rights: readonly TokenRight[]) => {
    const token = newAccessToken(random);
    const row = tokenRow({ tokenKey, clock, random }, token, { ...about, rights });
    tokens.push({ op: 'insert', table: 'tokens', row });
    return { token, tokenId: row.id };
  };
  const all = issue(RIGHTS);
  const single = RIGHTS.map((right) => [right, issue([right]).token]);
  const { privateKey: agentKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const known = { id: agent, entityId: channel, publicKey: pem, terminals: [terminal] };
  await store.commit([
    { op: 'insert', table: 'entities', row: entityRow(merchant, 'Merchant', null, nowMs) },
    { op: 'insert', table: 'entities', row: entityRow(channel, 'Channel', merchant, nowMs) },
    { op: 'insert', table: 'entities', row: entityRow(legacyChannel, 'Old', merchant, nowMs, 'legacy') },
    { op: 'insert', table: 'agents', row: newAgentRow(known, nowMs) },
    ...tokens,
  ]);
  const tokenFor = Object.fromEntries(single) as Record<TokenRight, string>;
  return { merchant, channel, legacyChannel, ...all, agent, agentKey, terminal, tokenFor };
}
