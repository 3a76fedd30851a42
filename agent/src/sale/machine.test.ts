import { describe, expect, it } from 'vitest';
import type { CompleteOutcome, StartOutcome } from '../drivers/driver.js';
import type { SalePhase } from './answer.js';
import type { Sale, SaleEvent, StepContext } from './events.js';
import type { AcceptedSale, Fact } from './facts.js';
import { decide, SALE_STEPS } from './machine.js';
import {
  AAC,
  APPROVED,
  ARQC,
  AT,
  chipCard,
  context,
  DECLINED,
  effectText,
  factText,
  iccData,
  OFFLINE_POLICY,
  REQUEST,
  saleOf,
  TC,
} from './sale.test.support.js';

const READING: Fact = { kind: 'reading' };
const AUTHORIZING: Fact = { kind: 'authorizing', messageId: 'm1' };
const HEARD = (answer = APPROVED): Fact => ({ kind: 'answered', answer, late: false });
const UNKNOWN: Fact = { kind: 'unknown', reason: 'no-answer' };
const AMOUNT = { minor: 1_234, currency: 'EUR' };
const REVERSAL: Fact = {
  kind: 'reversal',
  messageId: 'r1',
  originalMessageId: 'm1',
  reason: 'no-answer',
  otherwise: 'failed',
  beside: false,
  amount: AMOUNT,
};
const RECORD: Fact = {
  kind: 'offline-record',
  messageId: 'o1',
  approval: 'card-approved',
  card: { entryMode: 'ICC' },
  decidedAtMs: AT,
  amount: AMOUNT,
};
const DONE = (mode: 'online' | 'offline-card' = 'online'): Fact => ({
  kind: 'ended',
  outcome: 'approved',
  mode,
  reason: mode === 'online' ? 'approved' : 'approved-offline',
});

const LINKED_REFUND: AcceptedSale = {
  ...REQUEST,
  type: 'refund',
  originalReference: 'R0',
  originalMessageId: 'm0',
};
const PREAUTHORIZATION: AcceptedSale = { ...REQUEST, type: 'preauthorization' };

const accepted = (request?: AcceptedSale) => saleOf([], {}, request);
const reading = (live = {}) => saleOf([READING], live);
const authorizing = (live = {}, request?: AcceptedSale) =>
  saleOf([AUTHORIZING], { card: chipCard(), handedOver: true, ...live }, request);
const completing = (answer = APPROVED, live = {}) =>
  saleOf([AUTHORIZING, HEARD(answer)], { card: chipCard(), handedOver: true, ...live });
const unknown = (live = {}, request?: AcceptedSale) =>
  saleOf([AUTHORIZING, UNKNOWN], { handedOver: true, ...live }, request);
const reversing = () => saleOf([AUTHORIZING, UNKNOWN, REVERSAL]);
const doneOnline = (request?: AcceptedSale) => saleOf([AUTHORIZING, HEARD(), DONE()], {}, request);
const doneOffline = () => saleOf([AUTHORIZING, RECORD, DONE('offline-card')]);

const NO_BYTES = new Uint8Array();
const cardRead = (outcome: StartOutcome): SaleEvent => ({ kind: 'card-read', outcome });
const online = cardRead({ kind: 'online-required', card: chipCard() });
const y1 = cardRead({ kind: 'approved-offline', card: chipCard(TC) });
const completed = (kind: 'approved' | 'declined'): SaleEvent => ({
  kind: 'card-completed',
  outcome: { kind, iccData: iccData(kind === 'approved' ? TC : AAC) },
});
const broken: CompleteOutcome = { kind: 'failed', failure: 'card-removed', detail: 'card is gone' };
const answer = (what = APPROVED, messageId = 'm1'): SaleEvent => ({
  kind: 'answer',
  messageId,
  answer: what,
  issuerData: Buffer.from('910A', 'hex'),
});
type StatusState = Extract<SaleEvent, { kind: 'status' }>['state'];
const status = (state: StatusState, what?: typeof APPROVED, messageId = 'm1'): SaleEvent => ({
  kind: 'status',
  messageId,
  state,
  issuerData: NO_BYTES,
  ...(what && { answer: what }),
});
const acknowledged = (messageId: string, disposition: typeof APPROVED.disposition): SaleEvent => ({
  kind: 'acknowledged',
  messageId,
  answer: { disposition },
});
const parkedEvent = (messageId: string): SaleEvent => ({ kind: 'parked', messageId, code: 'x', text: 'why' });
const sent = (handedOver: boolean): SaleEvent => ({ kind: 'sent', handedOver });
const timer = (name: 'link' | 'answer' | 'resolve'): SaleEvent => ({ kind: 'timer', timer: name });
const link = (state: 'up' | 'down'): SaleEvent => ({ kind: 'link', state });

