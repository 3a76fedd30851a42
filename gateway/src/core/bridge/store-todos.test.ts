import { expect, test } from 'vitest';
import { clearAlert, raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { nextKsn } from '../../security/module/card-example.test.support.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { AGENT } from '../payments/payment-harness.test.support.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import type { TestAgent } from './test-agent.test.support.js';
import { BEAT, chip, sale } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();

/** What the answer to a heartbeat has of it. */
async function todosOf(agent: TestAgent) {
  agent.say('heartbeat', BEAT);
  return (await agent.next('heartbeatAnswer')).todos?.todos;
}

/** A sale of a device that the inventory does not have. */
function saleOfUnknownDevice(reference: string) {
  const pos = chip('ARQC', '1', reference);
  return sale(reference, { pos: { ...pos, sred: { data: new Uint8Array(24), ksn: nextKsn(8) } } });
}

test('a sale of a device that the inventory lacks brings its store the command that mends it', async () => {
  const agent = await bridge.joined();
  const { store, clock } = bridge.harness.services;
  expect(await todosOf(agent)).toEqual([]);
  // Nothing has changed: nothing is read, and nothing sent.
  expect(await todosOf(agent)).toBeUndefined();

  agent.say('authorizationRequest', saleOfUnknownDevice('r-1'), 'm-1');
  const answered = await overTime(clock, agent.next('authorizationAnswer'));
  expect(answered).toMatchObject({ outcome: { resultCode: '800.100.156' } });
  const [todo, ...others] = (await todosOf(agent)) ?? [];
  expect(others).toEqual([]);
  expect(todo).toMatchObject({
    terminalId: '1',
    sinceMs: expect.any(Number),
    reason: expect.stringMatching(/; tillbridge-gateway devices add \S+ .* --agent \S+ --terminal 1$/),
  });

  // A session that begins receives it too, from any node.
  const another = bridge.harness.connect();
  await another.join();
  expect(await todosOf(another)).toEqual([todo]);

  await store.commit([clearAlert('device-refused', `${AGENT}/1`, clock.nowMs())]);
  expect(await todosOf(another)).toEqual([]);
  expect(await todosOf(another)).toBeUndefined();
});

test('an alert that a person has acknowledged, and that of another store, is nothing to do', async () => {
  const { services, connect } = await bridge.open();
  const nowMs = services.clock.nowMs();
  const raised = (subject: string) => raiseAlert({ code: 'device-refused', subject, detail: 'd' }, nowMs);
  const { row } = raised(`${AGENT}/1`);
  await services.store.commit([raised('another-agent/1'), raised(`${AGENT}/1`)]);
  await services.store.commit([
    { op: 'update', table: 'alerts', row: { ...row, state: 'acknowledged', acknowledgedAtMs: nowMs } },
  ]);
  const agent = connect();
  await agent.join();
  expect(await todosOf(agent)).toEqual([]);
});
