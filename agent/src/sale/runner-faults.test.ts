import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import { DEFAULT_POLICY } from './machine/state/policy.js';
import { chipCard, iccData, OFFLINE_POLICY } from './sale.test.support.js';
import { SaleHarness } from './sale-harness.test.support.js';
import { SaleError } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

const LOST_ANSWERS = { ...NO_FAULTS, dropAnswer: () => true };
const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const never = <T>() => new Promise<T>(() => undefined);

describe('lost messages', () => {
  it('answer lost: unknown, then reversed, and the cashier may try again', async () => {
    const harness = await new SaleHarness().boot();
    const steps: string[] = [];
    harness.service.onEvent((event) => event.type === 'sale' && steps.push(event.step));
    harness.wire.faultRates = LOST_ANSWERS;
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(DEFAULT_POLICY.answerTimeoutMs + 100);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'unknown', outcome: null });
    harness.wire.faultRates = NO_FAULTS;
    const answer = await harness.during(call);
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
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('request lost: a tombstone refuses it should it still arrive', async () => {
    const harness = await new SaleHarness().boot();
    let lost = 1;
    harness.wire.faultRates = { ...NO_FAULTS, dropRequest: () => lost-- > 0 };
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    const request = harness.wire.sent[0];
    if (!request) throw new Error('no request was sent');
    harness.ledger.authorize(request);
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('link lost before the answer, back in time: the sale is approved all the same', async () => {
    const harness = await new SaleHarness().boot();
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(12);
    harness.wire.set('down');
    await harness.clock.advance(500);
    harness.wire.set('up');
    expect(await harness.during(call)).toMatchObject({ outcome: 'approved', mode: 'online' });
    expect(harness.wire.sent.map((each) => each.kind)).toEqual(['authorizationRequest', 'statusRequest']);
  });

  it('reports an open outcome to the till in bounded time', async () => {
    const harness = await new SaleHarness().boot();
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(12);
    harness.wire.set('down');
    const limit = OFFLINE_POLICY.answerTimeoutMs + OFFLINE_POLICY.openAnswerWaitMs + 1_000;
    expect(await harness.during(call, limit)).toMatchObject({ state: 'unknown', outcome: null });
    expect(harness.service.status().open).toEqual([{ reference: 'A1' }]);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.service.status().open).toEqual([]);
  });
});

describe('restart', () => {
  it('fails a sale whose card was still being read', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().reads = never;
    await harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await harness.crash();
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'failed' });
    expect((await harness.service.get('A1')).cashierText).toContain('restarted');
  });

  it('resolves a request that may have left, and never sends it again', async () => {
    const harness = await new SaleHarness().boot();
    await harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await harness.clock.advance(1);
    expect(harness.wire.sent).toHaveLength(1);
    await harness.crash();
    await harness.clock.advance(10_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.wire.sent.map((each) => each.kind)).not.toContain('authorizationRequest');
  });

  it('reverses an approval that the card never confirmed', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().completes = never;
    await harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await harness.clock.advance(100);
    expect(harness.kinds('A1').at(-1)).toBe('answered');
    await harness.crash();
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('goes on with a reversal and an offline record that had not arrived', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1' });
    await harness.during(harness.service.reverse('A1'));
    await harness.crash('down');
    expect(harness.service.queue().items.map((item) => [item.kind, item.sequence])).toEqual([
      ['offlineRecord', 1],
      ['reversal', 2],
    ]);
    harness.wire.set('up');
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });
});

