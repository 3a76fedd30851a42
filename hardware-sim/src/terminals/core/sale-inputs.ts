import { currencyAlpha } from '@tillbridge/wire/payment/currency-codes.js';
import { exactAmount } from '@tillbridge/wire/payment/money.js';
import type { HostOutcome } from '../../kernel/contact-transaction.js';
import type { SaleInputs } from './payment-core.js';

/** The objects of a host as hex. */
interface HostObjects {
  readonly find: (tag: string) => string | undefined;
  /** Throws the maker's status where the object is missing. */
  readonly need: (tag: string) => string;
}

/** Objects by tag, each as hex. @param missing what a mandatory object that is not there is refused with */
export function hostObjects(
  value: (tag: string) => Uint8Array | undefined,
  missing: () => Error,
): HostObjects {
  const find = (tag: string): string | undefined => {
    const found = value(tag);
    return found && Buffer.from(found).toString('hex');
  };
  const need = (tag: string): string => {
    const found = find(tag);
    if (found === undefined) throw missing();
    return found;
  };
  return { find, need };
}

/** The sale of a host. @param when date and time; of the host where the device takes its own from nowhere else */
export function saleOf(
  { find, need }: HostObjects,
  when: Pick<SaleInputs, 'date' | 'time'> = { date: need('9A'), time: need('9F21') },
): SaleInputs {
  const [currency, sequence, other] = [find('5F2A'), find('9F41'), find('9F03')];
  return {
    amountMinor: Number(need('9F02')),
    transactionType: Number.parseInt(need('9C'), 16),
    ...when,
    ...(currency !== undefined && { currency: currency.slice(-3) }),
    ...(sequence !== undefined && { sequenceNumber: Number(sequence) }),
    ...(other !== undefined && { cashbackMinor: Number(other) }),
  };
}

/** Date and time of a device's own clock, tags 9A and 9F21 as digits. */
export function dateAndTime(nowMs: number): Pick<SaleInputs, 'date' | 'time'> {
  const digits = new Date(nowMs).toISOString().replace(/\D/g, '');
  return { date: digits.slice(2, 8), time: digits.slice(8, 14) };
}

/** The issuer's outcome by its response code (tag 8A). */
export function issuerOutcome(
  responseCode: string,
  issuerObjects: Extract<HostOutcome, { kind: 'approved' | 'declined' }>['issuerObjects'],
): HostOutcome {
  return { kind: responseCode === '00' ? 'approved' : 'declined', responseCode, issuerObjects };
}

/** An amount as the display shows it, with the digits of its currency; two where the host names none. */
export function amountText({
  amountMinor: minor,
  currency = '',
}: Pick<SaleInputs, 'amountMinor' | 'currency'>) {
  return exactAmount({ minor, currency: currencyAlpha(currency) ?? '' });
}
