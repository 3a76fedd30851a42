import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  APPROVED,
  AT,
  context,
  DECLINED,
  OFFLINE_POLICY,
  REQUEST,
  stateOf,
} from '../../sale.test.support.js';
import {
  ANSWERED,
  AUTHORIZING,
  DONE,
  LINKED_REFUND,
  PART,
  PREAUTHORIZATION,
  RECORD,
  REFERRAL,
  REVERSAL,
  UNKNOWN,
} from '../machine.test.support.js';
import { evolve } from '../state/evolve.js';
import type { AcceptedSale, Fact } from '../state/facts.js';
import type { SaleState } from '../state/sale-state.js';
import { reversalRefusal } from './after-decision.js';
import { captureRefusal, capture as captureStep, standingCapture } from './captures.js';
import { acknowledgeRefusal, isLateDecline, staysOpen } from './late-decline.js';
import { resolutionRefusal } from './manual-resolution.js';
import { voiceApproved, voiceRefusal } from './voice.js';

const parked = (messageId: string): Fact => ({ kind: 'parked', messageId, code: 'x', text: 'why' });
const acknowledged = (messageId: string, answer = APPROVED): Fact => ({
  kind: 'acknowledged',
  messageId,
  answer,
});
const ended = (outcome: 'declined' | 'failed', reason: 'referral' | 'no-answer'): Fact => ({
  ...{ kind: 'ended', outcome, mode: null, reason },
});
const capture = (messageId: string, minor: number, captureReference?: string, final = false): Fact => ({
  ...{ kind: 'capture', messageId, originalMessageId: 'm1', final },
  amount: { minor, currency: 'EUR' },
  ...(captureReference !== undefined && { captureReference }),
});
const APPROVED_FACTS: readonly Fact[] = [AUTHORIZING, ANSWERED(), DONE()];
const held = (...facts: Fact[]): SaleState => stateOf(PREAUTHORIZATION, ...APPROVED_FACTS, ...facts);
const sold = (...facts: Fact[]): SaleState => stateOf(REQUEST, ...APPROVED_FACTS, ...facts);
const PRECEDING: Fact = { ...REVERSAL, kind: 'preceding-reversal', messageId: 'p1' } as Fact;
const OFFLINE: readonly Fact[] = [AUTHORIZING, PRECEDING, RECORD, DONE('offline-card')];
const OVERDUE: Fact = { kind: 'overdue', code: 'x', text: 'y' };
const REFUSED = acknowledged('r1', { disposition: 'refused' });