const REVERSE_FIRST: Partial<StepContext> = {
  policy: { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, afterHandOver: 'reverse' } },
};
const NO_OFFLINE: Partial<StepContext> = { offlineReasons: ['switched-off'] };
const EXHAUSTED = { statusAsked: OFFLINE_POLICY.statusScheduleMs.length };

type Row = readonly [
  name: string,
  sale: Sale,
  event: SaleEvent,
  facts: readonly string[],
  effects: readonly string[],
  context?: Partial<StepContext>,
];

const READ_CARD = ['stop-timer link', 'start-card'];
const ACCEPTED: readonly Row[] = [
  ['begin reads the card', accepted(), { kind: 'begin' }, ['reading'], READ_CARD],
  [
    'begin without link, card may decide',
    accepted(),
    { kind: 'begin' },
    ['reading'],
    ['stop-timer link', 'wake-link', 'start-card'],
    { link: 'down' },
  ],
  [
    'begin without link, offline not allowed',
    accepted(),
    { kind: 'begin' },
    [],
    ['wake-link', 'set-timer link'],
    { link: 'down', ...NO_OFFLINE },
  ],
  ['the link comes up in time', accepted(), link('up'), ['reading'], READ_CARD, NO_OFFLINE],
  [
    'the link still tries',
    accepted(),
    { kind: 'link', state: 'connecting' },
    [],
    [],
    { link: 'connecting', ...NO_OFFLINE },
  ],
  [
    'no link in time',
    accepted(),
    timer('link'),
    ['ended failed null gateway-unreachable'],
    [],
    { link: 'down', ...NO_OFFLINE },
  ],
  [
    'begin of a linked refund needs no card',
    accepted(LINKED_REFUND),
    { kind: 'begin' },
    ['authorizing fresh-1'],
    ['stop-timer link', 'send-authorization fresh-1'],
    NO_OFFLINE,
  ],
  ['cancel', accepted(), { kind: 'cancel' }, ['ended cancelled null cancelled-by-till'], ['stop-timer link']],
  ['restart', accepted(), { kind: 'restarted' }, ['ended failed null agent-restarted'], []],
  ['disk lost', accepted(), { kind: 'journal-lost' }, ['ended failed null journal-unavailable'], []],
];

const READING_CARD: readonly Row[] = [
  ['ARQC: id on disk, then sent', reading(), online, ['authorizing fresh-1'], ['send-authorization fresh-1']],
  [
    'Y1 within the rules',
    reading(),
    y1,
    ['offline-record fresh-1', 'ended approved offline-card approved-offline'],
    ['finish-card approved'],
  ],
  [
    'Y1 against the rules',
    reading(),
    y1,
    ['ended failed null offline-not-allowed'],
    ['finish-card not-charged'],
    NO_OFFLINE,
  ],
  [
    'Z1',
    reading(),
    cardRead({ kind: 'declined-offline', card: chipCard(AAC) }),
    ['completed declined', 'ended declined offline-card declined-by-card'],
    ['finish-card declined'],
  ],
  [
    'cardholder cancels',
    reading(),
    cardRead({ kind: 'cancelled', by: 'cardholder' }),
    ['ended cancelled null cancelled-by-cardholder'],
    ['finish-card cancelled'],
  ],
  [
    'no card',
    reading(),
    cardRead({ kind: 'cancelled', by: 'timeout' }),
    ['ended cancelled null card-timeout'],
    ['finish-card cancelled'],
  ],
  [
    'terminal fails',
    reading(),
    cardRead({ kind: 'failed', failure: 'terminal-gone', detail: 'x' }),
    ['ended failed null terminal-failed'],
    ['finish-card not-charged'],
  ],
  ['till cancels', reading(), { kind: 'cancel' }, [], ['cancel-card']],
  [
    'till cancelled, driver agrees',
    reading({ cancelRequested: true }),
    cardRead({ kind: 'cancelled', by: 'till' }),
    ['ended cancelled null cancelled-by-till'],
    ['finish-card cancelled'],
  ],
  [
    'till cancelled, ARQC came first',
    reading({ cancelRequested: true }),
    online,
    ['ended cancelled null cancelled-by-till'],
    ['decline-card cancelled'],
  ],
  [
    'till cancelled, Y1 came first',
    reading({ cancelRequested: true }),
    y1,
    ['ended cancelled null cancelled-by-till'],
    ['decline-card cancelled'],
  ],
  ['restart', reading(), { kind: 'restarted' }, ['ended failed null agent-restarted'], []],
  [
    'disk lost',
    reading(),
    { kind: 'journal-lost' },
    ['ended failed null journal-unavailable'],
    ['decline-card not-charged'],
  ],
];

