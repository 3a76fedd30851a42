import { describe, expect, it } from 'vitest';
import {
  APPROVED,
  chipCard,
  context,
  DECLINED,
  DEFERRING,
  factText,
  iccData,
  OFFLINE_POLICY,
  REQUEST,
  saleOf,
  TC,
} from '../../sale.test.support.js';
import { decide } from '../decide.js';
import {
  AMOUNT,
  ANSWERED,
  AUTHORIZING,
  accepted,
  acknowledged,
  answer,
  authorizing,
  completing,
  DONE,
  LINKED_REFUND,
  offlineDecision,
  PREAUTHORIZATION,
  parkedEvent,
  RECORD,
  REVERSAL,
  REVERSE_FIRST,
  resolveManually,
  sent,
  status,
  timer,
  UNKNOWN,
  unknown,
} from '../machine.test.support.js';
import type { Sale, SaleEvent, StepContext } from '../state/events.js';
import type { Fact } from '../state/facts.js';
import { RESOLVED_OTHERWISE } from '../state/parked-codes.js';
import { recordOffline } from './offline-record.js';
import { voiceApproved } from './voice.js';

/** The facts of a decision in a few words. */
const factsOf = (sale: Sale, event: SaleEvent, given?: Partial<StepContext>): string[] =>
  (decide(sale, event, context(given)).facts ?? []).map(factText);

const parked = (messageId: string): Fact => ({ kind: 'parked', messageId, code: 'x', text: 'why' });
const taken = (messageId: string, disposition: typeof APPROVED.disposition = 'approved'): Fact => ({
  kind: 'acknowledged',
  messageId,
  answer: { disposition },
});
const capture = (messageId: string, minor = 1_000): Fact => ({
  ...{ kind: 'capture', messageId, originalMessageId: 'm1', captureReference: messageId, final: false },
  amount: { minor, currency: 'EUR' },
});
const PRECEDING: Fact = { ...REVERSAL, kind: 'preceding-reversal', messageId: 'p1' } as Fact;
const VOICE: Fact = {
  kind: 'voice-authorization',
  messageId: 'v1',
  originalMessageId: 'm1',
  approvalCode: 'AB12',
  amount: AMOUNT,
};
const OVERDUE: Fact = { kind: 'overdue', code: 'silent', text: 'y' };
const ODD: Fact = { kind: 'overdue', code: RESOLVED_OTHERWISE, text: 'y' };
const RESOLVED: Fact = { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'manually-resolved' };
const cancels = (messageId: string, originalMessageId: string): Fact => ({
  ...{ kind: 'cancel-if-unseen', messageId, originalMessageId, amount: AMOUNT },
});
const ONLINE: readonly Fact[] = [AUTHORIZING, ANSWERED(), DONE()];
const OFFLINE: readonly Fact[] = [AUTHORIZING, PRECEDING, RECORD, DONE('offline-card')];
const online = (...facts: Fact[]) => saleOf([...ONLINE, ...facts]);
const offline = (...facts: Fact[]) => saleOf([...OFFLINE, ...facts]);
const held = (...facts: Fact[]) => saleOf([...ONLINE, ...facts], {}, PREAUTHORIZATION);

