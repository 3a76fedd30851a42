import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  encipheredTrack2,
  exampleIccData,
  nextKsn,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import { overTime } from '../harness-clock.test.support.js';
import {
  AGENT,
  ENGINES,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  VISA,
} from '../payment-harness.test.support.js';
import type { OfflineDecision, PaymentRequest } from '../rules/requests.js';

/** "100.396.103": the pending transaction timed out. */
const EXPIRED = { disposition: 'refused', resultCode: '100.396.103' };

interface Record {
  readonly id: string;
  readonly reference: string;
  readonly atc: string;
  readonly offline?: OfflineDecision;
  readonly sequence?: number;
}

const ksns = new Map<string, Uint8Array>();

/** The KSN of a sale. */
function ksnOf(reference: string): Uint8Array {
  const ksn = ksns.get(reference) ?? nextKsn();
  ksns.set(reference, ksn);
  return ksn;
}

function chipSale({ id, reference, atc, offline, sequence = 0 }: Record): PaymentRequest {
  const { card: _typed, ...sale } = restPayment({
    origin: message(id, sequence),
    type: 'DB',
    reference,
    ...(offline && { offline }),
    pos: {
      terminalId: '1',
      entryMode: 'NFC_ICC',
      deviceType: 'GERTEC_PPC930',
      panSequenceNumber: '01',
      iccData: exampleIccData({
        scheme: 'visa',
        pan: VISA,
        type: offline?.kind === 'card-approved' ? 'TC' : 'ARQC',
        atc,
      }),
      sred: encipheredTrack2(track2Of(VISA, '1234'), ksnOf(reference)),
    },
  });
  return sale;
}

const deferred: OfflineDecision = { kind: 'deferred', decidedAtMs: NOW_MS };
const expired = (offline: OfflineDecision): OfflineDecision => ({ ...offline, expired: true });

describe.each(ENGINES)('records of sales without the gateway, on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const record = (offline: OfflineDecision, more: Partial<Record> = {}) =>
    harness.service.authorize(
      chipSale({ id: 'm1', reference: 'R-1', atc: '0042', sequence: 1, offline, ...more }),
    );
  const kinds = async () => (await harness.transactions()).map(({ kind, approved }) => `${kind} ${approved}`);

  it('takes a deferred tap whose counter is older than that of a sale made since', async () => {
    const since = await harness.service.authorize(chipSale({ id: 'm9', reference: 'R-9', atc: '0043' }));
    expect(since.disposition).toBe('approved');
    expect(await record(deferred)).toMatchObject({ disposition: 'approved' });
    expect(await kinds()).toEqual(['authorization true', 'authorization true']);
  });

  it('sends a deferred one to the issuer as any other: a wrong cryptogram is a decline, reported by an event', async () => {
    const sale = chipSale({ id: 'm1', reference: 'R-1', atc: '0042', sequence: 1, offline: deferred });
    const forged = {
      ...sale,
      pos: { ...sale.pos, iccData: exampleIccData({ scheme: 'visa', pan: VISA, type: 'TC', atc: '0042' }) },
    };
    const result = await harness.service.authorize(forged as PaymentRequest);
    expect(result).toMatchObject({ disposition: 'declined', resultCode: '800.100.158' });
    const events = await eventsOfPayment(harness.store, result.paymentId ?? '');
    expect(events.map(({ kind }) => kind)).toEqual(['offline-sale-declined']);
  });

  it('refuses one that is too old for ever, reports it to its merchant alone, and steps its stream', async () => {
    const refused = await record(expired(deferred));
    expect(refused).toMatchObject(EXPIRED);
    // Late, and without the mark: the answer stands.
    expect(await record(deferred)).toEqual(refused);
    expect(await kinds()).toEqual([]);
    const events = await eventsOfPayment(harness.store, refused.paymentId ?? '');
    expect(events.map(({ kind }) => kind)).toEqual(['offline-sale-declined']);
    const stream = await harness.store.get('streams', [AGENT, '1']);
    expect(stream?.nextSequence).toBe(2);
  });

  it.each(['deferred', 'card-approved'] as const)(
    'gives the answer of a %s one that came before it was too old: no sale is lost, none doubled',
    async (kind) => {
      const offline = { kind, decidedAtMs: NOW_MS };
      const first = await record(offline);
      expect(first.disposition).toBe('approved');
      expect(await record(expired(offline))).toEqual(first);
      expect(await kinds()).toHaveLength(1);
    },
  );

  it.each(['was approved', 'never came'])(
    'takes the ARQC again behind the reversal of a request that %s: one of them stands',
    async (deliveryStatus) => {
      if (deliveryStatus === 'was approved')
        await harness.service.authorize(chipSale({ id: 'm0', reference: 'R-1', atc: '0042' }));
      await harness.service.followUp(tillReversal('m1', 'm0', 1));
      expect(await record(deferred, { id: 'm2', sequence: 2 })).toMatchObject({ disposition: 'approved' });
      const standing = (await harness.transactions()).filter(
        ({ kind, approved, reversed }) => kind === 'authorization' && approved && !reversed,
      );
      expect(standing).toMatchObject([{ messageId: 'm2' }]);
      const late = harness.service.authorize(chipSale({ id: 'm0', reference: 'R-1', atc: '0042' }));
      expect(await overTime(harness.clock, late)).toMatchObject(
        deliveryStatus === 'was approved' ? { disposition: 'approved' } : { disposition: 'refused' },
      );
      expect((await harness.transactions()).filter(({ kind }) => kind === 'authorization')).toHaveLength(
        deliveryStatus === 'was approved' ? 2 : 1,
      );
    },
  );

  it('leaves the reference and the card counter free where it refused for age', async () => {
    await record(expired(deferred));
    expect(await record(deferred, { id: 'm2', sequence: 2 })).toMatchObject({ disposition: 'approved' });
  });
});
