import type { ExchangeTotals } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { ReversalRow, TransactionRow } from '../rows/tables.js';

/** Which kinds take money of a cardholder, and which give. An authorization moves none. */
const DEBITS: ReadonlySet<string> = new Set(['sale', 'capture']);
const CREDITS: ReadonlySet<string> = new Set(['refund', 'credit']);

interface Sum {
  readonly number: number;
  readonly minor: number;
}

const NONE: Sum = { number: 0, minor: 0 };

/**
 * What a merchant's terminals took and gave on a day in one currency: approved transactions, and what was reversed on that day.
 * @param transactions those of the merchant, of all days
 * @param reversals those of the day
 */
export function totalsOf(
  { day, currency }: { readonly day: string; readonly currency: string },
  transactions: readonly TransactionRow[],
  reversals: readonly ReversalRow[],
): ExchangeTotals {
  const booked = transactions.filter(
    (row) => row.day === day && row.approved === 1 && row.currency === currency,
  );
  const kinds = new Map(transactions.map(({ message, kind }) => [message, kind]));
  const taken = (wanted: ReadonlySet<string>) =>
    sum(booked.filter(({ kind }) => wanted.has(kind)).map(({ amountMinor }) => amountMinor));
  const reversed = (wanted: ReadonlySet<string>) =>
    sum(
      reversals
        .filter((row) => row.reversedMinor > 0 && row.currency === currency)
        .filter(({ original }) => wanted.has(kinds.get(original) ?? ''))
        .map(({ reversedMinor }) => reversedMinor),
    );
  return {
    debits: taken(DEBITS),
    credits: taken(CREDITS),
    debitReversals: reversed(DEBITS),
    creditReversals: reversed(CREDITS),
  };
}

function sum(amounts: readonly number[]): Sum {
  return amounts.reduce((total, minor) => ({ number: total.number + 1, minor: total.minor + minor }), NONE);
}