describe('a sale that is parked', () => {
  it.each<[string, Sale, SaleEvent, string[]]>([
    [
      'ends as before once its last parked message was taken',
      held(capture('k1'), parked('k1')),
      acknowledged('k1', 'approved'),
      ['acknowledged k1', 'ended approved online approved'],
    ],
    [
      'ends as it was resolved, although its record was declined meanwhile',
      saleOf([
        AUTHORIZING,
        PRECEDING,
        RECORD,
        { kind: 'ended', outcome: 'reversed', mode: 'offline-card', reason: 'manually-resolved' },
        { kind: 'acknowledged', messageId: 'o1', answer: DECLINED },
        parked('p1'),
      ]),
      acknowledged('p1', 'reversed'),
      ['acknowledged p1', 'ended reversed offline-card manually-resolved'],
    ],
    [
      'ends once its preceding reversal was done',
      offline(OVERDUE),
      acknowledged('p1', 'reversed'),
      ['acknowledged p1', 'ended approved offline-card approved-offline'],
    ],
    [
      'waits for its other parked messages',
      held(capture('k1', 100), capture('k2', 100), parked('k1'), parked('k2')),
      acknowledged('k1', 'approved'),
      ['acknowledged k1'],
    ],
    [
      'waits for its reversal',
      offline(REVERSAL, OVERDUE, parked('o1')),
      acknowledged('o1', 'approved'),
      ['acknowledged o1'],
    ],
    [
      'waits for staff where it ended otherwise than it was resolved',
      offline(ODD, parked('o1')),
      acknowledged('o1', 'approved'),
      ['acknowledged o1'],
    ],
    [
      'has not ended by a message that was not parked',
      held(capture('k1'), OVERDUE),
      acknowledged('k1', 'approved'),
      ['acknowledged k1'],
    ],
    [
      'has not ended where its preceding reversal was refused',
      offline(OVERDUE),
      acknowledged('p1', 'declined'),
      ['parked p1'],
    ],
    [
      'has no end to come back to while it is under way',
      saleOf([AUTHORIZING, PRECEDING, parked('p1')]),
      acknowledged('p1', 'reversed'),
      ['acknowledged p1'],
    ],
    [
      'takes back all that is parked once it is reversed',
      held(capture('k1'), VOICE, REVERSAL, parked('k1'), parked('v1')),
      acknowledged('r1', 'reversed'),
      ['acknowledged r1', 'withdrawn k1', 'withdrawn v1', 'ended reversed online no-answer'],
    ],
    ['has an answer that came twice', held(capture('k1'), taken('k1')), acknowledged('k1', 'approved'), []],
    ['has a message that is done', held(capture('k1'), taken('k1')), parkedEvent('k1'), []],
  ])('%s', (_, sale, event, facts) => {
    expect(factsOf(sale, event)).toEqual(facts);
  });

  it('is parked again where a capture outlived its reversal by staff', () => {
    const manual = { ...REVERSAL, reason: 'manually-resolved', otherwise: 'reversed' } as Fact;
    const sale = held(capture('k1'), manual, OVERDUE);
    const { facts = [] } = decide(sale, acknowledged('r1', 'reversed'), context());
    expect(facts.map(factText)).toEqual([
      'acknowledged r1',
      'ended reversed online manually-resolved',
      `overdue ${RESOLVED_OTHERWISE}`,
    ]);
    expect(facts[2]).toMatchObject({ text: expect.stringContaining('taken a capture') });
    // One that no person resolved, and one of which nothing is captured.
    const other = [held(capture('k1'), REVERSAL, OVERDUE), held(manual, OVERDUE)];
    for (const each of other) expect(factsOf(each, acknowledged('r1', 'reversed'))).toHaveLength(2);
  });
});

describe('an approval that comes after the end', () => {
  const declined: Fact = { kind: 'ended', outcome: 'declined', mode: 'online', reason: 'declined-by-issuer' };
  const byCard: Fact = {
    kind: 'ended',
    outcome: 'approved',
    mode: 'offline-card',
    reason: 'approved-offline',
  };

  it.each<[string, Sale, SaleEvent, string[]]>([
    [
      'is reversed where the sale was declined',
      saleOf([AUTHORIZING, ANSWERED(DECLINED), declined]),
      answer(),
      ['answered late approved', 'reversal fresh-1 of m1 declined-by-issuer/declined'],
    ],
    [
      'is reversed where the card decided',
      saleOf([AUTHORIZING, RECORD, byCard]),
      answer(),
      ['answered late approved', 'reversal fresh-1 of o1 approved-offline/approved'],
    ],
    ['is the one that was counted', online(), answer(), []],
    ['is none', saleOf([AUTHORIZING, UNKNOWN, declined]), answer(DECLINED), []],
    ['is of another message', saleOf([AUTHORIZING, UNKNOWN, declined]), answer(APPROVED, 'm9'), []],
    [
      'is reversed already',
      saleOf([AUTHORIZING, UNKNOWN, REVERSAL, taken('r1', 'reversed'), declined]),
      answer(),
      [],
    ],
    ['has its preceding reversal', saleOf([AUTHORIZING, PRECEDING, declined]), answer(), []],
  ])('%s', (_, sale, event, facts) => {
    expect(factsOf(sale, event)).toEqual(facts);
  });
});

