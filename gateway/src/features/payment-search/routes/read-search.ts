import { hundredthsOf } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import { invalidParameters } from '../../../kernel/http/request/envelope.js';
import { frameFaults } from '../../../kernel/http/request/time-frame.js';
import type { ListPlace, PaymentSearch } from '../rules/search.js';

type Values = ReadonlyMap<string, string>;

/** Later than every payment. */
const FAR_AHEAD_MS = 8.64e15;
const SECOND_MS = 1_000;

/** Parameters that name the value of a column. */
const COLUMN_PARAMETERS = {
  currency: 'currency',
  'card.last4Digits': 'last4Digits',
  'pos.terminalId': 'terminalId',
  agentId: 'agentId',
  paymentBrand: 'brand',
  'result.code': 'resultCode',
  responseCode: 'responseCode',
} as const;

/** What valid parameters look for. @throws RequestRefused where the end comes before the beginning */
export function readSearch(values: Values): PaymentSearch {
  const faults = frameFaults(values);
  if (faults.length > 0) throw invalidParameters(faults);
  const [from, to] = [values.get('date.from'), values.get('date.to')];
  const columns = Object.entries(COLUMN_PARAMETERS).flatMap(([name, column]) => {
    const value = values.get(name);
    return value === undefined ? [] : [[column, [value]] as const];
  });
  const outcome = values.get('outcome') as PaymentSearch['outcome'];
  return {
    fromMs: from === undefined ? 0 : timeOf(from),
    toMs: to === undefined ? FAR_AHEAD_MS : timeOf(to) + SECOND_MS,
    columns: Object.fromEntries(columns),
    ...present({
      amount: amountOf(values),
      outcome,
      types: values.get('paymentTypes')?.split(','),
      reference: values.get('merchantTransactionId'),
      email: values.get('customer.email')?.toLowerCase(),
    }),
  };
}

/** An amount in the minor units of each kind of currency: with none, two, three or four digits. */
function amountOf(values: Values): PaymentSearch['amount'] {
  const hundredths = hundredthsOf(values.get('amount') ?? '');
  if (hundredths === undefined) return undefined;
  const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
  const whole = hundredths % 100 === 0 ? [hundredths / 100] : [];
  return { text, minors: [...new Set([hundredths, ...whole, hundredths * 10, hundredths * 100])] };
}

function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** A place of a list as clients send it back: a position, and no secret. */
export function cursorText({ atMs, id }: ListPlace): string {
  return `${atMs.toString(36)}.${id === '' ? '-' : id}`;
}

const CURSOR = /^([0-9a-z]{1,11})\.(-|[0-9a-f]{32})$/;

/** The place that a cursor names; undefined without one. @throws RequestRefused for a text that is no cursor */
export function placeOfCursor(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const [, time = '', id = ''] = CURSOR.exec(cursor) ?? [];
  const atMs = Number.parseInt(time, 36);
  if (!Number.isSafeInteger(atMs))
    throw invalidParameters([
      { name: 'cursor', value: cursor, message: 'must be the "next" of an earlier answer, as it was' },
    ]);
  return { atMs, id: id === '-' ? '' : id };
}
