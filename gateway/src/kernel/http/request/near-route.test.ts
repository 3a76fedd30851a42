import { expect, it } from 'vitest';
import { nearRoute } from './near-route.js';

const ID = '8ac7a4a0'.padEnd(32, '0');

it.each([
  ['POST', '/v2/payments', 'POST /v1/payments'],
  ['POST', '/v1/paymnets', 'POST /v1/payments'],
  ['POST', '/v1/payment', 'POST /v1/payments'],
  ['POST', '/payments', 'POST /v1/payments'],
  ['GET', `/v1/Payments/${ID}?entityId=x`, 'GET /v1/payments/{id}'],
  ['GET', `/v1/checkout/${ID}/payment`, 'GET /v1/checkouts/{id}/payment'],
  ['GET', '/v2/query', 'GET /v1/query'],
  ['PUT', '/v1/paymnets', 'POST /v1/payments'],
  ['POST', '/v1/scheduling/schedules', undefined],
  ['GET', '/wp-login.php', undefined],
  ['GET', '/', undefined],
  ['GET', `/v1/payments/${'x'.repeat(200)}`, undefined],
])('%s %s is near %s', (method, url, near) => {
  expect(nearRoute(method, url)).toBe(near);
});
