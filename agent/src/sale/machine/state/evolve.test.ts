import { describe, expect, it } from 'vitest';
import { APPROVED, AT, DECLINED, REQUEST, stateOf } from '../../sale.test.support.js';
import { AMOUNT, ANSWERED, AUTHORIZING, DONE, RECORD, REVERSAL, UNKNOWN } from '../machine.test.support.js';
import { evolve } from './evolve.js';
import type { Fact } from './facts.js';
import type { GatewayAnswer } from './gateway-answer.js';
import type { SaleMessage } from './messages.js';
import { RESOLVED_OTHERWISE } from './parked-codes.js';
import type { SaleState } from './sale-state.js';

const PLACE = { reference: 'R1', terminalId: '77', row: 9, atMs: AT + 1_000 };
/** The state after facts, and one more. */
const after = (before: readonly Fact[], fact: Fact): SaleState =>
  evolve(stateOf(REQUEST, ...before), fact, PLACE);
/** What the fact changes of the state, its timeline aside. */
function changed(before: readonly Fact[], fact: Fact): Partial<SaleState> {
  const former = stateOf(REQUEST, ...before);
  const { timeline: _, ...fields } = evolve(former, fact, PLACE);
  const known = new Map<string, unknown>(Object.entries(former));
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name)),
    ),
  );
}
const acknowledged = (messageId: string, answer: GatewayAnswer): Fact => ({
  kind: 'acknowledged',
  messageId,
  answer,
});
const parked = (messageId: string): Fact => ({ kind: 'parked', messageId, code: 'x', text: 'why' });

const PRECEDING: Fact = { ...REVERSAL, kind: 'preceding-reversal', messageId: 'p1' } as Fact;
const CANCEL: Fact = { kind: 'cancel-if-unseen', messageId: 'c1', originalMessageId: 'o1', amount: AMOUNT };
const CAPTURE: Fact = { kind: 'capture', messageId: 'k1', originalMessageId: 'm1', amount: AMOUNT };
const VOICE: Fact = {
  kind: 'voice-authorization',
  messageId: 'v1',
  originalMessageId: 'm1',
  approvalCode: 'AB12',
  amount: AMOUNT,
};
const ENDED_OFFLINE: readonly Fact[] = [AUTHORIZING, RECORD, DONE('offline-card')];

/** Where the messages of a state stand. */
const standing = ({ messages }: Pick<SaleState, 'messages'>) =>
  messages.map(({ messageId, deliveryStatus }) => `${messageId} ${deliveryStatus}`);

describe('a sale by its facts', () => {
  it('begins with its acceptance', () => {
    expect(evolve(undefined, { kind: 'accepted', sale: REQUEST }, PLACE)).toEqual({
      reference: 'R1',
      terminalId: '77',
      request: REQUEST,
      acceptedRow: 9,
      acceptedAtMs: AT + 1_000,
      phase: 'accepted',
      outcome: null,
      mode: null,
      messages: [],
      timeline: [{ atMs: AT + 1_000, step: 'accepted' }],
    });
  });

  it('is accepted once, and before anything else', () => {
    expect(() => after([], { kind: 'accepted', sale: REQUEST })).toThrow('sale R1 is accepted twice');
    expect(() => evolve(undefined, AUTHORIZING, PLACE)).toThrow('sale R1 begins with authorizing');
  });

  it('has a line for each fact that is journaled', () => {
    const { timeline } = after([], AUTHORIZING);
    expect(timeline).toEqual([
      { atMs: AT, step: 'accepted' },
      { atMs: AT + 1_000, step: 'authorizing' },
    ]);
    expect(after([], { kind: 'reading' }).timeline).toHaveLength(1);
  });
});

const CARD = { entryMode: 'ICC', bin: '476173' } as const;
const EMV = { ac: 'A1' };

