import { APPROVED, AT, saleOf } from '../../sale.test.support.js';
import {
  ACCEPT_PART,
  ANSWERED,
  AUTHORIZING,
  acknowledged,
  answer,
  authorizing,
  completed,
  completing,
  DONE,
  doneOnline,
  LINKED_REFUND,
  PART,
  parkedEvent,
  RECORD,
  REFERRAL,
  REVERSAL,
  type Row,
  resolveManually,
  reversing,
  status,
  timer,
  UNKNOWN,
  unknown,
  voice,
} from '../machine.test.support.js';
import type { Fact } from '../state/facts.js';

const REFERRED: Fact = { kind: 'ended', outcome: 'declined', mode: 'online', reason: 'referral' };
const CODE: Fact = {
  kind: 'voice-authorization',
  messageId: 'v1',
  originalMessageId: 'm1',
  approvalCode: 'AB12',
  amount: { minor: 1_234, currency: 'EUR' },
};
const BY_VOICE = { ...DONE(), reason: 'approved-by-voice' } as Fact;
const referred = (...facts: readonly Fact[]) => saleOf([AUTHORIZING, ANSWERED(REFERRAL), REFERRED, ...facts]);
const WINDOW = 24 * 3_600_000;

/** The issuer wants a call: the card gets a decline, and an approval code may make it an approval. */
export const REFERRALS: readonly Row[] = [
  [
    'a referral is a no for the card',
    authorizing(),
    answer(REFERRAL),
    ['answered declined'],
    ['stop-timer answer', 'complete-card declined'],
  ],
  [
    'the card is done with a referral',
    completing(REFERRAL),
    completed('declined'),
    ['completed declined', 'ended declined online referral'],
    ['finish-card call-issuer'],
  ],
  [
    'restart during a referral',
    completing(REFERRAL),
    { kind: 'restarted' },
    ['ended declined online referral'],
    [],
  ],
  [
    'a referral that comes late',
    unknown(),
    status('answered', REFERRAL),
    ['answered late declined', 'ended declined online referral'],
    ['stop-timer resolve'],
  ],
  [
    'the approval code of the call',
    referred(),
    voice,
    ['voice-authorization fresh-1 of m1 AB12', 'ended approved online approved-by-voice'],
    [],
  ],
  ['the same code again', referred(CODE, BY_VOICE), voice, [], []],
  ['a code for a sale that was not referred', doneOnline(), voice, [], []],
  [
    'a code for a refund',
    saleOf([AUTHORIZING, ANSWERED(REFERRAL), REFERRED], {}, LINKED_REFUND),
    voice,
    [],
    [],
  ],
  ['a code that comes days later', referred(), voice, [], [], { nowMs: AT + WINDOW + 1 }],
  [
    'the issuer knows the code',
    referred(CODE, BY_VOICE),
    acknowledged('v1', 'approved'),
    ['acknowledged v1'],
    [],
  ],
  [
    'the issuer does not know the code',
    referred(CODE, BY_VOICE),
    acknowledged('v1', 'declined'),
    ['acknowledged v1', 'ended declined online voice-code-refused'],
    [],
  ],
  [
    'another code after that',
    referred(CODE, BY_VOICE, { kind: 'acknowledged', messageId: 'v1', answer: { disposition: 'declined' } }, {
      ...REFERRED,
      reason: 'voice-code-refused',
    } as Fact),
    voice,
    ['voice-authorization fresh-1 of m1 AB12', 'ended approved online approved-by-voice'],
    [],
  ],
  [
    'approved by voice, reversed by the till',
    referred(CODE, BY_VOICE),
    { kind: 'reverse' },
    ['reversal fresh-1 of v1 reversed-by-till/reversed'],
    [],
  ],
  [
    'the code is refused while it is being reversed',
    referred(CODE, BY_VOICE, { ...REVERSAL, originalMessageId: 'v1', reason: 'reversed-by-till' } as Fact),
    acknowledged('v1', 'declined'),
    ['acknowledged v1'],
    [],
  ],
];

