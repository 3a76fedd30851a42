import type { TokenRight } from '@tillbridge/protocol/api/openapi/endpoints.js';
import type { FastifyRequest } from 'fastify';
import type { RightChoice } from '../../kernel/http/request/authenticate.js';
import type { Caller } from '../../kernel/http/request/caller.js';
import { formOf } from '../../kernel/http/request/form.js';

/**
 * The right that each payment type asks for. A refund is bounded by its sale; a credit is bounded by nothing, also where it names a payment
 * whose card it goes to. A reversal takes any of them: a client that may pay must be able to reverse a payment whose outcome got lost.
 */
const RIGHTS: Readonly<Record<string, TokenRight>> = {
  PA: 'pay',
  DB: 'pay',
  'PA.CP': 'pay',
  CP: 'pay',
  RB: 'pay',
  CD: 'credit',
  RF: 'refund',
};

/** The right of requests that make payments or follow them, by their payment type. */
export const PAYMENT_RIGHT: RightChoice = {
  anyOf: ['pay', 'refund', 'credit'],
  of: (request) => RIGHTS[typeOf(request)],
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
