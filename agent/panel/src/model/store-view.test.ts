import { describe, expect, it } from 'vitest';
import type { Sale, Status, Terminal } from '../api/answers.js';
import {
  emptyView,
  MAX_SALES,
  type StoreView,
  shownSale,
  withEvent,
  withoutShown,
  withSale,
  withSales,
  withStatus,
} from './store-view.js';

const TERMINAL: Terminal = {
  id: '1001',
  deviceType: 'GERTEC_PPC930',
  state: 'ready',
  offline: { ready: true, reasons: [] },
};
const STATUS = {
  gateway: { state: 'up' },
  terminals: [TERMINAL, { ...TERMINAL, id: '1002' }],
} as unknown as Status;

function sale(reference: string, more: Partial<Sale> = {}): Sale {
  return {
    reference,
    terminalId: '1001',
    type: 'sale',
    state: 'reading-card',
    outcome: null,
    mode: null,
    amount: '1.00',
    currency: 'EUR',
    cashierText: '',
    timeline: [{ at: '2026-11-23T10:00:00Z', step: 'accepted' }],
    ...more,
  };
}

const VIEW: StoreView = withStatus(emptyView({ rights: [] }), STATUS);

describe('the view of a store', () => {
  it('shows a sale that any till has started on its terminal, until its answer is put away', () => {
    const started = withEvent(VIEW, { type: 'sale', id: '1', data: { sale: sale('a') } });
    expect(shownSale(started, '1001')?.reference).toBe('a');
    const done = sale('a', {
      state: 'done',
      outcome: 'approved',
      timeline: Array(3).fill(sale('a').timeline[0]),
    });
    const ended = withEvent(started, { type: 'sale', id: '2', data: { sale: done } });
    expect(shownSale(ended, '1001')?.outcome).toBe('approved');
    expect(shownSale(withoutShown(ended, '1001'), '1001')).toBeUndefined();
  });

  it('shows no old sale as an answer when it changes', () => {
    const reversed = withEvent(VIEW, {
      type: 'sale',
      id: '9',
      data: { sale: sale('old', { state: 'done', outcome: 'reversed' }) },
    });
    expect(shownSale(reversed, '1001')).toBeUndefined();
    expect(reversed.sales.map(({ reference }) => reference)).toEqual(['old']);
  });

  it('shows no old sale in the place of one that runs, when it is being reversed', () => {
    const running = withSale(
      VIEW,
      sale('new', { timeline: [{ at: '2026-11-23T11:00:00Z', step: 'accepted' }] }),
    );
    const view = withSale(running, sale('old', { state: 'reversing' }));
    expect(shownSale(view, '1001')?.reference).toBe('new');
    expect(view.sales.map(({ reference }) => reference)).toEqual(['new', 'old']);
  });

  it('keeps the later state when an answer of a call arrives behind an event', () => {
    const later = sale('a', {
      state: 'done',
      outcome: 'approved',
      timeline: Array(4).fill(sale('a').timeline[0]),
    });
    const view = withSale(withSale(VIEW, later), sale('a'));
    expect(view.sales[0]?.state).toBe('done');
  });

  it('holds a bounded number of sales, and never drops one that a terminal shows', () => {
    let view = withSale(VIEW, sale('running', { terminalId: '1002' }));
    for (let at = 0; at < 10 * MAX_SALES; at += 1)
      view = withSale(view, sale(`s-${at}`, { state: 'done', outcome: 'approved' }));
    expect(view.sales.length).toBeLessThanOrEqual(MAX_SALES + 1);
    expect(shownSale(view, '1002')?.reference).toBe('running');
    expect(shownSale(withSales(view, []), '1002')?.reference).toBe('running');
  });

  it('shows only sales that it has read', () => {
    expect([VIEW.isListed, withSale(VIEW, sale('a')).isListed, withSales(VIEW, []).isListed]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('keeps the step of a terminal when its display shows a text', () => {
    const tell = (view: StoreView, step: string, more = {}) =>
      withEvent(view, {
        type: 'progress',
        id: '',
        data: { reference: 'a', terminalId: '1001', step, ...more },
      });
    const shows = tell(tell(VIEW, 'pin-entry'), 'message', { text: 'ENTER PIN' });
    expect(shows.progress['1001']).toMatchObject({ step: 'pin-entry', text: 'ENTER PIN' });
    expect(tell(shows, 'remove-card').progress['1001']?.text).toBeUndefined();
  });

  it('takes the link and the terminals from events', () => {
    const down = withEvent(VIEW, { type: 'gateway', id: '', data: { state: 'down' } });
    expect(down.status?.gateway.state).toBe('down');
    const busy = { ...TERMINAL, id: '1002', state: 'busy', runningReference: 'b' };
    const running = withEvent(VIEW, { type: 'terminal', id: '', data: { terminal: busy } });
    expect(running.status?.terminals[1]).toEqual(busy);
    expect(running.shown['1002']).toBe('b');
    expect(running.selected).toBe('1001');
  });
});