/** The issuer approves less than the requested amount. */
export const PARTS: readonly Row[] = [
  [
    'a part where the policy takes it',
    authorizing(),
    answer(PART),
    ['answered approved'],
    ['stop-timer answer', 'complete-card approved'],
    ACCEPT_PART,
  ],
  [
    'a part where the policy does not take it',
    authorizing(),
    answer(PART),
    ['answered approved'],
    ['stop-timer answer', 'complete-card declined'],
  ],
  [
    'TC for a part',
    completing(PART),
    completed('approved'),
    ['completed approved', 'ended approved online approved'],
    ['finish-card approved-in-part 617'],
    ACCEPT_PART,
  ],
  [
    'a partial approval that the policy does not accept is reversed',
    completing(PART),
    completed('declined'),
    ['completed declined', 'reversal fresh-1 of m1 amount-differs/declined'],
    ['finish-card declined'],
  ],
  [
    'more than the requested amount is reversed under any policy',
    completing({ ...PART, amountMinor: 1_235 }),
    completed('approved'),
    ['completed approved', 'reversal fresh-1 of m1 amount-differs/declined'],
    ['finish-card declined'],
    ACCEPT_PART,
  ],
  [
    'a part in another currency is reversed',
    completing({ ...PART, currency: 'USD' }),
    completed('approved'),
    ['completed approved', 'reversal fresh-1 of m1 amount-differs/declined'],
    ['finish-card declined'],
    ACCEPT_PART,
  ],
  [
    'AAC after a part',
    completing(PART),
    completed('declined'),
    ['completed declined', 'reversal fresh-1 of m1 declined-by-card/declined'],
    ['finish-card declined'],
    ACCEPT_PART,
  ],
  [
    'a part of a linked refund is reversed',
    authorizing({ card: undefined }, LINKED_REFUND),
    answer(PART),
    ['answered late approved', 'reversal fresh-1 of m1 amount-differs/failed'],
    ['stop-timer answer'],
    ACCEPT_PART,
  ],
  [
    'a part that comes late is reversed',
    unknown(),
    answer(PART),
    ['answered late approved', 'reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
    ACCEPT_PART,
  ],
];

const SILENT: Fact = {
  kind: 'overdue',
  code: 'gateway-silent',
  text: 'the gateway has not answered for 24 h',
};
const silent = saleOf([AUTHORIZING, UNKNOWN, REVERSAL, SILENT]);
const parkedReversal = saleOf([
  AUTHORIZING,
  UNKNOWN,
  REVERSAL,
  { kind: 'parked', messageId: 'r1', code: 'x', text: 'y' },
]);
const parkedRecord = saleOf([
  AUTHORIZING,
  RECORD,
  DONE('offline-card'),
  { kind: 'parked', messageId: 'o1', code: 'x', text: 'y' },
]);

const reversedParkedRecord = saleOf([
  AUTHORIZING,
  RECORD,
  DONE('offline-card'),
  { kind: 'parked', messageId: 'o1', code: 'x', text: 'y' },
  { ...REVERSAL, originalMessageId: 'o1' } as Fact,
]);

/** The outcome stays unknown for too long, or the gateway refuses a message: staff resolve it, and the way back. */
export const STUCK: readonly Row[] = [
  [
    'days without a word: reversed when it comes, and the sale is parked again',
    unknown(),
    timer('overdue'),
    ['reversal fresh-1 of m1 no-answer/failed', 'overdue gateway-silent'],
    ['stop-timer resolve'],
  ],
  ['days without a word to the reversal', reversing(), timer('overdue'), ['overdue gateway-silent'], []],
  ['another timer while reversing', reversing(), timer('resolve'), [], []],
  [
    'the gateway is back and has reversed it',
    silent,
    acknowledged('r1', 'reversed'),
    ['acknowledged r1', 'ended reversed null no-answer'],
    [],
  ],
  [
    'the gateway is back and had recorded nothing',
    silent,
    acknowledged('r1', 'nothing-to-reverse'),
    ['acknowledged r1', 'ended failed null no-answer'],
    [],
  ],
  ['the gateway is back and parks it', silent, parkedEvent('r1'), ['parked r1'], []],
  [
    'staff resolves what the gateway does not answer',
    silent,
    resolveManually(),
    ['ended reversed null manually-resolved'],
    [],
  ],
  [
    'staff resolves a reversal that the gateway would not take',
    parkedReversal,
    resolveManually('approved'),
    ['withdrawn r1', 'cancel-if-unseen fresh-1 of r1', 'ended approved null manually-resolved'],
    [],
  ],
  [
    'staff resolves an offline record that the gateway would not take',
    parkedRecord,
    resolveManually('approved'),
    ['withdrawn o1', 'cancel-if-unseen fresh-1 of o1', 'ended approved offline-card manually-resolved'],
    [],
  ],
  [
    'a reversal that the gateway would not take is tried again',
    parkedReversal,
    { kind: 'reverse' },
    ['withdrawn r1', 'reversal fresh-1 of m1 no-answer/failed'],
    [],
  ],
  [
    'the gateway took in a parked record after all',
    parkedRecord,
    acknowledged('o1', 'approved'),
    ['acknowledged o1', 'ended approved offline-card approved-offline'],
    [],
  ],
  [
    'a parked record was declined after all',
    parkedRecord,
    acknowledged('o1', 'declined'),
    ['acknowledged o1', 'ended declined offline-card declined-later'],
    [],
  ],
  [
    'a parked reversal was taken after all',
    parkedReversal,
    acknowledged('r1', 'reversed'),
    ['acknowledged r1', 'ended reversed null no-answer'],
    [],
  ],
  ['a parked reversal is refused once more', parkedReversal, acknowledged('r1', 'refused'), [], []],
  [
    'a reversed sale leaves no parked record behind',
    reversedParkedRecord,
    acknowledged('r1', 'nothing-to-reverse'),
    ['acknowledged r1', 'withdrawn o1', 'ended failed offline-card no-answer'],
    [],
  ],
  [
    'a parked record is taken in while it is being reversed',
    reversedParkedRecord,
    acknowledged('o1', 'approved'),
    ['acknowledged o1'],
    [],
  ],
  ['one that waits is not sent twice', silent, { kind: 'reverse' }, [], []],
  ['a late approval cannot change a parked sale', silent, answer(APPROVED), [], []],
];
