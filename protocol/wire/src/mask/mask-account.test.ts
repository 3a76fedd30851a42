import { expect, it } from 'vitest';
import { maskAccount } from './mask-account.js';

it.each([
  ['DE23100000001234567890', 'DE23**************7890'],
  ['1234567890', '******7890'],
  ['123456789', '*********'],
])('shows the account %s as %s', (account, masked) => {
  expect(maskAccount(account)).toBe(masked);
});
