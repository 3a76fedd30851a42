import { expect, it } from 'vitest';
import type { Queue, Status } from '../api/answers.js';
import { todosOf } from './todo.js';

it('lists parked sales first, then what keeps a terminal from selling, then late declines', () => {
  const device = {
    terminalId: '1',
    since: '2026-11-29T10:00:00.000Z',
    reason: 'tillbridge-gateway devices add',
  };
  const parked = { reference: 'r-1', terminalId: '1', code: 'parked', reason: 'why' };
  const lateDecline = { reference: 'r-2' } as Queue['lateDeclines'][number];
  const status = { parked: [parked], todos: [device] } as unknown as Status;
  const queue = { lateDeclines: [lateDecline] } as unknown as Queue;
  expect(todosOf(status, queue, [])).toEqual([
    { kind: 'parked', parked, sale: undefined },
    { kind: 'refused-device', device },
    { kind: 'late-decline', lateDecline },
  ]);
  expect(todosOf(undefined, undefined, [])).toEqual([]);
});
