import { OFFLINE_MAXIMA } from '@tillbridge/agent/sale/offline/offline-policy.js';
import { IDEMPOTENCY_RETENTION_MS } from '@tillbridge/gateway/core/payment-api/idempotency/decide.js';
import { expect, it } from 'vitest';

it('keeps an Idempotency-Key longer than any store may sell and wait without its link', () => {
  const { contactAgeMs, expiryMs } = OFFLINE_MAXIMA;
  expect(IDEMPOTENCY_RETENTION_MS).toBeGreaterThan(contactAgeMs + expiryMs);
});