const notSent = { handedOver: false };
const alone = { decidingAlone: true, handedOver: false };
const aloneAfter = { decidingAlone: true, handedOver: true };
const AUTHORIZING_ROWS: readonly Row[] = [
  ['handed over', authorizing(notSent), sent(true), [], ['set-timer answer']],
  [
    'not handed over, rules allow',
    authorizing(notSent),
    sent(false),
    [],
    ['complete-card unable-to-go-online'],
  ],
  [
    'not handed over, rules refuse',
    authorizing(notSent),
    sent(false),
    ['ended failed null offline-not-allowed'],
    ['decline-card not-charged'],
    NO_OFFLINE,
  ],
  [
    'not handed over, PIN was online',
    authorizing({ ...notSent, card: chipCard(ARQC, { pin: { data: NO_BYTES, ksn: NO_BYTES } }) }),
    sent(false),
    ['ended failed null offline-not-allowed'],
    ['decline-card not-charged'],
  ],
  [
    'linked refund not handed over',
    authorizing({ ...notSent, card: undefined }, LINKED_REFUND),
    sent(false),
    ['ended failed null gateway-unreachable'],
    [],
  ],
  [
    'cancelled before it was handed over',
    authorizing({ ...notSent, cancelRequested: true }),
    sent(false),
    ['ended cancelled null cancelled-by-till'],
    ['decline-card cancelled'],
  ],
  [
    'cancelled while it was handed over',
    authorizing({ ...notSent, cancelRequested: true }),
    sent(true),
    ['reversal fresh-1 of m1 cancelled-by-till/cancelled'],
    ['stop-timer answer', 'decline-card cancelled'],
  ],
  [
    'approved: on disk, then to the card',
    authorizing(),
    answer(),
    ['answered approved'],
    ['stop-timer answer', 'complete-card approved'],
  ],
  [
    'declined: on disk, then to the card',
    authorizing(),
    answer(DECLINED),
    ['answered declined'],
    ['stop-timer answer', 'complete-card declined'],
  ],
  [
    'approved another amount',
    authorizing(),
    answer({ ...APPROVED, amountMinor: 1, currency: 'EUR' }),
    ['answered approved'],
    ['stop-timer answer', 'complete-card declined'],
  ],
  ["another message's answer", authorizing(), answer(APPROVED, 'm9'), [], []],
  [
    'linked refund approved',
    authorizing({ card: undefined }, LINKED_REFUND),
    answer(),
    ['answered approved', 'ended approved online approved'],
    ['stop-timer answer'],
  ],
  [
    'linked refund declined',
    authorizing({ card: undefined }, LINKED_REFUND),
    answer(DECLINED),
    ['answered declined', 'ended declined online declined-by-issuer'],
    ['stop-timer answer'],
  ],
  [
    'linked refund of another amount',
    authorizing({ card: undefined }, LINKED_REFUND),
    answer({ ...APPROVED, amountMinor: 1, currency: 'EUR' }),
    ['answered late approved', 'reversal fresh-1 of m1 amount-differs/failed'],
    ['stop-timer answer'],
  ],
  [
    'no answer',
    authorizing(),
    timer('answer'),
    ['unknown no-answer'],
    ['stop-timer answer', 'decline-card not-charged', 'set-timer resolve'],
  ],
  [
    'no answer, reverse first',
    authorizing(),
    timer('answer'),
    [],
    ['complete-card unable-to-go-online'],
    REVERSE_FIRST,
  ],
  [
    'no answer, reverse first, rules refuse',
    authorizing(),
    timer('answer'),
    ['unknown no-answer'],
    ['stop-timer answer', 'decline-card not-charged', 'set-timer resolve'],
    { ...REVERSE_FIRST, ...NO_OFFLINE },
  ],
  ['link is back: ask', authorizing(), link('up'), [], ['ask-status m1']],
  ['link is lost: wait', authorizing(), link('down'), [], []],
  [
    'status tells the approval',
    authorizing(),
    status('answered', APPROVED),
    ['answered approved'],
    ['stop-timer answer', 'complete-card approved'],
  ],
  [
    'status: not seen',
    authorizing(),
    status('not-seen'),
    ['reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer answer', 'decline-card not-charged'],
  ],
  ['status: in progress', authorizing(), status('in-progress'), [], []],
  [
    'alone: TC',
    authorizing(alone),
    completed('approved'),
    ['offline-record fresh-1', 'ended approved offline-card approved-offline'],
    ['finish-card approved'],
  ],
  [
    'alone: AAC',
    authorizing(alone),
    completed('declined'),
    ['completed declined', 'ended declined offline-card declined-by-card'],
    ['finish-card declined'],
  ],
  [
    'alone: fails',
    authorizing(alone),
    { kind: 'card-completed', outcome: broken },
    ['completed failed', 'ended failed null terminal-failed'],
    ['finish-card not-charged'],
  ],
  [
    'alone: TC, but cancelled',
    authorizing({ ...alone, cancelRequested: true }),
    completed('approved'),
    ['completed approved', 'ended cancelled null cancelled-by-till'],
    ['finish-card not-charged'],
  ],
  [
    'alone after hand-over: TC needs the reversal first',
    authorizing(aloneAfter),
    completed('approved'),
    [
      'reversal fresh-2 of m1 no-answer/approved beside',
      'offline-record fresh-1',
      'ended approved offline-card approved-offline',
    ],
    ['finish-card approved'],
  ],
  [
    'alone after hand-over: AAC',
    authorizing(aloneAfter),
    completed('declined'),
    ['completed declined', 'unknown no-answer'],
    ['finish-card declined', 'set-timer resolve'],
  ],
  [
    'alone after hand-over: late approval is kept for later',
    authorizing(aloneAfter),
    answer(),
    ['answered late approved'],
    [],
  ],
  [
    'alone after hand-over: nothing seen decides nothing',
    authorizing(aloneAfter),
    status('not-seen'),
    [],
    [],
  ],
  [
    'cancel: the request is undone',
    authorizing(),
    { kind: 'cancel' },
    ['reversal fresh-1 of m1 cancelled-by-till/cancelled'],
    ['stop-timer answer', 'decline-card cancelled'],
  ],
  ['cancel while the card decides alone', authorizing(alone), { kind: 'cancel' }, [], []],
  [
    'restart',
    authorizing(),
    { kind: 'restarted' },
    ['unknown agent-restarted'],
    ['stop-timer answer', 'set-timer resolve'],
  ],
  [
    'disk lost, handed over',
    authorizing(),
    { kind: 'journal-lost' },
    ['unknown journal-unavailable'],
    ['stop-timer answer', 'decline-card not-charged', 'set-timer resolve'],
  ],
  [
    'disk lost, not handed over',
    authorizing(notSent),
    { kind: 'journal-lost' },
    ['ended failed null journal-unavailable'],
    ['decline-card not-charged'],
  ],
];

