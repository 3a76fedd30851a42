import { propertyRuns } from '@tillbridge/wire/seams/testing/property-runs.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../catalogue/rows/parameter.js';
import { parametersOf } from '../catalogue/sections.js';
import { rowsOf } from '../check/check-request.js';
import { validateParameters } from '../validate.js';
import { airlineSumRule } from './airline-sums.js';
import { cartSumRule } from './cart-sums.js';
import { marketplaceRule } from './marketplace.js';
import type { RuleFacts } from './rule.js';
import { RULES } from './rules.js';

const OPERATIONS: readonly Operation[] = ['payment', 'registration', 'checkout-create', 'checkout-payment'];
const NAMES = [...new Set(OPERATIONS.flatMap((operation) => parametersOf(operation).map(({ name }) => name)))]
  .flatMap((name) =>
    name.includes('[n]') ? [name.replaceAll('[n]', '[0]'), name.replaceAll('[n]', '[1]')] : name,
  )
  .map((name) => name.replace('[key]', '[abc]').replace('<scheme>', 'VISA'));
const VALUES = [
  '',
  '1',
  '2.00',
  'true',
  'EUR',
  'DB',
  'VISA',
  'DIRECTDEBIT_SEPA',
  'GIFTCARD',
  'INSTALLMENT',
  'ARG',
];

/** Facts of generated requests with some names. */
const requestsOf = (names: readonly string[]) =>
  fc
    .record({
      operation: fc.constantFrom(...OPERATIONS),
      sent: fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...VALUES)), {
        selector: ([name]) => name,
        maxLength: 16,
      }),
    })
    .map(
      ({ operation, sent }): RuleFacts => ({
        operation,
        ...validateParameters(sent, rowsOf(operation)),
        threeDSecure: { version: 2 },
      }),
    );

/** The facts with other answers to whether a group was sent. */
const withGroups = (facts: RuleFacts, has: (group: string) => boolean): RuleFacts => ({
  ...facts,
  groups: Object.assign(new Set<string>(), { has }),
});

describe('groups of parameters', () => {
  it('give every rule the same as a walk over all names', () => {
    fc.assert(
      fc.property(requestsOf(NAMES), (facts) => {
        const walk = (group: string) => [...facts.sent].some((name) => /^[^.[]+/.exec(name)?.[0] === group);
        for (const rule of RULES) expect(rule(facts)).toEqual(rule(withGroups(facts, walk)));
      }),
      propertyRuns(200),
    );
  });

  it('spare rules on lists nothing but work', () => {
    fc.assert(
      fc.property(requestsOf(NAMES.filter((name) => /[.]\w+\[/.test(name))), (facts) => {
        for (const rule of [cartSumRule, airlineSumRule, marketplaceRule])
          expect(rule(facts)).toEqual(rule(withGroups(facts, () => true)));
      }),
      propertyRuns(200),
    );
  });
});
