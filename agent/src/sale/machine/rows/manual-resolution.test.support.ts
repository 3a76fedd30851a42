import { saleOf } from '../../sale.test.support.js';
import {
  AUTHORIZING,
  acknowledged,
  DONE,
  parkedEvent,
  RECORD,
  REVERSAL,
  type Row,
  resolveManually,
} from '../machine.test.support.js';
import type { Fact } from '../state/facts.js';

const WITHDRAWN: Fact = {
  kind: 'withdrawn',
  messageId: 'o1',
  text: 'manually resolved: x',
};
const PARKED_RECORD: readonly Fact[] = [
  AUTHORIZING,
  RECORD,
  DONE('offline-card'),
  { kind: 'parked', messageId: 'o1', code: 'x', text: 'y' },
];
const parkedRecord = saleOf(PARKED_RECORD);
const RESOLVED = { kind: 'ended', mode: 'offline-card', reason: 'manually-resolved', detail: 'x' } as const;
const resolvedAsNone = saleOf([
  ...PARKED_RECORD,
  WITHDRAWN,
  {
    ...REVERSAL,
    messageId: 'f1',
    originalMessageId: 'o1',
    reason: 'manually-resolved',
    otherwise: 'failed',
  } as Fact,
  { ...RESOLVED, outcome: 'failed' },
]);
const KEPT_OUT: readonly Fact[] = [
  ...PARKED_RECORD,
  WITHDRAWN,
  {
    kind: 'cancel-if-unseen',
    messageId: 'k1',
    originalMessageId: 'o1',
    amount: { minor: 1_234, currency: 'EUR' },
  },
  { ...RESOLVED, outcome: 'approved' },
];
const cancelsIfUnseen = saleOf(KEPT_OUT);

/** A person has resolved what the gateway would not take, and the gateway gets a message about it. */
export const MANUAL_RESOLUTION_ROWS: readonly Row[] = [
  [
    'staff resolves it as no sale: what may be recorded of it is reversed',
    parkedRecord,
    resolveManually(),
    [
      'withdrawn o1',
      'reversal fresh-1 of o1 manually-resolved/reversed',
      'ended reversed offline-card manually-resolved',
    ],
    [],
  ],
  [
    'reversed, as the person stated',
    resolvedAsNone,
    acknowledged('f1', 'nothing-to-reverse'),
    ['acknowledged f1', 'ended failed offline-card manually-resolved'],
    [],
  ],
  [
    'it had been recorded, and is reversed',
    resolvedAsNone,
    acknowledged('f1', 'reversed'),
    ['acknowledged f1', 'ended reversed offline-card manually-resolved'],
    [],
  ],
  ['it cannot be reversed', resolvedAsNone, acknowledged('f1', 'refused'), ['parked f1'], []],
  [
    'what was resolved as approved had not been taken',
    cancelsIfUnseen,
    acknowledged('k1', 'nothing-to-reverse'),
    ['acknowledged k1'],
    [],
  ],
  ['it had been approved', cancelsIfUnseen, acknowledged('k1', 'approved'), ['acknowledged k1'], []],
  [
    'it had been declined',
    cancelsIfUnseen,
    acknowledged('k1', 'declined'),
    ['acknowledged k1', 'overdue resolved-otherwise'],
    [],
  ],
  [
    'it had been declined, which the gateway could tell only when its word was tried again',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    acknowledged('k1', 'declined'),
    ['acknowledged k1', 'overdue resolved-otherwise'],
    [],
  ],
  [
    'it had not been taken, and so on',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    acknowledged('k1', 'nothing-to-reverse'),
    ['acknowledged k1', 'ended approved offline-card manually-resolved'],
    [],
  ],
  ['it cannot be cancelled if unseen', cancelsIfUnseen, parkedEvent('k1'), ['parked k1'], []],
  [
    'staff resolves even that',
    saleOf([...KEPT_OUT, { kind: 'parked', messageId: 'k1', code: 'x', text: 'y' }]),
    resolveManually('approved'),
    ['withdrawn k1', 'ended approved offline-card manually-resolved'],
    [],
  ],
];
