import type { CronField } from '../../../kernel/api/catalogue/rows/format.js';
import { CRON_FIELDS, CRON_ORDER } from '../../../kernel/api/cron.js';

/** The fields of an expression as they were sent, the year among them (docs/schedules.md, job.*). */
export type JobFields = Readonly<Record<CronField, string>>;

/** A bare `L` as the day of the week is the last day of the week: Saturday (Quartz). */
const LAST_OF_WEEK = '7';

/** The fields of an expression of six or seven, whose syntax is in order. */
export function fieldsOf(expression: string): JobFields {
  const parts = expression.trim().split(/\s+/);
  const entries = CRON_ORDER.map((field, at) => [field, parts[at] ?? '*'] as const);
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
  return CRON_ORDER.map((field) =>
    fields[field]
      .split(',')
      .map((item) => itemOf(item, field))
      .join(','),
  ).join(' ');
}

/** The values of a field of the time of a day, in their order. Pure. */
export function valuesOf(fields: JobFields, field: 'second' | 'minute' | 'hour'): readonly number[] {
  const { min, max } = CRON_FIELDS[field];
  const all = fields[field].split(',').flatMap((item) => {
    const [base = '', step = '1'] = itemOf(item, field).split('/');
    const [from = min, to = from] = base === '*' ? [min, max] : base.split('-').map(Number);
    const count = Math.ceil((to - from + 1) / Number(step));
    return Array.from({ length: count }, (_, at) => from + at * Number(step));
  });
  return [...new Set(all)].sort((a, b) => a - b);
}

function itemOf(item: string, field: CronField): string {
  const { min, max } = CRON_FIELDS[field];
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
  return String(CRON_FIELDS.dayOfWeek.min + (CRON_FIELDS.dayOfWeek.names?.indexOf(name) ?? -1));
}