describe('a fact changes', () => {
  it.each<[string, readonly Fact[], Fact, Partial<SaleState>]>([
    ['reading', [], { kind: 'reading' }, { phase: 'reading-card' }],
    ['authorizing', [], AUTHORIZING, { phase: 'authorizing', messageId: 'm1' }],
    [
      'authorizing with a card',
      [],
      { ...AUTHORIZING, card: CARD, emv: EMV } as Fact,
      { phase: 'authorizing', messageId: 'm1', card: CARD, emv: EMV },
    ],
    [
      'an answer',
      [AUTHORIZING],
      ANSWERED(DECLINED),
      { phase: 'completing', mode: 'online', answer: DECLINED },
    ],
    [
      'a late answer',
      [AUTHORIZING, UNKNOWN],
      { kind: 'answered', answer: APPROVED, late: true },
      { answer: APPROVED },
    ],
    [
      'the end of the card, whose data add to those before',
      [{ ...AUTHORIZING, emv: EMV } as Fact, ANSWERED()],
      { kind: 'completed', result: 'approved', emv: { arc: '00' }, detail: 'd' },
      { cardEnd: 'approved', emv: { ac: 'A1', arc: '00' }, detail: 'd' },
    ],
    [
      'the end of the card without data',
      [AUTHORIZING, ANSWERED()],
      { kind: 'completed', result: 'failed' },
      { cardEnd: 'failed' },
    ],
    ['unknown', [AUTHORIZING], UNKNOWN, { phase: 'unknown', reason: 'no-answer', openSinceMs: AT + 1_000 }],
    [
      'unknown, where the disk kept a reversal that it reported as lost',
      [AUTHORIZING, REVERSAL],
      UNKNOWN,
      {},
    ],
    [
      'the end',
      [AUTHORIZING, ANSWERED()],
      { kind: 'ended', outcome: 'declined', mode: 'online', reason: 'declined-by-issuer', detail: 'd' },
      { phase: 'done', outcome: 'declined', reason: 'declined-by-issuer', detail: 'd' },
    ],
    [
      'overdue',
      [AUTHORIZING, UNKNOWN],
      { kind: 'overdue', code: 'x', text: 'y' },
      { phase: 'parked', parked: { code: 'x', text: 'y' } },
    ],
    [
      'an acknowledged late decline',
      ENDED_OFFLINE,
      { kind: 'late-decline-acknowledged', by: 'till' },
      { lateDeclineAcknowledged: { atMs: AT + 1_000, by: 'till' } },
    ],
    [
      'a late decline that no name acknowledged',
      ENDED_OFFLINE,
      { kind: 'late-decline-acknowledged' },
      { lateDeclineAcknowledged: { atMs: AT + 1_000 } },
    ],
  ])('%s', (_, before, fact, expected) => {
    expect(changed(before, fact)).toStrictEqual(expected);
  });

  it.each<[string, Fact, SaleMessage, Partial<SaleState>]>([
    [
      'a capture, the only one where it has no name',
      CAPTURE,
      {
        kind: 'capture',
        messageId: 'k1',
        refersTo: 'm1',
        minor: 1_234,
        final: true,
        deliveryStatus: 'queued',
      },
      {},
    ],
    [
      'one of several captures',
      { ...CAPTURE, captureReference: 'K', final: false } as Fact,
      {
        kind: 'capture',
        messageId: 'k1',
        refersTo: 'm1',
        reference: 'K',
        minor: 1_234,
        final: false,
        deliveryStatus: 'queued',
      },
      {},
    ],
    [
      'an approval code',
      VOICE,
      {
        kind: 'voice-authorization',
        messageId: 'v1',
        refersTo: 'm1',
        approvalCode: 'AB12',
        deliveryStatus: 'queued',
      },
      { phase: 'done' },
    ],
    [
      'a message that cancels another one',
      CANCEL,
      { kind: 'cancel-if-unseen', messageId: 'c1', refersTo: 'o1', deliveryStatus: 'queued' },
      {},
    ],
    [
      'a preceding reversal',
      PRECEDING,
      {
        kind: 'preceding-reversal',
        messageId: 'p1',
        refersTo: 'm1',
        reason: 'no-answer',
        otherwise: 'failed',
        deliveryStatus: 'queued',
      },
      {},
    ],
    [
      'an offline record',
      { ...RECORD, fingerprint: 'f', emv: EMV } as unknown as Fact,
      {
        kind: 'offline-record',
        messageId: 'o1',
        approval: 'card-approved',
        fingerprint: 'f',
        deliveryStatus: 'queued',
      } as unknown as SaleMessage,
      { mode: 'offline-card', card: { entryMode: 'ICC' }, emv: EMV },
    ],
    [
      'a deferred record of an older build',
      { ...RECORD, approval: 'deferred' } as Fact,
      { kind: 'offline-record', messageId: 'o1', approval: 'deferred', deliveryStatus: 'queued' },
      { mode: 'offline-deferred', card: { entryMode: 'ICC' } },
    ],
  ])('the messages, by %s', (_, fact, message, more) => {
    expect(changed([AUTHORIZING], fact)).toStrictEqual({ messages: [message], ...more });
    const second = after([AUTHORIZING, { ...REVERSAL, messageId: 'r0' } as Fact], fact).messages;
    expect(second.map(({ messageId }) => messageId)).toEqual(['r0', message.messageId]);
  });
});

