import { totalsDifference } from '@tillbridge/gateway/core/acquirers/iso8583/rules/day-totals.js';
import {
  answerTo,
  type ExchangeMessage,
  type ExchangeTotals,
} from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { TotalsState } from './totals-state.js';

/** Settlement days of the host, one after the other. */
export const DAYS: readonly [string, string, string] = ['20261120', '20261121', '20261122'];
/** Amount of another sale, in minor units. */
export const OTHER_MINOR = 700;

/** The settlement day of the host. */
export function dayOf({ link }: TotalsState): string {
  return link.moment?.day ?? DAYS[0];
}

/** The state in which the host has begun its next day. */
export function dayEnded(state: TotalsState): TotalsState {
  const { moment } = state.link;
  if (!moment) return state;
  const day = DAYS[DAYS.indexOf(moment.day) + 1];
  if (day === undefined) return state;
  return { ...state, link: { ...state.link, moment: { ...moment, day } } };
}

/** What the host answers, and the state then. */
export function answered(
  state: TotalsState,
  question: Partial<ExchangeMessage>,
): { readonly state: TotalsState; readonly message: ExchangeMessage } {
  const { kind = 'network', settlementDate = '' } = question;
  const asked = { ...question, kind, isAdvice: false, isResponse: false, isRepeat: false, stan: '', at: '' };
  if (kind === 'reconciliation') {
    const totals = totalsAtHost(state, settlementDate);
    const isEqual = question.totals !== undefined && totalsDifference(question.totals, totals) === '';
    return { state, message: answerTo(asked, { responseCode: isEqual ? '00' : '95', totals }) };
  }
  const after = dayOf(state) === settlementDate ? dayEnded(state) : state;
  return { state: after, message: answerTo(asked, { responseCode: '00', settlementDate: dayOf(after) }) };
}

/** What the host took and gave back on a settlement day. Holds move no money. */
function totalsAtHost({ link, others }: TotalsState, day: string): ExchangeTotals {
  const taken = link.exchanges.flatMap(({ record, host }) =>
    record?.request?.kind === 'financial' ? Object.values(host.taken) : [],
  );
  const nothing = { number: 0, minor: 0 };
  const sum = (minors: readonly number[]) =>
    minors
      .filter((minor) => minor > 0)
      .reduce((total, minor) => ({ number: total.number + 1, minor: total.minor + minor }), nothing);
  const own = taken.filter((each) => each.day === day).map(({ minor }) => minor);
  const reversed = taken.filter((each) => each.reversedDay === day);
  return {
    debits: sum([...own, ...others.filter((other) => other === day).map(() => OTHER_MINOR)]),
    credits: nothing,
    debitReversals: sum(reversed.map(({ reversedMinor }) => reversedMinor)),
    creditReversals: nothing,
  };
}
