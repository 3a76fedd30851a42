import { describe, expect, it } from 'vitest';
import type { SaleRequest } from './desk.js';
import { keepSale, loadSale } from './kept-sale.js';
import { AT, chipCard, iccData, TC } from './sale.test.support.js';
import { World } from './world.test.support.js';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const sale = (reference: string, minor = 1_234): SaleRequest => ({
  reference,
  type: 'sale',
  amount: EUR(minor),
});

/** An agent that has sold `A` online and `B` offline, everything acknowledged, its rows removed after a restart. */
async function compacted(): Promise<World> {
  const world = await new World().boot();
  await world.sell(sale('A'));
  world.wire.set('down');
  world.driver().reads = async () => ({ kind: 'approved-offline', card: chipCard(TC) });
  world.driver().completes = async () => ({ kind: 'approved', iccData: iccData(TC) });
  await world.sell(sale('B', 500));
  world.wire.set('up');
  await world.clock.advance(60_000);
  expect(await world.journal.openMessages()).toEqual([]);
  const step = { atMs: AT, upToRow: 1_000, summarize: keepSale, carry: ['contact'] };
  // A row behind what is to go: the last row of a journal always stays.
  await world.journal.append({ atMs: AT, rows: [{ kind: 'note', reference: '', terminalId: '', data: {} }] });
  const { removedTo } = await world.journal.compact(step);
  expect(removedTo).toBe(world.journal.head.row - 2);
  await world.crash();
  return world;
}

describe('a sale whose rows were removed', () => {
  it('is answered again without its card, and is never sold a second time', async () => {
    const world = await compacted();
    for (const [reference, minor, mode] of [
      ['A', 1_234, 'online'],
      ['B', 500, 'offline-card'],
    ] as const) {
      const answer = await world.sell(sale(reference, minor));
      expect(answer).toMatchObject({ reference, state: 'done', outcome: 'approved', mode, currency: 'EUR' });
      for (const field of ['card', 'emv', 'receipts']) expect(answer).not.toHaveProperty(field);
      expect(answer.timeline).toHaveLength(2);
      expect(await world.desk.get(reference)).toEqual(answer);
    }
    expect(world.wire.sent).toEqual([]);
    expect(world.faults).toEqual([]);
  });

  it('refuses other parameters under its reference', async () => {
    const world = await compacted();
    await expect(world.sell(sale('A', 1))).rejects.toMatchObject({ code: 'reference-conflict' });
  });

  it('has nothing of a card in what is kept', async () => {
    const world = await compacted();
    const text = JSON.stringify(world.disk.kept.map(({ data }) => data));
    for (const word of ['bin', 'last4', 'panSequence', 'entryMode', 'fingerprint', 'tvr', 'aid'])
      expect(text.includes(`"${word}`), word).toBe(false);
    expect(text).toContain('"minor":1234');
  });

  it('can still be refunded and reversed, and goes on from where it was', async () => {
    const world = await compacted();
    const refund = { reference: 'R', type: 'refund', amount: EUR(200), originalReference: 'A' } as const;
    const original = (await loadSale(world.journal, 'A'))?.messageId;
    await world.sell(refund);
    expect((await loadSale(world.journal, 'R'))?.request).toMatchObject({ originalMessageId: original });
    const reversed = await world.during(world.desk.reverse('B'));
    expect(reversed).toMatchObject({ reference: 'B', state: 'done', outcome: 'reversed' });
    await world.crash();
    expect(await world.desk.get('B')).toMatchObject({ outcome: 'reversed' });
  });

  it('gives the events of the rows that are left', async () => {
    const world = await compacted();
    await world.during(world.desk.reverse('B'));
    const events = await world.desk.eventsAfter(0, 100);
    expect(events.length).toBeGreaterThan(0);
    expect(events.every((event) => 'sale' in event && event.sale.reference === 'B')).toBe(true);
  });
});

describe('a hold on sales', () => {
  it('refuses every new sale with what to do, and leaves those that run alone', async () => {
    const world = await new World().boot();
    await world.sell(sale('A'));
    world.hold = { hold: 'all', text: 'this journal was restored elsewhere' };
    await expect(world.sell(sale('B'))).rejects.toMatchObject({
      code: 'journal-unavailable',
      message: expect.stringContaining('restored elsewhere'),
    });
    expect(await world.sell(sale('A'))).toMatchObject({ outcome: 'approved' });
    expect((await world.during(world.desk.reverse('A'))).outcome).toBe('reversed');
    world.hold = { hold: 'none', text: '' };
    expect((await world.sell(sale('B'))).outcome).toBe('approved');
  });

  it('keeps approvals without the gateway away, and lets the gateway approve', async () => {
    const world = await new World().boot();
    world.hold = { hold: 'offline', text: 'old copy' };
    expect((await world.sell(sale('A'))).outcome).toBe('approved');
    expect(world.desk.terminals()[0]?.offline).toMatchObject({ ready: false });
    expect(world.desk.terminals()[0]?.offline.reasons).toContain('journal-unavailable');
  });
});
