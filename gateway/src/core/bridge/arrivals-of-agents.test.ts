import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { ARRIVAL_HEADER, arrivalHeaders } from '@tillbridge/wire/bridge/arrival.js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { AGENT_KEY } from './test-agent.test.support.js';

const { maxUnprovenOfPeer, maxUnprovenOfAgent } = DEFAULT_BRIDGE_LIMITS;
const bridge = bridgeOfTest();
const own = (key: KeyObject = AGENT_KEY) => arrivalHeaders(AGENT, key);

/** A socket that sends nothing. */
function silent(headers: Readonly<Record<string, string>> = {}, path = '/bridge'): WebSocket {
  const socket = new WebSocket(bridge.harness.url + path, 'tillbridge.v1', { headers });
  socket.on('error', () => undefined);
  return socket;
}

/** 101, or why there is no socket. */
const statusOf = (socket: WebSocket): Promise<number | undefined> =>
  new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
    socket.on('open', () => resolve(101));
  });

/** A hundred silent sockets of the address that the agent has, too. */
async function crowd(): Promise<readonly WebSocket[]> {
  const sockets = Array.from({ length: 100 }, () => silent());
  const statuses = await Promise.all(sockets.map(statusOf));
  expect(statuses.filter((status) => status === 101)).toHaveLength(maxUnprovenOfPeer);
  return sockets;
}

describe('an agent whose address has no place left', () => {
  test('comes back at once by its signature, and by nothing else', async () => {
    await bridge.open();
    await crowd();
    expect(await statusOf(silent())).toBe(503);
    expect(await statusOf(silent(own(generateKeyPairSync('ed25519').privateKey)))).toBe(503);
    expect(await statusOf(silent({ [ARRIVAL_HEADER]: 'nonsense' }))).toBe(503);
    expect(await statusOf(silent(arrivalHeaders('no-such-agent', AGENT_KEY)))).toBe(503);
    expect((await bridge.harness.connect('/bridge', own()).join()).epoch).toBe(2);
  });

  test('does not wait for others of its address that proved nothing', async () => {
    await bridge.open({ limits: { silentPeerSocketsBurst: 0 } });
    const gone = silent();
    await once(gone, 'open');
    gone.close();
    await once(gone, 'close');
    // By its answer the end of the first one was seen.
    expect(await statusOf(silent({}, '/nothing'))).toBe(404);
    let isOpen = false;
    silent().once('open', () => {
      isOpen = true;
    });
    // No time passes: one that waits would wait for ever.
    await bridge.harness.connect('/bridge', own()).join();
    expect(isOpen).toBe(false);
  });

  test('has a few reserved places, and gets them back', async () => {
    await bridge.open();
    await crowd();
    const sockets = Array.from({ length: maxUnprovenOfAgent + 1 }, () => silent(own()));
    const statuses = await Promise.all(sockets.map(statusOf));
    expect(statuses.toSorted()).toEqual([...Array.from({ length: maxUnprovenOfAgent }, () => 101), 503]);
    for (const socket of sockets) socket.terminate();
    await expect.poll(() => statusOf(silent(own()))).toBe(101);
  });

  test('has none once its key is revoked', async () => {
    const { services } = await bridge.open();
    const agent = await services.store.get('agents', [AGENT]);
    if (!agent) throw new Error('the harness has no agent');
    await services.store.commit([{ op: 'update', table: 'agents', row: { ...agent, state: 'revoked' } }]);
    await crowd();
    expect(await statusOf(silent(own()))).toBe(503);
  });

  test('is found among many signatures that are none, if it was there before', async () => {
    await bridge.open({ limits: { arrivalChecksBurst: 2 } });
    await crowd();
    expect(await statusOf(silent(own()))).toBe(101);
    const forged = own(generateKeyPairSync('ed25519').privateKey);
    for (let at = 0; at < 5; at += 1) expect(await statusOf(silent(forged))).toBe(503);
    expect(await statusOf(silent(own()))).toBe(101);
  });

  test('is not looked for among more signatures than can be checked', async () => {
    await bridge.open({ limits: { arrivalChecksBurst: 2 } });
    await crowd();
    const forged = own(generateKeyPairSync('ed25519').privateKey);
    for (let at = 0; at <= 2; at += 1) expect(await statusOf(silent(forged))).toBe(503);
    expect(await statusOf(silent(own()))).toBe(503);
    await bridge.harness.services.clock.advance(1_000);
    expect(await statusOf(silent(own()))).toBe(101);
  });
});
