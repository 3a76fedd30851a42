import { expect, it } from 'vitest';
import { passwordFault } from './password-rules.js';

it.each([
  ['correct horse battery', undefined],
  [`${'ä'.repeat(8)}böcd`, undefined],
  ['elevenchars', /at least 12/],
  [`${'x'.repeat(125)}abcdefg`, /at most 128/],
  ['abababababababab', /different/],
  ['my-cashier-secret', /e-mail/],
  ['Password12345678', /guessed/],
])('judges %j', (password, fault) => {
  const found = passwordFault(password, 'cashier@shop.example');
  if (fault) expect(found).toMatch(fault);
  else expect(found).toBeUndefined();
});
