import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import {
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import { keyedFingerprint } from '../../../security/tokens/fingerprint.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import {
  AGENT,
  ENGINES,
  ENTITY,
  FailingStore,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  VISA,
} from '../payment-harness.test.support.js';
import { checkAtcReplay, type UsedAtc, usedAtcOf } from '../rules/atc-replay.js';
import type { OfflineDecision, PaymentRequest } from '../rules/requests.js';

interface Tap {
  readonly atc?: string;
  readonly type?: 'ARQC' | 'TC';
  readonly kind?: OfflineDecision['kind'];
  readonly sequence?: number;
}

/** A sale of EUR 12.34 with the example card, live unless `offline` states how it was decided offline. */
function chipSale(
  messageId: string,
  reference: string,
  { atc = '0042', type, kind, sequence }: Tap = {},
): PaymentRequest {
  const { card: _typed, ...sale } = restPayment({
    origin: message(messageId, sequence ?? (kind ? 1 : 0)),
    type: 'DB',
    reference,
    ...(kind && { offline: { kind, decidedAtMs: NOW_MS } }),
    pos: pos(atc, type ?? (kind === 'card-approved' ? 'TC' : 'ARQC')),
  });
  return sale;
}

function pos(atc: string, type: 'ARQC' | 'TC' = 'ARQC', pan = VISA) {
  return {
    terminalId: '1',
    entryMode: 'ICC',
    deviceType: 'GERTEC_PPC930',
    panSequenceNumber: '01',
    iccData: exampleIccData({ scheme: 'visa', pan, type, atc }),
    sred: encipheredTrack2(track2Of(pan, '1234')),
  };
}

const REPLAYED = { disposition: 'refused', resultCode: '800.110.100', responseCode: '94' };

