import { describe, expect, it } from 'vitest';
import { calendarOf } from './calendar.js';
import type { JobValues } from './job-plan.js';
import { fieldsOf } from './quartz-expression.js';
import { intervalFault } from './shortest-interval.js';

const START_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

const faultOf = (expression: string, least: number, job: JobValues = { expression }) =>
  intervalFault(job, fieldsOf(expression), { shortestIntervalSeconds: least });

/** The shortest time between two runs of four days, by the calendar that the runs are made by; seconds. */
function shortestByCalendar(expression: string): number {
  const calendar = calendarOf(fieldsOf(expression), 'UTC');
  let shortest = DAY_MS;
  let before = calendar.after(START_MS - 1) ?? 0;
  for (;;) {
    const next = calendar.after(before);
    if (next === undefined || next > START_MS + 4 * DAY_MS) return shortest / 1_000;
    shortest = Math.min(shortest, next - before);
    before = next;
  }
}

describe('the shortest interval of a job', () => {
  it.each([
    '*/20 0 0 * * ?',
    '0,59 0 0 * * ?',
    '30 * 12 * * ?',
    '0 */7 9,10 * * ?',
    '0 0,59 0-2 * * ?',
    '0 30 23,0 * * ?',
    '0 0 20-23/2 * * ?',
    '15,45 0 6 ? * MON-FRI',
    '0 50/3 * * * ?',
    '0 0 9 * * ?',
    '0 0,5,50 9 * * ?',
    '0 0 1,20,22 21 * ?',
    '0 0 9 1 * ?',
    '0 0,30 8-18/5 ? * *',
  ])('of "%s" is that of its calendar', (expression) => {
    const seconds = shortestByCalendar(expression);
    expect(faultOf(expression, seconds)).toBeUndefined();
    expect(faultOf(expression, seconds + 1)?.message).toContain(`runs again after ${seconds} s `);
  });

  it.each([
    ['* * * * * ?', 'second', 1],
    ['0 * * * * ?', 'minute', 60],
    ['0 0 */2 * * ?', 'hour', 7_200],
    ['0 30 0,23 * * ?', 'hour', 3_600],
  ])('of "%s" is made by its %s', (expression, field, seconds) => {
    const named = faultOf(expression, seconds + 1, { [field]: '*' });
    expect(named).toMatchObject({ code: 'job-too-often', parameter: field });
    expect(faultOf(expression, seconds + 1)).toMatchObject({ parameter: 'expression' });
    expect(faultOf(expression, seconds)).toBeUndefined();
  });

  it('is not from one day to the next where not every day has runs', () => {
    const twice = (days: string) => faultOf(`0 59 1,23 ${days}`, 2 * 3_600 + 1);
    expect(twice('* * ?')).toBeDefined();
    expect([twice('? * MON'), twice('15 * ?')]).toEqual([undefined, undefined]);
  });
});
