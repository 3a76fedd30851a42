import { describe, expect, test } from 'vitest';
import {
  type CardAsk,
  type CardTrouble,
  firstAsk,
  MAX_CARD_ATTEMPTS,
  nextAsk,
  requiresPin,
  swipedAs,
} from './card-attempts.js';

function after(...troubles: readonly CardTrouble[]): CardAsk | 'give-up' {
  let ask = firstAsk(true);
  for (const trouble of troubles) {
    const next = nextAsk(ask, trouble);
    if (next.kind === 'give-up') return next.kind;
    ask = next.ask;
  }
  return ask;
}

describe('a card that could not be used', () => {
  test.each([
    [['several-cards'], { prompt: 'one-card', contactless: true, fallback: false }],
    [['phone-first'], { prompt: 'look-at-phone', contactless: true }],
    [['tap-error'], { prompt: 'tap-again', contactless: true }],
    [['tap-error', 'tap-error'], { prompt: 'insert-or-swipe', contactless: false }],
    [['tap-error', 'several-cards', 'tap-error'], { prompt: 'tap-again', contactless: true }],
    [['tap-refused'], { prompt: 'insert-or-swipe', contactless: false }],
    [['chip-unreadable'], { prompt: 'remove-and-swipe', contactless: false, fallback: true }],
    [['chip-unreadable', 'magstripe-unreadable'], { prompt: 'swipe-again', fallback: true }],
    [['chip-first'], { prompt: 'insert-chip', contactless: false, fallback: false }],
  ] as const)('%j: %j', (troubles, ask) => {
    expect(after(...troubles)).toMatchObject({ ...ask, attempt: troubles.length + 1 });
  });

  test.each([[['chip-unreadable', 'chip-unreadable']], [['tap-refused', 'tap-refused']]] as const)(
    'ends the sale after %j',
    (troubles) => {
      expect(after(...troubles)).toBe('give-up');
    },
  );

  test('ends the sale where a magnetic stripe may not stand in for a chip', () => {
    expect(nextAsk(firstAsk(true), 'chip-unreadable', false)).toEqual({ kind: 'give-up' });
  });

  test('ends the sale after so many attempts', () => {
    const swipes = (count: number): CardTrouble[] =>
      Array.from({ length: count }, () => 'magstripe-unreadable');
    expect(after(...swipes(MAX_CARD_ATTEMPTS - 1))).toMatchObject({ attempt: MAX_CARD_ATTEMPTS });
    expect(after(...swipes(MAX_CARD_ATTEMPTS))).toBe('give-up');
  });
});

test.each([
  ['101', false, 'MAGSTRIPE'],
  [undefined, false, 'MAGSTRIPE'],
  ['201', true, 'MAGSTRIPE_AS_FALLBACK'],
  ['601', false, undefined],
])('a card with service code %s, its chip failed: %s, is swiped as %s', (serviceCode, chipFailed, mode) => {
  expect(swipedAs(serviceCode, chipFailed)).toBe(mode);
});

test.each([
  ['120', true],
  ['101', false],
  ['126', true],
  [undefined, false],
])('service code %s requires a PIN: %s', (serviceCode, isRequired) => {
  expect(requiresPin(serviceCode)).toBe(isRequired);
});
