import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { TOTAL_KINDS, type TotalKind, type TotalsGroup } from '@tillbridge/agent/sale/totals/totals.js';

/** An amount that counts as something. */
type Counted = readonly [kind: TotalKind, minor: number];

/** What sums are shown by: each sale has one value of it. */
export type TotalsKey = (answer: SaleAnswer) => string;

/**
 * What differs between the totals of a store and the answers that its tills were shown last, in words. All sales are in euros, and every message of the
 * store was answered or is parked.
 */
export function differentTotals(
  answers: readonly SaleAnswer[],
  groups: readonly TotalsGroup[],
  keyOf: TotalsKey,
): readonly string[] {
  const sums = new Map<string, { count: number; minor: number }>();
  for (const answer of answers)
    for (const [kind, minor] of countedAs(answer)) {
      if (minor === 0) continue;
      const key = `${keyOf(answer)} ${kind}`;
      const { count, minor: before } = sums.get(key) ?? { count: 0, minor: 0 };
      sums.set(key, { count: count + 1, minor: before + minor });
    }
  const wanted = new Map([...sums].map(([key, { count, minor }]) => [key, textOf(count, minor)]));
  const are = new Map<string, string>();
  for (const group of groups)
    for (const kind of TOTAL_KINDS)
      if (group[kind].count > 0)
        are.set(`${group.key} ${kind}`, `${group[kind].count} of ${group[kind].amount}`);
  const netWrong = groups
    .filter(
      ({ approved, refunded, net }) => minorOf(net) !== minorOf(approved.amount) - minorOf(refunded.amount),
    )
    .map(({ key, net }) => `the net of ${key} is ${net}`);
  return [...new Set([...wanted.keys(), ...are.keys()])]
    .filter((key) => !isRight(key, wanted.get(key), are.get(key)))
    .map(
      (key) =>
        `totals show ${are.get(key) ?? 'nothing'} as ${key}, the answers ${wanted.get(key) ?? 'nothing'}`,
    )
    .concat(netWrong);
}

/** A sale that was never approved at the acquirer counts as nothing once it is reversed, and no answer shows which. */
function isRight(key: string, wanted: string | undefined, is: string | undefined): boolean {
  if (!/ (?:reversed|reversedRefunds)$/.test(key)) return wanted === is;
  const [most, sum] = [wanted, is].map((text) => minorOf(text?.split(' of ')[1] ?? '0'));
  return (sum ?? 0) <= (most ?? 0);
}

/** What a sale counts as, by its answer alone. */
function countedAs(answer: SaleAnswer): readonly Counted[] {
  const { state, outcome, type, lateDecline } = answer;
  const requested = minorOf(answer.amount);
  const approved = minorOf(answer.approvedAmount ?? answer.amount);
  if (state === 'parked') return [['parked', requested]];
  if (state === 'unknown' || state === 'reversing') return [['unknown', requested]];
  if (state !== 'done') return [['running', requested]];
  if (outcome === 'reversed') return [[type === 'refund' ? 'reversedRefunds' : 'reversed', approved]];
  if (lateDecline) return [['lateDeclined', requested]];
  if (outcome !== 'approved') return [];
  if (type === 'refund') return [['refunded', approved]];
  return type === 'sale' ? [['approved', approved]] : preauthorization(answer, approved);
}

function preauthorization({ captures = [] }: SaleAnswer, approved: number): readonly Counted[] {
  const taken = captures.filter(({ state }) => state === 'acknowledged');
  const sum = taken.reduce((minor, { amount }) => minor + minorOf(amount), 0);
  const rest = taken.some(({ final }) => final) ? 0 : approved - sum;
  return [...taken.map(({ amount }): Counted => ['approved', minorOf(amount)]), ['preauthorized', rest]];
}

/** Sum of the captures that a till was shown as carried out, minor units; undefined while one of them is open. */
export function capturedAsShown({ captures = [] }: SaleAnswer): number | undefined {
  if (captures.some(({ state }) => state === 'queued' || state === 'parked')) return undefined;
  return captures.reduce(
    (sum, { state, amount }) => sum + (state === 'acknowledged' ? minorOf(amount) : 0),
    0,
  );
}

function textOf(count: number, minor: number): string {
  return `${count} of ${(minor / 100).toFixed(2)}`;
}

function minorOf(text: string): number {
  return Math.round(Number(text) * 100);
}
