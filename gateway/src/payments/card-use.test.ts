import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { encipheredTrack2, exampleIccData, track2Of } from '../security/card-example.test.support.js';
import { keyedFingerprint } from '../security/fingerprint.js';
import { type CardUse, cardUseOf, decideCardUse } from './card-use.js';
import type { OfflineDecision, PaymentRequest } from './desk.js';
import {
  AGENT,
  type DeskWorld,
  ENGINES,
  ENTITY,
  FailingStore,
  message,
  NOW_MS,
  openDeskWorld,
  restPayment,
  storeOf,
  tillReversal,
  VISA,
} from './desk-world.test.support.js';

interface Tap {
  readonly atc?: string;
  readonly type?: 'ARQC' | 'TC';
  readonly kind?: OfflineDecision['kind'];
  readonly sequence?: number;
}

/** A sale of EUR 12.34 with the example card, live unless it is said how it was decided offline. */
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
  let world: DeskWorld;
  beforeEach(async () => {
    world = await openDeskWorld(storeOf(engine));
  });
  afterEach(() => world.dispose());

  const standing = async () =>
    (await world.transactions()).filter((one) => one.kind !== 'reversal' && one.approved && !one.reversed);

  it('is refused under another reference, and that is logged', async () => {
    expect(await world.desk.authorize(chipSale('m1', 'R-1'))).toMatchObject({ disposition: 'approved' });
    const replayed = await world.desk.authorize(chipSale('m2', 'R-2'));
    expect(replayed).toMatchObject(REPLAYED);
    expect(await world.desk.authorize(chipSale('m2', 'R-2'))).toEqual(replayed);
    expect(world.line.sent).toHaveLength(1);
    expect(world.faults).toEqual(['a card was replayed']);
    // A refusal takes nothing: the reference is still free for a sale of its own.
    expect(await world.desk.authorize(chipSale('m3', 'R-2', { atc: '0043' }))).toMatchObject({
      disposition: 'approved',
    });
  });

  it('goes to one of two sales at once', async () => {
    const results = await Promise.all(
      ['1', '2', '3'].map((n) => world.desk.authorize(chipSale(`m${n}`, `R-${n}`))),
    );
    expect(results.map((one) => one.disposition).sort()).toEqual(['approved', 'refused', 'refused']);
    expect(results.filter((one) => one.resultCode === '800.110.100')).toHaveLength(2);
    expect(await standing()).toHaveLength(1);
  });

  it('may be told twice of one sale: the ARQC that was undone, then the TC', async () => {
    await world.desk.authorize(chipSale('m1', 'R-1'));
    expect((await world.desk.followUp(tillReversal('m2', 'm1', 1))).disposition).toBe('reversed');
    const record = chipSale('m3', 'R-1', { kind: 'card-approved', sequence: 2 });
    expect((await world.desk.authorize(record)).disposition).toBe('approved');
    expect((await standing()).map((one) => one.kind)).toEqual(['advice']);
    // It belongs to that sale from then on, whichever message told of it last.
    expect(await world.desk.authorize(chipSale('m4', 'R-2'))).toMatchObject(REPLAYED);
  });

  it('may be lower than one that was seen: offline records come late', async () => {
    await world.desk.authorize(chipSale('m1', 'R-1', { atc: '0050' }));
    for (const [at, atc] of ['0042', '0041', '004F'].entries()) {
      const record = chipSale(`m${at + 2}`, `R-${atc}`, { atc, kind: 'deferred', sequence: at + 1 });
      expect((await world.desk.authorize(record)).disposition).toBe('approved');
    }
    const again = chipSale('m9', 'R-9', { atc: '0041', kind: 'card-approved', sequence: 4 });
    expect(await world.desk.authorize(again)).toMatchObject(REPLAYED);
  });

  it('of a refused offline record is an event for the merchant', async () => {
    await world.desk.authorize(chipSale('m1', 'R-1'));
    const refused = await world.desk.authorize(chipSale('m2', 'R-2', { kind: 'card-approved' }));
    const events = await world.store.find('events', 'payment', [refused.paymentId ?? '']);
    expect(events.map((event) => event.kind)).toEqual(['offline-sale-declined']);
  });

  it('is refused over REST too, for each payment is a sale of its own there', async () => {
    const { card: _typed, ...request } = restPayment({ pos: pos('0042'), reference: 'order 1' });
    expect((await world.desk.authorize(request)).disposition).toBe('approved');
    const refused = await world.desk.authorize(request);
    expect(refused).toMatchObject(REPLAYED);
    expect(await world.desk.find(refused.paymentId ?? '', ENTITY)).toMatchObject({
      state: 'declined',
      resultCode: '800.110.100',
    });
    expect((await world.desk.authorize(chipSale('m1', 'order 1'))).resultCode).toBe('800.110.100');
  });

  it('is a card’s own: another card counts for itself', async () => {
    await world.desk.authorize(chipSale('m1', 'R-1'));
    const other = { ...chipSale('m2', 'R-2'), pos: pos('0042', 'ARQC', '4200000000000042') };
    expect((await world.desk.authorize(other)).resultCode).not.toBe('800.110.100');
  });

  it('is kept under a keyed hash alone', async () => {
    await world.desk.authorize(chipSale('m1', 'R-1'));
    const [use] = await world.store.findAfter('cardUses', undefined);
    expect(use).toMatchObject({ counter: 0x42, sale: JSON.stringify([AGENT, 'R-1']) });
    expect(use?.card).toMatch(/^[0-9a-f]{64}$/);
  });
});

