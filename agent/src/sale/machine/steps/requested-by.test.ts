import { describe, expect, it } from 'vitest';
import { chipCard, context, saleOf } from '../../sale.test.support.js';
import { decide, observe } from '../decide.js';
import {
  accepted,
  authorizing,
  doneOnline,
  notSent,
  online,
  reading,
  sent,
  timer,
} from '../machine.test.support.js';
import type { Decision, Sale, SaleEvent } from '../state/events.js';
import { ended, requestedBy, reversal } from './common.js';

const after = (sale: Sale, event: SaleEvent): Decision => decide(sale, event, context());
const cancel: SaleEvent = { kind: 'cancel', by: 'till-2' };

describe('a cancellation', () => {
  it('has the till that requested it, until the sale ends', () => {
    expect(after(reading(), cancel).live).toStrictEqual({
      cancelRequested: true,
      cancelRequestedBy: 'till-2',
    });
    expect(after(reading(), { kind: 'cancel' }).live).toStrictEqual({ cancelRequested: true });
    const requested = { cancelRequested: true, cancelRequestedBy: 'till-2' };
    expect(after(reading(requested), online).facts).toEqual([
      { kind: 'ended', outcome: 'cancelled', mode: null, reason: 'cancelled-by-till', by: 'till-2' },
    ]);
    // The decision adds nothing to the state in memory but its own.
    const { facts, live } = after(authorizing({ ...notSent, ...requested }), sent(false));
    expect(facts).toMatchObject([{ kind: 'ended', by: 'till-2' }]);
    expect(live).toStrictEqual({ card: undefined });
  });

  it('has the till in what ends the sale at once, and in its reversal', () => {
    const decision = after(accepted(), cancel);
    expect(decision.facts).toMatchObject([{ kind: 'ended', reason: 'cancelled-by-till', by: 'till-2' }]);
    expect(decision).not.toHaveProperty('live');
    const reversed = after(authorizing(), cancel);
    expect(reversed.facts).toMatchObject([{ kind: 'reversal', by: 'till-2' }]);
    expect(reversed.effects?.[0]).toEqual({ do: 'stop-timer', timer: 'answer' });
    expect(reversed.live).toStrictEqual({ card: undefined });
  });

  it('is no other event of a sale that has one', () => {
    const requested = { cancelRequested: true, cancelRequestedBy: 'till-2' };
    const sale = { ...doneOnline(), live: { ...doneOnline().live, ...requested } };
    const { facts } = after(sale, { kind: 'reverse', by: 'till-3' });
    expect(facts).toMatchObject([{ kind: 'reversal', reason: 'reversed-by-till', by: 'till-3' }]);
    expect(after(accepted(), timer('answer'))).toEqual({});
  });
});

describe('a decision that a till requested', () => {
  const facts = [
    reversal(authorizing().state, 'r1', 'no-answer', 'failed'),
    { kind: 'withdrawn', messageId: 'm1', text: 'gone' },
    ended('failed', null, 'reversed-by-till'),
  ] as const;
  const decision: Decision = { facts, effects: [{ do: 'cancel-card' }] };
  const named = (by: object, reason?: Parameters<typeof requestedBy>[2]) =>
    requestedBy(decision, by, reason).facts?.map((fact) => ('by' in fact ? fact.by : 'none'));

  it('has the till in its reversal and its end, and in nothing else', () => {
    expect(named({ by: 'till-2' })).toEqual(['till-2', 'none', 'till-2']);
    expect(named({ by: 'till-2' }, 'reversed-by-till')).toEqual(['none', 'none', 'till-2']);
    expect(requestedBy(decision, { by: 'till-2' })).toEqual({
      facts: [{ ...facts[0], by: 'till-2' }, facts[1], { ...facts[2], by: 'till-2' }],
      effects: decision.effects,
    });
  });

  it('is the same where no till is named, or nothing becomes true', () => {
    expect(requestedBy(decision, {})).toBe(decision);
    const none: Decision = { effects: [] };
    expect(requestedBy(none, { by: 'till-2' })).toBe(none);
  });
});

describe('a request that was handed over', () => {
  it('stays so, whether or not anything is journaled', () => {
    const sale = saleOf([], { card: chipCard() });
    const { live } = observe(sale, sent(true));
    expect(live).toEqual({ ...sale.live, handedOver: true });
    expect(observe(sale, sent(true)).state.reference).toBe('R1');
    for (const event of [sent(false), { kind: 'restarted' } as const])
      expect(observe(sale, event)).toBe(sale);
  });
});
