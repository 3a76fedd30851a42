import { Disposition, GoodbyeCode, OfflineKind, StatusState } from '@tillbridge/wire/bridge/messages.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { encodePanBlock } from '@tillbridge/wire/terminals/newland/account-data.js';
import { describe, expect, test } from 'vitest';
import { encipheredAccount, nextKsn } from '../../security/module/card-example.test.support.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { AGENT, exampleDevice, VISA } from '../payments/payment-harness.test.support.js';
import type { PaymentService } from '../payments/payment-service.js';
import { bridgeOfTest } from './bridge-harness.test.support.js';
import { DEFAULT_BRIDGE_LIMITS } from './limits/bridge-limits.js';
import { BEAT, chip, offline, reversal, sale } from './wire-examples.test.support.js';

const bridge = bridgeOfTest();

describe('a live sale', () => {
  test('is authorized, and its status is known from then on', async () => {
    const agent = await bridge.joined();
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    const { messageId, outcome } = await agent.next('authorizationAnswer');
    expect(messageId).toBe('m1');
    expect(outcome).toMatchObject({
      disposition: Disposition.APPROVED,
      resultCode: '000.100.110',
      responseCode: '00',
    });
    expect(findTlv(decodeTlv(outcome?.iccDataResponse ?? new Uint8Array()), '91')).toHaveLength(8);
    expect(await bridge.harness.services.transactions()).toMatchObject([
      { messageId: 'm1', approved: true, amount: '12.34' },
    ]);

    agent.say('statusRequest', { messageId: 'm1' });
    expect(await agent.next('statusAnswer')).toEqual({
      messageId: 'm1',
      state: StatusState.ANSWERED,
      outcome,
    });
    agent.say('statusRequest', { messageId: 'm2' });
    expect(await agent.next('statusAnswer')).toMatchObject({ messageId: 'm2', state: StatusState.NOT_SEEN });
  });

  test('that cannot be translated is refused with the field, and no money moves', async () => {
    const agent = await bridge.joined();
    const { amount: _, ...without } = sale('R-1');
    agent.say('authorizationRequest', without, 'm1');
    expect((await agent.next('authorizationAnswer')).outcome).toMatchObject({
      disposition: Disposition.REFUSED,
      resultCode: '200.300.404',
      description: 'amount is missing',
    });
    agent.say('authorizationRequest', sale('R-2', { pos: chip('ARQC', '9') }), 'm2');
    expect((await agent.next('authorizationAnswer')).outcome?.description).toMatch(
      /terminals that are registered/,
    );
    agent.stream('offlineRecord', 1, 's1', offline('R-3', { pos: chip('TC', '2') }), '1');
    expect(await agent.next('parked')).toMatchObject({
      messageId: 's1',
      reason: expect.stringContaining('pos.terminalId must be that of the message'),
    });
    expect(await bridge.harness.services.transactions()).toEqual([]);
  });

  test('with a card number that was keyed in finds its expiry in the same message', async () => {
    const agent = await bridge.joined();
    const { store, clock } = bridge.harness.services;
    const row = exampleDevice(8, { deviceType: 'NEWLAND_P180', terminalId: '1' });
    await store.commit([{ op: 'insert', table: 'devices', row }]);
    const keyedIn = () => ({
      ...chip(),
      entryMode: 'MANUAL',
      deviceType: 'NEWLAND_P180',
      iccData: new Uint8Array(),
      sred: encipheredAccount(encodePanBlock(VISA), nextKsn(8)),
    });
    agent.say('authorizationRequest', sale('R-1', { pos: keyedIn() }), 'm1');
    expect((await agent.next('authorizationAnswer')).outcome).toMatchObject({
      disposition: Disposition.APPROVED,
    });
    expect(bridge.harness.services.line.sent).toMatchObject([
      { instrument: { pan: VISA, expiryYear: '2031', expiryMonth: '12' } },
    ]);

    agent.say('authorizationRequest', sale('R-2', { pos: { ...keyedIn(), expiry: '3113' } }), 'm2');
    expect((await overTime(clock, agent.next('authorizationAnswer'))).outcome).toMatchObject({
      disposition: Disposition.REFUSED,
      resultCode: '800.100.156',
    });
  });

  test('does not wait for the backlog of its own terminal', async () => {
    const agent = await bridge.joined();
    bridge.harness.services.line.cut = true;
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    agent.say('statusRequest', { messageId: 'never' });
    expect((await agent.next('statusAnswer')).state).toBe(StatusState.NOT_SEEN);
    expect(agent.unread).toEqual([]);
  });

  test('whose answer is not known is left to the status', async () => {
    const agent = await bridge.joined();
    bridge.harness.services.line.cut = true;
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    agent.say('statusRequest', { messageId: 'm1' });
    expect(await agent.next('statusAnswer')).toMatchObject({ state: StatusState.IN_PROGRESS });
  });

  test('is refused when too many run at once', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agent = await bridge.joined({ limits: { liveCredits: 2 } });
    bridge.harness.services.line.gate = gate;
    for (let at = 0; at < 5; at += 1) agent.say('authorizationRequest', sale(`R-${at}`), `m${at}`);
    expect(await agent.next('goodbye')).toMatchObject({ code: GoodbyeCode.OVERLOADED, retryAfterMs: 2_000 });
    release();
  });
});