const mismatch = { ...APPROVED, amountMinor: 1, currency: 'EUR' };
const lateApproval: Fact = { kind: 'answered', answer: APPROVED, late: true };
const lateRefusal: Fact = { kind: 'answered', answer: DECLINED, late: true };
const aloneWith = (fact: Fact) => saleOf([AUTHORIZING, fact], { card: chipCard(), ...aloneAfter });
const COMPLETING: readonly Row[] = [
  [
    'TC',
    completing(),
    completed('approved'),
    ['completed approved', 'ended approved online approved'],
    ['finish-card approved'],
  ],
  [
    'AAC after the approval',
    completing(),
    completed('declined'),
    ['completed declined', 'reversal fresh-1 of m1 declined-by-card/declined'],
    ['finish-card declined'],
  ],
  [
    'no second cryptogram',
    completing(),
    { kind: 'card-completed', outcome: broken },
    ['completed failed', 'reversal fresh-1 of m1 terminal-failed/declined'],
    ['finish-card declined'],
  ],
  [
    'cancelled, then TC',
    completing(APPROVED, { cancelRequested: true }),
    completed('approved'),
    ['completed approved', 'reversal fresh-1 of m1 cancelled-by-till/cancelled'],
    ['finish-card cancelled'],
  ],
  [
    'approved another amount',
    completing(mismatch),
    completed('declined'),
    ['completed declined', 'reversal fresh-1 of m1 amount-differs/declined'],
    ['finish-card declined'],
  ],
  [
    'declined, AAC',
    completing(DECLINED),
    completed('declined'),
    ['completed declined', 'ended declined online declined-by-issuer'],
    ['finish-card declined'],
  ],
  [
    'declined, card says TC all the same',
    completing(DECLINED),
    completed('approved'),
    ['completed approved', 'ended declined online declined-by-issuer'],
    ['finish-card declined'],
  ],
  ['cancel waits for the card', completing(), { kind: 'cancel' }, [], []],
  ['the answer again', completing(), answer(), [], []],
  [
    'restart after an approval',
    completing(),
    { kind: 'restarted' },
    ['reversal fresh-1 of m1 agent-restarted/failed'],
    [],
  ],
  [
    'restart after a decline',
    completing(DECLINED),
    { kind: 'restarted' },
    ['ended declined online declined-by-issuer'],
    [],
  ],
  [
    'disk lost after an approval',
    completing(),
    { kind: 'journal-lost' },
    ['reversal fresh-1 of m1 journal-unavailable/failed'],
    ['finish-card not-charged'],
  ],
  [
    'disk lost after a decline',
    completing(DECLINED),
    { kind: 'journal-lost' },
    ['ended declined online declined-by-issuer'],
    ['finish-card not-charged'],
  ],
  [
    'alone after hand-over, approved meanwhile, TC',
    aloneWith(lateApproval),
    completed('approved'),
    [
      'reversal fresh-2 of m1 no-answer/approved beside',
      'offline-record fresh-1',
      'ended approved offline-card approved-offline',
    ],
    ['finish-card approved'],
  ],
  [
    'alone after hand-over, approved meanwhile, AAC',
    aloneWith(lateApproval),
    completed('declined'),
    ['completed declined', 'reversal fresh-1 of m1 no-answer/failed'],
    ['finish-card declined'],
  ],
  [
    'alone after hand-over, declined meanwhile, TC',
    aloneWith(lateRefusal),
    completed('approved'),
    ['completed approved', 'ended declined online declined-by-issuer'],
    ['finish-card not-charged'],
  ],
];

