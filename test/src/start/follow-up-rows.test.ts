import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLLOW_UPS, STORED_TYPES } from '@tillbridge/wire/payment/lifecycle.js';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../stack/layout.js';

/** Files that may compare with one type by name, and why no column of a row has it. */
const ALLOWED: readonly string[] = [
  // The captures that PA.CPs bring along have no rows.
  'gateway/src/core/payment-api/query/find-payments.ts',
  // Chargebacks are no follow-ups: the acquirer makes them.
  'gateway/src/core/payments/rules/chargeback.ts',
  // As in find-payments.
  'gateway/src/features/payment-search/rules/search.ts',
  // What is left of a capture is less than its amount, where its root gave money back.
  'protocol/wire/src/payment/decide-follow-up.ts',
];

/** Types that are follow-ups alone. PA, DB and CD are payments on their own too. */
const TYPES = [...FOLLOW_UPS, ...STORED_TYPES].filter((type) => !['PA', 'DB', 'CD'].includes(type));
const LITERAL = `'(?:${[...new Set(TYPES)].join('|')})'`;
const COMPARED = new RegExp(
  `(?:[=!]== |case |(?:has|includes)\\()${LITERAL}|${LITERAL} [=!]==|new Set\\(\\[[^\\]]*${LITERAL}`,
);

/** Files of production code that compare something with the name of a follow-up. */
function comparing(): readonly string[] {
  return ['gateway/src', 'protocol/wire/src']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter(
      (file) =>
        /(?<!\.test|\.support)\.ts$/.test(file) && COMPARED.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    .sort();
}

describe('follow-up types', () => {
  it('are rows of LIFECYCLE and FOLLOW_UP_ROWS: no other file decides by their names', () => {
    expect(comparing()).toEqual(ALLOWED);
  });

  it.each([
    "type === 'RV'",
    "'RF' !== type",
    "case 'CP':",
    "types.includes('RB')",
    "new Set(['DB', 'RC'])",
    "practice === 'INCREMENTAL_AUTH'",
  ])('would be found: %s', (code) => {
    expect(COMPARED.test(code)).toBe(true);
  });
});