describe('staff', () => {
  const ids = { ids: ['fresh-1', 'fresh-2', 'fresh-3'] } as const;
  it.each<[string, Sale, SaleEvent, string[]]>([
    [
      'has a parked preceding reversal sent once more, and never takes what was parked behind it',
      offline(parked('p1'), parked('o1')),
      resolveManually('approved'),
      [
        'withdrawn o1',
        'withdrawn p1',
        'preceding-reversal fresh-1 of m1 no-answer/failed',
        'cancel-if-unseen fresh-2 of o1',
        'ended approved offline-card manually-resolved',
      ],
    ],
    [
      'withdraws it where the sale is resolved a second time',
      offline({ ...RESOLVED, mode: 'offline-card' } as Fact, parked('p1')),
      resolveManually('approved'),
      ['withdrawn p1', 'ended approved offline-card manually-resolved'],
    ],
    [
      'reverses what may be recorded, and the parked captures first',
      held(capture('k1'), parked('k1'), capture('k2', 100), taken('k2', 'declined'), OVERDUE),
      resolveManually('reversed'),
      [
        'withdrawn k1',
        'cancel-if-unseen fresh-2 of k1',
        'reversal fresh-1 of m1 manually-resolved/reversed',
        'ended reversed online manually-resolved',
      ],
    ],
    [
      'reverses nothing that was never sent',
      saleOf([OVERDUE]),
      resolveManually('reversed'),
      ['ended reversed null manually-resolved'],
    ],
  ])('%s', (_, sale, event, facts) => {
    expect(factsOf(sale, event, ids)).toEqual(facts);
  });

  it('has an id for each message', () => {
    const sale = held(...['k1', 'k2', 'k3'].flatMap((id) => [capture(id, 100), parked(id)]));
    expect(() => decide(sale, resolveManually('approved'), context())).toThrow('there is an id for every');
  });

  it.each<[string, Sale, typeof APPROVED.disposition, string | undefined]>([
    [
      'a record that was declined',
      offline(parked('o1'), cancels('c1', 'o1'), RESOLVED),
      'declined',
      'declined by',
    ],
    ['a record that was taken', offline(parked('o1'), cancels('c1', 'o1'), RESOLVED), 'approved', undefined],
    [
      'a code that was refused',
      online(VOICE, parked('v1'), cancels('c1', 'v1'), RESOLVED),
      'declined',
      'declined by',
    ],
    [
      'a capture that was taken',
      held(capture('k1'), parked('k1'), cancels('c1', 'k1'), RESOLVED),
      'approved',
      'a capture',
    ],
    [
      'a capture that was declined',
      held(capture('k1'), parked('k1'), cancels('c1', 'k1'), RESOLVED),
      'declined',
      undefined,
    ],
    [
      'a reversal that was done',
      online(
        REVERSAL,
        parked('r1'),
        { kind: 'withdrawn', messageId: 'r1', text: 't' },
        cancels('c1', 'r1'),
        RESOLVED,
      ),
      'reversed',
      'reversed by',
    ],
    [
      'nothing',
      held(capture('k1'), parked('k1'), cancels('c1', 'k1'), RESOLVED),
      'nothing-to-reverse',
      undefined,
    ],
  ])('reads how the end differs where the gateway had %s', (_, sale, disposition, text) => {
    const { facts = [] } = decide(sale, acknowledged('c1', disposition), context());
    expect(facts[0]).toMatchObject({ kind: 'acknowledged', messageId: 'c1' });
    const rest = facts.slice(1);
    if (text === undefined) expect(rest.filter(({ kind }) => kind === 'overdue')).toEqual([]);
    else
      expect(rest).toEqual([
        { kind: 'overdue', code: RESOLVED_OTHERWISE, text: expect.stringContaining(text) },
      ]);
  });

  it.each<[string, Sale, string[]]>([
    [
      'with its parked captures',
      held(capture('k1'), capture('k2', 100), taken('k2', 'declined'), parked('k1')),
      ['withdrawn k1', 'cancel-if-unseen fresh-3 of k1', 'reversal fresh-1 of m1 reversed-by-till/reversed'],
    ],
    [
      'and leaves its preceding reversal that is on its way',
      offline(OVERDUE),
      ['reversal fresh-1 of o1 reversed-by-till/reversed'],
    ],
    [
      'and sends its parked reversals once more',
      offline(REVERSAL, parked('p1'), parked('r1')),
      [
        'withdrawn p1',
        'preceding-reversal fresh-2 of m1 no-answer/failed',
        'withdrawn r1',
        'reversal fresh-1 of o1 no-answer/failed',
      ],
    ],
  ])('reverses a parked sale %s', (_, sale, facts) => {
    expect(factsOf(sale, { kind: 'reverse' }, ids)).toEqual(facts);
  });
});

