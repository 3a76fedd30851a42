import { rmSync } from 'node:fs';
import { formatAmount } from '@tillbridge/wire/payment/money.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alertId } from '../../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import {
  type ChipExample,
  encipheredTrack2,
  exampleIccData,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import type { SecurityModule } from '../../../security/module/security-module.js';
import { SoftwareSecurityModule } from '../../../security/module/software-security-module.js';
import { openKeyStore, temporaryHome } from '../../../security/test-keys.test.support.js';
import { eventsOfPayment } from '../events/stored-events.test.support.js';
import {
  AGENT,
  ENTITY,
  followUp,
  message,
  NOW_MS,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  tillReversal,
  VISA,
} from '../payment-harness.test.support.js';
import type { OfflineDecision, PaymentRequest, PosData } from '../rules/requests.js';
import { OutsidePolicyError } from '../rules/requests.js';
import { GatewayPaymentService } from '../service.js';

const HOUR_MS = 3_600_000;
const FORGED = { disposition: 'refused', resultCode: '800.100.158', responseCode: '59' };
const EXPIRED = { disposition: 'refused', resultCode: '100.396.103' };

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

interface Record {
  readonly minor?: number;
  readonly currency?: string;
  readonly offline?: Partial<OfflineDecision>;
  readonly chip?: Partial<ChipExample>;
  readonly pos?: Partial<PosData>;
}

/** A card-approved record of EUR 12.34 with a genuine TC, with the values that are given. */
function record({ minor = 1_234, currency = 'EUR', offline, chip, pos }: Record = {}): PaymentRequest {
  const { card: _typed, ...sale } = restPayment({
    origin: message('m1', 1),
    type: 'DB',
    reference: 'R-1',
    amount: { minor, currency },
    offline: { kind: 'card-approved', decidedAtMs: NOW_MS, ageMs: 0, ...offline },
  });
  const iccData = exampleIccData({ scheme: 'visa', pan: VISA, type: 'TC', ...chip });
  return { ...sale, pos: { ...POS, iccData, ...pos } };
}

const POS: PosData = {
  terminalId: '1',
  entryMode: 'ICC',
  deviceType: 'GERTEC_PPC930',
  panSequenceNumber: '01',
  sred: encipheredTrack2(track2Of(VISA, '1234')),
};

const send = (request: PaymentRequest) => harness.service.authorize(request);

type Offline = NonNullable<StorePolicy['offline']>;
const NONE = { limits: {}, maxCount: 100 };
/** An offline policy of these limits for one sale, of no deferred authorization. */
const offlineOf = (
  perSale: { readonly [currency: string]: number },
  changes: Partial<Offline> = {},
): Offline => ({
  limits: Object.fromEntries(
    Object.entries(perSale).map(([currency, perSaleMinor]) => [currency, { perSaleMinor, sumMinor: 1e6 }]),
  ),
  maxCount: 100,
  deferred: NONE,
  maxAgeMs: HOUR_MS,
  ...changes,
});

async function setPolicy(offline: StorePolicy['offline']): Promise<void> {
  const policy = JSON.stringify({ version: 1, offline });
  const row = { entityId: ENTITY, policy, updatedAtMs: 1, version: 1 };
  await harness.store.commit([{ op: 'insert', table: 'storePolicies', row }]);
}

/** Alerts that are open, but for those about the sales that are lost. */
const causes = async () =>
  (await openAlerts(harness.store)).filter((alert) => !alert.startsWith('offline-declined'));

describe('a record that the agent calls card-approved', () => {
  it('is paid with the TC of the card', async () => {
    expect(await send(record())).toMatchObject({ disposition: 'approved' });
    expect(await causes()).toEqual([]);
  });

  it('is declined late without one: a magstripe, EUR 90,000, decided in 1970', async () => {
    const { iccData: _none, ...swiped } = { ...record().pos, ...POS, entryMode: 'MAGSTRIPE' };
    const attack = record({ minor: 9_000_000, offline: { decidedAtMs: 1 } });
    const result = await send({ ...attack, pos: swiped });
    expect(result).toMatchObject(FORGED);
    expect(await harness.transactions()).toEqual([]);
    expect(await causes()).toEqual([`offline-record-refused ${AGENT}/1`]);
    const events = await eventsOfPayment(harness.store, result.paymentId ?? '');
    expect(events.map(({ kind }) => kind)).toEqual(['offline-sale-declined']);
  });

  it.each<[string, Record]>([
    ['an ARQC', { chip: { type: 'ARQC' } }],
    ['an AAC', { chip: { type: 'AAC' } }],
    ['no cryptogram', { chip: { without: ['9F26'] } }],
    ['another cryptogram', { chip: { changed: { '9F26': '0000000000000000' } } }],
    ['the cryptogram of another card', { chip: { pan: '4200000000000018' } }],
    ['another amount than the card signed', { minor: 99_999 }],
    ['another currency than the card signed', { currency: 'USD' }],
    [
      'another amount than the card signed, and the tag to match',
      { minor: 99_999, chip: { changed: { '9F02': '000000099999' } } },
    ],
    ['another day than the card signed', { offline: { decidedAtMs: NOW_MS - 72 * HOUR_MS } }],
    ['data that are no TLV', { pos: { iccData: Uint8Array.of(0x9f), expiry: '3112' } }],
  ])('is declined late with %s', async (_what, forged) => {
    expect(await send(record(forged))).toMatchObject(FORGED);
    expect(await harness.transactions()).toEqual([]);
    expect(await causes()).toEqual([`offline-record-refused ${AGENT}/1`]);
    // A forged record burns nothing: the card's own is paid.
    const own = { ...record(), origin: message('m2', 2) };
    expect(await send(own)).toMatchObject({ disposition: 'approved' });
  });

  it('alone is refused for its cryptogram: a deferred one is left to the issuer', async () => {
    const wrong = { type: 'ARQC', changed: { '9F26': '0000000000000000' } } as const;
    const sent = send(record({ offline: { kind: 'deferred' }, chip: wrong }));
    expect(await sent).toMatchObject({ disposition: 'declined' });
    expect(await harness.transactions()).toMatchObject([{ approved: false }]);
    expect(await causes()).toEqual([]);
  });

  it('that is declined, by the gateway or by the issuer, is an alert of its sale', async () => {
    const wrong = { type: 'ARQC', changed: { '9F26': '0000000000000000' } } as const;
    const { paymentId = '' } = await send(record({ offline: { kind: 'deferred' }, chip: wrong }));
    const raised = await harness.store.get('alerts', [alertId('offline-declined', paymentId)]);
    const { resultCode, amountMinor, reference } = (await harness.store.get('payments', [paymentId])) ?? {};
    const detail = `${formatAmount({ minor: amountMinor ?? 0, currency: 'EUR' })} EUR, result code ${resultCode}`;
    expect(raised).toMatchObject({
      ...{ entityId: ENTITY, state: 'open' },
      detail: `${detail}, agent ${AGENT}, sale ${reference}`,
    });
  });

  it('is checked by its fields where the issuer’s keys are elsewhere, and by the issuer then', async () => {
    const empty = temporaryHome();
    const { security } = harness.context;
    const elsewhere = new SoftwareSecurityModule(openKeyStore(empty));
    const issuerless: SecurityModule = {
      decryptAccountData: (request) => security.decryptAccountData(request),
      translatePin: (request) => security.translatePin(request),
      verifyPin: (request) => security.verifyPin(request),
      generateMac: (request) => security.generateMac(request),
      verifyMac: (request) => security.verifyMac(request),
      importKeyBlock: (request) => security.importKeyBlock(request),
      replaceZoneKey: (request) => security.replaceZoneKey(request),
      deviceKeySets: () => security.deviceKeySets(),
      verifyArqcAndMakeArpc: (request) => elsewhere.verifyArqcAndMakeArpc(request),
    };
    harness.service = new GatewayPaymentService({ ...harness.context, security: issuerless });
    expect(await send(record({ minor: 99_999 }))).toMatchObject(FORGED);
    expect(await harness.transactions()).toEqual([]);
    const unsigned = record({ chip: { changed: { '9F26': '0000000000000000' } } });
    const unchecked = await send({ ...unsigned, origin: message('m2', 2) });
    expect(unchecked).toMatchObject({ disposition: 'declined' });
    expect(await harness.transactions()).toMatchObject([{ kind: 'advice', approved: false }]);
    rmSync(empty, { recursive: true });
  });
});

const DEFERRED = { offline: { kind: 'deferred' }, chip: { type: 'ARQC' } } as const;

describe('the limits of a store', () => {
  it.each<[string, Record, StorePolicy['offline']]>([
    ['the compiled maximum', { minor: 25_001, ...DEFERRED }, undefined],
    ['the amount', {}, offlineOf({ EUR: 1_233 })],
    ['the currencies', {}, offlineOf({ USD: 9_999 })],
    ['deferred authorizations', DEFERRED, offlineOf({ EUR: 9_999 })],
  ])('leave a record for a person that breaks %s', async (_what, over, offline) => {
    if (offline) await setPolicy(offline);
    await expect(send(record(over))).rejects.toBeInstanceOf(OutsidePolicyError);
    expect(await harness.transactions()).toEqual([]);
    await expect(harness.service.status(AGENT, 'm1')).resolves.toEqual({ state: 'not-seen' });
  });

  it('let a record pass that keeps them, and ask nothing of a payment online', async () => {
    await setPolicy(offlineOf({ EUR: 1_234 }));
    expect(await send(record())).toMatchObject({ disposition: 'approved' });
    const { paymentId } = await harness.service.authorize(
      restPayment({ amount: { minor: 500_000, currency: 'EUR' } }),
    );
    expect((await harness.service.followUp(followUp('RV', paymentId))).disposition).toBe('reversed');
    // Nor of a terminal's.
    const { offline: _, ...online } = record({ minor: 500_000, chip: { type: 'ARQC', atc: '0002' } });
    const sred = encipheredTrack2(track2Of(VISA, '1234'));
    const sale = {
      ...online,
      origin: message('m2', 2),
      reference: 'R-2',
      pos: { ...POS, ...online.pos, sred },
    };
    expect(await send(sale)).toMatchObject({ disposition: 'approved' });
  });

  it('let so many records pass that waited together, and so much of them', async () => {
    await setPolicy(offlineOf({ EUR: 1_234 }, { maxCount: 2 }));
    const decidedAtMs = NOW_MS;
    await harness.clock.advance(60_000);
    const waited = (number: number, ageMs = 60_000) => ({
      ...record({
        offline: { decidedAtMs, ageMs },
        chip: { atc: number.toString(16).padStart(4, '0').toUpperCase() },
        pos: { sred: encipheredTrack2(track2Of(VISA, '1234')) },
      }),
      origin: message(`m${number}`, number),
      reference: `R-${number}`,
    });
    expect(await send(waited(1))).toMatchObject({ disposition: 'approved' });
    const second = waited(2);
    expect(await send(second)).toMatchObject({ disposition: 'approved' });
    const third = waited(3);
    await expect(send(third)).rejects.toThrow('of one terminal that wait together are at most 2');
    await expect(harness.service.status(AGENT, 'm3')).resolves.toEqual({ state: 'not-seen' });
    // What a person wants tried counts for nothing, whatever waits.
    const wanted = { ...third, offline: { ...third.offline, ageAccepted: true } } as PaymentRequest;
    expect(await send(wanted)).toMatchObject({ disposition: 'approved' });
    // A record comes again until it is acknowledged: it counts once. What was decided since then begins anew.
    expect(await send(second)).toMatchObject({ disposition: 'approved' });
    const away = { ...waited(4, 0), origin: { ...message('m4', 4), provenAtMs: NOW_MS + 6 * 60_000 } };
    await harness.clock.advance(6 * 60_000);
    expect(await send(away)).toMatchObject({ disposition: 'approved' });
  });

  it('let no more pass of an agent that states for each that it was decided just now', async () => {
    await setPolicy(offlineOf({ EUR: 1_234 }, { maxCount: 2 }));
    const outcomes: string[] = [];
    for (let number = 1; number <= 12; number += 1) {
      await harness.clock.advance(1_000);
      const fresh = record({
        offline: { decidedAtMs: NOW_MS + number * 1_000, ageMs: 0 },
        chip: { atc: number.toString(16).padStart(4, '0').toUpperCase() },
        pos: { sred: encipheredTrack2(track2Of(VISA, '1234')) },
      });
      // It proves itself anew for each.
      const origin = { ...message(`m${number}`, number), provenAtMs: NOW_MS + number * 1_000 };
      const sent = send({ ...fresh, origin, reference: `R-${number}` });
      outcomes.push(
        await sent.then(
          ({ disposition }) => disposition,
          (error: Error) => error.constructor.name,
        ),
      );
    }
    expect(outcomes).toEqual([
      'approved',
      'approved',
      ...Array.from({ length: 10 }, () => OutsidePolicyError.name),
    ]);
  });

  it('count for nothing in a record that was reversed before it came', async () => {
    await setPolicy(offlineOf({}));
    await harness.service.followUp(tillReversal('m0', 'm1'));
    expect(await send(record())).toMatchObject({ disposition: 'refused', resultCode: '700.300.300' });
  });

  it('count for nothing in such a record either where as many wait together as may', async () => {
    await setPolicy(offlineOf({ EUR: 1_234 }, { maxCount: 1 }));
    expect(await send(record())).toMatchObject({ disposition: 'approved' });
    await harness.service.followUp(tillReversal('m0', 'm2', 2));
    const reversed = record({
      chip: { atc: '0002' },
      pos: { sred: encipheredTrack2(track2Of(VISA, '1234')) },
    });
    expect(await send({ ...reversed, origin: message('m2', 3), reference: 'R-2' })).toMatchObject({
      ...{ disposition: 'refused', resultCode: '700.300.300' },
    });
  });
});

describe('the age of a record', () => {
  const policy = offlineOf({ EUR: 9_999 }, { maxAgeMs: 4 * HOUR_MS });
  const hold = `offline-age-disputed ${AGENT}/1`;

  it.each([
    ['young by both clocks', 4, 4, 'approved', []],
    ['old by both clocks', 6, 6, 'expired', []],
    ['old by the gateway’s clock alone: it is ahead', 26, 2, 'held', [hold]],
    ['old by the agent’s clock alone: the gateway’s is behind', -20, 6, 'held', [hold]],
    ['from the future, and young', -20, 1, 'approved', []],
  ] as const)('is %s', async (_what, here, there, end, alerts) => {
    await setPolicy(policy);
    const decidedAtMs = NOW_MS - here * HOUR_MS;
    const sent = send(record({ offline: { decidedAtMs, ageMs: there * HOUR_MS } }));
    if (end === 'held') {
      await expect(sent).rejects.toBeInstanceOf(TryLaterError);
      await expect(sent).rejects.toThrow(`${here}.0 h by the gateway, ${there}.0 h by the agent`);
    } else expect(await sent).toMatchObject(end === 'approved' ? { disposition: 'approved' } : EXPIRED);
    expect(await causes()).toEqual(alerts);
  });

  it('is no question any more once a person wants it tried, or the message was answered', async () => {
    await setPolicy(policy);
    const held = record({ offline: { decidedAtMs: NOW_MS - 26 * HOUR_MS, ageMs: HOUR_MS } });
    await expect(send(held)).rejects.toBeInstanceOf(TryLaterError);
    const wanted = { ...held, offline: { ...held.offline, ageAccepted: true } } as PaymentRequest;
    const answer = await send(wanted);
    expect(answer).toMatchObject({ disposition: 'approved' });
    expect(await send(held)).toEqual(answer);
  });
});
