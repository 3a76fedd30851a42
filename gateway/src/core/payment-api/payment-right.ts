import type { FastifyRequest } from 'fastify';
import type { RightChoice } from '../../kernel/http/request/authenticate.js';
import type { Caller } from '../../kernel/http/request/caller.js';
import { formOf } from '../../kernel/http/request/form.js';
import { ROWS_BY_TYPE } from '../payments/rules/follow-up-rows.js';

/** The right of requests that make payments or follow them, by their payment type. */
export const PAYMENT_RIGHT: RightChoice = {
  anyOf: ['pay', 'refund', 'credit'],
  of: (request) => ROWS_BY_TYPE.get(typeOf(request))?.right,
};

/** The right of requests that make a payment on its own: no refund is one. */
export const NEW_PAYMENT_RIGHT: RightChoice = { ...PAYMENT_RIGHT, anyOf: ['pay', 'credit'] };

/** What leads to a payment later, in a shopper's browser, needs the right to a credit now. @throws RequestRefused 403 */
export function checkCreditRight(caller: Caller, paymentType: string | undefined): void {
  if (paymentType === 'CD' && !caller.has('credit')) throw caller.lacks('credit');
}

function typeOf(request: FastifyRequest): string {
  return formOf(request).parameters.find(([name]) => name === 'paymentType')?.[1] ?? '';
}