const UNKNOWN_ROWS: readonly Row[] = [
  ['time to ask', unknown(), timer('resolve'), [], ['ask-status m1', 'set-timer resolve']],
  ['no link, no question', unknown(), timer('resolve'), [], [], { link: 'down' }],
  [
    'asked often enough',
    unknown(EXHAUSTED),
    timer('resolve'),
    ['reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
  ],
  ['link is back', unknown(), link('up'), [], ['set-timer resolve']],
  ['link is lost', unknown(), link('down'), [], []],
  [
    'answered: approved',
    unknown(),
    status('answered', APPROVED),
    ['answered late approved', 'reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
  ],
  [
    'answered: declined',
    unknown(),
    status('answered', DECLINED),
    ['answered late declined', 'ended declined online declined-by-issuer'],
    ['stop-timer resolve'],
  ],
  [
    'answered: refused',
    unknown(),
    status('answered', { disposition: 'refused' }),
    ['answered late refused', 'ended declined online refused-by-gateway'],
    ['stop-timer resolve'],
  ],
  ['in progress', unknown(), status('in-progress'), [], []],
  [
    'not seen',
    unknown(),
    status('not-seen'),
    ['reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
  ],
  [
    'refused for ever already',
    unknown(),
    status('tombstoned'),
    ['ended failed null no-answer'],
    ['stop-timer resolve'],
  ],
  ["another message's status", unknown(), status('not-seen', undefined, 'm9'), [], []],
  [
    'late approval',
    unknown(),
    answer(),
    ['answered late approved', 'reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
  ],
  [
    'late decline',
    unknown(),
    answer(DECLINED),
    ['answered late declined', 'ended declined online declined-by-issuer'],
    ['stop-timer resolve'],
  ],
  [
    'late approval of a linked refund counts',
    unknown({}, LINKED_REFUND),
    answer(),
    ['answered late approved', 'ended approved online approved'],
    ['stop-timer resolve'],
  ],
  [
    'till reverses',
    unknown(),
    { kind: 'reverse' },
    ['reversal fresh-1 of m1 no-answer/failed'],
    ['stop-timer resolve'],
  ],
  ['restart', unknown(), { kind: 'restarted' }, [], ['set-timer resolve']],
  ['disk lost', unknown(), { kind: 'journal-lost' }, [], ['set-timer resolve']],
  ['cancel changes nothing', unknown(), { kind: 'cancel' }, [], []],
];

const tillReversal: Fact = { ...REVERSAL, reason: 'reversed-by-till', otherwise: 'reversed' } as Fact;
const offlineReversing = saleOf([
  AUTHORIZING,
  RECORD,
  DONE('offline-card'),
  { ...tillReversal, originalMessageId: 'o1' } as Fact,
]);
const withClearing = saleOf([
  AUTHORIZING,
  { ...REVERSAL, beside: true } as Fact,
  RECORD,
  DONE('offline-card'),
]);
const CAPTURE: Fact = { kind: 'capture', messageId: 'c1', originalMessageId: 'm1', amount: AMOUNT };
const captured = saleOf([AUTHORIZING, HEARD(), DONE(), CAPTURE], {}, PREAUTHORIZATION);
const AFTER: readonly Row[] = [
  [
    'reversed',
    reversing(),
    acknowledged('r1', 'reversed'),
    ['acknowledged r1', 'ended reversed null no-answer'],
    [],
  ],
  [
    'nothing to reverse',
    reversing(),
    acknowledged('r1', 'nothing-to-reverse'),
    ['acknowledged r1', 'ended failed null no-answer'],
    [],
  ],
  [
    'the reversal is refused',
    reversing(),
    acknowledged('r1', 'refused'),
    ['acknowledged r1', 'parked r1'],
    [],
  ],
  ['the reversal is parked', reversing(), parkedEvent('r1'), ['parked r1'], []],
  ['late approval while reversing', reversing(), answer(), [], []],
  ['late status while reversing', reversing(), status('answered', APPROVED), [], []],
  ['restart while reversing', reversing(), { kind: 'restarted' }, [], []],
  ["another message's acknowledgement", reversing(), acknowledged('r9', 'reversed'), [], []],
  ['the answer again', doneOnline(), answer(), [], []],
  [
    'till reverses',
    doneOnline(),
    { kind: 'reverse' },
    ['reversal fresh-1 of m1 reversed-by-till/reversed'],
    [],
  ],
  [
    'till reverses an offline sale',
    doneOffline(),
    { kind: 'reverse' },
    ['reversal fresh-1 of o1 reversed-by-till/reversed'],
    [],
  ],
  [
    'nothing to reverse in a failed sale',
    saleOf([{ kind: 'ended', outcome: 'failed', mode: null, reason: 'terminal-failed' }]),
    { kind: 'reverse' },
    [],
    [],
  ],
  [
    'approval for a sale that ended without it',
    saleOf([AUTHORIZING, UNKNOWN, { kind: 'ended', outcome: 'failed', mode: null, reason: 'no-answer' }]),
    answer(),
    ['answered late approved', 'reversal fresh-1 of m1 no-answer/failed'],
    [],
  ],
  ['offline record taken', doneOffline(), acknowledged('o1', 'approved'), ['acknowledged o1'], []],
  [
    'offline record declined later',
    doneOffline(),
    acknowledged('o1', 'declined'),
    ['acknowledged o1', 'ended declined offline-card declined-later'],
    [],
  ],
  ['offline record parked', doneOffline(), parkedEvent('o1'), ['parked o1'], []],
  [
    'offline record declined, reversal on its way',
    offlineReversing,
    acknowledged('o1', 'declined'),
    ['acknowledged o1'],
    [],
  ],
  [
    'reversal ahead of the record done',
    withClearing,
    acknowledged('r1', 'nothing-to-reverse'),
    ['acknowledged r1'],
    [],
  ],
  [
    'reversal ahead of the record refused',
    withClearing,
    acknowledged('r1', 'declined'),
    ['acknowledged r1', 'parked r1'],
    [],
  ],
  [
    'capture',
    doneOnline(PREAUTHORIZATION),
    { kind: 'capture', minor: 1_000 },
    ['capture fresh-1 of m1 1000'],
    [],
  ],
  ['capture of too much', doneOnline(PREAUTHORIZATION), { kind: 'capture', minor: 1_235 }, [], []],
  ['capture of a sale', doneOnline(), { kind: 'capture', minor: 1 }, [], []],
  ['capture again', captured, { kind: 'capture', minor: 1 }, [], []],
  ['capture taken', captured, acknowledged('c1', 'approved'), ['acknowledged c1'], []],
  [
    'parked sale is reversed by the till',
    saleOf([
      AUTHORIZING,
      RECORD,
      DONE('offline-card'),
      { kind: 'parked', messageId: 'o1', code: 'x', text: 'y' },
    ]),
    { kind: 'reverse' },
    ['reversal fresh-1 of o1 reversed-by-till/reversed'],
    [],
  ],
];

describe.each(Object.entries({ ACCEPTED, READING_CARD, AUTHORIZING_ROWS, COMPLETING, UNKNOWN_ROWS, AFTER }))(
  'sale machine: %s',
  (_group, rows) => {
    it.each(rows.map((row) => [row[0], row] as const))(
      '%s',
      (_name, [, sale, event, facts, effects, given]) => {
        const decision = decide(sale, event, context(given));
        expect((decision.facts ?? []).map(factText)).toEqual(facts);
        expect((decision.effects ?? []).map(effectText)).toEqual(effects);
      },
    );
  },
);

describe('sale machine', () => {
  const ROWS = [ACCEPTED, READING_CARD, AUTHORIZING_ROWS, COMPLETING, UNKNOWN_ROWS, AFTER].flat();

  it('has a row in these tables for every step', () => {
    const shown = new Set(ROWS.map(([, sale, event]) => `${sale.state.phase} ${event.kind}`));
    const steps = (Object.keys(SALE_STEPS) as SalePhase[]).flatMap((phase) =>
      Object.keys(SALE_STEPS[phase]).map((kind) => `${phase} ${kind}`),
    );
    const shared = ['reversing acknowledged', 'reversing parked', 'parked acknowledged', 'parked parked'];
    expect(steps.filter((step) => !shown.has(step) && !shared.includes(step))).toEqual([]);
  });

  it('keeps the sensitive data of an offline record and its final cryptogram, and no PIN', () => {
    const { sensitive } = decide(authorizing(alone), completed('approved'), context());
    expect(sensitive).toEqual([{ messageId: 'fresh-1', iccData: iccData(TC), sred: chipCard().sred }]);
  });

  it('drops the PIN block as soon as the request is handed over', () => {
    const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
    const { live } = decide(
      authorizing({ ...notSent, card: chipCard(ARQC, { pin }) }),
      sent(true),
      context(),
    );
    expect(live?.card).toBeDefined();
    expect(live?.card).not.toHaveProperty('pin');
  });

  it('gives the card the issuer data and response code of the answer', () => {
    const { effects } = decide(authorizing(), answer(DECLINED), context());
    expect(effects?.[1]).toMatchObject({
      result: { kind: 'declined', responseCode: '05', issuerData: Buffer.from('910A', 'hex') },
    });
  });

  it('uses the floor limit only while offline approvals are allowed', () => {
    const risk = { ...OFFLINE_POLICY.offline.risk, floorLimitMinor: 5_000 };
    const policy = { ...OFFLINE_POLICY, offline: { ...OFFLINE_POLICY.offline, risk } };
    const start = (given: Partial<StepContext>) =>
      decide(accepted(), { kind: 'begin' }, context({ policy, ...given }));
    expect(start({}).effects?.[1]).toMatchObject({ risk: { floorLimitMinor: 5_000 } });
    expect(start(NO_OFFLINE).effects?.[1]).toMatchObject({ risk: { floorLimitMinor: 0 } });
  });
});
