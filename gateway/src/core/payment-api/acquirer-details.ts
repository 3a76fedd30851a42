import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import { groupOf } from '../../kernel/api/names.js';

/** Parameters, and beginnings of parameters, that an acquirer receives in addition to card and amount, the most important first. */
const FORWARDED: readonly string[] = [
  'transactionCategory',
  'lifecycleId',
  'transactionPurposeCode',
  'transactionProcessingCode',
  'transactionBai',
  'transactionTti',
  'descriptor',
  'merchantInvoiceId',
  'merchant.',
  'forex.',
  'sender.',
  'recipient.',
  'cart.items[',
  'airline.',
];

/** Whether a name is one of them, in their order. */
const MATCHERS: readonly ((name: string) => boolean)[] = FORWARDED.map((wanted) =>
  /\W$/.test(wanted) ? (name) => name.startsWith(wanted) : (name) => name === wanted,
);

/** The first parts of them: most requests have none, and are looked through once. */
const GROUPS: ReadonlySet<string> = new Set(FORWARDED.map(groupOf));

/** What the merchant sent of them; undefined where nothing. */
export function acquirerDetailsOf(values: ParameterValues): Readonly<Record<string, string>> | undefined {
  const some = [...values].filter(([name]) => GROUPS.has(groupOf(name)));
  if (some.length === 0) return undefined;
  const matching = MATCHERS.flatMap((matches) => some.filter(([name]) => matches(name)));
  return matching.length === 0 ? undefined : Object.fromEntries(matching);
}
