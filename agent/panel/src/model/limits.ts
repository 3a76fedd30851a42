import type { Tone } from '@tillbridge/protocol/panel/components/badge.js';
import { amountText } from '@tillbridge/protocol/panel/format.js';
import type { Queue, Status } from '../api/answers.js';

/** One limit of offline sales and what it leaves. */
export interface LimitView {
  readonly label: string;
  readonly left: number;
  readonly max: number;
  readonly text: string;
  readonly tone: Tone;
}

/** Below this share a limit is nearly reached. */
const LOW = 0.25;

/**
 * What the offline limits of a terminal leave. Currencies of which nothing is used are left out, except that of the store; without one, the
 * first stands for all.
 */
export function limitsOf(
  queue: Queue,
  policy: Status['policy'],
  terminalId: string,
  currency: string | undefined,
): readonly LimitView[] {
  const value = (name: string) => policy.values.find((each) => each.name === name)?.value;
  const own = queue.limitsLeft.filter((each) => each.terminalId === terminalId);
  const home = own.find((each) => each.currency === currency) ?? own[0];
  const views: LimitView[] = [];
  for (const left of own) {
    const max = value(`offline.sum.${left.currency}`);
    if (max === undefined || (left !== home && left.amount === max)) continue;
    views.push(amountLimit(`Offline sales in ${left.currency}`, left.amount, max, left.currency));
    const deferredMax = value(`deferred.sum.${left.currency}`);
    if (left.deferred && deferredMax !== undefined)
      views.push(
        amountLimit(`Of it deferred, ${left.currency}`, left.deferred.amount, deferredMax, left.currency),
      );
  }
  const most = Number(value('offline.maxCount') ?? Number.NaN);
  if (home && most > 0)
    views.push({
      label: 'Number of offline sales',
      left: home.count,
      max: most,
      text: `${home.count} of ${most} left`,
      tone: toneOf(home.count, most),
    });
  return views;
}

function amountLimit(label: string, left: string, max: string, currency: string): LimitView {
  const text = `${amountText(left, currency)} of ${amountText(max, currency)} left`;
  return { label, left: Number(left), max: Number(max), text, tone: toneOf(Number(left), Number(max)) };
}

function toneOf(left: number, max: number): Tone {
  if (left <= 0) return 'bad';
  return left < max * LOW ? 'warn' : 'good';
}
