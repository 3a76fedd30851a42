import { expect, it } from 'vitest';
import { trialCard } from './trial-card.js';

const PAN = '4200000000000000';

it('reads number, expiry and verification value, a line each', () => {
  expect(trialCard('4200 0000 0000 0000\r\n12/34\r\n123\r\n')).toEqual({
    ...{ kind: 'card', pan: PAN, expiryYear: '2034', expiryMonth: '12', cvv: '123' },
  });
  expect(trialCard(`${PAN}\n01/29`)).not.toHaveProperty('cvv');
  expect(trialCard(`${PAN}\n01/29\n\n`)).not.toHaveProperty('cvv');
});

it.each([
  ['', /line 1/],
  ['4200000000000001\n12/34', /line 1/],
  [`${PAN}`, /line 2/],
  [`${PAN}\n13/34`, /line 2/],
  [`${PAN}\n12/34\n12x`, /line 3/],
  [`${PAN}\n12/34\n123\nextra`, /more than three/],
])('refuses %j, and names no value of it', (text, expected) => {
  expect(() => trialCard(text)).toThrow(expected);
  try {
    trialCard(text);
  } catch (error) {
    for (const line of text.split('\n').filter((each) => each.length > 2))
      expect(String(error)).not.toContain(line);
  }
});
