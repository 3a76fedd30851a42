import { expect, test } from 'vitest';
import { message, NOW_MS, restPayment } from '../payment-harness.test.support.js';
import { draftPayment, NO_CARD } from './drafts.js';
import { detailOf, openIntent } from './intent-detail.js';

const made = { id: '1'.repeat(32), acquirer: 'INTERNAL', acquirerReference: 'i1', nowMs: NOW_MS };

test.each([
  ['over REST', restPayment()],
  ['of a till', { ...restPayment(), origin: message('m1') }],
])('an intent %s that is read after a crash has the whole draft', (_name, request) => {
  const draft = draftPayment(request, made, { ...NO_CARD, brand: 'VISA' }, 'v1');
  const intent = openIntent(
    'i1',
    'authorization',
    null,
    { draft, recovery: 'fence', fenceReference: 'f1' },
    'n1',
  );
  // What another process reads is another row.
  const read = detailOf({ ...intent });
  expect(read).toEqual(detailOf(intent));
  expect(read.draft).toEqual(draft);
  expect(intent.detail).not.toContain('null');
});
