import type { TokenRight } from '@tillbridge/protocol/api/openapi/endpoints.js';
import type { FastifyRequest } from 'fastify';
import type { RightChoice } from '../request/authenticate.js';
import { formOf } from '../request/form.js';

/**
 * The right that each payment type asks for. Money to a card is a refund, whether it names a payment or not. A reversal takes either
 * right: whoever may pay must be able to take back a payment whose outcome got lost.
 */
const RIGHTS: Readonly<Record<string, TokenRight>> = {
  PA: 'pay',
  DB: 'pay',
  'PA.CP': 'pay',
  CP: 'pay',
  CD: 'refund',
  RF: 'refund',
};

/** The right of requests that make payments or follow them, by their payment type. */
export const PAYMENT_RIGHT: RightChoice = {
  anyOf: ['pay', 'refund'],
  of: (request) => RIGHTS[typeOf(request)],
};

function typeOf(request: FastifyRequest): string {
  return formOf(request).parameters.find(([name]) => name === 'paymentType')?.[1] ?? '';
}