describe.each(ENGINES)('the counter of a card on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const standing = async () =>
    (await harness.transactions()).filter((one) => one.kind !== 'reversal' && one.approved && !one.reversed);

  it('is refused under another reference, and that is an alert', async () => {
    expect(await harness.service.authorize(chipSale('m1', 'R-1'))).toMatchObject({ disposition: 'approved' });
    const second = chipSale('m2', 'R-2');
    const replayed = await harness.service.authorize(second);
    expect(replayed).toMatchObject(REPLAYED);
    expect(await harness.service.authorize(second)).toEqual(replayed);
    expect(harness.line.sent).toHaveLength(1);
    expect(harness.faults).toEqual(['a card was replayed']);
    expect(await openAlerts(harness.store)).toEqual([`card-replayed ${AGENT}/1`]);
    // A refusal takes nothing: the reference is still free for another sale.
    expect(await harness.service.authorize(chipSale('m3', 'R-2', { atc: '0043' }))).toMatchObject({
      disposition: 'approved',
    });
  });

  it('goes to one of two sales at once', async () => {
    const results = await Promise.all(
      ['1', '2', '3'].map((n) => harness.service.authorize(chipSale(`m${n}`, `R-${n}`))),
    );
    expect(results.map((one) => one.disposition).sort()).toEqual(['approved', 'refused', 'refused']);
    expect(results.filter((one) => one.resultCode === '800.110.100')).toHaveLength(2);
    expect(await standing()).toHaveLength(1);
  });

  it('may come twice for one sale: the ARQC that was reversed, then the TC', async () => {
    await harness.service.authorize(chipSale('m1', 'R-1'));
    expect((await harness.service.followUp(tillReversal('m2', 'm1', 1))).disposition).toBe('reversed');
    const record = chipSale('m3', 'R-1', { kind: 'card-approved', sequence: 2 });
    expect((await harness.service.authorize(record)).disposition).toBe('approved');
    expect((await standing()).map((one) => one.kind)).toEqual(['advice']);
    // It belongs to that sale from then on, whichever message carried it last.
    expect(await harness.service.authorize(chipSale('m4', 'R-2'))).toMatchObject(REPLAYED);
  });

  it('may be lower than one that was seen: offline records come late', async () => {
    await harness.service.authorize(chipSale('m1', 'R-1', { atc: '0050' }));
    for (const [at, atc] of ['0042', '0041', '004F'].entries()) {
      const record = chipSale(`m${at + 2}`, `R-${atc}`, { atc, kind: 'deferred', sequence: at + 1 });
      expect((await harness.service.authorize(record)).disposition).toBe('approved');
    }
    const again = chipSale('m9', 'R-9', { atc: '0041', kind: 'card-approved', sequence: 4 });
    expect(await harness.service.authorize(again)).toMatchObject(REPLAYED);
  });

  it('of a refused offline record is an event for the merchant', async () => {
    await harness.service.authorize(chipSale('m1', 'R-1'));
    const refused = await harness.service.authorize(chipSale('m2', 'R-2', { kind: 'card-approved' }));
    const events = await eventsOfPayment(harness.store, refused.paymentId ?? '');
    // Its code is one of the risk checks.
    expect(events.map((event) => event.kind).sort()).toEqual(['offline-sale-declined', 'risk-checked']);
  });

  it('is refused over REST too, for each payment is a separate sale there', async () => {
    const { card: _typed, ...request } = restPayment({ pos: pos('0042'), reference: 'order 1' });
    expect((await harness.service.authorize(request)).disposition).toBe('approved');
    const refused = await harness.service.authorize({ ...request, pos: pos('0042') });
    expect(refused).toMatchObject(REPLAYED);
    expect(await harness.service.find(refused.paymentId ?? '', ENTITY)).toMatchObject({
      state: 'declined',
      resultCode: '800.110.100',
    });
    expect((await harness.service.authorize(chipSale('m1', 'order 1'))).resultCode).toBe('800.110.100');
  });

  it('is a card’s own: another card counts for itself', async () => {
    await harness.service.authorize(chipSale('m1', 'R-1'));
    const other = { ...chipSale('m2', 'R-2'), pos: pos('0042', 'ARQC', '4200000000000042') };
    expect((await harness.service.authorize(other)).resultCode).not.toBe('800.110.100');
  });

  it('is kept under a keyed hash alone', async () => {
    await harness.service.authorize(chipSale('m1', 'R-1'));
    const [use] = await harness.store.findAfter('usedAtcs', undefined);
    expect(use).toMatchObject({ counter: 0x42, sale: JSON.stringify([AGENT, 'R-1']) });
    expect(use?.card).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('a counter that another process takes between the look and the commit is refused', async () => {
  const failing: FailingStore[] = [];
  const harness = await openPaymentHarness(async (home) => {
    const store = new FailingStore(await storeOf('sqlite')(home));
    failing.push(store);
    return store;
  });
  try {
    const [store] = failing;
    if (!store) throw new Error('no store');
    let others = 0;
    store.beforeCommit = async (changes) => {
      const use = changes.find((change) => change.op === 'insert' && change.table === 'usedAtcs');
      if (use?.op !== 'insert' || use.table !== 'usedAtcs' || others > 0) return;
      others += 1;
      await store.commit([{ ...use, row: { ...use.row, sale: '["other"]', paymentId: 'other' } }]);
    };
    expect(await harness.service.authorize(chipSale('m1', 'R-1'))).toMatchObject(REPLAYED);
    expect(harness.line.sent).toEqual([]);
  } finally {
    await harness.dispose();
  }
});

describe('the use of a card', () => {
  const key = createSecretKey(Buffer.alloc(32, 3));
  const useOf = (request: PaymentRequest) => usedAtcOf(keyedFingerprint(key), request, VISA, 'p1');

  test('is none where no chip counted', () => {
    expect(useOf(restPayment())).toBeUndefined();
    const magstripe = { terminalId: '1', entryMode: 'MAGSTRIPE' };
    expect(useOf(restPayment({ pos: magstripe }))).toBeUndefined();
    expect(
      useOf(restPayment({ pos: { ...magstripe, iccData: Buffer.from('9F36', 'hex') } })),
    ).toBeUndefined();
    expect(
      useOf(restPayment({ pos: { ...magstripe, iccData: Buffer.from('9F360101', 'hex') } })),
    ).toBeUndefined();
  });

  test('is the same for a sequence number in the data and in a field of the request', () => {
    const inside = { terminalId: '1', entryMode: 'ICC', iccData: Buffer.from('5F3401019F36020042', 'hex') };
    const inField = { ...inside, iccData: Buffer.from('9F36020042', 'hex'), panSequenceNumber: '001' };
    const one = useOf(restPayment({ pos: inside }));
    expect(one).toEqual(useOf(restPayment({ pos: inField })));
    expect(one?.counter).toBe(0x42);
    expect(useOf(restPayment({ pos: { ...inField, panSequenceNumber: '02' } }))?.card).not.toBe(one?.card);
  });

  test('is taken again by its own sale alone', () => {
    const wanted: UsedAtc = { card: 'c', counter: 1, sale: 's', paymentId: 'p2' };
    const stored = { ...wanted, paymentId: 'p1', createdAtMs: 1, version: 4 };
    expect(checkAtcReplay(undefined, wanted, 9)).toEqual({
      free: true,
      change: { op: 'insert', table: 'usedAtcs', row: { ...wanted, createdAtMs: 9, version: 1 } },
    });
    expect(checkAtcReplay(stored, wanted, 9)).toEqual({
      free: true,
      change: { op: 'update', table: 'usedAtcs', row: { ...stored, paymentId: 'p2' } },
    });
    expect(checkAtcReplay({ ...stored, sale: 'other' }, wanted, 9)).toEqual({ free: false, heldBy: 'p1' });
  });
});