describe('a reversal', () => {
  const UNREPORTED: Fact = { ...REVERSAL, reason: 'journal-unavailable' } as Fact;

  it('opens the end since it is journaled, or since it was unknown', () => {
    expect(changed([AUTHORIZING, ANSWERED(), DONE()], REVERSAL)).toMatchObject({
      phase: 'reversing',
      reason: 'no-answer',
      openSinceMs: AT + 1_000,
    });
    const unknown = after([AUTHORIZING, UNKNOWN], REVERSAL);
    expect(unknown).toMatchObject({ phase: 'reversing', openSinceMs: AT });
  });

  it('leaves an approval that a till received, until it is reversed, and none that no till received', () => {
    expect(after([AUTHORIZING, ANSWERED(), DONE()], REVERSAL).outcome).toBe('approved');
    expect(after([AUTHORIZING, ANSWERED(), DONE()], UNREPORTED).outcome).toBeNull();
  });
});

describe('an acknowledgement', () => {
  const reversing: readonly Fact[] = [AUTHORIZING, UNKNOWN, REVERSAL];
  it.each<[string, GatewayAnswer, string, number | undefined]>([
    ['an amount', { disposition: 'reversed', amountMinor: 617, currency: 'EUR' }, 'acknowledged', 617],
    [
      'another currency',
      { disposition: 'reversed', amountMinor: 617, currency: 'SEK' },
      'acknowledged',
      undefined,
    ],
    ['no amount', { disposition: 'reversed', currency: 'EUR' }, 'acknowledged', undefined],
    ['nothing', { disposition: 'nothing-to-reverse', amountMinor: 5, currency: 'EUR' }, 'acknowledged', 0],
    ['a refusal', { disposition: 'refused', amountMinor: 617, currency: 'EUR' }, 'refused', undefined],
    ['an approval', { disposition: 'approved', amountMinor: 617, currency: 'EUR' }, 'refused', undefined],
  ])('of a reversal reports %s', (_, answer, deliveryStatus, reversedMinor) => {
    const [message] = after(reversing, acknowledged('r1', answer)).messages;
    expect(message).toStrictEqual({
      kind: 'reversal',
      messageId: 'r1',
      refersTo: 'm1',
      reason: 'no-answer',
      otherwise: 'failed',
      deliveryStatus,
      ...(reversedMinor !== undefined && { reversedMinor }),
    });
  });

  it.each<[string, Fact, GatewayAnswer, string, boolean]>([
    ['a preceding reversal', PRECEDING, { disposition: 'refused' }, 'acknowledged', false],
    ['an offline record that is approved', RECORD, APPROVED, 'acknowledged', true],
    ['an offline record that is declined', RECORD, DECLINED, 'acknowledged', true],
    ['an approval code that is approved', VOICE, APPROVED, 'acknowledged', true],
    ['an approval code that is declined', VOICE, DECLINED, 'refused', true],
    ['a capture that is approved', CAPTURE, APPROVED, 'acknowledged', false],
    ['a capture that is declined', CAPTURE, DECLINED, 'refused', false],
  ])('of %s', (_, fact, answer, deliveryStatus, isAnswer) => {
    const { messageId } = fact as { readonly messageId: string };
    // Another message of the sale stays as it is.
    const state = after([AUTHORIZING, { ...REVERSAL } as Fact, fact], acknowledged(messageId, answer));
    expect(standing(state)).toEqual(['r1 queued', `${messageId} ${deliveryStatus}`]);
    expect(state.answer).toEqual(isAnswer ? answer : undefined);
  });

  it('of a capture that is declined keeps the reason of the gateway', () => {
    const refused = (answer: GatewayAnswer) =>
      after([AUTHORIZING, CAPTURE], acknowledged('k1', answer)).messages[0];
    expect(refused({ ...DECLINED, description: 'too late' })).toMatchObject({
      refusal: '800.100.152 too late',
    });
    expect(refused({ disposition: 'declined', description: 'too late' })).toMatchObject({
      refusal: 'too late',
    });
    expect(refused({ disposition: 'declined' })).toMatchObject({ refusal: '' });
    expect(after([AUTHORIZING, CAPTURE], acknowledged('k1', APPROVED)).messages[0]).not.toHaveProperty(
      'refusal',
    );
  });

  it('of a message that cancels another one is that of the other one, too, where the gateway had taken it', () => {
    const before = [...ENDED_OFFLINE, CANCEL];
    const cancelled = after(before, acknowledged('c1', { disposition: 'nothing-to-reverse' }));
    expect(standing(cancelled)).toEqual(['o1 queued', 'c1 acknowledged']);
    expect(cancelled.answer).toBeUndefined();
    const taken = after(before, acknowledged('c1', APPROVED));
    expect(standing(taken)).toEqual(['o1 acknowledged', 'c1 acknowledged']);
    expect(taken.answer).toEqual(APPROVED);
  });

  it('of a message that the sale does not have changes nothing', () => {
    expect(changed(ENDED_OFFLINE, acknowledged('x9', APPROVED))).toEqual({});
    const cancelsUnknown = { ...CANCEL, originalMessageId: 'x9' } as Fact;
    const state = after([...ENDED_OFFLINE, cancelsUnknown], acknowledged('c1', APPROVED));
    expect(standing(state)).toEqual(['o1 queued', 'c1 acknowledged']);
  });
});

