import { expect, it } from 'vitest';
import { LONGEST_PAUSE_MS } from './decide-exchange.js';
import type { ExchangeRecord } from './exchange-record.js';
import { dueExchanges, isForwarded, orderOf } from './forwarding-order.js';

const AT = '20261123072200';
const NOW = { nowMs: 1_000, notBeforeMs: 0, most: 10 };
const request = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  isRepeat: false,
  stan: '000001',
  at: AT,
  terminalId: 'ECOM0001',
  entryMode: 'e-commerce',
} as const;

function reversing(
  reference: string,
  values: Partial<ExchangeRecord> = {},
  attempts = 0,
  nextAtMs = 0,
): ExchangeRecord {
  const reversal = { stan: '000002', at: AT, attempts, nextAtMs };
  return {
    reference,
    request,
    state: 'reversing',
    reversal,
    lateApprovals: 0,
    createdAtMs: 0,
    version: 1,
    ...values,
  };
}
const references = (open: readonly ExchangeRecord[], about = NOW) =>
  dueExchanges(open, about).due.map(({ reference }) => reference);

it('sends those of a terminal one after the other, whatever they are of', () => {
  const ofTerminal = { request: { ...request, terminalId: '1001', entryMode: 'chip' } } as const;
  const open = [reversing('a', ofTerminal, 1, 5_000), reversing('b', ofTerminal), reversing('c')];
  expect(references(open)).toEqual(['c']);
  expect(references(open, { ...NOW, nowMs: 5_000 })).toEqual(['c', 'a']);
});

it('lets payments without a terminal not wait for each other, and keeps those of one payment in order', () => {
  const capture = { purpose: { operation: 'capture', originalReference: 'a' } } as const;
  const open = [reversing('a', {}, 3, 60_000), reversing('capture', capture), reversing('b')];
  expect(references(open)).toEqual(['b']);
  expect(orderOf(reversing('capture', capture))).toBe(orderOf(reversing('a')));
  expect(orderOf(reversing('b', { request: { ...request, entryMode: 'stored' } }))).toBe(
    'reversing payment b',
  );
});

it('sends what was never sent before what a host does not acknowledge, and no more at once than it may', () => {
  const stuck = Array.from({ length: 5 }, (_, at) => reversing(`stuck-${at}`, {}, 7));
  expect(references([...stuck, reversing('new')], { ...NOW, most: 2 })).toEqual(['new', 'stuck-0']);
  expect(references([...stuck, reversing('new')], { ...NOW, most: 0 })).toEqual([]);
});

it('lets merchants whose terminals have the same number not wait for each other', () => {
  const of = (merchantId: string) => ({
    request: { ...request, terminalId: '1001', merchantId, entryMode: 'chip' as const },
  });
  expect(references([reversing('a', of('M1'), 4, 60_000), reversing('b', of('M2'))])).toEqual(['b']);
});

it('goes on where the clock was set back', () => {
  const open = [reversing('a', {}, 3, NOW.nowMs + 86_400_000)];
  expect(references(open)).toEqual(['a']);
});

it('gives the time of the next one, and sends nothing before the host wait is over', () => {
  const open = [reversing('a', {}, 1, 9_000), reversing('b', {}, 1, 7_000)];
  expect(dueExchanges(open, NOW)).toEqual({ due: [], nextAtMs: 7_000 });
  expect(dueExchanges([reversing('a')], { ...NOW, notBeforeMs: 3_000 })).toEqual({
    due: [],
    nextAtMs: 3_000,
  });
  expect(dueExchanges([reversing('a', { state: 'answered' })], NOW)).toEqual({
    due: [],
    nextAtMs: undefined,
  });
});

it('lets an advice that a host does not take hold up no reversal of its terminal', () => {
  const ofTerminal = { request: { ...request, terminalId: '1001', entryMode: 'chip' } } as const;
  expect(
    references([
      reversing('advice', { ...ofTerminal, state: 'advice-pending' }, 4, 9_000),
      reversing('a', ofTerminal),
    ]),
  ).toEqual(['a']);
});

it('sends reversals and advices until they are answered', () => {
  const states = ['sent', 'answered', 'advice-pending', 'reversing', 'reversed'] as const;
  expect(states.filter((state) => isForwarded({ state }))).toEqual(['advice-pending', 'reversing']);
  const { request: _, reversal: _reversal, ...tombstone } = reversing('a');
  expect(orderOf(tombstone)).toBe('reversing payment a');
  expect(references([tombstone, reversing('b', {}, 1)])).toEqual(['a', 'b']);
});

it('waits out the longest pause', () => {
  const at = (nextAtMs: number) => dueExchanges([reversing('a', {}, 1, nextAtMs)], NOW);
  const nextAtMs = NOW.nowMs + LONGEST_PAUSE_MS;
  expect(at(nextAtMs)).toEqual({ due: [], nextAtMs });
  expect(at(nextAtMs + 1).due).toHaveLength(1);
});
