import { currencyAlpha, currencyNumber } from '../../payment/currency-codes.js';
import { minorDigits } from '../../payment/minor-digits.js';
import type { Dialect } from '../dialects/dialects.js';
import { Iso8583Error } from '../iso8583-error.js';
import type { Parts } from '../parts/reading.js';
import type { AdditionalAmount } from './exchange-message.js';
import { made, minorOf, partsOf } from './field-values.js';

const FIELD = 54;
/** Letter in front of an amount. */
const SIGNS = { debit: 'D', credit: 'C' } as const;
const VERSION_WITH_MINOR_DIGITS = '2';

/** Field 54 of amounts. @throws Iso8583Error badField */
export function writeAdditionalAmounts(dialect: Dialect, amounts: readonly AdditionalAmount[]): string {
  const parts = amounts.flatMap(({ account, type, amount: { minor, currency } }, at) => {
    const number = currencyNumber(currency);
    if (number === undefined) throw new Iso8583Error('badField', FIELD, 'is no currency');
    const values = {
      ...{ account, type, currency: number },
      ...(dialect.version === VERSION_WITH_MINOR_DIGITS && { minor: String(minorDigits(currency)) }),
      amount: `${minor < 0 ? SIGNS.debit : SIGNS.credit}${Math.abs(minor)}`,
    };
    return Object.entries(values).map(([key, value]) => [`${at + 1}.${key}`, value] as const);
  });
  return made(dialect, FIELD, Object.fromEntries(parts));
}

/** The amounts of field 54; none where it cannot be read: they decide nothing, and must not cost an answer. */
export function readAdditionalAmounts(dialect: Dialect, value: string): readonly AdditionalAmount[] {
  try {
    const parts = partsOf(dialect, FIELD, value);
    const groups = new Set(Object.keys(parts).map((key) => key.split('.', 1)[0] ?? ''));
    return [...groups].flatMap((group) => amountOf(parts, group) ?? []);
  } catch (error) {
    if (error instanceof Iso8583Error) return [];
    throw error;
  }
}

function amountOf(parts: Parts, group: string): AdditionalAmount | undefined {
  const of = (key: string): string => parts[`${group}.${key}`] ?? '';
  const currency = currencyAlpha(of('currency'));
  // An amount of other digits than those of its currency would be wrong by powers of ten.
  const isOther =
    of('minor') !== '' && currency !== undefined && Number(of('minor')) !== minorDigits(currency);
  if (currency === undefined || isOther) return undefined;
  const minor = minorOf(of('amount').slice(1), FIELD);
  const isDebit = of('amount').startsWith(SIGNS.debit);
  return {
    account: of('account'),
    type: of('type'),
    amount: { minor: isDebit ? 0 - minor : minor, currency },
  };
}
