import { expect, it } from 'vitest';
import { localizedAmount } from './localized-amount.js';

it('an amount is written as the language does; one that it cannot write stays as it came', () => {
  expect(localizedAmount('de', '1234.50', 'EUR')).toBe('1.234,50\u00a0€');
  expect(localizedAmount('ja', '1200.00', 'JPY')).toMatch(/^[¥￥]1,200$/);
  // Engines write forints without decimals; what is paid is shown.
  expect(localizedAmount('en', '12.34', 'HUF')).toBe('HUF\u00a012.34');
  expect(localizedAmount('en', '12.34', 'KWD')).toBe('KWD\u00a012.340');
  expect(localizedAmount('en', '12.34', 'CLF')).toBe('CLF\u00a012.3400');
  expect(localizedAmount('en', '1.00', '<b>')).toBe('1.00 <b>');
});
