import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AgentKeys, PARSED_KEYS_LIMIT } from './agent-keys.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';

function newPem(): string {
  return generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

describe('parsed keys of agents', () => {
  it('are the keys of their texts, parsed once', () => {
    const keys = new AgentKeys();
    const [first, second] = [newPem(), newPem()];
    expect(keys.keyOf(first).export({ type: 'spki', format: 'pem' })).toBe(first);
    expect(keys.keyOf(second).export({ type: 'spki', format: 'pem' })).toBe(second);
    expect(keys.keyOf(first)).toBe(keys.keyOf(first));
  });

  it('are those of other kinds, too: OpenSSL reads them', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(new AgentKeys().keyOf(pem).export({ type: 'spki', format: 'pem' })).toBe(pem);
  });

  it('are not kept without end: the oldest goes first', () => {
    const keys = new AgentKeys(2);
    const [oldest, next] = [newPem(), newPem()];
    const [gone, kept] = [keys.keyOf(oldest), keys.keyOf(next)];
    keys.keyOf(newPem());
    expect(keys.keyOf(next)).toBe(kept);
    expect(keys.keyOf(oldest)).not.toBe(gone);
  });

  it('are kept of as many agents as may be connected: all of them come back at once after an outage', () => {
    expect(PARSED_KEYS_LIMIT).toBeGreaterThanOrEqual(DEFAULT_BRIDGE_LIMITS.maxSockets);
  });

  it('throws for a text that is no key, each time', () => {
    const keys = new AgentKeys();
    expect(() => keys.keyOf('no key')).toThrow();
    expect(() => keys.keyOf('no key')).toThrow();
  });
});