test('a counter that another process takes between the look and the commit is refused', async () => {
  const failing: FailingStore[] = [];
  const world = await openDeskWorld(async (home) => {
    const store = new FailingStore(await storeOf('sqlite')(home));
    failing.push(store);
    return store;
  });
  try {
    const [store] = failing;
    if (!store) throw new Error('no store');
    let others = 0;
    store.beforeCommit = async (changes) => {
      const use = changes.find((change) => change.op === 'insert' && change.table === 'cardUses');
      if (use?.op !== 'insert' || use.table !== 'cardUses' || others > 0) return;
      others += 1;
      await store.commit([{ ...use, row: { ...use.row, sale: '["other"]', paymentId: 'other' } }]);
    };
    expect(await world.desk.authorize(chipSale('m1', 'R-1'))).toMatchObject(REPLAYED);
    expect(world.line.sent).toEqual([]);
  } finally {
    await world.dispose();
  }
});

describe('the use of a card', () => {
  const key = createSecretKey(Buffer.alloc(32, 3));
  const useOf = (request: PaymentRequest) => cardUseOf(keyedFingerprint(key), request, VISA, 'p1');

  test('is none where no chip counted', () => {
    expect(useOf(restPayment())).toBeUndefined();
    const stripe = { terminalId: '1', entryMode: 'MAGSTRIPE' };
    expect(useOf(restPayment({ pos: stripe }))).toBeUndefined();
    expect(useOf(restPayment({ pos: { ...stripe, iccData: Buffer.from('9F36', 'hex') } }))).toBeUndefined();
    expect(
      useOf(restPayment({ pos: { ...stripe, iccData: Buffer.from('9F360101', 'hex') } })),
    ).toBeUndefined();
  });

  test('is the same for a sequence number in the data and beside them', () => {
    const inside = { terminalId: '1', entryMode: 'ICC', iccData: Buffer.from('5F3401019F36020042', 'hex') };
    const beside = { ...inside, iccData: Buffer.from('9F36020042', 'hex'), panSequenceNumber: '001' };
    const one = useOf(restPayment({ pos: inside }));
    expect(one).toEqual(useOf(restPayment({ pos: beside })));
    expect(one?.counter).toBe(0x42);
    expect(useOf(restPayment({ pos: { ...beside, panSequenceNumber: '02' } }))?.card).not.toBe(one?.card);
  });

  test('is taken again by its own sale alone', () => {
    const wanted: CardUse = { card: 'c', counter: 1, sale: 's', paymentId: 'p2' };
    const stored = { ...wanted, paymentId: 'p1', createdAtMs: 1, version: 4 };
    expect(decideCardUse(undefined, wanted, 9)).toEqual({
      free: true,
      change: { op: 'insert', table: 'cardUses', row: { ...wanted, createdAtMs: 9, version: 1 } },
    });
    expect(decideCardUse(stored, wanted, 9)).toEqual({
      free: true,
      change: { op: 'update', table: 'cardUses', row: { ...stored, paymentId: 'p2' } },
    });
    expect(decideCardUse({ ...stored, sale: 'other' }, wanted, 9)).toEqual({ free: false, heldBy: 'p1' });
  });
});