describe('a stream', () => {
  test('is taken in order, each message once, whatever is sent again', async () => {
    const agent = await bridge.joined();
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    const first = await agent.next('acknowledgement');
    expect(first).toMatchObject({ messageId: 's1', outcome: { disposition: Disposition.APPROVED } });
    agent.stream('reversal', 2, 's2', reversal('s1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.REVERSED);
    const record = await bridge.harness.services.transactions();
    expect(record.map(({ kind, reversed }) => [kind, reversed])).toEqual([
      ['advice', true],
      ['reversal', false],
    ]);

    const again = bridge.harness.connect();
    expect((await again.join()).streams).toEqual([{ terminalId: '1', nextSequence: 3 }]);
    again.stream('offlineRecord', 1, 's1', offline('R-1'));
    again.stream('reversal', 2, 's2', reversal('s1'));
    expect(await again.next('acknowledgement')).toEqual(first);
    expect((await again.next('acknowledgement')).messageId).toBe('s2');
    expect(await bridge.harness.services.transactions()).toEqual(record);
  });

  test('a message that overtook another waits for it', async () => {
    const agent = await bridge.joined();
    agent.stream('reversal', 2, 's2', reversal('s1'));
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s1');
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's2',
      outcome: { disposition: Disposition.REVERSED },
    });
  });

  test('ends the session when a missing message does not arrive', async () => {
    const agent = await bridge.joined();
    agent.stream('offlineRecord', 2, 's2', offline('R-1'));
    agent.say('heartbeat', BEAT);
    await agent.next('heartbeatAnswer');
    await bridge.harness.services.clock.advance(DEFAULT_BRIDGE_LIMITS.gapTimeoutMs);
    expect(await agent.next('goodbye')).toMatchObject({
      code: GoodbyeCode.PROTOCOL_ERROR,
      reason: 'stream 1: message 1 is missing, 2 came',
    });
    expect(await bridge.harness.services.transactions()).toEqual([]);

    // What the agent parked by itself never comes: its report does, and the rest of the stream goes on.
    const again = bridge.harness.connect();
    await again.hello({ streams: [{ terminalId: '1', nextSequence: 2 }] });
    await again.next('welcome');
    again.stream('offlineRecord', 2, 's2', offline('R-1'));
    expect((await again.next('acknowledgement')).messageId).toBe('s2');
  });

  test('refuses an original that arrives after its reversal', async () => {
    const agent = await bridge.joined();
    agent.stream('reversal', 1, 's1', reversal('m1'));
    expect((await agent.next('acknowledgement')).outcome?.disposition).toBe(Disposition.NOTHING_TO_REVERSE);
    agent.say('authorizationRequest', sale('R-1'), 'm1');
    expect((await agent.next('authorizationAnswer')).outcome?.disposition).toBe(Disposition.REFUSED);
    expect(
      (await bridge.harness.services.transactions()).filter(({ kind }) => kind === 'authorization'),
    ).toEqual([]);
  });

  test('that cannot be decided now waits without blocking others, and is tried again', async () => {
    const agent = await bridge.joined();
    bridge.harness.services.line.cut = true;
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    agent.stream('reversal', 2, 's2', reversal('s1'));
    const capture = { originalMessageId: 'never', reference: 'R-9', final: true };
    agent.stream('capture', 1, 't1', { ...capture, amount: { minor: 1, currency: 'EUR' } }, '2');
    expect((await agent.next('acknowledgement')).messageId).toBe('t1');
    await bridge.harness.logged('message must wait');
    bridge.harness.services.line.cut = false;
    await bridge.harness.services.clock.advance(DEFAULT_BRIDGE_LIMITS.retryMinMs);
    expect(await agent.next('acknowledgement')).toMatchObject({
      messageId: 's1',
      outcome: { disposition: Disposition.APPROVED },
    });
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
  });

  test('a message that cannot be translated is parked, and the next one is handled', async () => {
    const agent = await bridge.joined();
    agent.stream('offlineRecord', 1, 's1', offline('R-1', { kind: OfflineKind.KIND_UNSPECIFIED }));
    const parked = await agent.next('parked');
    expect(parked).toMatchObject({
      messageId: 's1',
      reasonCode: 'malformed',
      reason: expect.stringContaining('kind must be'),
    });
    agent.stream('offlineRecord', 2, 's2', offline('R-2'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');

    const again = bridge.harness.connect();
    await again.join();
    again.stream('offlineRecord', 1, 's1', offline('R-1', { kind: OfflineKind.KIND_UNSPECIFIED }));
    expect(await again.next('parked')).toEqual(parked);
  });

  test('a message that fails again and again is parked', async () => {
    let calls = 0;
    const poisoned = (service: PaymentService): PaymentService => ({
      authorize: async () => {
        calls += 1;
        throw new Error('a mistake of ours');
      },
      followUp: (request) => service.followUp(request),
      status: (agentId, messageId) => service.status(agentId, messageId),
      find: (paymentId, entityId) => service.find(paymentId, entityId),
      lookUp: (paymentId, entityId) => service.lookUp(paymentId, entityId),
      continueWaiting: (...request) => service.continueWaiting(...request),
    });
    const agent = await bridge.joined({ around: poisoned });
    agent.stream('offlineRecord', 1, 's1', offline('R-1'));
    for (let failures = 1; failures < DEFAULT_BRIDGE_LIMITS.handlingAttempts; failures += 1) {
      await bridge.harness.logged('message failed', failures);
      await bridge.harness.services.clock.advance(DEFAULT_BRIDGE_LIMITS.retryMinMs * 2 ** (failures - 1));
    }
    expect(await agent.next('parked')).toMatchObject({ messageId: 's1', reasonCode: 'handling-failed' });
    expect(calls).toBe(DEFAULT_BRIDGE_LIMITS.handlingAttempts);
    expect(await bridge.harness.services.store.get('parked', [AGENT, 's1'])).toMatchObject({
      terminalId: '1',
    });
    agent.stream('reversal', 2, 's2', reversal('never'));
    expect((await agent.next('acknowledgement')).messageId).toBe('s2');
  });
});
