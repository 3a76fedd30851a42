import { maskAccount } from '@tillbridge/wire/mask/mask-account.js';
import { type AccountMethod, accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { Echo } from '../../kernel/api/echo.js';
import type { AcquirerInstrument } from '../acquirers/acquirer.js';
import type { DirectDebit } from './mandate.js';

/** A means of payment that is no card. */
type AccountInstrument = Exclude<AcquirerInstrument, { readonly kind: 'card' }>;

/** The means of payment of valid parameters that name a token, or whose brand is that of no card; undefined for cards and unknown brands. */
export function accountInstrumentOf(
  values: ParameterValues,
  debit: () => DirectDebit,
): AccountInstrument | undefined {
  const token = tokenAccount(values);
  if (token) return token;
  const method = accountMethodOf(values.get('paymentBrand'));
  if (!method) return undefined;
  if (method.kind === 'virtual-account') return virtualAccount(method, values);
  return method.kind === 'gift-card' ? giftCard(method, values) : bankAccount(method, values, debit);
}

/**
 * What answers show of a bank account in addition to what was sent: the masked number, and of a direct debit the mandate and the due date, which the
 * payer gets before the money is taken.
 */
export function accountEcho(instrument: AccountInstrument | undefined): Echo {
  if (instrument?.kind !== 'bank-account') return {};
  const { iban, number, mandate, dueDate } = instrument;
  const bankAccount = {
    ...present({ iban: iban && maskAccount(iban), number: number && maskAccount(number) }),
    ...(mandate && { mandate: { id: mandate.id, dateOfSignature: mandate.signedOn } }),
  };
  return {
    ...(Object.keys(bankAccount).length > 0 && { bankAccount }),
    ...present({ transactionDueDate: dueDate }),
  };
}

/** The token that stands for a card (docs/payment-methods.md). */
function tokenAccount(values: ParameterValues): AccountInstrument | undefined {
  const of = (name: string) => values.get(`tokenAccount.${name}`);
  const number = of('number');
  const brand = values.get('paymentBrand');
  if (number === undefined || brand === undefined) return undefined;
  return {
    kind: 'token',
    type: of('type') as 'EXTERNAL' | 'NETWORK',
    brand,
    number,
    ...present({
      expiryMonth: of('expiryMonth'),
      expiryYear: of('expiryYear'),
      cryptogram: of('cryptogram'),
      dtvc: of('dtvc'),
    }),
  };
}

function giftCard({ brand }: AccountMethod, values: ParameterValues): AccountInstrument {
  const number = values.get('giftCard.number') ?? '';
  return { kind: 'gift-card', brand, number, ...present({ pin: values.get('giftCard.pin') }) };
}

function virtualAccount({ brand }: AccountMethod, values: ParameterValues): AccountInstrument {
  const accountId = values.get('virtualAccount.accountId');
  return { kind: 'virtual-account', brand, ...present({ accountId }) };
}

function bankAccount(
  { brand, kind }: AccountMethod,
  values: ParameterValues,
  debit: () => DirectDebit,
): AccountInstrument {
  const of = (name: string) => values.get(`bankAccount.${name}`);
  return {
    kind: 'bank-account',
    by: kind === 'direct-debit' ? 'direct-debit' : 'transfer',
    brand,
    ...(kind === 'direct-debit' && debit()),
    ...present({
      holder: of('holder'),
      iban: of('iban')?.toUpperCase(),
      number: of('number'),
      bankCode: of('bankCode'),
      bic: of('bic')?.toUpperCase(),
      country: of('country'),
    }),
  };
}
