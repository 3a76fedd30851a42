import type { ParameterError } from '../../api/validate.js';

const SECOND_MS = 1_000;

/** Milliseconds since 1970; the end is not in it. */
export interface TimeFrame {
  readonly fromMs: number;
  readonly toMs: number;
}

/** `date.from` and `date.to` (`yyyy-MM-dd HH:mm:ss` in UTC), the second of the end in them; undefined unless both are there. */
export function frameOf(values: ReadonlyMap<string, string>): TimeFrame | undefined {
  const [from, to] = [values.get('date.from'), values.get('date.to')];
  return from === undefined || to === undefined
    ? undefined
    : { fromMs: timeOf(from), toMs: timeOf(to) + SECOND_MS };
}

/** What is wrong with them, if anything. */
export function frameFaults(values: ReadonlyMap<string, string>): readonly ParameterError[] {
  const [from, to] = [values.get('date.from'), values.get('date.to')];
  // Times of this form sort as texts.
  return from !== undefined && to !== undefined && to < from
    ? [{ name: 'date.to', value: to, message: 'must not be before date.from' }]
    : [];
}

function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}
