import { describe, expect, it } from 'vitest';
import { AT, chipCard, iccData, TC } from '../sale.test.support.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import type { SaleRequest } from '../service/sale-service.js';
import { compactSale, loadSale } from './compacted-sale.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const sale = (reference: string, minor = 1_234): SaleRequest => ({
  reference,
  type: 'sale',
  amount: EUR(minor),
});

/** An agent that has sold `A` online and `B` offline, everything acknowledged, its rows removed after a restart. */
async function compacted(): Promise<SaleHarness> {
  const harness = await new SaleHarness().boot();
  await harness.sell(sale('A'));
  harness.wire.set('down');
  harness.driver().reads = async () => ({ kind: 'approved-offline', card: chipCard(TC) });
  harness.driver().completes = async () => ({ kind: 'approved', iccData: iccData(TC) });
  await harness.sell(sale('B', 500));
  harness.wire.set('up');
  await harness.clock.advance(60_000);
  expect(await harness.journal.openMessages()).toEqual([]);
  const step = { atMs: AT, upToRow: 1_000, summarize: compactSale, carry: ['contact'] };
  // A row behind what is to go: the last row of a journal always stays.
  await harness.journal.append({
    atMs: AT,
    rows: [{ kind: 'note', reference: '', terminalId: '', data: {} }],
  });
  const { removedTo } = await harness.journal.compact(step);
  expect(removedTo).toBe(harness.journal.head.row - 2);
  await harness.crash();
  return harness;
}

describe('a sale whose rows were removed', () => {
  it('is answered again without its card, and is never sold a second time', async () => {
    const harness = await compacted();
    for (const [reference, minor, mode] of [
      ['A', 1_234, 'online'],
      ['B', 500, 'offline-card'],
    ] as const) {
      const answer = await harness.sell(sale(reference, minor));
      expect(answer).toMatchObject({ reference, state: 'done', outcome: 'approved', mode, currency: 'EUR' });
      for (const field of ['card', 'emv', 'receipts']) expect(answer).not.toHaveProperty(field);
      expect(answer.timeline).toHaveLength(2);
      expect(await harness.service.get(reference)).toEqual(answer);
    }
    expect(harness.wire.sent).toEqual([]);
    expect(harness.faults).toEqual([]);
  });

  it('refuses other parameters under its reference', async () => {
    const harness = await compacted();
    await expect(harness.sell(sale('A', 1))).rejects.toMatchObject({ code: 'reference-conflict' });
  });

  it('has nothing of a card in what is kept', async () => {
    const harness = await compacted();
    const text = JSON.stringify(harness.disk.kept.map(({ data }) => data));
    for (const word of ['bin', 'last4', 'panSequence', 'entryMode', 'fingerprint', 'tvr', 'aid'])
      expect(text.includes(`"${word}`), word).toBe(false);
    expect(text).toContain('"minor":1234');
  });

  it('can still be refunded and reversed, and goes on from where it was', async () => {
    const harness = await compacted();
    const refund = { reference: 'R', type: 'refund', amount: EUR(200), originalReference: 'A' } as const;
    const original = (await loadSale(harness.journal, 'A'))?.messageId;
    await harness.sell(refund);
    expect((await loadSale(harness.journal, 'R'))?.request).toMatchObject({ originalMessageId: original });
    const reversed = await harness.during(harness.service.reverse('B'));
    expect(reversed).toMatchObject({ reference: 'B', state: 'done', outcome: 'reversed' });
    await harness.crash();
    expect(await harness.service.get('B')).toMatchObject({ outcome: 'reversed' });
  });

  it('gives the events of the rows that are left', async () => {
    const harness = await compacted();
    await harness.during(harness.service.reverse('B'));
    const events = await harness.service.eventsAfter(0, 100);
    expect(events.length).toBeGreaterThan(0);
    expect(events.every((event) => 'sale' in event && event.sale.reference === 'B')).toBe(true);
  });
});

describe('a hold on sales', () => {
  it('refuses every new sale with what to do, and leaves those that run alone', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell(sale('A'));
    harness.hold = { hold: 'all', text: 'this journal was restored elsewhere' };
    await expect(harness.sell(sale('B'))).rejects.toMatchObject({
      code: 'journal-unavailable',
      message: expect.stringContaining('restored elsewhere'),
    });
    expect(await harness.sell(sale('A'))).toMatchObject({ outcome: 'approved' });
    expect((await harness.during(harness.service.reverse('A'))).outcome).toBe('reversed');
    harness.hold = { hold: 'none', text: '' };
    expect((await harness.sell(sale('B'))).outcome).toBe('approved');
  });

  it('keeps approvals without the gateway away, and lets the gateway approve', async () => {
    const harness = await new SaleHarness().boot();
    harness.hold = { hold: 'offline', text: 'old copy' };
    expect((await harness.sell(sale('A'))).outcome).toBe('approved');
    expect(harness.service.terminals()[0]?.offline).toMatchObject({ ready: false });
    expect(harness.service.terminals()[0]?.offline.reasons).toContain('journal-unavailable');
  });
});