describe('a message that left the queue', () => {
  it('is withdrawn; a capture with the reason', () => {
    const gone = (messageId: string): Fact => ({ kind: 'withdrawn', messageId, text: 'gone' });
    const before = [AUTHORIZING, CAPTURE, RECORD];
    expect(after(before, gone('o1')).messages[1]).toStrictEqual({
      kind: 'offline-record',
      messageId: 'o1',
      approval: 'card-approved',
      deliveryStatus: 'withdrawn',
    });
    expect(after(before, gone('k1')).messages[0]).toMatchObject({
      deliveryStatus: 'withdrawn',
      refusal: 'gone',
    });
    expect(changed(before, gone('x9'))).toEqual({});
  });

  it('is parked, and so is its sale, with the reason', () => {
    const state = after(ENDED_OFFLINE, parked('o1'));
    expect(state).toMatchObject({ phase: 'parked', parked: { code: 'x', text: 'why' } });
    expect(standing(state)).toEqual(['o1 parked']);
    expect(changed(ENDED_OFFLINE, parked('x9'))).toEqual({});
  });

  it('is parked, and does not hide that the sale ended otherwise', () => {
    const odd: Fact = { kind: 'overdue', code: RESOLVED_OTHERWISE, text: 'otherwise' };
    expect(after([...ENDED_OFFLINE, odd], parked('o1'))).toMatchObject({
      phase: 'parked',
      parked: { code: RESOLVED_OTHERWISE },
    });
    const other: Fact = { kind: 'overdue', code: 'silent', text: 'silent' };
    expect(after([...ENDED_OFFLINE, other], parked('o1')).parked).toEqual({ code: 'x', text: 'why' });
    // It ended since.
    expect(after([...ENDED_OFFLINE, odd, DONE('offline-card')], parked('o1')).parked).toEqual({
      code: 'x',
      text: 'why',
    });
  });

  it('is too old: the offline record alone', () => {
    const { messages } = after([AUTHORIZING, PRECEDING, RECORD], { kind: 'too-old' });
    expect(messages.map((each) => 'expired' in each && each.expired)).toEqual([false, true]);
  });

  it.each([
    ['a preceding reversal', PRECEDING, 'p1', 'parked'],
    ['a message that cancels another one', CANCEL, 'c1', 'parked'],
    ['an offline record', RECORD, 'o1', 'done'],
  ])('is %s that is parked when the sale ends', (_, fact, messageId, phase) => {
    expect(after([AUTHORIZING, fact, parked(messageId)], DONE()).phase).toBe(phase);
    expect(after([AUTHORIZING, fact], DONE()).phase).toBe('done');
  });
});
