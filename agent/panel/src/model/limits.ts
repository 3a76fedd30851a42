import type { Tone } from '@tillbridge/panel-kit/components/badge.js';
import type { Queue, Status } from '../api/answers.js';
import { money, t } from '../texts/texts.js';

/** One limit of offline sales and what it leaves. */
interface LimitView {
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
    views.push(amountLimit(t('limitSum', { currency: left.currency }), left.amount, max, left.currency));
    const deferredMax = value(`deferred.sum.${left.currency}`);
    if (left.deferred && deferredMax !== undefined)
      views.push(
        amountLimit(
          t('limitDeferred', { currency: left.currency }),
          left.deferred.amount,
          deferredMax,
          left.currency,
        ),
      );
  }
  const most = Number(value('offline.maxCount') ?? Number.NaN);
  if (home && most > 0)
    views.push({
      label: t('limitCount'),
      left: home.count,
      max: most,
      text: t('left', { left: home.count, max: most }),
      tone: toneOf(home.count, most),
    });
  return views;
}

function amountLimit(label: string, left: string, max: string, currency: string): LimitView {
  const text = t('left', { left: money(left, currency), max: money(max, currency) });
  return { label, left: Number(left), max: Number(max), text, tone: toneOf(Number(left), Number(max)) };
}

function toneOf(left: number, max: number): Tone {
  if (left <= 0) return 'bad';
  return left < max * LOW ? 'warn' : 'good';
}
