import { Disposition, GoodbyeCode } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, test } from 'vitest';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { ENTITY } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import type { TestAgent } from './test-agent.test.support.js';
import { sale } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();

/** Agents of the harness's key, each with a session. */
async function crowd(count: number): Promise<TestAgent[]> {
  const { store } = bridge.harness.services;
  const known = await store.get('agents', ['store-1']);
  const agents: TestAgent[] = [];
  for (let at = 0; at < count; at += 1) {
    const id = `crowd-${at}`;
    const row = newAgentRow({ id, entityId: ENTITY, publicKey: known?.publicKey ?? '', terminals: [] }, 1);
    await store.commit([{ op: 'insert', table: 'agents', row }]);
    const agent = bridge.harness.connect();
    await agent.hello({ agentId: id });
    await agent.next('welcome');
    agents.push(agent);
    // The next one need not wait until it is let in.
    await bridge.harness.services.clock.advance(200);
  }
  return agents;
}

describe('a gateway that stops', () => {
  test('lets a live message end before it sends Goodbye', async () => {
    const agent = await bridge.joined();
    const { line } = bridge.harness.services;
    let release = (): void => undefined;
    line.gate = new Promise((resolve) => {
      release = resolve;
    });
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    await expect.poll(() => line.sent.length).toBe(1);
    const closing = bridge.harness.endpoint.close();
    expect(agent.unread).not.toContain('goodbye');
    release();
    expect((await agent.next('authorizationAnswer')).outcome?.disposition).toBe(Disposition.APPROVED);
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.GOING_DOWN);
    await closing;
  });

  test(`sends Goodbye after ${DEFAULT_BRIDGE_LIMITS.drainMs} ms, whatever a message does`, async () => {
    const agent = await bridge.joined();
    const { line, clock } = bridge.harness.services;
    let release = (): void => undefined;
    line.gate = new Promise((resolve) => {
      release = resolve;
    });
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    await expect.poll(() => line.sent.length).toBe(1);
    const closing = bridge.harness.endpoint.close();
    await clock.advance(DEFAULT_BRIDGE_LIMITS.drainMs - 1);
    expect(agent.unread).not.toContain('goodbye');
    await clock.advance(1);
    expect((await agent.next('goodbye')).code).toBe(GoodbyeCode.GOING_DOWN);
    release();
    await closing;
  });

  test('sends many agents away one after the other, each with its own time', async () => {
    await bridge.open({ limits: { newSocketsPerSecond: 10, newSocketsBurst: 2 } });
    const agents = await crowd(4);
    const { endpoint, services } = bridge.harness;
    const closing = endpoint.close();
    const goodbyes = await Promise.all(agents.slice(0, 2).map((agent) => agent.next('goodbye')));
    for (const agent of agents.slice(2)) {
      expect(agent.unread).not.toContain('goodbye');
      await services.clock.advance(100);
      goodbyes.push(await agent.next('goodbye'));
    }
    expect(new Set(goodbyes.map(({ retryAfterMs }) => retryAfterMs)).size).toBe(agents.length);
    await closing;
  });
});

describe('a crowd that comes at once', () => {
  test('receives a time to reconnect, one after the other, once too many wait', async () => {
    const limits = { newSocketsPerSecond: 2, newSocketsBurst: 1, maxArrivalWaitMs: 1_000 };
    const { connect } = await bridge.open({ limits });
    // The first is let in, the next two wait.
    const first = connect();
    await first.next('challenge');
    const waiting = [connect(), connect()];
    await expect.poll(() => bridge.harness.services.clock.nextTimerInMs()).toBeDefined();
    const retries: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const goodbye = await connect().next('goodbye');
      expect(goodbye.code).toBe(GoodbyeCode.TURN_LATER);
      retries.push(goodbye.retryAfterMs);
    }
    expect(retries).toEqual([1_500, 2_000, 2_500]);
    await bridge.harness.services.clock.advance(2_000);
    for (const agent of waiting) await agent.next('challenge');
  });

  test('receives nothing where the limit of such answers is reached', async () => {
    const limits = { newSocketsPerSecond: 1, newSocketsBurst: 1, maxArrivalWaitMs: 500, maxTurnedAway: 0 };
    const { connect } = await bridge.open({ limits });
    await connect().next('challenge');
    connect();
    await expect.poll(() => bridge.harness.services.clock.nextTimerInMs()).toBeDefined();
    const refused = connect();
    expect(await refused.closed).toBe(1006);
    expect(refused.unread).toEqual([]);
  });
});