describe('a request that is out', () => {
  const pin = { data: Buffer.alloc(8, 1), ksn: Buffer.alloc(10, 2) };
  it.each([
    ['a PIN', { pin }, true],
    ['a PIN inside its card data', { pinInside: true as const }, true],
    ['none', {}, false],
  ])('has %s: whether the issuer alone could verify it', (_, more, pinGiven) => {
    const sale = authorizing({ handedOver: false, card: chipCard(undefined, more) });
    expect(decide(sale, sent(true), context()).live).toMatchObject({ pinGiven });
  });

  it('has no card where it refunds an earlier sale', () => {
    const refund = saleOf([AUTHORIZING], { handedOver: false }, LINKED_REFUND);
    expect(decide(refund, sent(true), context()).live).toEqual({ card: undefined, pinGiven: false });
    const out = saleOf([AUTHORIZING], { handedOver: true }, LINKED_REFUND);
    expect(factsOf(out, timer('answer'), REVERSE_FIRST)).toEqual(['unknown no-answer']);
  });

  it.each<[string, Sale, SaleEvent]>([
    ['the status of another message', authorizing(), status('not-seen', undefined, 'm9')],
    ['a status without its answer', authorizing(), status('answered')],
    ['the answer of a request in progress', authorizing(), status('in-progress', APPROVED)],
    ['another timer', authorizing(), timer('resolve')],
    ['another timer before it', accepted(), timer('answer')],
    ['the timer of the answer, while the card decides', authorizing(offlineDecision), timer('answer')],
    ['the answer to another message', unknown(), answer(APPROVED, 'm9')],
    ['another timer while its end is unknown', unknown(), timer('answer')],
  ])('is not touched by %s', (_, sale, event) => {
    expect(decide(sale, event, context())).toEqual({});
  });

  it.each([
    ['is not handed over', { handedOver: false }],
    ['waits for the decision of the card', { decidingOffline: true, handedOver: true }],
  ])('that %s is cancelled later', (_, live) => {
    expect(decide(authorizing(live), { kind: 'cancel' }, context())).toEqual({
      live: { cancelRequested: true },
    });
  });
});

