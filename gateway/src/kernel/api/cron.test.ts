import { describe, expect, it } from 'vitest';
import { cronExpressionError, cronFieldError } from './cron.js';

describe('cronFieldError', () => {
  it.each([
    ['second', '0'],
    ['second', '*/15'],
    ['minute', '0,15,30-59'],
    ['hour', '0-23/2'],
    ['dayOfMonth', '?'],
    ['dayOfMonth', 'L'],
    ['dayOfMonth', '15W'],
    ['month', '1-12'],
    ['dayOfWeek', 'MON-FRI'],
    ['dayOfWeek', '6#3'],
    ['dayOfWeek', '7L'],
    ['year', '1970,2099'],
  ] as const)('takes %s %s', (field, value) => {
    expect(cronFieldError(value, field)).toBeUndefined();
  });

  it.each([
    ['second', '60'],
    ['minute', '-1'],
    ['minute', '1,,2'],
    ['hour', '24'],
    ['hour', '5-3'],
    ['hour', '5-x'],
    ['hour', '5-'],
    ['hour', '5-24'],
    ['hour', '*/0'],
    ['hour', '1/2/3'],
    ['dayOfMonth', '32'],
    ['dayOfMonth', '1,?'],
    ['dayOfMonth', '15W,LW'],
    ['month', '13'],
    ['month', '?'],
    ['dayOfWeek', '0'],
    ['dayOfWeek', 'XYZ'],
    ['dayOfWeek', '6#6'],
    ['year', '1969'],
    ['year', ''],
  ] as const)('refuses %s %s', (field, value) => {
    expect(cronFieldError(value, field)).toMatch(/^must be /);
  });
});

describe('cronExpressionError', () => {
  it('takes six fields, or seven with the year', () => {
    expect(cronExpressionError('0 0 12 1 * ?')).toBeUndefined();
    expect(cronExpressionError('0 0 12 ? * MON 2027')).toBeUndefined();
  });

  it('names the field that is wrong', () => {
    expect(cronExpressionError('0 0 25 1 * ?')).toMatch(/^hour must be 0-23/);
    expect(cronExpressionError('0 0 12 1 *')).toContain('must have the fields');
    expect(cronExpressionError('0'.repeat(257))).toContain('characters');
  });
});
