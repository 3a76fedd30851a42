import {
  ARQC,
  chipCard,
  DECLINED,
  DEFERRING,
  iccData,
  saleOf,
  situation,
  tappedCard,
} from '../../sale.test.support.js';
import {
  AMOUNT,
  AUTHORIZING,
  acknowledged,
  authorizing,
  completed,
  DONE,
  decidingAfterHandOver,
  doneOffline,
  doneOnline,
  notSent,
  offlineDecision,
  RECORD,
  REVERSAL,
  type Row,
  sent,
  timer,
} from '../machine.test.support.js';
import type { SaleEvent, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';

const reverseFirst = { ...DEFERRING, offline: { ...DEFERRING.offline, afterHandOver: 'reverse' as const } };
const onlyDeferring = { ...DEFERRING, offline: { ...DEFERRING.offline, cards: [] } };
const given = (policy = DEFERRING): Partial<StepContext> => ({ policy });
/** TVR: dynamic authentication failed. */
const doubtful = chipCard(ARQC, { iccData: iccData(ARQC, { '95': '0800008000' }) });
const expire: SaleEvent = { kind: 'expire' };
const seen: SaleEvent = { kind: 'late-decline-acknowledged', by: 'Tessa' };

const TOO_OLD: Fact = { kind: 'too-old' };
const LATE_DECLINE: Fact = { kind: 'acknowledged', messageId: 'o1', answer: DECLINED };
const LOST: Fact = { kind: 'ended', outcome: 'declined', mode: 'offline-card', reason: 'declined-later' };
const SEEN: Fact = { kind: 'late-decline-acknowledged' };
const OFFLINE = [AUTHORIZING, RECORD, DONE('offline-card')] as const;
const PARKED: Fact = { kind: 'parked', messageId: 'o2', code: 'x', text: 'y' };
const CLEARING: Fact = {
  ...(REVERSAL as Extract<Fact, { kind: 'preceding-reversal' }>),
  messageId: 'o2',
  amount: AMOUNT,
};

const DEFERRED = ['offline-record fresh-1', 'ended approved offline-deferred approved-deferred'] as const;

/** What happens with cards and records without the gateway: deferral, expiry, lateDeclines. */
export const OFFLINE_ROWS: readonly Row[] = [
  [
    'a tap, not handed over: its ARQC is kept',
    authorizing({ ...notSent, card: tappedCard() }),
    sent(false),
    DEFERRED,
    ['finish-card taken-offline'],
    given(),
  ],
  [
    'a tap where nothing is deferred',
    authorizing({ ...notSent, card: tappedCard() }),
    sent(false),
    ['ended failed null offline-not-allowed'],
    ['decline-card not-charged'],
  ],
  [
    'a chip that may only be deferred is ended first',
    authorizing(notSent),
    sent(false),
    [],
    ['complete-card declined'],
    given(onlyDeferring),
  ],
  [
    'ended with AAC: its ARQC is kept',
    authorizing(offlineDecision),
    completed('declined'),
    ['completed declined', ...DEFERRED],
    ['finish-card taken-offline'],
    given(onlyDeferring),
  ],
  [
    'a TC of a chip that was only to be ended counts for nothing',
    authorizing(offlineDecision),
    completed('approved'),
    ['completed approved', 'ended failed null offline-not-allowed'],
    ['finish-card not-charged'],
    given(onlyDeferring),
  ],
  [
    'a TC is better than an ARQC, where both are allowed',
    authorizing(offlineDecision),
    completed('approved'),
    ['offline-record fresh-1', 'ended approved offline-card approved-offline'],
    ['finish-card approved'],
    given(),
  ],
  [
    'AAC of a chip that might have approved: its ARQC is kept',
    authorizing(offlineDecision),
    completed('declined'),
    ['completed declined', ...DEFERRED],
    ['finish-card taken-offline'],
    given(),
  ],
  [
    'AAC of a doubtful chip stays a decline',
    authorizing({ ...offlineDecision, card: doubtful }),
    completed('declined'),
    ['completed declined', 'ended declined offline-card declined-by-card'],
    ['finish-card declined'],
    given(),
  ],
  [
    'AAC, but the till has cancelled',
    authorizing({ ...offlineDecision, cancelRequested: true }),
    completed('declined'),
    ['completed declined', 'ended cancelled null cancelled-by-till'],
    ['finish-card declined'],
    given(),
  ],
  [
    'AAC, but the limits are taken by others',
    authorizing(offlineDecision),
    completed('declined'),
    ['completed declined', 'ended declined offline-card declined-by-card'],
    ['finish-card declined'],
    {
      ...given(),
      offline: situation({
        policy: DEFERRING.offline,
        unforwarded: [
          {
            reference: 'R9',
            terminalId: '77',
            currency: 'EUR',
            minor: 4_900,
            approval: 'deferred',
            state: 'waiting',
          },
        ],
      }),
    },
  ],
  [
    'a tap after hand-over is kept behind a reversal in the same write',
    authorizing({ card: tappedCard() }),
    timer('answer'),
    ['preceding-reversal fresh-2 of m1 no-answer/approved', ...DEFERRED],
    ['finish-card taken-offline'],
    given(reverseFirst),
  ],
  [
    'a tap after hand-over is not kept where the policy declines',
    authorizing({ card: tappedCard() }),
    timer('answer'),
    ['unknown no-answer'],
    ['stop-timer answer', 'decline-card not-charged', 'set-timer resolve'],
    given(),
  ],
  [
    'a chip ended after hand-over is kept behind a reversal',
    authorizing(decidingAfterHandOver),
    completed('declined'),
    ['completed declined', 'preceding-reversal fresh-2 of m1 no-answer/approved', ...DEFERRED],
    ['finish-card taken-offline'],
    given(reverseFirst),
  ],
  ['a record grows too old', doneOffline(), expire, ['too-old'], []],
  ['a record that is too old already', saleOf([...OFFLINE, TOO_OLD]), expire, [], []],
  ['a record that was taken grows old', saleOf([...OFFLINE, LATE_DECLINE]), expire, [], []],
  ['no record to grow old', doneOnline(), expire, [], []],
  [
    'a record grows too old while the sale is being reversed',
    saleOf([...OFFLINE, REVERSAL]),
    expire,
    ['too-old'],
    [],
  ],
  [
    'a record grows too old while its sale is parked',
    saleOf([AUTHORIZING, CLEARING, RECORD, DONE('offline-card'), PARKED]),
    expire,
    ['too-old'],
    [],
  ],
  [
    'a record that is too old is refused: expired',
    saleOf([...OFFLINE, TOO_OLD]),
    acknowledged('o1', 'refused'),
    ['acknowledged o1', 'ended expired offline-card expired-offline'],
    [],
  ],
  [
    'a record that is too old was taken before: the sale stands',
    saleOf([...OFFLINE, TOO_OLD]),
    acknowledged('o1', 'approved'),
    ['acknowledged o1'],
    [],
  ],
  [
    'a late decline is acknowledged',
    saleOf([...OFFLINE, LATE_DECLINE, LOST]),
    seen,
    ['late-decline-acknowledged'],
    [],
  ],
  ['a late decline is acknowledged once', saleOf([...OFFLINE, LATE_DECLINE, LOST, SEEN]), seen, [], []],
  ['nothing is lost', doneOffline(), seen, [], []],
];
