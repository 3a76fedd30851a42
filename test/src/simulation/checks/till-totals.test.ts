import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { type Movement, totalsOf } from '@tillbridge/agent/sale/totals/totals.js';
import { describe, expect, it } from 'vitest';
import { wrongReceipt } from './receipt-check.js';
import { capturedAsShown, differentTotals } from './till-totals.js';

function answer(about: Partial<SaleAnswer>): SaleAnswer {
  const sale = {
    reference: 'A-1',
    terminalId: '101',
    type: 'sale',
    state: 'done',
    outcome: 'approved',
  } as const;
  const rest = { mode: 'online', amount: '10.00', currency: 'EUR', cashierText: '', timeline: [] } as const;
  return { ...sale, ...rest, ...about };
}

function movement(kind: Movement['kind'], minor: number): Movement {
  return { kind, minor, currency: 'EUR', terminal: '101', brand: 'VISA', till: '' };
}

const byTerminal = (answers: readonly SaleAnswer[], movements: readonly Movement[]): readonly string[] =>
  differentTotals(answers, totalsOf(movements, 'terminal'), ({ terminalId }) => terminalId);

describe('totals of a store', () => {
  it('are what tills were shown', () => {
    const capture = { amount: '4.00', final: false, state: 'acknowledged' } as const;
    const answers = [
      answer({ approvedAmount: '7.00' }),
      answer({ type: 'refund' }),
      answer({ type: 'preauthorization', captures: [capture, { ...capture, state: 'refused' }] }),
      answer({ type: 'preauthorization', captures: [{ ...capture, final: true }] }),
      answer({ outcome: 'reversed', approvedAmount: '3.00' }),
      answer({ outcome: 'declined', lateDecline: { reason: 'declined-later' } }),
      answer({ outcome: 'declined' }),
      answer({ state: 'parked', outcome: null }),
    ];
    const movements = [
      ...[movement('approved', 700), movement('refunded', 1_000), movement('approved', 400)],
      ...[movement('preauthorized', 600), movement('approved', 400), movement('reversed', 300)],
      ...[movement('lateDeclined', 1_000), movement('parked', 1_000)],
    ];
    expect(byTerminal(answers, movements)).toEqual([]);
    expect(byTerminal(answers, [...movements, movement('approved', 1)])).toHaveLength(1);
    expect(byTerminal(answers, movements.slice(1))).toHaveLength(1);
    expect(byTerminal([answer({ approvedAmount: '7.00' })], [movement('approved', 1_000)])).toHaveLength(1);
  });

  it('have the captures that were carried out', () => {
    const capture = { amount: '4.00', final: false } as const;
    expect(capturedAsShown(answer({ captures: [{ ...capture, state: 'acknowledged' }] }))).toBe(400);
    expect(capturedAsShown(answer({ captures: [{ ...capture, state: 'queued' }] }))).toBeUndefined();
  });
});

describe('receipts', () => {
  it('show the amount that was approved, and of a part what was requested', () => {
    const printed = (...lines: string[]) => {
      const text = ['APPROVED', ...lines].join('\n');
      return { customer: text, merchant: text };
    };
    const part = { approvedAmount: '7.00' };
    const whole = printed('Amount           EUR 10.00');
    const both = printed('Amount            EUR 7.00', 'Of a total of    EUR 10.00');
    expect(wrongReceipt(answer({ receipts: whole }))).toBeUndefined();
    expect(wrongReceipt(answer({ ...part, receipts: both }))).toBeUndefined();
    expect(wrongReceipt(answer({ ...part, receipts: whole }))).toContain('7.00');
    expect(wrongReceipt(answer({ receipts: both }))).toContain('7.00');
  });
});
