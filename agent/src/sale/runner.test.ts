import { describe, expect, it } from 'vitest';
import { type DeskEvent, DeskRefusal } from './desk.js';
import { HighWater } from './high-water.js';
import { DEFAULT_POLICY } from './policy.js';
import { AAC, AT, chipCard, iccData, OFFLINE_POLICY } from './sale.test.support.js';
import { FAIR, TERMINALS, World } from './world.test.support.js';

const LOST_ANSWERS = { ...FAIR, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const never = <T>() => new Promise<T>(() => undefined);

describe('online sale', () => {
  it('is approved by issuer and card, with everything the till prints', async () => {
    const world = await new World().boot();
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({
      reference: 'A1',
      terminalId: '11',
      state: 'done',
      outcome: 'approved',
      mode: 'online',
      amount: '12.34',
      resultCode: '000.000.000',
      card: { brand: 'VISA', bin: '476173', last4Digits: '0119', entryMode: 'ICC' },
      emv: { aid: 'A0000000031010', acType: 'TC', atc: '0042', arc: '00', tvr: '0000008000' },
      cashierText: 'Approved.',
    });
    expect(answer.timeline.map((each) => each.step)).toEqual([
      'accepted',
      'authorizing',
      'answered',
      'card-approved',
      'approved',
    ]);
    expect(world.driver().log).toEqual(['start sale 1234', 'complete approved', 'finish APPROVED']);
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect(world.faults).toEqual([]);
  });

  it('gives the stored answer to the same reference, also after a restart, and never sells twice', async () => {
    const world = await new World().boot();
    const first = await world.sell({ reference: 'A1' });
    expect(await world.sell({ reference: 'A1' })).toEqual(first);
    await world.crash();
    const again = await world.sell({ reference: 'A1' });
    expect(again).toEqual(first);
    expect(world.ledger.entries.size).toBe(1);
    expect(world.driver().log).toEqual([]);
  });

  it('makes one sale of concurrent calls with one reference', async () => {
    const world = await new World().boot();
    const calls = Promise.all(
      [1, 2, 3].map(() => world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(500) })),
    );
    const answers = await world.during(calls);
    expect(new Set(answers.map((answer) => answer.paymentId)).size).toBe(1);
    expect(world.kinds('A1').filter((kind) => kind === 'accepted')).toHaveLength(1);
  });

  it('refuses the reference for anything else, naming what differs', async () => {
    const world = await new World().boot();
    await world.sell({ reference: 'A1' });
    const other = world.sell({ reference: 'A1', amount: EUR(1_235), onlineOnly: true });
    await expect(other).rejects.toMatchObject({ code: 'reference-conflict' });
    await expect(other).rejects.toThrow('amount, onlineOnly');
  });

  it('refuses a busy terminal, journals nothing and leaves the reference free', async () => {
    const world = await new World().boot();
    world.driver().reads = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await expect(world.sell({ reference: 'A2' })).rejects.toMatchObject({
      code: 'terminal-busy',
      runningReference: 'A1',
    });
    expect(world.kinds('A2')).toEqual([]);
    expect(await world.during(world.desk.cancel('A1'))).toMatchObject({
      state: 'done',
      outcome: 'cancelled',
    });
    world.driver().reads = () => ({ kind: 'online-required', card: chipCard() });
    expect(await world.sell({ reference: 'A2' })).toMatchObject({ outcome: 'approved' });
  });

  it('sells on two terminals at once', async () => {
    const world = await new World({ terminals: TERMINALS }).boot();
    const both = Promise.all(
      TERMINALS.map((terminalId) =>
        world.desk.request({ reference: `T${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
      ),
    );
    expect((await world.during(both)).map((answer) => [answer.terminalId, answer.outcome])).toEqual([
      ['11', 'approved'],
      ['22', 'approved'],
    ]);
    await expect(world.sell({ reference: 'T3' })).rejects.toMatchObject({ code: 'bad-request' });
    await expect(world.sell({ reference: 'T3', terminalId: '33' })).rejects.toMatchObject({
      code: 'unknown-terminal',
    });
  });

  it('tells the decline of the issuer', async () => {
    const world = await new World().boot();
    world.ledger.approves = () => false;
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'declined', mode: 'online', resultCode: '800.100.152' });
    expect(answer.cashierText).toContain('NOT charged');
    expect(world.driver().log).toContain('complete declined');
  });

  it('undoes an approval that the card refused', async () => {
    const world = await new World().boot();
    world.driver().completes = () => ({ kind: 'declined', iccData: iccData(AAC) });
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ state: 'done', outcome: 'reversed', emv: { acType: 'AAC' } });
    expect(world.kinds('A1').slice(-5)).toEqual([
      'answered',
      'completed',
      'reversal',
      'acknowledged',
      'ended',
    ]);
    expect(world.ledger.standing('A1')).toEqual([]);
    expect(world.desk.queue().depth).toBe(0);
  });
});

describe('lost messages', () => {
  it('answer lost: unknown, then reversed, and the cashier may try again', async () => {
    const world = await new World().boot();
    const steps: string[] = [];
    world.desk.onEvent((event) => event.type === 'sale' && steps.push(event.step));
    world.wire.weather = LOST_ANSWERS;
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(DEFAULT_POLICY.answerTimeoutMs + 100);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'unknown', outcome: null });
    world.wire.weather = FAIR;
    const answer = await world.during(call);
    expect(answer).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(answer.cashierText).toContain('The card was NOT charged; it is safe to try again.');
    expect(steps).toEqual([
      'accepted',
      'authorizing',
      'unknown',
      'answered-late',
      'reversal',
      'acknowledged',
      'reversed',
    ]);
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('request lost: a tombstone refuses it should it still arrive', async () => {
    const world = await new World().boot();
    let lost = 1;
    world.wire.weather = { ...FAIR, dropRequest: () => lost-- > 0 };
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    const request = world.wire.sent[0];
    if (!request) throw new Error('no request was sent');
    world.ledger.authorize(request);
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('link lost before the answer, back in time: the sale is approved all the same', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    await world.clock.advance(500);
    world.wire.set('up');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
    expect(world.wire.sent.map((each) => each.kind)).toEqual(['authorizationRequest', 'statusRequest']);
  });

  it('tells a till in bounded time that the end is open', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    const limit = OFFLINE_POLICY.answerTimeoutMs + OFFLINE_POLICY.openAnswerWaitMs + 1_000;
    expect(await world.during(call, limit)).toMatchObject({ state: 'unknown', outcome: null });
    expect(world.desk.status().open).toEqual(['A1']);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.desk.status().open).toEqual([]);
  });
});

describe('without the gateway', () => {
  it('approves by the card, records it first, forwards it later and wipes what is sensitive', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({
      state: 'done',
      outcome: 'approved',
      mode: 'offline-card',
      emv: { arc: 'Y3' },
    });
    expect(answer.receipts?.customer).toContain('SUBJECT TO AUTHORIZATION');
    expect(answer.receipts?.customer).not.toContain('Approval code');
    expect(world.ledger.entries.size).toBe(0);
    expect(world.desk.queue()).toMatchObject({
      depth: 1,
      sums: { EUR: '12.34' },
      limitsLeft: [{ terminalId: '11', currency: 'EUR', amount: '137.66', count: 59 }],
      items: [{ reference: 'A1', kind: 'offlineRecord', state: 'waiting' }],
    });
    expect(world.disk.blobs.size).toBe(1);
    await world.clock.advance(60_000);
    expect(world.desk.queue().oldestAgeSeconds).toBeGreaterThanOrEqual(60);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.desk.queue()).toMatchObject({ depth: 0, items: [] });
    expect(world.disk.blobs.size).toBe(0);
    expect(world.ledger.standing('A1')).toHaveLength(1);
    expect((await world.desk.get('A1')).receipts?.customer).toContain('Approval code');
  });

  it('says aloud when an offline approval is declined later', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    const events: DeskEvent[] = [];
    world.desk.onEvent((event) => events.push(event));
    world.ledger.approves = () => false;
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(events.filter((event) => event.type === 'declined-later')).toMatchObject([
      { sale: { reference: 'A1', outcome: 'declined', mode: 'offline-card' } },
    ]);
  });

  it('keeps to its limits: per sale, in sum, by card', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    const outcome = async (reference: string, minor: number) =>
      (await world.sell({ reference, amount: EUR(minor) })).outcome;
    expect(await outcome('big', 10_001)).toBe('failed');
    expect(await outcome('first', 9_000)).toBe('approved');
    expect(await outcome('over the sum', 6_001)).toBe('failed');
    expect(await outcome('within the sum', 6_000)).toBe('approved');
    expect(world.desk.terminals()[0]?.offline).toEqual({ ready: false, reasons: ['sum-limit-reached'] });
    expect(world.desk.queue().items.map((item) => [item.reference, item.sequence])).toEqual([
      ['first', 1],
      ['within the sum', 2],
    ]);
  });

  it('waits a moment for a link that comes, before it reads the card', async () => {
    const world = await new World({ policy: DEFAULT_POLICY }).boot('down');
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(DEFAULT_POLICY.linkWaitMs - 1);
    expect([world.wire.nudges, world.driver().log]).toEqual([1, []]);
    world.wire.set('up');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
  });

  it('reads no card when it could not approve anyway', async () => {
    const world = await new World({ policy: DEFAULT_POLICY }).boot('down');
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'failed', state: 'done' });
    expect(answer.timeline.at(-1)?.detail).toContain('switched-off');
    expect(world.driver().log).toEqual([]);
  });

  it('approves after a hand-over only behind a reversal in the same write, sent first', async () => {
    const policy = {
      ...OFFLINE_POLICY,
      offline: { ...OFFLINE_POLICY.offline, afterHandOver: 'reverse' as const },
    };
    const world = await new World({ policy }).boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(12);
    world.wire.set('down');
    expect(await world.during(call)).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
    expect(world.kinds('A1').slice(-3)).toEqual(['reversal', 'offline-record', 'ended']);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(world.ledger.standing('A1')).toMatchObject([{ kind: 'offline' }]);
    expect(world.ledger.entries.size).toBe(2);
  });

  it('parks what the gateway will never take, and a person sees why', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    world.ledger.parks = () => true;
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'parked', outcome: 'approved' });
    expect(world.desk.queue()).toMatchObject({
      depth: 0,
      parked: 1,
      items: [{ state: 'parked', reason: 'nobody knows this card' }],
    });
    await world.crash();
    expect(world.desk.queue()).toMatchObject({ depth: 0, parked: 1 });
  });

  it('measures ages against the highest time ever known, across a restart (P6)', async () => {
    const world = await new World().boot();
    await world.clock.advance(1_000);
    world.clock.jumpWall(-3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    await world.crash('down');
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['clock-behind']);
    world.clock.jumpWall(3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual([]);
    world.clock.jumpWall(25 * 3_600_000);
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['contact-too-old']);
  });

  it('is not offline-ready before the gateway was ever heard', async () => {
    const world = await new World().boot('down');
    expect(world.desk.terminals()[0]?.offline.reasons).toEqual(['never-in-contact']);
  });
});

describe('follow-ups', () => {
  it('refunds an earlier sale without a card, within its amount', async () => {
    const world = await new World().boot();
    const sale = await world.sell({ reference: 'A1' });
    const refund = { reference: 'R1', type: 'refund' as const, originalReference: 'A1' };
    await expect(world.sell({ ...refund, amount: EUR(1_235) })).rejects.toThrow('smaller amount');
    await expect(world.sell({ ...refund, originalReference: 'A9' })).rejects.toMatchObject({
      code: 'unknown-reference',
    });
    expect(await world.sell({ ...refund, amount: EUR(1_000) })).toMatchObject({
      outcome: 'approved',
      type: 'refund',
    });
    const request = world.wire.sent.at(-1);
    expect(request).toMatchObject({
      kind: 'authorizationRequest',
      body: { originalMessageId: world.wire.sent[0]?.id },
    });
    expect(request?.body).not.toHaveProperty('pos');
    expect(sale.outcome).toBe('approved');
    expect(world.driver().log.filter((line) => line.startsWith('start'))).toEqual(['start sale 1234']);
  });

  it('never refunds offline without the original', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    expect(await world.sell({ reference: 'R1', type: 'refund' })).toMatchObject({ outcome: 'failed' });
    expect(world.driver().log).toEqual([]);
  });

  it('captures a preauthorization once', async () => {
    const world = await new World().boot();
    await world.sell({ reference: 'P1', type: 'preauthorization', amount: EUR(5_000) });
    await expect(world.desk.capture('P1', EUR(5_001))).rejects.toMatchObject({ code: 'not-allowed' });
    const answer = await world.during(world.desk.capture('P1', EUR(4_000)));
    expect(answer.cashierText).toContain('Captured.');
    expect(await world.during(world.desk.capture('P1', EUR(4_000)))).toMatchObject({ outcome: 'approved' });
    await expect(world.desk.capture('P1', EUR(4_001))).rejects.toMatchObject({ code: 'not-allowed' });
    expect(world.ledger.captured).toHaveLength(1);
  });

  it('reverses an approved sale once, and nothing else', async () => {
    const world = await new World().boot();
    await world.sell({ reference: 'A1' });
    expect(await world.during(world.desk.reverse('A1'))).toMatchObject({
      state: 'done',
      outcome: 'reversed',
    });
    expect(await world.during(world.desk.reverse('A1'))).toMatchObject({ outcome: 'reversed' });
    expect(world.kinds('A1').filter((kind) => kind === 'reversal')).toHaveLength(1);
    world.ledger.approves = () => false;
    await world.sell({ reference: 'A2' });
    await expect(world.desk.reverse('A2')).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(world.desk.reverse('A9')).rejects.toMatchObject({ code: 'unknown-reference' });
  });

  it('gives durable events again, as they were', async () => {
    const world = await new World().boot();
    const live: (DeskEvent & { readonly id: number })[] = [];
    world.desk.onEvent((event) => 'id' in event && live.push(event));
    await world.sell({ reference: 'A1' });
    await world.sell({ reference: 'A2' });
    expect(await world.desk.eventsAfter(0, 100)).toEqual(live);
    expect(await world.desk.eventsAfter(live[2]?.id ?? 0, 1)).toEqual([live[3]]);
  });
});

describe('restart', () => {
  it('fails a sale whose card was still being read', async () => {
    const world = await new World().boot();
    world.driver().reads = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.crash();
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'failed' });
    expect((await world.desk.get('A1')).cashierText).toContain('restarted');
  });

  it('resolves a request that may have left, and never sends it again', async () => {
    const world = await new World().boot();
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.clock.advance(1);
    expect(world.wire.sent).toHaveLength(1);
    await world.crash();
    await world.clock.advance(10_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.wire.sent.map((each) => each.kind)).not.toContain('authorizationRequest');
  });

  it('undoes an approval that the card never confirmed', async () => {
    const world = await new World().boot();
    world.driver().completes = never;
    await world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await world.clock.advance(100);
    expect(world.kinds('A1').at(-1)).toBe('answered');
    await world.crash();
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('goes on with a reversal and an offline record that had not arrived', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    await world.during(world.desk.reverse('A1'));
    await world.crash('down');
    expect(world.desk.queue().items.map((item) => [item.kind, item.sequence])).toEqual([
      ['offlineRecord', 1],
      ['reversal', 2],
    ]);
    world.wire.set('up');
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });
});

describe('a journal that fails', () => {
  it('accepts nothing and says why; takes sales again when the disk is back', async () => {
    const world = await new World().boot();
    world.journal.fail('disk-full');
    const refused = world.sell({ reference: 'A1' });
    await expect(refused).rejects.toThrow(DeskRefusal);
    await expect(refused).rejects.toMatchObject({ code: 'journal-unavailable' });
    expect(world.desk.status().journal).toMatchObject({ state: 'unavailable', reason: 'disk-full' });
    world.journal.repair();
    await world.clock.advance(0);
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ outcome: 'approved' });
  });

  it('sends nothing when the id cannot be journaled: the sale failed, truly', async () => {
    const world = await new World().boot();
    world.driver().reads = () => {
      world.journal.fail('disk-full');
      return { kind: 'online-required', card: chipCard() };
    };
    expect(await world.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(world.wire.sent).toEqual([]);
    expect(world.driver().log).toContain('complete declined');
    world.journal.repair();
    await world.clock.advance(100);
    expect(world.kinds('A1')).toEqual(['accepted', 'ended']);
  });

  it('undoes an approval that could not be journaled, once the disk is back', async () => {
    const world = await new World().boot();
    const call = world.desk.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await world.clock.advance(5);
    world.journal.fail('disk-full');
    const answer = await world.during(call);
    expect(answer).toMatchObject({ state: 'unknown', outcome: null });
    expect(world.driver().log).toContain('complete declined');
    world.journal.repair();
    await world.clock.advance(120_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('never calls a sale approved that is not on disk', async () => {
    const world = await new World().boot();
    world.driver().completes = ({ kind }) => {
      world.journal.fail('io-error');
      return { kind: kind === 'approved' ? 'approved' : 'declined', iccData: iccData(0x40) };
    };
    const answer = await world.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ state: 'reversing', outcome: null });
    world.journal.repair();
    await world.clock.advance(1_000);
    expect(await world.desk.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(world.ledger.standing('A1')).toEqual([]);
  });

  it('boots when the disk comes, with a queue and sales as they were', async () => {
    const world = await new World().boot();
    world.wire.set('down');
    await world.sell({ reference: 'A1' });
    world.journal.fail('io-error');
    await expect(world.desk.reverse('A1')).rejects.toMatchObject({ code: 'journal-unavailable' });
    world.journal.repair();
    await world.clock.advance(0);
    expect(world.desk.queue().depth).toBe(1);
  });
});

describe('secrets', () => {
  it('journals neither PIN block nor card data in clear', async () => {
    const world = await new World().boot();
    const pin = {
      data: Buffer.from('11FF22EE33DD44CC', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000A', 'hex'),
    };
    const sred = {
      data: Buffer.from('5EC2E7D47A000001', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000B', 'hex'),
    };
    let wire = '';
    world.driver().reads = () => ({
      kind: 'online-required',
      card: chipCard(0x80, { pin: { ...pin, data: Buffer.from(pin.data) }, sred }),
    });
    const send = world.wire.sendLive.bind(world.wire);
    world.wire.sendLive = (envelope) => {
      if (envelope.kind === 'authorizationRequest')
        wire = Buffer.from(envelope.body.pos?.pin?.data ?? []).toString('hex');
      return send(envelope);
    };
    await world.sell({ reference: 'A1' });
    expect(wire).toBe(pin.data.toString('hex'));
    const text = world.disk.rows.map((row) => row.dataText).join();
    for (const secret of [pin.data, pin.ksn, sred.data]) {
      expect(text.toLowerCase()).not.toContain(secret.toString('hex'));
      expect(text).not.toContain(secret.toString('base64'));
    }
    expect(world.disk.blobs.size).toBe(0);
  });
});

describe('high water', () => {
  it('never goes back and forgives a small difference of clocks', () => {
    const wall = { nowMs: () => AT, monotonicMs: () => 0, setTimer: () => ({ cancel: () => undefined }) };
    const time = new HighWater(wall);
    expect(time.contactAgeMs()).toBeUndefined();
    time.heard(AT + 10_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 10_000, false, 0]);
    time.journaled(AT + 60_000);
    expect([time.nowMs(), time.isBehind(), time.contactAgeMs()]).toEqual([AT + 60_000, true, 50_000]);
  });
});