describe('an unknown end', () => {
  const why = (reason: 'cancelled-by-till' | 'agent-restarted'): Fact => ({ kind: 'unknown', reason });
  it.each([
    ['cancelled-by-till', 'cancelled'],
    ['agent-restarted', 'failed'],
  ] as const)('of a sale that was %s is reversed for that reason', (reason, otherwise) => {
    const sale = saleOf([AUTHORIZING, why(reason)]);
    const reversed = `reversal fresh-1 of m1 ${reason}/${otherwise}`;
    expect(factsOf(sale, status('not-seen'))).toEqual([reversed]);
    expect(factsOf(sale, timer('overdue'))).toEqual([reversed, 'overdue gateway-silent']);
    expect(factsOf(sale, answer())).toEqual([
      'answered late approved',
      `reversal fresh-1 of m1 ${reason}/failed`,
    ]);
  });

  it('is requested by the schedule, whose last pause goes on', () => {
    const schedule = [0, 11, 22, 33];
    const policy = { ...OFFLINE_POLICY, statusScheduleMs: schedule };
    const delays = [0, 1, 2, 3].map((statusRequests) => {
      const { effects } = decide(unknown({ statusRequests }), timer('resolve'), context({ policy }));
      return effects?.find((effect) => effect.do === 'set-timer');
    });
    expect(delays.map((effect) => effect?.delayMs)).toEqual([11, 22, 33, 33]);
    expect(factsOf(unknown({ statusRequests: 4 }), timer('resolve'), { policy })).toHaveLength(1);
  });

  it.each([
    [3_600_000, '1 h'],
    [7_200_000, '2 h'],
    [1_500_000, '25 min'],
  ])('is overdue after %d ms: %s', (overdueAfterMs, text) => {
    const policy = { ...OFFLINE_POLICY, overdueAfterMs };
    const { facts } = decide(unknown(), timer('overdue'), context({ policy }));
    expect(facts?.at(-1)).toMatchObject({ text: `the gateway has not answered for ${text}` });
  });

  it('of a reversal is overdue only while it waits', () => {
    const reversing = saleOf([AUTHORIZING, UNKNOWN, REVERSAL, taken('r1', 'reversed')]);
    expect(factsOf(reversing, timer('overdue'))).toEqual([]);
  });
});

describe('the data of the card', () => {
  it('go with the reversal of what the card declined: those of both cryptograms', () => {
    const outcome = { kind: 'declined', iccData: iccData(0, { '95': '0000008001' }) } as const;
    const event: SaleEvent = { kind: 'card-completed', outcome };
    const first = iccData(TC, { '9F02': '000000001234' });
    const both = decide(completing(APPROVED, { card: chipCard(TC, { iccData: first }) }), event, context());
    expect(Buffer.from(both.sensitive?.[0]?.iccData ?? []).toString('hex')).toContain('9f0206000000001234');
    expect(Buffer.from(both.sensitive?.[0]?.iccData ?? []).toString('hex')).toContain('0000008001');
    const without = decide(completing(APPROVED, { card: undefined }), event, context());
    expect(without.sensitive).toEqual([{ messageId: 'fresh-1', iccData: outcome.iccData }]);
  });

  it('of a deferred sale have the response code that the card ended with', () => {
    const outcome = { kind: 'declined', iccData: iccData(0, { '8A': '5A33' }) } as const;
    const given = { policy: DEFERRING };
    const sale = authorizing(offlineDecision);
    const event: SaleEvent = { kind: 'card-completed', outcome };
    const record = decide(sale, event, context(given)).facts?.find(({ kind }) => kind === 'offline-record');
    expect(record).toMatchObject({ approval: 'deferred', emv: { arc: 'Z3', acType: 'ARQC' } });
    const plain = { kind: 'declined', iccData: iccData(0) } as const;
    const { facts } = decide(sale, { ...event, outcome: plain }, context(given));
    expect(facts?.find(({ kind }) => kind === 'offline-record')).not.toHaveProperty('emv.arc');
  });

  it('are there wherever a sale is recorded, and so is the request that may have left', () => {
    const record = (sale: Sale) => () => recordOffline(sale, new Uint8Array(), context());
    expect(record(saleOf([AUTHORIZING]))).toThrow('needs the card data');
    expect(record(saleOf([], { card: chipCard(TC), handedOver: true }))).toThrow('has a message id');
  });
});

it('captures nothing of a sale without a message, and takes no code for one', () => {
  const wish: SaleEvent = { kind: 'capture', minor: 1, final: false };
  expect(factsOf(saleOf([DONE()], {}, PREAUTHORIZATION), wish)).toEqual([]);
  const referral: Fact = { kind: 'ended', outcome: 'declined', mode: null, reason: 'referral' };
  expect(voiceApproved(saleOf([referral], {}, REQUEST), { approvalCode: 'AB12' }, context())).toEqual({});
});
