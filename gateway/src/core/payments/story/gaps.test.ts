import { describe, expect, it } from 'vitest';
import type { AgentSessionRow, NodeEndRow, PaymentRow } from '../../../kernel/store/rows.js';
import { gapsOf } from './gaps.js';
import type { StorySources } from './sources.js';

const PAYMENT = { agentId: 'store-1', reference: 'R-1', createdAtMs: 0 } as PaymentRow;
const session = (epoch: number, bootId: string, createdAtMs: number, endedAtMs: number | null) =>
  ({
    agentId: 'store-1',
    epoch,
    bootId,
    nodeId: `node-${epoch}`,
    createdAtMs,
    endedAtMs,
    version: 1,
  }) as AgentSessionRow;
const lost = (renewedAtMs: number, createdAtMs: number) =>
  ({ id: 'node-1', startedAtMs: 0, renewedAtMs, ending: 'lost', createdAtMs, version: 1 }) as NodeEndRow;

const textsOf = (more: Partial<StorySources>): readonly string[] =>
  gapsOf(
    { payments: [PAYMENT], intents: [], events: [{}], sessions: [], nodeEnds: [], ...more } as never,
    [],
    0,
  )
    .filter(({ fromMs }) => fromMs !== undefined)
    .map(({ text }) => text);

describe('the gaps of a story', () => {
  it('state when an agent ended and was back as another process', () => {
    expect(textsOf({ sessions: [session(1, 'a', 0, 4_000), session(2, 'b', 9_000, null)] })).toEqual([
      'agent store-1 ended 1970-01-01T00:00:04.000Z, back 1970-01-01T00:00:09.000Z as another process',
    ]);
  });

  it('state since when a store is not reached', () => {
    expect(textsOf({ sessions: [session(1, 'a', 0, 4_000)] })).toEqual([
      'store not reached since 1970-01-01T00:00:04.000Z (agent store-1)',
    ]);
  });

  it('state that the gateway was gone, and the store with it', () => {
    const sessions = [session(1, 'a', 0, null), session(2, 'a', 9_000, null)];
    expect(textsOf({ sessions, nodeEnds: [lost(4_000, 8_000)] })).toEqual([
      'gateway process node-1 ended without a word: last renewed 1970-01-01T00:00:04.000Z, found gone 1970-01-01T00:00:08.000Z',
      'store not reached from 1970-01-01T00:00:04.000Z to 1970-01-01T00:00:09.000Z (agent store-1, as the gateway was gone)',
    ]);
  });

  it('are none where a session stands, or another one of the same process took over', () => {
    expect(textsOf({ sessions: [session(1, 'a', 0, null)] })).toEqual([]);
    expect(textsOf({ sessions: [session(1, 'a', 0, null), session(2, 'a', 5, null)] })).toEqual([]);
  });

  it('name what brings the journal of the agent', () => {
    const gaps = gapsOf(
      { payments: [PAYMENT], intents: [], events: [{}], sessions: [], nodeEnds: [] } as never,
      [],
      0,
    );
    expect(gaps).toEqual([
      { source: 'agent', text: expect.stringContaining('"status" with the reference R-1') },
    ]);
  });
});
