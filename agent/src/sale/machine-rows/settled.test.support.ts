import type { Fact } from '../facts.js';
import {
  AUTHORIZING,
  acknowledged,
  DONE,
  parkedEvent,
  RECORD,
  REVERSAL,
  type Row,
  settle,
} from '../machine.test.support.js';
import { saleOf } from '../sale.test.support.js';

const WITHDRAWN: Fact = {
  kind: 'withdrawn',
  messageId: 'o1',
  text: 'settled by hand: x',
};
const PARKED_RECORD: readonly Fact[] = [
  AUTHORIZING,
  RECORD,
  DONE('offline-card'),
  { kind: 'parked', messageId: 'o1', code: 'x', text: 'y' },
];
const parkedRecord = saleOf(PARKED_RECORD);
const SETTLED = { kind: 'ended', mode: 'offline-card', reason: 'settled-by-hand', detail: 'x' } as const;
const settledAsNone = saleOf([
  ...PARKED_RECORD,
  WITHDRAWN,
  {
    ...REVERSAL,
    messageId: 'f1',
    originalMessageId: 'o1',
    reason: 'settled-by-hand',
    otherwise: 'failed',
  } as Fact,
  { ...SETTLED, outcome: 'failed' },
]);
const KEPT_OUT: readonly Fact[] = [
  ...PARKED_RECORD,
  WITHDRAWN,
  {
    kind: 'keep-out',
    messageId: 'k1',
    originalMessageId: 'o1',
    amount: { minor: 1_234, currency: 'EUR' },
  },
  { ...SETTLED, outcome: 'approved' },
];
const keptOut = saleOf(KEPT_OUT);

/** A person has settled what the gateway would not take, and the gateway hears of it. */
export const SETTLED_ROWS: readonly Row[] = [
  [
    'a person settles it as no sale: what may be booked of it is undone',
    parkedRecord,
    settle(),
    [
      'withdrawn o1',
      'reversal fresh-1 of o1 settled-by-hand/reversed',
      'ended reversed offline-card settled-by-hand',
    ],
    [],
  ],
  [
    'undone, as the person said',
    settledAsNone,
    acknowledged('f1', 'nothing-to-reverse'),
    ['acknowledged f1', 'ended failed offline-card settled-by-hand'],
    [],
  ],
  [
    'it had been booked, and is undone',
    settledAsNone,
    acknowledged('f1', 'reversed'),
    ['acknowledged f1', 'ended reversed offline-card settled-by-hand'],
    [],
  ],
  ['it cannot be undone', settledAsNone, acknowledged('f1', 'refused'), ['parked f1'], []],
  [
    'what was settled as approved had not been taken',
    keptOut,
    acknowledged('k1', 'nothing-to-reverse'),
    ['acknowledged k1'],
    [],
  ],
  ['it had been approved', keptOut, acknowledged('k1', 'approved'), ['acknowledged k1'], []],
  [
    'it had been declined',
    keptOut,
    acknowledged('k1', 'declined'),
    ['acknowledged k1', 'overdue settled-otherwise'],
    [],
  ],
  [
    'it had been declined, which the gateway could tell only when its word was tried again',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    acknowledged('k1', 'declined'),
    ['acknowledged k1', 'overdue settled-otherwise'],
    [],
  ],
  [
    'it had not been taken, and so on',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    acknowledged('k1', 'nothing-to-reverse'),
    ['acknowledged k1', 'ended approved offline-card settled-by-hand'],
    [],
  ],
  ['it cannot be kept out', keptOut, parkedEvent('k1'), ['parked k1'], []],
  [
    'a person settles even that',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    settle('approved'),
    ['withdrawn k1', 'ended approved offline-card settled-by-hand'],
    [],
  ],
];
