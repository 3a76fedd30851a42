import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';

/** Parameters, and beginnings of parameters, that an acquirer is told of beside card and amount, the most important first. */
const TOLD: readonly string[] = [
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

/** What the merchant sent of them; undefined where nothing. */
export function acquirerDetailsOf(values: ParameterValues): Readonly<Record<string, string>> | undefined {
  const all = [...values];
  const told = TOLD.flatMap((wanted) =>
    all.filter(([name]) => name === wanted || (/\W$/.test(wanted) && name.startsWith(wanted))),
  );
  return told.length === 0 ? undefined : Object.fromEntries(told);
}
