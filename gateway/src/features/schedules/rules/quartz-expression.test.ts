import { expect, it } from 'vitest';
import { fieldsOf, valuesOf } from './quartz-expression.js';

const NOON = {
  ...{ second: '0', minute: '0', hour: '12', dayOfMonth: '*', month: '*', dayOfWeek: '?', year: '*' },
};

it.each(['0 0 12 * * ?', ' 0 0 12 * * ? ', '0  0\t12 * *   ?', '0 0 12 * * ? *'])(
  'reads the fields of "%s", whatever the blanks around them',
  (expression) => {
    expect(fieldsOf(expression)).toEqual(NOON);
  },
);

it.each([
  ['5/20', [5, 25, 45]],
  ['*/25', [0, 25, 50]],
  ['50/3,7', [7, 50, 53, 56, 59]],
  ['10-14/2', [10, 12, 14]],
  ['3', [3]],
])('the minutes of "%s" are %j', (minute, expected) => {
  expect(valuesOf({ ...NOON, minute }, 'minute')).toEqual(expected);
});
