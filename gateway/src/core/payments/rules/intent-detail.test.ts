import { expect, test } from 'vitest';
import { message, NOW_MS, restPayment } from '../payment-harness.test.support.js';
import { draftPayment, NO_CARD } from './drafts.js';
import { detailOf, doneIntent, openIntent } from './intent-detail.js';

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

test('a done intent keeps its references, its message and its currency, and nothing of the card', () => {
  const request = { ...restPayment(), origin: message('m1') };
  const card = { ...NO_CARD, brand: 'VISA', holder: 'Jane Jones' };
  const draft = draftPayment(request, { ...made, captureReference: 'c1' }, card, 'v1');
  const release = { originalReference: 'o1', acquirerReference: 'r1' };
  const followUp = { targetId: 't1', amountMinor: 1, final: false, originalReference: 'o1', release };
  const detail = { draft, recovery: 'await-agent', fenceReference: 'f1', followUp } as const;
  const open = openIntent('i1', 'authorization', null, detail, 'n1');
  const done = doneIntent({ ...open });
  expect(done).toEqual({ ...open, state: 'done', owner: null, detail: done.detail });
  expect(detailOf(done)).toMatchObject({
    ...{ recovery: 'await-agent', fenceReference: 'f1', followUp },
    draft: { id: draft.id, entityId: draft.entityId, currency: draft.currency },
  });
  // The ledger check looks for references in the text.
  for (const reference of ['f1', 'o1', 'r1']) expect(done.detail).toContain(`"${reference}"`);
  expect(done.detail).not.toContain('Jane');
  expect(
    doneIntent(
      openIntent(
        'i2',
        'authorization',
        null,
        { ...detail, draft: { ...draft, captureReference: 'c1' } },
        null,
      ),
    ).detail,
  ).toContain('"c1"');
});
