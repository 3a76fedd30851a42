import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AgentKeys, PARSED_KEYS_LIMIT } from './agent-keys.js';

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

  it('are not kept without end: the oldest goes first', () => {
    const keys = new AgentKeys();
    const [oldest, next] = [newPem(), newPem()];
    const [gone, kept] = [keys.keyOf(oldest), keys.keyOf(next)];
    for (let count = 2; count <= PARSED_KEYS_LIMIT; count += 1) keys.keyOf(newPem());
    expect(keys.keyOf(next)).toBe(kept);
    expect(keys.keyOf(oldest)).not.toBe(gone);
  });

  it('throws for a text that is no key, each time', () => {
    const keys = new AgentKeys();
    expect(() => keys.keyOf('no key')).toThrow();
    expect(() => keys.keyOf('no key')).toThrow();
  });
});
