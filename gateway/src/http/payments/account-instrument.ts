import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';
import { type AccountMethod, accountMethodOf } from '@tillbridge/protocol/payment/account-methods.js';
import { present } from '@tillbridge/protocol/present.js';
import type { AcquirerInstrument } from '../../acquirers/acquirer.js';

/** A means of payment that is no card. */
export type AccountInstrument = Exclude<AcquirerInstrument, { readonly kind: 'card' }>;

/** The means of payment of valid parameters whose brand is that of no card; undefined for cards and unknown brands. */
export function accountInstrumentOf(values: ParameterValues): AccountInstrument | undefined {
  const method = accountMethodOf(values.get('paymentBrand'));
  if (!method) return undefined;
  return method.kind === 'virtual-account' ? virtualAccount(method, values) : bankAccount(method, values);
}

function virtualAccount({ brand }: AccountMethod, values: ParameterValues): AccountInstrument {
  const accountId = values.get('virtualAccount.accountId');
  return { kind: 'virtual-account', brand, ...present({ accountId }) };
}

function bankAccount({ brand, kind }: AccountMethod, values: ParameterValues): AccountInstrument {
  const of = (name: string) => values.get(`bankAccount.${name}`);
  return {
    kind: 'bank-account',
    by: kind === 'direct-debit' ? 'direct-debit' : 'transfer',
    brand,
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
