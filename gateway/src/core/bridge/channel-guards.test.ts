import type { Socket } from 'node:net';
import { Disposition, type Outcome } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import type { TestAgent } from './test-agent.test.support.js';

/** Messages of about 1,000 bytes. */
const COUNT = 30_000;

const bridge = bridgeOfTest();

describe('the challenge', () => {
  test('is another one for every socket', async () => {
    await bridge.open();
    const nonces = new Set<string>();
    for (const agent of Array.from({ length: 8 }, () => bridge.harness.connect())) {
      const { nonce } = await agent.next('challenge');
      expect(nonce).toHaveLength(32);
      nonces.add(Buffer.from(nonce).toString('hex'));
    }
    expect(nonces.size).toBe(8);
  });

  test('is not answered by the Hello of an earlier session', async () => {
    await bridge.open();
    const first = bridge.harness.connect();
    const sent = recordedBy(first);
    await first.join();
    const second = bridge.harness.connect();
    await second.next('challenge');
    for (const message of sent) second.socket.send(message);
    const answer = await Promise.race([
      second.next('welcome').then(() => 'welcome'),
      second.next('goodbye').then(() => 'goodbye'),
    ]);
    expect(answer).toBe('goodbye');
    expect(bridge.harness.endpoint.connected()).toMatchObject([{ agentId: AGENT }]);
  });
});

/** What an agent sends from now on, as bytes. */
function recordedBy({ socket }: TestAgent): readonly Uint8Array[] {
  const sent: Uint8Array[] = [];
  const send = socket.send.bind(socket) as (data: Uint8Array) => void;
  socket.send = (data: Uint8Array) => {
    sent.push(data);
    send(data);
  };
  return sent;
}

test('no message is compressed, whatever the agent offers: its length would reveal what is in it', async () => {
  await bridge.open();
  const socket = new WebSocket(`${bridge.harness.url}/bridge`, 'tillbridge.v1', { perMessageDeflate: true });
  await new Promise((resolve) => {
    socket.on('open', resolve);
  });
  expect(socket.extensions).toBe('');
  socket.terminate();
});

describe('an agent that does not read', () => {
  test('is hung up on before much waits for it', async () => {
    const agent = await bridge.joined({ limits: { maxBufferedBytes: 1_000_000 } });
    rawSocketOf(agent).pause();
    const outcome: Outcome = {
      disposition: Disposition.REFUSED,
      paymentId: '',
      resultCode: '',
      approvalCode: '',
      responseCode: '',
      iccDataResponse: new Uint8Array(),
      brand: '',
      description: 'x'.repeat(1_000),
    };
    // 30 MB, more than the system buffers; all of it at once, so that no read can come between.
    for (let count = 0; count < COUNT; count += 1)
      bridge.harness.endpoint.acknowledge(AGENT, `m${count}`, outcome);
    await bridge.harness.services.clock.advance(DEFAULT_BRIDGE_LIMITS.closeTimeoutMs);
    await expect.poll(() => bridge.harness.endpoint.connected()).toEqual([]);
    rawSocketOf(agent).resume();
    await agent.closed;
    expect(agent.unread.length).toBeLessThan(COUNT);
  });

  test('is closed though it requests nothing but pongs', async () => {
    const agent = await bridge.joined({ limits: { maxBufferedBytes: 100_000 } });
    rawSocketOf(agent).pause();
    // 13 MB of pongs, more than the system buffers.
    for (let count = 0; count < 100_000; count += 1) agent.socket.ping(Buffer.alloc(125));
    await expect.poll(() => bridge.harness.endpoint.connected()).toEqual([]);
  });
});

/** The connection under a WebSocket (`ws` has no name for it outside). */
function rawSocketOf({ socket }: TestAgent): Socket {
  return (socket as unknown as { readonly _socket: Socket })._socket;
}
