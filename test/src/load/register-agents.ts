import { generateKeyPairSync } from 'node:crypto';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import type { FleetAgent } from './fleet.js';

/** Registers agents of a merchant, `bench-0` and further, each with a separate key and as many terminals, `1` and further. */
export async function registerAgents(
  store: Store,
  about: { readonly entityId: string; readonly count: number; readonly terminals: number },
): Promise<readonly FleetAgent[]> {
  const terminals = Array.from({ length: about.terminals }, (_none, at) => String(at + 1));
  const made = Array.from({ length: about.count }, (_none, at) => {
    const id = `bench-${at}`;
    const { privateKey, publicKey: key } = generateKeyPairSync('ed25519');
    const publicKey = key.export({ type: 'spki', format: 'pem' }).toString();
    const row = newAgentRow({ id, entityId: about.entityId, publicKey, terminals }, clock.nowMs());
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { row, agent: { agentId: id, privateKeyPem } };
  });
  await store.commit(made.map(({ row }) => ({ op: 'insert', table: 'agents', row })));
  return made.map(({ agent }) => agent);
}
