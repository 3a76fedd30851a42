import { Disposition } from '@tillbridge/wire/bridge/messages.js';
import { describe, expect, it } from 'vitest';
import { outcome } from './ledger.test.support.js';
import { AAC, chipCard, iccData } from './sale.test.support.js';
import { SaleHarness, TERMINALS } from './sale-harness.test.support.js';
import type { TillEvent } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

const _LOST_ANSWERS = { ...NO_FAULTS, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const never = <T>() => new Promise<T>(() => undefined);

describe('online sale', () => {
  it('is approved by issuer and card, with everything the till prints', async () => {
    const harness = await new SaleHarness().boot();
    const answer = await harness.sell({ reference: 'A1' });
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
    expect(harness.driver().log).toEqual(['start sale 1234', 'complete approved', 'finish APPROVED']);
    expect(harness.ledger.standing('A1')).toHaveLength(1);
    expect(harness.faults).toEqual([]);
  });

  it('gives the stored answer to the same reference, also after a restart, and never sells twice', async () => {
    const harness = await new SaleHarness().boot();
    const first = await harness.sell({ reference: 'A1' });
    expect(await harness.sell({ reference: 'A1' })).toEqual(first);
    await harness.crash();
    const again = await harness.sell({ reference: 'A1' });
    expect(again).toEqual(first);
    expect(harness.ledger.entries.size).toBe(1);
    expect(harness.driver().log).toEqual([]);
  });

  it('makes one sale of concurrent calls with one reference', async () => {
    const harness = await new SaleHarness().boot();
    const calls = Promise.all(
      [1, 2, 3].map(() => harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(500) })),
    );
    const answers = await harness.during(calls);
    expect(new Set(answers.map((answer) => answer.paymentId)).size).toBe(1);
    expect(harness.kinds('A1').filter((kind) => kind === 'accepted')).toHaveLength(1);
  });

  it('is cancelled by its deadline, and not where it is decided by then', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1', cancelAfterMs: 5_000 });
    harness.driver().reads = never;
    const call = harness.service.request({
      reference: 'A2',
      type: 'sale',
      amount: EUR(1),
      cancelAfterMs: 5_000,
    });
    await harness.clock.advance(4_900);
    expect(await harness.service.get('A2')).toMatchObject({ state: 'reading-card' });
    expect(await harness.during(call, 1_000)).toMatchObject({ outcome: 'cancelled' });
    expect(await harness.service.get('A1')).toMatchObject({ outcome: 'approved' });
  });

  it('refuses the reference for anything else, naming what differs', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    const other = harness.sell({ reference: 'A1', amount: EUR(1_235), onlineOnly: true });
    await expect(other).rejects.toMatchObject({ code: 'reference-conflict' });
    await expect(other).rejects.toThrow('amount, onlineOnly');
  });

  it('refuses a busy terminal, journals nothing and leaves the reference free', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().reads = never;
    await harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await expect(harness.sell({ reference: 'A2' })).rejects.toMatchObject({
      code: 'terminal-busy',
      runningReference: 'A1',
    });
    expect(harness.kinds('A2')).toEqual([]);
    expect(await harness.during(harness.service.cancel('A1'))).toMatchObject({
      state: 'done',
      outcome: 'cancelled',
    });
    harness.driver().reads = () => ({ kind: 'online-required', card: chipCard() });
    expect(await harness.sell({ reference: 'A2' })).toMatchObject({ outcome: 'approved' });
  });

  it('sells on two terminals at once', async () => {
    const harness = await new SaleHarness({ terminals: TERMINALS }).boot();
    const both = Promise.all(
      TERMINALS.map((terminalId) =>
        harness.service.request({ reference: `T${terminalId}`, type: 'sale', amount: EUR(100), terminalId }),
      ),
    );
    expect((await harness.during(both)).map((answer) => [answer.terminalId, answer.outcome])).toEqual([
      ['11', 'approved'],
      ['22', 'approved'],
    ]);
    await expect(harness.sell({ reference: 'T3' })).rejects.toMatchObject({ code: 'bad-request' });
    await expect(harness.sell({ reference: 'T3', terminalId: '33' })).rejects.toMatchObject({
      code: 'unknown-terminal',
    });
  });

  it('reports the decline of the issuer', async () => {
    const harness = await new SaleHarness().boot();
    harness.ledger.approves = () => false;
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ outcome: 'declined', mode: 'online', resultCode: '800.100.152' });
    expect(answer.cashierText).toContain('NOT charged');
    expect(harness.driver().log).toContain('complete declined');
  });

  it('reverses an approval that the card refused', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().completes = () => ({ kind: 'declined', iccData: iccData(AAC) });
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ state: 'done', outcome: 'reversed', emv: { acType: 'AAC' } });
    expect(harness.kinds('A1').slice(-5)).toEqual([
      'answered',
      'completed',
      'reversal',
      'acknowledged',
      'ended',
    ]);
    expect(harness.ledger.standing('A1')).toEqual([]);
    expect(harness.service.queue().depth).toBe(0);
  });
});

