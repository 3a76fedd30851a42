import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { ARRIVAL_HEADER, arrivalHeaders } from '@tillbridge/wire/bridge/arrival.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { beforeEach, expect, it } from 'vitest';
import type { AgentRow } from '../../../kernel/store/rows.js';
import { DEFAULT_BRIDGE_LIMITS } from './bridge-limits.js';
import { KnownAgents } from './known-agents.js';

const keys = () => generateKeyPairSync('ed25519');
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const [own, next, foreign] = [keys(), keys(), keys()];

const PACE = { arrivalChecksPerSecond: 2, arrivalChecksBurst: 4 };

let rows: Map<string, Partial<AgentRow>>;
let reads: number;
/** Keys that were read, as they stand in the store. */
let readKeys: string[];
let known: KnownAgents;
let clock: VirtualClock;
beforeEach(() => {
  rows = new Map();
  reads = 0;
  readKeys = [];
  clock = new VirtualClock();
  known = new KnownAgents({
    store: {
      get: async (_table: unknown, [id]: readonly unknown[]) => {
        reads += 1;
        return rows.get(String(id)) as never;
      },
    },
    clock,
    keyOf: (pem) => {
      readKeys.push(pem);
      return createPublicKey(pem);
    },
    limits: { ...DEFAULT_BRIDGE_LIMITS, maxSockets: 2, ...PACE },
  });
});

const add = (id: string, more: Partial<AgentRow> = {}) =>
  rows.set(id, { id, state: 'active', publicKey: pemOf(own.publicKey), nextPublicKey: null, ...more });
const arrival = (id: string, key: KeyObject = own.privateKey): string =>
  arrivalHeaders(id, key)[ARRIVAL_HEADER] ?? '';

it('knows an agent by its key, and by the next one', async () => {
  add('one', { nextPublicKey: pemOf(next.publicKey) });
  expect(await known.agentOf(arrival('one'))).toBe('one');
  expect(await known.agentOf(arrival('one', next.privateKey))).toBe('one');
  expect(await known.agentOf(arrival('one', foreign.privateKey))).toBeUndefined();
});

it('knows none by a text that is no arrival, and looks for none', async () => {
  expect(await known.agentOf('nonsense')).toBeUndefined();
  expect(reads).toBe(0);
});

it('knows none that is not there, is revoked, or has no key that can be read', async () => {
  add('revoked', { state: 'revoked' });
  add('broken', { publicKey: 'no key' });
  for (const id of ['none', 'revoked', 'broken'])
    expect(await known.agentOf(arrival(id)), id).toBeUndefined();
});

it('reads the keys that an active agent has, and no other', async () => {
  add('one');
  add('two', { nextPublicKey: pemOf(next.publicKey) });
  add('revoked', { state: 'revoked' });
  const foreignOnes = ['none', 'revoked', 'one', 'two'].map((id) => arrival(id, foreign.privateKey));
  for (const text of foreignOnes) await known.agentOf(text);
  expect(readKeys).toEqual([own, own, next].map(({ publicKey }) => pemOf(publicKey)));
});

it('remembers as many as there are sockets, and forgets the first', async () => {
  const texts = ['one', 'two', 'three'].map((id) => {
    add(id);
    return arrival(id);
  });
  const [one = '', two = '', three = ''] = texts;
  for (const text of [one, two, one, two]) await known.agentOf(text);
  expect(reads).toBe(2);
  await known.agentOf(three);
  await known.agentOf(two);
  expect(reads).toBe(3);
  await known.agentOf(one);
  expect(reads).toBe(4);
});

it('looks at so many texts of strangers at once, and knows an agent that it has seen all the same', async () => {
  add('one');
  const seen = arrival('one');
  expect(await known.agentOf(seen)).toBe('one');
  for (let at = 0; at < 9; at += 1) await known.agentOf(arrival('none', foreign.privateKey));
  // What a quiet time has saved up, and the one that goes beyond it.
  expect(reads).toBe(5);
  expect(await known.agentOf(seen)).toBe('one');
  expect(await known.agentOf(arrival('one', next.privateKey))).toBeUndefined();
  expect(reads).toBe(5);
  await clock.advance(500);
  add('two');
  expect(await known.agentOf(arrival('two'))).toBe('two');
  add('three');
  expect(await known.agentOf(arrival('three'))).toBeUndefined();
  expect(reads).toBe(6);
});
