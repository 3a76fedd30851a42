import { describe, expect, it } from 'vitest';
import type { JournalRow } from '../../journal/journal.js';
import type { Fact } from '../machine/state/facts.js';
import { SaleHarness } from '../sale-harness.test.support.js';
import { factToRow } from './fact-rows.js';
import { judgeRestored } from './restored-sale.js';

const ACCEPTED: Fact = {
  kind: 'accepted',
  sale: { type: 'sale', minor: 500, currency: 'EUR', onlineOnly: false },
};
const AUTHORIZING: Fact = { kind: 'authorizing', messageId: 'm1' };
const ANSWERED: Fact = { kind: 'answered', answer: { disposition: 'approved' }, late: false };
const UNKNOWN: Fact = { kind: 'unknown', reason: 'no-answer' };
const ENDED: Fact = { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'approved' };

function rows(...facts: Fact[]): JournalRow[] {
  return facts.map((fact, at) => ({
    ...factToRow(fact, 'A', '11'),
    row: at + 1,
    atMs: 1,
    sequence: 0,
    hash: new Uint8Array(),
  }));
}

describe('a sale whose journal was restored', () => {
  it.each<[string, Fact[]]>([
    ['accepted', [ACCEPTED]],
    ['authorizing', [ACCEPTED, AUTHORIZING]],
    ['completing', [ACCEPTED, AUTHORIZING, ANSWERED]],
  ])('is parked where it was %s: the till may know of an end that is missing', (_phase, facts) => {
    const { isOpen, doubt } = judgeRestored(undefined, rows(...facts));
    expect(isOpen).toBe(true);
    expect(doubt).toMatchObject({ kind: 'overdue', reference: 'A', data: { code: 'restored-in-doubt' } });
  });

  it('goes on where no till got an approval, and stays ended where it ended', () => {
    expect(judgeRestored(undefined, rows(ACCEPTED, AUTHORIZING, UNKNOWN))).toEqual({ isOpen: true });
    expect(judgeRestored(undefined, rows(ACCEPTED, AUTHORIZING, ANSWERED, ENDED))).toEqual({ isOpen: false });
    expect(judgeRestored(undefined, [])).toEqual({ isOpen: false });
    expect(judgeRestored(undefined, rows(ACCEPTED, AUTHORIZING, ANSWERED, ENDED), true)).toMatchObject({
      isOpen: true,
      doubt: { kind: 'overdue' },
    });
  });

  it('is not reversed by the next start, is reported to the till, and ends as staff resolves it', async () => {
    const harness = await new SaleHarness().boot();
    await harness.sell({ reference: 'A' });
    // What was copied ends with the request; the approval, which the till was shown, is on the disk that died.
    const left = harness.disk.rows.filter(({ kind }) => kind === 'accepted' || kind === 'authorizing');
    const doubt = judgeRestored(undefined, left).doubt;
    const restored = new SaleHarness();
    for (const row of left) await restored.journal.append({ atMs: row.atMs, rows: [row] });
    const sale = { reference: 'A', open: true };
    if (doubt) await restored.journal.append({ atMs: 1, rows: [doubt], sale });
    await restored.boot();
    expect(restored.service.status()).toMatchObject({
      open: [],
      parked: [
        { reference: 'A', code: 'restored-in-doubt', reason: expect.stringContaining('may be missing') },
      ],
    });
    await restored.crash();
    await restored.clock.advance(10 * 60_000);
    const answer = await restored.service.get('A');
    expect(answer).toMatchObject({ state: 'parked', outcome: null });
    expect(answer.cashierText).toContain('It may be approved');
    expect(restored.kinds('A')).toEqual(['accepted', 'authorizing', 'overdue']);
    const resolved = await restored.during(restored.service.resolve('A', 'approved', 'receipt seen'));
    expect(resolved).toMatchObject({ state: 'done', outcome: 'approved' });
    expect(restored.service.status()).toMatchObject({ parked: [] });
    await restored.crash();
    expect(restored.service.status()).toMatchObject({ parked: [] });
  });
});
