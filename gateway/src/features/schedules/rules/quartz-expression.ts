import type { CronField } from '@tillbridge/protocol/api/catalogue/rows/format.js';

/** The fields of an expression as they were sent, the year among them (spec 2.9, job.*). */
export type JobFields = Readonly<Record<CronField, string>>;

/** The order of the fields in an expression. */
export const FIELD_ORDER = [
  'second',
  'minute',
  'hour',
  'dayOfMonth',
  'month',
  'dayOfWeek',
  'year',
] as const satisfies readonly CronField[];

/** Lowest and highest value of each field (spec 2.9). */
const BOUNDS: Readonly<Record<CronField, readonly [min: number, max: number]>> = {
  second: [0, 59],
  minute: [0, 59],
  hour: [0, 23],
  dayOfMonth: [1, 31],
  month: [1, 12],
  dayOfWeek: [1, 7],
  year: [1970, 2099],
};
const WEEKDAYS: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** A bare `L` as the day of the week is the last day of the week: Saturday (Quartz). */
const LAST_OF_WEEK = '7';

/** The fields of an expression of six or seven, whose syntax is in order. */
export function fieldsOf(expression: string): JobFields {
  const parts = expression.trim().split(/\s+/);
  const entries = FIELD_ORDER.map((field, at) => [field, parts[at] ?? '*'] as const);
  return Object.fromEntries(entries) as JobFields;
}

/** Does the field leave the day to the other one? */
export function isUnset(value: string): boolean {
  return value === '?' || value === '*';
}

/**
 * The fields as the calendar reads them, with the meaning that Quartz gives them: a step goes on to the end of its field, a bare `L` as the day of
 * the week is Saturday, `?` is any day. Pure.
 */
export function calendarPattern(fields: JobFields): string {
  return FIELD_ORDER.map((field) =>
    fields[field]
      .split(',')
      .map((item) => itemOf(item, field))
      .join(','),
  ).join(' ');
}

/** The values of a field of the time of a day, in their order. Pure. */
export function valuesOf(fields: JobFields, field: 'second' | 'minute' | 'hour'): readonly number[] {
  const [min, max] = BOUNDS[field];
  const all = fields[field].split(',').flatMap((item) => {
    const [base = '', step = '1'] = itemOf(item, field).split('/');
    const [from = min, to = from] = base === '*' ? [min, max] : base.split('-').map(Number);
    const count = Math.ceil((to - from + 1) / Number(step));
    return Array.from({ length: count }, (_, at) => from + at * Number(step));
  });
  return [...new Set(all)].sort((a, b) => a - b);
}

function itemOf(item: string, field: CronField): string {
  const [min, max] = BOUNDS[field];
  if (item === '?') return '*';
  // Years have an end: what never comes is then found out soon.
  if (item === '*') return field === 'year' ? `${min}-${max}` : item;
  if (field === 'dayOfWeek' && item === 'L') return LAST_OF_WEEK;
  const [base = '', step] = item.split('/');
  const numbers = field === 'dayOfWeek' ? base.replace(/[A-Z]{3}/g, numberOf) : base;
  if (step === undefined) return numbers;
  const isAll = numbers === '*';
  const [from = 0, to = max] = isAll ? [min, max] : numbers.split('-').map(Number);
  // A longer step leaves the first value alone, as this one does.
  const steps = Math.min(Number(step), max - min + 1);
  return isAll && field !== 'year' ? `*/${steps}` : `${from}-${to}/${steps}`;
}

function numberOf(name: string): string {
  return String(WEEKDAYS.indexOf(name) + 1);
}
