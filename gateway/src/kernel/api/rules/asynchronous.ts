import { accountMethodOf } from '@tillbridge/wire/payment/account-methods.js';
import { FROM_SHOPPER } from '@tillbridge/wire/payment/lifecycle.js';
import { returnUrlError } from '../return-url.js';
import { bringsInstrument, demand, type Rule, wrong } from './rule.js';

const RESULT_URL = 'shopperResultUrl';

/** A payment that its shopper approves elsewhere has the address where the shopper goes after, checked as safe. */
export const asynchronousRule: Rule = (facts) => {
  const { values } = facts;
  const url = values.get(RESULT_URL);
  const error = url === undefined ? undefined : returnUrlError(url, facts.appSchemes);
  if (error !== undefined) return [wrong(facts, RESULT_URL, error)];
  const isAsynchronous = accountMethodOf(values.get('paymentBrand'))?.isAsynchronous === true;
  if (!isAsynchronous || !bringsInstrument(facts) || !FROM_SHOPPER.has(values.get('paymentType') ?? ''))
    return [];
  return demand(facts, [RESULT_URL], 'when the shopper approves the payment elsewhere');
};
