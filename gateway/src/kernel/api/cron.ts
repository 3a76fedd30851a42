import type { CronField } from './catalogue/rows/format.js';

/** What one field of a schedule may hold (docs/schedules.md). */
interface FieldRule {
  readonly min: number;
  readonly max: number;
  /** Names that stand for numbers, the first for `min`. */
  readonly names?: readonly string[];
  /** `?`, no value of its own. */
  readonly unset?: true;
  /** Single items that only this field knows. */
  readonly special?: RegExp;
}

/** Fields of Quartz, in the order in which they stand in an expression. */
export const CRON_FIELDS: Readonly<Record<CronField, FieldRule>> = {
  second: { min: 0, max: 59 },
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  dayOfMonth: { min: 1, max: 31, unset: true, special: /^(L|LW|([1-9]|[12]\d|3[01])W)$/ },
  month: { min: 1, max: 12 },
  dayOfWeek: {
    min: 1,
    max: 7,
    names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
    unset: true,
    special: /^(L|[1-7]L|[1-7]#[1-5])$/,
  },
  year: { min: 1970, max: 2099 },
};
/** Their order. */
export const CRON_ORDER = Object.keys(CRON_FIELDS) as readonly CronField[];
/** Longest expression (docs/schedules.md). */
const MAX_EXPRESSION = 256;
/** The last working day of a month stands alone: no calendar takes it in a list. */
const ALONE = 'LW';

/** Which rule a field of a schedule breaks; undefined when none. Spec 2.9, job.*: lists, ranges, wildcards, steps. */
export function cronFieldError(value: string, field: CronField): string | undefined {
  const rule = CRON_FIELDS[field];
  const items = value.split(',');
  if (items.length > 1 && rule.special?.test(ALONE) && items.includes(ALONE))
    return `must be ${ALONE} alone, not in a list`;
  const known = items.every((item) => isItem(item, rule)) || (rule.unset && value === '?');
  return known
    ? undefined
    : `must be ${described(rule)}, as single values, lists (,), ranges (-), * or steps (/)`;
}

/** Which rule a whole expression breaks: fields from second to year, parted by blanks; the year may be left out. */
export function cronExpressionError(value: string): string | undefined {
  if (value.length > MAX_EXPRESSION)
    return `must have 1 to ${MAX_EXPRESSION} characters, has ${value.length}`;
  const parts = value.trim().split(/\s+/);
  if (parts.length !== CRON_ORDER.length && parts.length !== CRON_ORDER.length - 1) {
    return `must have the fields ${CRON_ORDER.join(' ')}, parted by blanks; the year may be left out`;
  }
  for (const [at, part] of parts.entries()) {
    const field = CRON_ORDER[at];
    const error = field && cronFieldError(part, field);
    if (error !== undefined) return `${field} ${error}`;
  }
  return undefined;
}

function isItem(item: string, rule: FieldRule): boolean {
  if (rule.special?.test(item)) return true;
  const [base = '', step, more] = item.split('/');
  if (more !== undefined) return false;
  if (step !== undefined && !(/^\d{1,4}$/.test(step) && Number(step) >= 1)) return false;
  return base === '*' || isRange(base, rule);
}

function isRange(base: string, rule: FieldRule): boolean {
  const ends = base.split('-').map((end) => numberOf(end, rule));
  const [from, to] = ends.length === 1 ? [ends[0], ends[0]] : ends;
  return ends.length <= 2 && from !== undefined && to !== undefined && from <= to;
}

function numberOf(text: string, { min, max, names }: FieldRule): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return min + named;
  if (!/^\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function described({ min, max, names }: FieldRule): string {
  return names ? `${min}-${max} or ${names[0]}-${names.at(-1)}` : `${min}-${max}`;
}