describe('a capture', () => {
  const wish = (minor: number, reference?: string) => ({
    minor,
    final: false,
    ...(reference !== undefined && { reference }),
  });

  it.each<[string, SaleState, ReturnType<typeof wish>, string]>([
    ['of a sale', sold(), wish(1), 'it is a sale: only a preauthorization'],
    ['of a parked one', held(capture('k1', 1, 'A'), parked('k1')), wish(1, 'B'), 'it is parked'],
    [
      'of one under way',
      stateOf(PREAUTHORIZATION, AUTHORIZING),
      wish(1),
      'it is authorizing: only an approved',
    ],
    [
      'of a failed one',
      stateOf(PREAUTHORIZATION, AUTHORIZING, ended('failed', 'no-answer')),
      wish(1),
      'it is failed',
    ],
    ['of one that is being reversed', held(REVERSAL), wish(1), 'it is approved: only an approved'],
    [
      'of one that is reversed',
      held(REVERSAL, acknowledged('r1', { disposition: 'reversed' }), DONE()),
      wish(1),
      'it was reversed',
    ],
    ['after the last one', held(capture('k1', 1, 'A', true)), wish(1, 'B'), 'its last capture was FINAL'],
    ['without a name after another one', held(capture('k1', 1, 'A')), wish(1), 'it has a capture already'],
    ['of nothing', held(), wish(0), 'EUR 0.00 is more than the EUR 12.34 left of the authorized EUR 12.34'],
    [
      'of too much',
      held(),
      wish(1_235),
      'EUR 12.35 is more than the EUR 12.34 left of the authorized EUR 12.34',
    ],
    [
      'of more than is left',
      held(capture('k1', 1_000, 'A')),
      wish(235, 'B'),
      'EUR 2.35 is more than the EUR 2.34 left of the authorized EUR 12.34 (EUR 10.00 is captured or on its way)',
    ],
  ])('%s is refused', (_, state, wanted, why) => {
    expect(captureRefusal(state, wanted)).toContain(why);
    expect(captureStep({ state, live: {} as never }, wanted, context())).toEqual({});
  });

  it('that states how much is left names what was captured only where something was', () => {
    expect(captureRefusal(held(), wish(1_235))).not.toContain('(');
  });

  it.each<[string, SaleState, ReturnType<typeof wish>]>([
    ['of all', held(), wish(1_234)],
    ['of what is left', held(capture('k1', 1_000, 'A')), wish(234, 'B')],
    ['after one that was refused', held(capture('k1', 1_234), acknowledged('k1', DECLINED)), wish(1_234)],
    ['after a reversal that was refused', held(REVERSAL, REFUSED, DONE()), wish(1)],
    [
      'after 97 others',
      held(...Array.from({ length: 97 }, (_, at) => capture(`k${at}`, 1, `${at}`))),
      wish(1, 'last'),
    ],
  ])('%s is allowed', (_, state, wanted) => {
    expect(captureRefusal(state, wanted)).toBeUndefined();
  });

  it('is the 98th at most', () => {
    const all = Array.from({ length: 98 }, (_, at) => capture(`k${at}`, 1, `${at}`));
    expect(captureRefusal(held(...all), wish(1, 'more'))).toContain('it has 98 captures');
  });

  it('is found by its name while the gateway has not refused it', () => {
    const state = held(capture('k1', 1, 'A'), capture('k2', 2, 'B'), acknowledged('k2', DECLINED));
    expect(standingCapture(state, 'A')?.messageId).toBe('k1');
    expect(standingCapture(state, 'B')).toBeUndefined();
    expect(standingCapture(state, undefined)).toBeUndefined();
  });

  it('never takes more than was authorized, whatever tills request and the gateway refuses', () => {
    const STEP = fc.record({ minor: fc.integer({ min: -5, max: 1_300 }), isRefused: fc.boolean() });
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 12 }), (steps) => {
        let state = held();
        for (const [at, { minor, isRefused }] of steps.entries()) {
          const decision = captureStep({ state, live: {} as never }, wish(minor, `c${at}`), {
            ...context(),
            ids: [`k${at}`, 'x'],
          });
          const refused = isRefused ? [acknowledged(`k${at}`, DECLINED)] : [];
          const facts = decision.facts ? [...decision.facts, ...refused] : [];
          state = [...facts].reduce(fold, state);
          const taken = state.messages.reduce(
            (sum, each) =>
              sum + (each.kind === 'capture' && each.deliveryStatus === 'queued' ? each.minor : 0),
            0,
          );
          expect(taken).toBeGreaterThanOrEqual(0);
          expect(taken).toBeLessThanOrEqual(1_234);
        }
      }),
      propertyRuns(200),
    );
  });
});

describe('a reversal by a till', () => {
  it.each<[string, SaleState, string]>([
    ['of one under way', stateOf(REQUEST, AUTHORIZING), 'it is authorizing: cancel it instead'],
    [
      'of a failed one',
      stateOf(REQUEST, AUTHORIZING, ended('failed', 'no-answer')),
      'it is failed: only an approved',
    ],
    ['of one without a message', stateOf(REQUEST, DONE()), 'it is approved: only an approved'],
    ['of a reversed one', sold(REVERSAL), 'it was reversed before'],
    ['of a hold that is captured', held(capture('k1', 1_234)), 'all of it is captured'],
    [
      'of a done one whose reversal is parked',
      sold(REVERSAL, parked('r1'), DONE()),
      'it was reversed before',
    ],
    ['of a parked one whose reversal waits', sold(REVERSAL, OVERDUE), 'it was reversed before'],
  ])('%s is refused', (_, state, why) => {
    expect(reversalRefusal(state)).toContain(why);
  });

  it.each<[string, SaleState]>([
    ['an approved one', sold()],
    ['a hold of which a part is captured', held(capture('k1', 1_233))],
    ['a sale that has nothing left', sold(capture('k1', 1_234))],
    ['one whose reversal was refused', sold(REVERSAL, REFUSED, DONE())],
    [
      'one whose reversal was withdrawn',
      sold(REVERSAL, { kind: 'withdrawn', messageId: 'r1', text: 't' }, DONE()),
    ],
    ['one whose reversal is parked', sold(REVERSAL, parked('r1'))],
    ['one whose preceding reversal is parked', stateOf(REQUEST, ...OFFLINE, parked('p1'))],
  ])('%s is allowed', (_, state) => {
    expect(reversalRefusal(state)).toBeUndefined();
  });
});

