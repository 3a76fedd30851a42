import { expect, it } from 'vitest';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { endOfStale, rowAfterLeaving, takesPlaceOf } from './current-session.js';

const ROW = {
  ...newAgentRow({ id: 'store-1', entityId: 'e', publicKey: 'key', terminals: ['1'] }, 0),
  epoch: 5,
  nodeId: 'n1',
};

it('a session takes the place of an older one alone', () => {
  expect(takesPlaceOf(undefined, { epoch: 1 })).toBe(true);
  expect(takesPlaceOf({ epoch: 1 }, { epoch: 2 })).toBe(true);
  expect(takesPlaceOf({ epoch: 3 }, { epoch: 2 })).toBe(false);
});

it('a session that a newer one has followed ends, and one whose agent is connected nowhere was revoked', () => {
  expect(endOfStale({ epoch: 5 }, ROW)).toBeUndefined();
  expect(endOfStale(undefined, ROW)).toBeUndefined();
  expect(endOfStale({ epoch: 4 }, ROW)).toBe('superseded');
  expect(endOfStale({ epoch: 4 }, { ...ROW, nodeId: null })).toBe('revoked');
  expect(endOfStale({ epoch: 4 }, { ...ROW, state: 'revoked' })).toBe('revoked');
});

it('an agent that has come back, or is at another node, has not left', () => {
  expect(rowAfterLeaving(ROW, { epoch: 5, nodeId: 'n1' })).toEqual({ ...ROW, nodeId: null });
  expect(rowAfterLeaving(ROW, { epoch: 4, nodeId: 'n1' })).toBeUndefined();
  expect(rowAfterLeaving(ROW, { epoch: 5, nodeId: 'n2' })).toBeUndefined();
  expect(rowAfterLeaving(undefined, { epoch: 5, nodeId: 'n1' })).toBeUndefined();
});
