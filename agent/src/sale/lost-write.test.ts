import { describe, expect, it } from 'vitest';
import { JournalUnavailable } from '../journal/journal.js';
import { SaleHarness } from './sale-harness.test.support.js';
import type { TillEvent } from './service/sale-service.js';
import { NO_FAULTS } from './wire.test.support.js';

/** From now on the next write with a row of this kind is kept by the disk, and reported as lost; then the disk is gone for a while. */
function keepButDeny(harness: SaleHarness, kind: string): void {
  const { journal } = harness;
  const append = journal.append.bind(journal);
  journal.append = async (write) => {
    const rows = await append(write);
    if (!write.rows.some((row) => row.kind === kind)) return rows;
    journal.append = append;
    journal.fail('io-error');
    throw new JournalUnavailable('io-error', 'the sync failed');
  };
}

/** From now on the next write with a row of this kind fails for good; then the disk is gone for a while. */
function denyOnce({ journal }: SaleHarness, kind: string): void {
  const append = journal.append.bind(journal);
  journal.append = async (write) => {
    if (!write.rows.some((row) => row.kind === kind)) return append(write);
    journal.append = append;
    journal.fail('io-error');
    throw new JournalUnavailable('io-error', 'the sync failed');
  };
}

describe('a write that the disk kept and reported as lost', () => {
  it.each(['accepted', 'authorizing', 'answered', 'completed', 'ended', 'offline-record'])(
    'of kind %s leaves one truth between till and acquirer',
    async (kind) => {
      const harness = await new SaleHarness().boot(kind === 'offline-record' ? 'down' : 'up');
      if (kind === 'offline-record') {
        harness.wire.set('up');
        harness.wire.set('down');
      }
      keepButDeny(harness, kind);
      const answer = await harness.sell({ reference: 'A1' }).catch(() => undefined);
      expect(answer?.outcome).not.toBe('approved');
      harness.journal.repair();
      await harness.clock.advance(10_000);
      harness.wire.set('up');
      await harness.clock.advance(300_000);
      const later = await harness.service.get('A1');
      expect(later.state).toBe('done');
      expect(later.outcome).not.toBe('approved');
      expect(harness.ledger.standing('A1')).toEqual([]);
    },
  );

  it('of a cancel that met a request on its way leaves no approval behind', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => true };
    const { journal } = harness;
    const append = journal.append.bind(journal);
    let cancelled: Promise<unknown> = Promise.resolve();
    journal.append = (write) => {
      if (write.rows.some(({ kind }) => kind === 'authorizing')) {
        // The cancel is in the sale's inbox before the news that the request was handed over.
        cancelled = harness.service.cancel('A1').catch(() => undefined);
        journal.append = append;
        denyOnce(harness, 'reversal');
      }
      return append(write);
    };
    const answer = await harness.sell({ reference: 'A1' }).catch(() => undefined);
    await cancelled;
    expect(answer?.outcome ?? null).not.toBe('approved');
    await harness.clock.advance(1_000);
    harness.wire.faultRates = NO_FAULTS;
    harness.journal.repair();
    await harness.clock.advance(300_000);
    const later = await harness.service.get('A1');
    expect(later.state).toBe('done');
    expect(later.outcome).not.toBe('approved');
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('of kind offline-record is reported as unknown while a restart could bring it back', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.set('down');
    keepButDeny(harness, 'offline-record');
    const answer = await harness.sell({ reference: 'A1' });
    expect(answer).toMatchObject({
      state: 'unknown',
      outcome: null,
      cashierText: expect.stringContaining('Do not charge again before'),
    });
    harness.journal.repair();
    await harness.crash();
    harness.wire.set('up');
    await harness.clock.advance(300_000);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(harness.ledger.standing('A1')).toHaveLength(1);
  });

  it.each([
    ['kept it', true, 'reversed', /reversed|could not be recorded/],
    ['never had it', false, 'failed', /NOT charged; it is safe to try again/],
  ] as const)(
    'of kind offline-record is reported with its end when the disk is read again, which %s',
    async (_what, isKept, outcome, text) => {
      const harness = await new SaleHarness().boot();
      harness.wire.set('down');
      if (isKept) keepButDeny(harness, 'offline-record');
      else denyOnce(harness, 'offline-record');
      const answer = await harness.sell({ reference: 'A1' });
      expect(answer).toMatchObject({ state: 'unknown', outcome: null });
      expect((await harness.service.get('A1')).cashierText).toBe(answer.cashierText);
      const events: TillEvent[] = [];
      harness.service.onEvent((event) => events.push(event));
      harness.journal.repair();
      await harness.clock.advance(10_000);
      harness.wire.set('up');
      await harness.clock.advance(10_000);
      const later = await harness.service.get('A1');
      expect(later).toMatchObject({ state: 'done', outcome, cashierText: expect.stringMatching(text) });
      const last = events.filter(({ type }) => type === 'sale').at(-1);
      expect(last).toMatchObject({ sale: { reference: 'A1', state: 'done', outcome } });
      expect(harness.ledger.standing('A1')).toEqual([]);
      await harness.crash();
      expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome });
    },
  );

  it('of kind voice-authorization is reversed: the till’s answer was that nothing was recorded', async () => {
    const harness = await new SaleHarness().boot();
    harness.ledger.word = () => 'call';
    await harness.sell({ reference: 'A1' });
    keepButDeny(harness, 'voice-authorization');
    await expect(harness.service.approveByVoice('A1', 'AB12')).rejects.toMatchObject({
      code: 'journal-unavailable',
    });
    harness.journal.repair();
    await harness.clock.advance(10_000);
    await harness.crash();
    await harness.clock.advance(300_000);
    expect(harness.kinds('A1')).toContain('voice-authorization');
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('of kind capture stands, once, and is the answer to a repeated call', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'P1', type: 'preauthorization' });
    keepButDeny(harness, 'capture');
    const amount = { minor: 1_000, currency: 'EUR' };
    await expect(harness.service.capture('P1', amount)).rejects.toMatchObject({
      code: 'journal-unavailable',
    });
    harness.journal.repair();
    await harness.clock.advance(300_000);
    expect(await harness.during(harness.service.capture('P1', amount))).toMatchObject({
      captures: [{ amount: '10.00', state: 'acknowledged' }],
    });
    expect(harness.ledger.captured).toHaveLength(1);
  });

  it('of kind acknowledged lets an reversed sale come to its end', async () => {
    const harness = await new SaleHarness().boot();
    expect((await harness.sell({ reference: 'A1' })).outcome).toBe('approved');
    keepButDeny(harness, 'acknowledged');
    await harness.during(harness.service.reverse('A1'));
    harness.journal.repair();
    await harness.clock.advance(10_000);
    expect(harness.service.queue().items).toEqual([]);
    expect(harness.service.status().open).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done', outcome: 'reversed' });
  });

  it.each([
    ['is restarted', async (harness: SaleHarness) => void (await harness.crash())],
    ['goes on', async () => undefined],
  ])('of kind reversal leaves the queue of a cancelled sale when the agent %s', async (_what, then) => {
    const harness = await new SaleHarness().boot();
    harness.wire.faultRates = { ...NO_FAULTS, dropRequest: () => true };
    const running = harness.service.request({
      reference: 'A1',
      amount: { minor: 1_234, currency: 'EUR' },
      type: 'sale',
    });
    await harness.clock.advance(5_000);
    keepButDeny(harness, 'reversal');
    await harness.service.cancel('A1').catch(() => undefined);
    await harness.during(running);
    harness.wire.set('down');
    harness.journal.repair();
    await harness.clock.advance(10_000);
    expect(harness.kinds('A1').slice(-2)).toEqual(['reversal', 'unknown']);
    await then(harness);
    harness.wire.faultRates = NO_FAULTS;
    harness.wire.set('up');
    await harness.clock.advance(300_000);
    expect(harness.service.queue().items).toEqual([]);
    expect(await harness.service.get('A1')).toMatchObject({ state: 'done' });
    expect(harness.ledger.standing('A1')).toEqual([]);
  });

  it('of kind reversal is the one that reverses a sale without an answer', async () => {
    const harness = await new SaleHarness().boot();
    harness.wire.faultRates = { ...NO_FAULTS, dropAnswer: () => true };
    expect((await harness.sell({ reference: 'A1' })).state).toBe('unknown');
    keepButDeny(harness, 'reversal');
    harness.wire.faultRates = NO_FAULTS;
    await harness.clock.advance(60_000);
    harness.journal.repair();
    await harness.clock.advance(300_000);
    expect(harness.kinds('A1').filter((kind) => kind === 'reversal')).toHaveLength(1);
    expect(harness.service.queue().items).toEqual([]);
    expect(harness.service.status().open).toEqual([]);
    expect(harness.ledger.standing('A1')).toEqual([]);
  });
});
