import { saleOf } from '../../sale.test.support.js';
import {
  ANSWERED,
  AUTHORIZING,
  acknowledged,
  captureOf,
  DONE,
  doneOnline,
  PART,
  PREAUTHORIZATION,
  parkedEvent,
  REVERSAL,
  type Row,
  UNKNOWN,
} from '../machine.test.support.js';
import type { Fact } from '../state/facts.js';

const takes = (
  messageId: string,
  minor: number,
  more: { captureReference?: string; final?: boolean } = {},
): Fact => ({
  kind: 'capture',
  messageId,
  originalMessageId: 'm1',
  amount: { minor, currency: 'EUR' },
  final: false,
  ...more,
});
const preauth = (...facts: readonly Fact[]) =>
  saleOf([AUTHORIZING, ANSWERED(), DONE(), ...facts], {}, PREAUTHORIZATION);
const deliveryStatus = (messageId: string, disposition: 'approved' | 'refused'): Fact => ({
  kind: 'acknowledged',
  messageId,
  answer: { disposition, resultCode: '700.400.100' },
});
const named = (name: string, messageId = 'c1', minor = 1_000) =>
  takes(messageId, minor, { captureReference: name });
const oneTaken = preauth(named('C1'), deliveryStatus('c1', 'approved'));
const tillReversal: Fact = { ...REVERSAL, reason: 'reversed-by-till', otherwise: 'reversed' } as Fact;
const REVERSE = { kind: 'reverse' } as const;

/** A preauthorization of 12.34, its captures and what is left. */
export const CAPTURES: readonly Row[] = [
  ['capture', preauth(), captureOf(1_000), ['capture fresh-1 of m1 1000'], []],
  ['the whole is final by itself', preauth(), captureOf(1_234), ['capture fresh-1 of m1 1234 FINAL'], []],
  [
    'the till marks it as the last',
    preauth(),
    captureOf(1, { final: true }),
    ['capture fresh-1 of m1 1 FINAL'],
    [],
  ],
  ['capture of too much', preauth(), captureOf(1_235), [], []],
  ['capture of nothing', preauth(), captureOf(0), [], []],
  ['capture of a sale', doneOnline(), captureOf(1), [], []],
  [
    'capture of what was approved of it',
    saleOf([AUTHORIZING, ANSWERED(PART), DONE()], {}, PREAUTHORIZATION),
    captureOf(617),
    ['capture fresh-1 of m1 617 FINAL'],
    [],
  ],
  [
    'capture beyond what was approved of it',
    saleOf([AUTHORIZING, ANSWERED(PART), DONE()], {}, PREAUTHORIZATION),
    captureOf(618),
    [],
    [],
  ],
  ['a second part', oneTaken, captureOf(234, { reference: 'C2' }), ['capture fresh-1 of m1 234 FINAL'], []],
  ['a second part beyond what is left', oneTaken, captureOf(235, { reference: 'C2' }), [], []],
  ['the same part again', oneTaken, captureOf(1_000, { reference: 'C1' }), [], []],
  ['the same name for another part', oneTaken, captureOf(100, { reference: 'C1' }), [], []],
  ['a second one without a name', oneTaken, captureOf(100), [], []],
  ['the first part is still on its way', preauth(named('C1')), captureOf(235, { reference: 'C2' }), [], []],
  [
    'a part that was refused leaves its money free',
    preauth(named('C1'), deliveryStatus('c1', 'refused')),
    captureOf(1_100, { reference: 'C1' }),
    ['capture fresh-1 of m1 1100'],
    [],
  ],
  [
    'nothing after FINAL',
    preauth(takes('c1', 1, { captureReference: 'C1', final: true }), deliveryStatus('c1', 'approved')),
    captureOf(1, { reference: 'C2' }),
    [],
    [],
  ],
  [
    'nothing after its reversal',
    preauth(tillReversal, deliveryStatus('r1', 'approved')),
    captureOf(1),
    [],
    [],
  ],
  ['capture taken', preauth(named('C1')), acknowledged('c1', 'approved'), ['acknowledged c1'], []],
  ['capture refused', preauth(named('C1')), acknowledged('c1', 'refused'), ['acknowledged c1'], []],
  ['capture parked', preauth(named('C1')), parkedEvent('c1'), ['parked c1'], []],
  [
    'a partly captured preauthorization is reversed: the rest',
    oneTaken,
    REVERSE,
    ['reversal fresh-1 of m1 reversed-by-till/reversed'],
    [],
  ],
  ['all of it is captured: nothing to reverse', preauth(takes('c1', 1_234)), REVERSE, [], []],
  [
    'the rest is released, what was captured stays',
    preauth(named('C1'), deliveryStatus('c1', 'approved'), tillReversal),
    acknowledged('r1', 'reversed'),
    ['acknowledged r1', 'ended approved online rest-released'],
    [],
  ],
  [
    'its capture was refused before the reversal came',
    preauth(named('C1'), deliveryStatus('c1', 'refused'), tillReversal),
    acknowledged('r1', 'reversed'),
    ['acknowledged r1', 'ended reversed online reversed-by-till'],
    [],
  ],
  [
    'the capture arrives while it is being reversed',
    preauth(named('C1'), tillReversal),
    acknowledged('c1', 'approved'),
    ['acknowledged c1'],
    [],
  ],
  [
    'captured elsewhere meanwhile: the reversal is refused, the sale stands',
    preauth(tillReversal),
    acknowledged('r1', 'refused'),
    ['acknowledged r1', 'ended approved online reversal-refused'],
    [],
  ],
  [
    'a reversal that was refused may be requested again',
    preauth(tillReversal, deliveryStatus('r1', 'refused'), { ...DONE(), reason: 'reversal-refused' } as Fact),
    REVERSE,
    ['reversal fresh-1 of m1 reversed-by-till/reversed'],
    [],
  ],
  [
    'capture of one that is not known to be approved',
    saleOf([AUTHORIZING, UNKNOWN], {}, PREAUTHORIZATION),
    captureOf(1),
    [],
    [],
  ],
];