describe('a manual resolution', () => {
  it.each<[string, SaleState, 'approved' | 'reversed', string | undefined]>([
    ['of a done one', sold(), 'reversed', 'it is approved: only a parked sale'],
    ['of one under way', stateOf(REQUEST, AUTHORIZING), 'reversed', 'it is authorizing: only a parked sale'],
    [
      'as approved, with a reversal on its way',
      sold(REVERSAL, OVERDUE),
      'approved',
      'its reversal still waits',
    ],
    ['as approved, with a parked reversal', sold(REVERSAL, parked('r1')), 'approved', undefined],
    ['as approved', sold(OVERDUE), 'approved', undefined],
    ['as reversed', sold(REVERSAL, OVERDUE), 'reversed', undefined],
    [
      'as reversed, of a captured hold',
      held(capture('k1', 500), OVERDUE),
      'reversed',
      'EUR 5.00 of it is captured',
    ],
    ['as reversed, with a parked capture', held(capture('k1', 500), parked('k1')), 'reversed', undefined],
    ['as approved, of a captured hold', held(capture('k1', 500), OVERDUE), 'approved', undefined],
  ])('%s', (_, state, outcome, why) => {
    const refusal = resolutionRefusal(state, outcome);
    if (why === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(why);
  });
});

describe('an approval code', () => {
  const referral = (request: AcceptedSale = REQUEST, ...more: Fact[]) =>
    stateOf(request, AUTHORIZING, ANSWERED(REFERRAL), ended('declined', 'referral'), ...more);
  const window = { nowMs: AT + OFFLINE_POLICY.voiceCodeWindowMs, policy: OFFLINE_POLICY };

  it('is taken after a referral, and after a code that the issuer did not know, until the window is over', () => {
    const again: Fact = { kind: 'ended', outcome: 'declined', mode: null, reason: 'voice-code-refused' };
    for (const state of [referral(), referral(REQUEST, again)]) {
      expect(voiceRefusal(state, window)).toBeUndefined();
      expect(voiceRefusal(state, { ...window, nowMs: window.nowMs + 1 })).toBe(
        'it is more than 24 hours old: start a new sale',
      );
    }
  });

  it.each<[string, SaleState]>([
    ['an approved sale', sold()],
    ['a decline', stateOf(REQUEST, AUTHORIZING, ANSWERED(DECLINED), { ...ended('declined', 'no-answer') })],
    ['a failed one', stateOf(REQUEST, AUTHORIZING, { ...ended('failed', 'referral') })],
    ['a parked one', referral(REQUEST, { kind: 'overdue', code: 'x', text: 'y' })],
  ])('is not taken for %s', (_, state) => {
    expect(voiceRefusal(state, window)).toContain('the issuer did not ask for a call');
    expect(voiceApproved({ state, live: {} as never }, { approvalCode: 'AB12' }, context())).toEqual({});
  });

  it('is not taken for a refund', () => {
    expect(voiceRefusal(referral(LINKED_REFUND), window)).toContain('a refund');
  });
});

describe('a late decline', () => {
  const late = (reason: 'declined-later' | 'expired-offline'): SaleState =>
    stateOf(REQUEST, ...OFFLINE, { kind: 'ended', outcome: 'declined', mode: 'offline-card', reason });
  const noted: Fact = { kind: 'late-decline-acknowledged' };

  it.each(['declined-later', 'expired-offline'] as const)(
    '%s stays open until staff acknowledge it',
    (reason) => {
      const state = late(reason);
      expect([isLateDecline(state), staysOpen(state), acknowledgeRefusal(state)]).toEqual([
        true,
        true,
        undefined,
      ]);
      const after = fold(state, noted);
      expect([isLateDecline(after), staysOpen(after)]).toEqual([true, false]);
      expect(acknowledgeRefusal(after)).toContain('it is declined; only');
    },
  );

  it.each<[string, SaleState, boolean, string]>([
    ['an approved sale', sold(), false, 'it is approved; only'],
    ['one under way', stateOf(REQUEST, AUTHORIZING, UNKNOWN), true, 'it is unknown; only'],
    ['a parked one', stateOf(REQUEST, ...OFFLINE, parked('o1')), true, 'it is parked: resolve it; only'],
    [
      'one that is parked since',
      fold(late('declined-later'), { kind: 'overdue', code: 'x', text: 'y' }),
      true,
      'it is parked: resolve it; only',
    ],
  ])('is not %s', (_, state, isOpen, why) => {
    expect([isLateDecline(state), staysOpen(state)]).toEqual([false, isOpen]);
    expect(acknowledgeRefusal(state)).toContain(why);
  });
});

it('counts what was approved of a part', () => {
  const part = stateOf(PREAUTHORIZATION, AUTHORIZING, ANSWERED(PART), DONE());
  expect(captureRefusal(part, { minor: 617, final: true })).toBeUndefined();
  expect(captureRefusal(part, { minor: 618, final: true })).toContain('left of the authorized EUR 6.17');
});

function fold(state: SaleState, fact: Fact): SaleState {
  return evolve(state, fact, { reference: 'R1', terminalId: '77', row: 9, atMs: AT });
}