describe('follow-ups', () => {
  it('refunds an earlier sale without a card, within its amount', async () => {
    const harness = await new SaleHarness().boot();
    const sale = await harness.sell({ reference: 'A1' });
    const refund = { reference: 'R1', type: 'refund' as const, originalReference: 'A1' };
    // None waits for another sale, least of all for itself or for one that waits for it.
    await expect(harness.sell({ ...refund, originalReference: 'R1' })).rejects.toMatchObject({
      code: 'unknown-reference',
    });
    const crossed = [
      harness.sell({ ...refund, reference: 'X1', originalReference: 'X2' }),
      harness.sell({ ...refund, reference: 'X2', originalReference: 'X1' }),
    ];
    for (const each of await Promise.allSettled(crossed)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'unknown-reference' } });
    }
    await expect(harness.sell({ ...refund, amount: EUR(1_235) })).rejects.toThrow('has 12.34 EUR');
    await expect(harness.sell({ ...refund, originalReference: 'A9' })).rejects.toMatchObject({
      code: 'unknown-reference',
    });
    expect(await harness.sell({ ...refund, amount: EUR(1_000) })).toMatchObject({
      outcome: 'approved',
      type: 'refund',
    });
    await expect(harness.sell({ ...refund, reference: 'R2', amount: EUR(235) })).rejects.toThrow(
      'originalReference A1 is already refunded: 10.00 of 12.34 EUR; at most 2.34 is left, not 2.35',
    );
    expect(await harness.service.refunds('A1')).toEqual({
      ...{ currency: 'EUR', taken: '12.34', refunded: '10.00', refundable: '2.34' },
      refunds: [{ reference: 'R1', amount: '10.00', state: 'done', outcome: 'approved' }],
    });
    const request = harness.wire.sent.at(-1);
    expect(request).toMatchObject({
      kind: 'authorizationRequest',
      body: { originalMessageId: harness.wire.sent[0]?.id },
    });
    expect(request?.body).not.toHaveProperty('pos');
    expect(sale.outcome).toBe('approved');
    expect(harness.driver().log.filter((line) => line.startsWith('start'))).toEqual(['start sale 1234']);
  });

  it('never refunds offline without the original', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    expect(await harness.sell({ reference: 'R1', type: 'refund' })).toMatchObject({ outcome: 'failed' });
    expect(harness.driver().log).toEqual([]);
  });

  it('captures a preauthorization once', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'P1', type: 'preauthorization', amount: EUR(5_000) });
    await expect(harness.service.capture('P1', EUR(5_001))).rejects.toMatchObject({ code: 'not-allowed' });
    const answer = await harness.during(harness.service.capture('P1', EUR(4_000)));
    expect(answer.cashierText).toContain('Captured: EUR 40.00.');
    expect(await harness.during(harness.service.capture('P1', EUR(4_000)))).toMatchObject({
      outcome: 'approved',
    });
    await expect(harness.service.capture('P1', EUR(4_001))).rejects.toMatchObject({
      code: 'reference-conflict',
    });
    expect(harness.ledger.captured).toHaveLength(1);
  });

  it('reverses an approved sale once, and nothing else', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1' });
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({
      state: 'done',
      outcome: 'reversed',
    });
    expect(await harness.during(harness.service.reverse('A1'))).toMatchObject({ outcome: 'reversed' });
    expect(harness.kinds('A1').filter((kind) => kind === 'reversal')).toHaveLength(1);
    harness.ledger.approves = () => false;
    await harness.sell({ reference: 'A2' });
    await expect(harness.service.reverse('A2')).rejects.toMatchObject({ code: 'not-allowed' });
    await expect(harness.service.reverse('A9')).rejects.toMatchObject({ code: 'unknown-reference' });
  });

  it('gives durable events again, as they were', async () => {
    const harness = await new SaleHarness().boot();
    const live: (TillEvent & { readonly id: number })[] = [];
    harness.service.onEvent((event) => 'id' in event && live.push(event));
    await harness.sell({ reference: 'A1' });
    await harness.sell({ reference: 'A2' });
    expect(await harness.service.eventsAfter(0, 100)).toEqual(live);
    expect(await harness.service.eventsAfter(live[2]?.id ?? 0, 1)).toEqual([live[3]]);
  });

  it('keeps a reversal that the gateway refuses where a person sees it, and nothing sensitive with it', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().completes = () => ({ kind: 'declined', iccData: iccData(AAC) });
    const refused = outcome(Disposition.REFUSED);
    harness.ledger.take = () => refused;
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer.state).toBe('parked');
    const parked = { depth: 0, parked: 1, items: [{ reference: 'A1', state: 'parked' }] };
    expect(harness.service.queue()).toMatchObject(parked);
    expect(harness.disk.blobs.size).toBe(0);
    await harness.crash();
    expect(harness.service.queue()).toMatchObject(parked);
  });

  it('captures one of two amounts requested at once, and refuses the other', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A1', type: 'preauthorization' });
    const calls = [100, 200].map((minor) => harness.during(harness.service.capture('A1', EUR(minor))));
    const [first, second] = await Promise.allSettled(calls);
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'reference-conflict' } });
    expect(harness.ledger.captured).toHaveLength(1);
  });
});
