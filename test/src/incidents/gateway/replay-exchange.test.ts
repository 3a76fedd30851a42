import * as masked from '@tillbridge/gateway/app/incident/masked-rows.js';
import type { LinkExchangeRow } from '@tillbridge/gateway/kernel/store/rows.js';
import { describe, expect, it } from 'vitest';
import { runLinkSimulation } from '../../simulation/link/link-simulation.js';
import { replayExchange } from './replay-exchange.js';

/** A simulation of a link with lost answers and reversals. */
const LINK_SEED = 7;

const AMOUNT = { minor: 1_234, currency: 'EUR' };
const REQUEST = {
  kind: 'financial',
  isAdvice: false,
  isResponse: false,
  stan: '000001',
  at: '20261120120000',
  amount: AMOUNT,
};
const ANSWER = { ...REQUEST, isResponse: true, responseCode: '00', settlementDate: '20261120' };

const exchange = (more: Partial<LinkExchangeRow>): LinkExchangeRow => ({
  ...{ reference: 'a'.repeat(32), acquirer: 'host', sequence: 1, stan: '000001', rrn: '******000001' },
  ...{ transmittedAt: '20261120120000', state: 'sent', original: null, card: null, entityId: null },
  ...{
    reversalReference: null,
    request: JSON.stringify(REQUEST),
    purpose: null,
    answer: null,
    reversal: null,
  },
  ...{ standIn: null, sealed: null, keyId: null, bookedDay: null, bookedMinor: null, reversedDay: null },
  ...{
    reversedMinor: null,
    lateApprovals: 0,
    owner: null,
    createdAtMs: Date.UTC(2026, 10, 20, 12),
    version: 1,
  },
  ...more,
});

const reversal = (attempts: number) =>
  JSON.stringify({ stan: '000002', at: '20261120120100', attempts, nextAtMs: 5 });
const booked = { answer: JSON.stringify(ANSWER), bookedDay: 20_261_120, bookedMinor: 1_234 };

describe('an exchange with a host', () => {
  it('that a simulated link has journaled replays', async () => {
    const { exchanges } = await runLinkSimulation({ seed: LINK_SEED });
    const verdicts = exchanges.map((row) => replayExchange(masked.exchange(row)));
    expect(verdicts.flatMap(({ divergence }) => divergence ?? [])).toEqual([]);
    expect(exchanges.length).toBeGreaterThan(40);
    expect(new Set(exchanges.map(({ state }) => state))).toEqual(new Set(['answered', 'reversed']));
  });

  it.each<[string, Partial<LinkExchangeRow>]>([
    ['has just been sent', {}],
    ['was answered', { state: 'answered', ...booked }],
    ['got no answer and is being reversed', { state: 'reversing', reversal: reversal(3) }],
    ['was reversed after its answer', { state: 'reversed', ...booked, reversal: reversal(1) }],
    [
      'was approved after its reversal',
      {
        state: 'reversing',
        reversal: reversal(1),
        lateApprovals: 1,
        bookedDay: 20_261_120,
        bookedMinor: 1_234,
      },
    ],
    [
      'was given back by an earlier reversal while it is reversed once more',
      {
        ...{ state: 'reversing', reversal: reversal(1) },
        ...{ bookedDay: 20_261_120, bookedMinor: 1_234, reversedDay: 20_261_121, reversedMinor: 1_234 },
      },
    ],
    ['never began', { state: 'reversed', request: null }],
  ])('that %s replays', (_what, row) => {
    expect(replayExchange(exchange(row)).divergence).toBeUndefined();
  });

  it.each<[string, Partial<LinkExchangeRow>]>([
    ['is reversed without a reversal', { state: 'reversed' }],
    ['is answered without an answer', { state: 'answered' }],
    [
      'has booked money that the host declined',
      { state: 'answered', ...booked, answer: JSON.stringify({ ...ANSWER, responseCode: '05' }) },
    ],
    ['has booked another amount than was approved', { state: 'answered', ...booked, bookedMinor: 1 }],
    ['was given back before it was reversed', { ...booked, reversedDay: 20_261_120, reversedMinor: 1_234 }],
    ['has sent an advice that it is not', { state: 'advice-pending' }],
  ])('that %s is refused', (_what, row) => {
    const { divergence } = replayExchange(exchange(row));
    expect(divergence?.row).toContain('linkExchanges');
    expect(divergence?.tried).toContain('no answer comes');
  });
});
