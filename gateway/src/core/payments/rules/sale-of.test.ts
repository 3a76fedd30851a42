import { expect, it } from 'vitest';
import { message } from '../payment-harness.test.support.js';
import type { PaymentRequest } from './requests.js';
import { saleOf } from './sale-of.js';

it('is the reference of a till with its agent, and each payment by itself otherwise', () => {
  const origin = message('m1');
  const { agentId } = origin as { readonly agentId: string };
  const rest = { kind: 'rest', entityId: 'e' } as const;
  const of = (request: Partial<PaymentRequest>) => saleOf(request as PaymentRequest, 'p');
  expect(of({ origin, reference: 'R-1' })).toBe(JSON.stringify([agentId, 'R-1']));
  expect(of({ origin })).toBe('["p"]');
  expect(of({ origin: rest, reference: 'R-1' })).toBe('["p"]');
});
