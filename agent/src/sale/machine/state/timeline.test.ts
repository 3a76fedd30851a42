import { expect, it } from 'vitest';
import { APPROVED, DECLINED } from '../../sale.test.support.js';
import { AMOUNT, AUTHORIZING, DONE, RECORD, REVERSAL, UNKNOWN } from '../machine.test.support.js';
import type { Fact } from './facts.js';
import { timelineEntry } from './timeline.js';

const original = { messageId: 'x1', originalMessageId: 'm1', amount: AMOUNT };
const ENDED: Fact = { kind: 'ended', outcome: 'failed', mode: null, reason: 'terminal-failed' };

it.each<[Fact, string, string?]>([
  [{ kind: 'reading' }, 'reading-card'],
  [AUTHORIZING, 'authorizing'],
  [{ kind: 'answered', answer: DECLINED, late: false }, 'answered', 'declined 800.100.152'],
  [
    { kind: 'answered', answer: { ...APPROVED, description: 'fine' }, late: true },
    'answered-late',
    'approved 000.000.000 fine',
  ],
  [
    { kind: 'acknowledged', messageId: 'm1', answer: { disposition: 'reversed' } },
    'acknowledged',
    'reversed',
  ],
  [{ kind: 'completed', result: 'declined' }, 'card-declined'],
  [{ kind: 'completed', result: 'failed', detail: 'card is gone' }, 'card-failed', 'card is gone'],
  [UNKNOWN, 'unknown', 'no-answer'],
  [REVERSAL, 'reversal', 'no-answer'],
  [{ ...REVERSAL, kind: 'preceding-reversal' } as Fact, 'preceding-reversal', 'no-answer'],
  [{ kind: 'withdrawn', messageId: 'm1', text: 'gone' }, 'withdrawn', 'gone'],
  [RECORD, 'offline-record', 'card-approved'],
  [{ kind: 'late-decline-acknowledged' }, 'late-decline-acknowledged'],
  [{ kind: 'late-decline-acknowledged', by: 'Kim' }, 'late-decline-acknowledged', 'Kim'],
  [{ kind: 'capture', ...original }, 'capture'],
  [{ kind: 'capture', ...original, captureReference: 'K' }, 'capture', 'K'],
  [
    { kind: 'voice-authorization', ...original, approvalCode: 'AB12' },
    'voice-authorization',
    'approval code AB12',
  ],
  [{ kind: 'cancel-if-unseen', ...original }, 'cancel-if-unseen'],
  [{ kind: 'parked', messageId: 'm1', code: 'x', text: 'why' }, 'parked', 'x: why'],
  [{ kind: 'overdue', code: 'x', text: 'why' }, 'overdue', 'x: why'],
  [DONE(), 'approved', 'approved'],
  [ENDED, 'failed', 'terminal-failed'],
  [{ ...ENDED, detail: 'no power' } as Fact, 'failed', 'terminal-failed: no power'],
])('%j is the line %s with the detail %s', (fact, step, detail) => {
  expect(timelineEntry(fact, 5)).toStrictEqual({ atMs: 5, step, ...(detail !== undefined && { detail }) });
});

it.each<Fact>([{ ...REVERSAL, by: 'till 2' } as Fact, { ...ENDED, by: 'till 2' } as Fact])(
  'names the till that requested it: %j',
  (fact) => {
    expect(timelineEntry(fact, 5).by).toBe('till 2');
  },
);

it('has the name of who acknowledged a late decline in the detail alone', () => {
  expect(timelineEntry({ kind: 'late-decline-acknowledged', by: 'Kim' }, 5)).not.toHaveProperty('by');
});