describe('a journal that fails', () => {
  it.each(['disk-full', 'read-only'] as const)(
    'accepts nothing and gives the reason (%s); takes sales again when the disk is back',
    async (reason) => {
      const harness = await new SaleHarness().boot();
      harness.journal.fail(reason);
      const refused = harness.sell({ reference: 'A1' });
      await expect(refused).rejects.toThrow(SaleError);
      await expect(refused).rejects.toMatchObject({ code: 'journal-unavailable' });
      expect(harness.service.status().journal).toMatchObject({ state: 'unavailable', reason });
      harness.journal.repair();
      await harness.clock.advance(0);
      expect(await harness.sell({ reference: 'A1' })).toMatchObject({ outcome: 'approved' });
    },
  );

  it('sends nothing when the id cannot be journaled: the sale failed, truly', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().reads = () => {
      harness.journal.fail('disk-full');
      return { kind: 'online-required', card: chipCard() };
    };
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(harness.wire.sent).toEqual([]);
    expect(harness.driver().log).toContain('complete declined');
    harness.journal.repair();
    await harness.clock.advance(100);
    expect(harness.kinds('A1')).toEqual(['accepted', 'ended']);
  });

  it('reverses an approval that could not be journaled, once the disk is back', async () => {
    const harness = await new SaleHarness().boot();
    const call = harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) });
    await harness.clock.advance(5);
    harness.journal.fail('disk-full');
    const answer = await harness.during(call);
    expect(answer).toMatchObject({ state: 'unknown', outcome: null });
    expect(harness.driver().log).toContain('complete declined');
    harness.journal.repair();
    await harness.clock.advance(120_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('never calls a sale approved that is not on disk', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().completes = ({ kind }) => {
      harness.journal.fail('io-error');
      return { kind: kind === 'approved' ? 'approved' : 'declined', iccData: iccData(0x40) };
    };
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({ state: 'reversing', outcome: null });
    harness.journal.repair();
    await harness.clock.advance(1_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('tries again by itself when the disk was only too slow', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().completes = () => {
      const append = harness.journal.append.bind(harness.journal);
      harness.journal.append = async () => {
        harness.journal.append = append;
        throw new JournalUnavailable('overloaded', 'too many writes wait');
      };
      return { kind: 'approved', iccData: iccData(0x40) };
    };
    expect(await harness.sell({ reference: 'A1' })).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('lets a till cancel a running sale and read it, with or without the disk', async () => {
    const harness = await new SaleHarness().boot();
    harness.driver().reads = never;
    await harness.service.request({ reference: 'A1', type: 'sale', amount: EUR(100) }, { wait: false });
    await harness.clock.advance(0);
    harness.journal.fail('io-error');
    expect(await harness.during(harness.service.cancel('A1'))).toMatchObject({
      state: 'done',
      outcome: 'failed',
    });
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'failed' });
    expect(harness.service.terminals()[0]).not.toHaveProperty('runningReference');
  });

  it('boots when the disk comes, with a queue and sales as they were', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    await harness.sell({ reference: 'A1' });
    harness.journal.fail('io-error');
    await expect(harness.service.reverse('A1')).rejects.toMatchObject({ code: 'journal-unavailable' });
    harness.journal.repair();
    await harness.clock.advance(0);
    expect(harness.service.queue().depth).toBe(1);
  });
});

describe('secrets', () => {
  it('journals neither PIN block nor card data in clear', async () => {
    const harness = await new SaleHarness().boot();
    const pin = {
      data: Buffer.from('11FF22EE33DD44CC', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000A', 'hex'),
    };
    const sred = {
      data: Buffer.from('5EC2E7D47A000001', 'hex'),
      ksn: Buffer.from('FFFF9876543210E0000B', 'hex'),
    };
    let wire = '';
    harness.driver().reads = () => ({
      kind: 'online-required',
      card: chipCard(0x80, { pin: { ...pin, data: Buffer.from(pin.data) }, sred }),
    });
    const send = harness.wire.sendLive.bind(harness.wire);
    harness.wire.sendLive = (envelope) => {
      if (envelope.kind === 'authorizationRequest')
        wire = Buffer.from(envelope.body.pos?.pin?.data ?? []).toString('hex');
      return send(envelope);
    };
    await harness.sell({ reference: 'A1' });
    expect(wire).toBe(pin.data.toString('hex'));
    const text = harness.disk.rows.map((row) => row.dataText).join();
    for (const secret of [pin.data, pin.ksn, sred.data]) {
      expect(text.toLowerCase()).not.toContain(secret.toString('hex'));
      expect(text).not.toContain(secret.toString('base64'));
    }
    expect(harness.disk.blobs.size).toBe(0);
  });
});
