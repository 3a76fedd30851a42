import { rmSync } from 'node:fs';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { DEVELOPMENT_KEYS, developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { alertId } from '../../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { confirmRestore } from '../../../kernel/restored-database/restore-gap.js';
import type { DeviceRow } from '../../../kernel/store/rows.js';
import type { Change } from '../../../kernel/store/store.js';
import { newAgentRow } from '../../../security/agents/agent-row.js';
import { ACCOUNT_FAILURE_LIMITS } from '../../../security/devices/account-failures.js';
import type { KeyUsage } from '../../../security/keys/key-store.js';
import {
  encipheredPin,
  encipheredTrack2,
  exampleIccData,
  exampleInitialKsn,
  magstripeWithoutPin,
  nextKsn,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import { SoftwareSecurityModule } from '../../../security/module/software-security-module.js';
import { openKeyStore, temporaryHome } from '../../../security/test-keys.test.support.js';
import { entityRow } from '../../entities/entities.js';
import { overTime } from '../harness-clock.test.support.js';
import {
  AGENT,
  ENGINES,
  ENTITY,
  exampleDevice,
  FailingStore,
  MAGTEK,
  message,
  NOW_MS,
  OTHER_ENTITY,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
  tillReversal,
  tillSale,
  VISA,
} from '../payment-harness.test.support.js';
import type { OfflineDecision, PaymentRequest, PaymentResult, PosData } from '../rules/requests.js';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

const REFUSED = { disposition: 'refused', resultCode: '800.100.156', responseCode: '30' };
const PLACE = { terminalId: '1', deviceType: 'GERTEC_PPC930' };

/** A chip at terminal 1. */
function chip(atc = '0042', type: 'ARQC' | 'TC' = 'ARQC', ksn = nextKsn()): PosData {
  return {
    ...PLACE,
    entryMode: 'ICC',
    panSequenceNumber: '01',
    iccData: exampleIccData({ scheme: 'visa', pan: VISA, atc, type }),
    sred: encipheredTrack2(track2Of(VISA, '1234'), ksn),
  };
}

/** A magstripe of a card without a chip. */
function swipe(ksn = nextKsn()): PosData {
  return { ...PLACE, entryMode: 'MAGSTRIPE', sred: encipheredTrack2(magstripeWithoutPin(VISA), ksn) };
}

const withKsn = (ksn: Uint8Array): PosData => ({ ...swipe(), sred: { ksn, data: Buffer.alloc(24) } });

function overBridge(id: string, pos: PosData, more: Partial<PaymentRequest> = {}): PaymentRequest {
  const { card: _, ...sale } = tillSale(id, `R-${id}`, { pos, ...more });
  return sale;
}

function overRest(pos: PosData, entityId = ENTITY): PaymentRequest {
  const { card: _, ...payment } = restPayment({ origin: { kind: 'rest', entityId }, pos });
  return payment;
}

const offline = (kind: OfflineDecision['kind'], decidedAtMs = NOW_MS): Partial<PaymentRequest> => ({
  offline: { kind, decidedAtMs },
});

describe.each(ENGINES)('account data of a terminal, on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  const ask = (request: PaymentRequest): Promise<PaymentResult> =>
    overTime(harness.clock, harness.service.authorize(request));
  const standing = async () =>
    (await harness.transactions()).filter((one) => one.kind !== 'reversal' && one.approved && !one.reversed);
  const change = async (serial: string, changed: Partial<DeviceRow>): Promise<void> => {
    const row = await harness.store.get('devices', [serial]);
    if (!row) throw new Error('there is no such device');
    await harness.store.commit([{ op: 'update', table: 'devices', row: { ...row, ...changed } }]);
  };

  const openGap = () =>
    harness.store.commit([
      {
        op: 'insert',
        table: 'restoreGaps',
        row: {
          ...{ name: 'database', sinceMs: 1, untilMs: 2, foundAtMs: NOW_MS, isWhole: 1, reapplied: '{}' },
          ...{ closedAtMs: null, note: null, version: 1 },
        },
      },
    ]);

  describe('that was captured', () => {
    it('is not taken from another merchant, whatever entry mode it states', async () => {
      const captured = swipe();
      expect((await ask(overBridge('m1', captured))).disposition).toBe('approved');
      for (const pos of [captured, swipe()]) {
        const stolen = await ask(overRest(pos, OTHER_ENTITY));
        expect(stolen).toMatchObject(REFUSED);
        expect(stolen.brand).toBeUndefined();
      }
      expect(await standing()).toHaveLength(1);
    });

    it('is not taken from another agent of its merchant, nor for an agent from a device of the merchant', async () => {
      const another = newAgentRow(
        { id: 'store-2', entityId: ENTITY, publicKey: 'k2', terminals: ['1'] },
        NOW_MS,
      );
      await harness.store.commit([{ op: 'insert', table: 'agents', row: another }]);
      for (const agentId of ['store-2', null]) {
        await change('S1', { agentId });
        expect(await ask(overBridge(`m-${agentId}`, swipe()))).toMatchObject(REFUSED);
      }
      // Nothing was counted against a device that is another's.
      expect(await harness.store.get('accountFailures', ['device', 'S1'])).toBeUndefined();
      expect((await ask(overRest(swipe()))).disposition).toBe('approved');
    });

    it('is taken for a channel from the devices of its merchant, and from those of no other channel', async () => {
      const [channel, other] = ['c', 'd'].map((letter) => letter.repeat(32)) as [string, string];
      for (const id of [channel, other])
        await harness.store.commit([
          { op: 'insert', table: 'entities', row: entityRow(id, 'Channel', ENTITY, 1) },
        ]);
      expect((await ask(overRest(swipe(), channel))).disposition).toBe('approved');
      await change('S1', { entityId: other });
      expect(await ask(overRest(swipe(), channel))).toMatchObject(REFUSED);
    });

    it('is not taken twice from its own merchant, over either channel', async () => {
      const pos = swipe();
      expect((await ask(overRest(pos))).disposition).toBe('approved');
      expect(await ask(overRest(pos))).toMatchObject(REFUSED);
      expect(await ask(overBridge('m1', pos))).toMatchObject(REFUSED);
      const till = swipe();
      expect((await ask(overBridge('m2', till))).disposition).toBe('approved');
      expect(await ask(overBridge('m3', till))).toMatchObject(REFUSED);
      expect(await ask(overRest(till))).toMatchObject(REFUSED);
    });

    it('is taken once of many that come at once', async () => {
      const pos = swipe();
      const results = await Promise.all(['1', '2', '3', '4'].map((n) => ask(overBridge(`m${n}`, pos))));
      expect(results.map(({ resultCode }) => resultCode).sort()).toEqual([
        '000.100.110',
        ...Array(3).fill(REFUSED.resultCode),
      ]);
      expect(await standing()).toHaveLength(1);
    });

    it('under a chosen cipher text uses its KSN up: there is one try', async () => {
      const ksn = nextKsn();
      const good = swipe(ksn);
      const spliced = { ...good, sred: { ksn, data: Buffer.alloc(24, 7) } };
      expect(await ask(overRest(spliced))).toMatchObject(REFUSED);
      expect(await ask(overRest(good))).toMatchObject(REFUSED);
      expect(await standing()).toEqual([]);
    });

    it('of a copied magstripe is no chip’s, whatever entry mode is stated', async () => {
      for (const entryMode of ['ICC', 'NFC_ICC']) {
        const copied = () => ({ ...PLACE, entryMode, sred: encipheredTrack2(track2Of(VISA, '1234')) });
        for (const request of [overRest(copied()), overBridge(`m-${entryMode}`, copied())])
          expect(await ask(request)).toMatchObject({ resultCode: '100.500.101', responseCode: '12' });
      }
      expect(harness.line.sent).toEqual([]);
    });

    it('of a card that is refused for what it is has used its KSN up too', async () => {
      const ksn = nextKsn();
      const chipTrack = { ...swipe(ksn), sred: encipheredTrack2(track2Of(VISA, '1234'), ksn) };
      expect((await ask(overRest(chipTrack))).resultCode).toBe('100.500.101');
      expect(await ask(overRest({ ...chipTrack, entryMode: 'MAGSTRIPE_AS_FALLBACK' }))).toMatchObject(
        REFUSED,
      );
    });
  });

  describe('that is not taken', () => {
    const CASES: readonly (readonly [what: string, pos: () => PosData])[] = [
      ['no device', () => swipe(nextKsn(5))],
      ['a KSN of no transaction', () => withKsn(Buffer.alloc(9, 1))],
      ['a KSN whose counter is zero', () => withKsn(fromHex(exampleInitialKsn(1)))],
      ['another terminal', () => ({ ...swipe(), terminalId: '2' })],
      ['another type', () => ({ ...swipe(), deviceType: 'MAGTEK_DYNAFLEX' })],
      ['a MAC that was left out', () => swipe(nextKsn(MAGTEK))],
      ['cipher text that was cut', () => ({ ...swipe(), sred: { ksn: nextKsn(), data: Buffer.alloc(5) } })],
      ['padding', () => ({ ...swipe(), sred: { ksn: nextKsn(), data: Buffer.alloc(24, 1) } })],
      ['no hex', () => ({ ...PLACE, entryMode: 'MAGSTRIPE', isUnreadable: true })],
      ['chip data that are none', () => ({ ...chip(), iccData: Buffer.from('9F36', 'hex') })],
    ];

    it.each(CASES)('for %s has the answer of all others, after the same time', async (_what, pos) => {
      for (const request of [overRest(pos()), overBridge('m1', pos())]) {
        const sinceMs = harness.clock.monotonicMs();
        const { paymentId: _, ...answer } = await ask(request);
        const amount = { minor: 1_234, currency: 'EUR' };
        expect(answer).toEqual({ ...REFUSED, description: expect.any(String), amount });
        expect(harness.clock.monotonicMs() - sinceMs).toBe(ACCOUNT_FAILURE_LIMITS.answerMs);
      }
      expect(harness.line.sent).toEqual([]);
    });

    it('of a device that the inventory lacks or has otherwise raises an alert with the command that corrects it', async () => {
      const detail = async (subject: string) =>
        (await harness.store.get('alerts', [alertId('device-refused', subject)]))?.detail;
      await ask(overRest({ ...swipe(nextKsn(5)), deviceType: 'x; rm -rf /' }));
      expect(await detail(ENTITY)).toBe(
        `no device has this initial KSN; tillbridge-gateway devices add SERIAL --type TYPE --account-ksn ${exampleInitialKsn(5)} --entity ${ENTITY} --terminal ${PLACE.terminalId}`,
      );
      await change('S1', { state: 'suspended' });
      await ask(overBridge('m1', swipe()));
      const { agentId, terminalId } = message('m1');
      expect(await detail(`${agentId}/${terminalId}`)).toBe(
        'the device is not active; tillbridge-gateway devices resume S1',
      );
      await ask(overRest(swipe(), OTHER_ENTITY));
      expect(await detail(OTHER_ENTITY)).toBeUndefined();
    });

    it('is counted for its device and for its entity, and locks the device at the limit', async () => {
      const { device: limit, windowMs } = ACCOUNT_FAILURE_LIMITS;
      const bad = (): PosData => ({ ...swipe(), sred: { ksn: nextKsn(), data: Buffer.alloc(24) } });
      for (let at = 0; at < limit; at += 1) {
        expect(await openAlerts(harness.store)).toEqual([]);
        expect(await ask(overRest(bad()))).toMatchObject(REFUSED);
      }
      expect(await openAlerts(harness.store)).toEqual(['device-locked S1']);
      // Also what is good is refused, in the same way, and is not counted.
      expect(await ask(overBridge('m1', swipe()))).toMatchObject(REFUSED);
      expect(await harness.store.get('accountFailures', ['entity', ENTITY])).toMatchObject({
        failures: limit,
      });
      const elsewhere = { ...swipe(nextKsn(2)), terminalId: '2' };
      const ofOther = overBridge('m2', elsewhere, { origin: { ...message('m2'), terminalId: '2' } });
      expect((await ask(ofOther)).disposition).toBe('approved');
      await harness.clock.advance(windowMs);
      expect((await ask(overBridge('m3', swipe()))).disposition).toBe('approved');
    });

    it('is counted for its device where it was refused before it was looked at, too', async () => {
      await change('S1', { state: 'suspended' });
      expect(await ask(overRest(swipe()))).toMatchObject(REFUSED);
      expect(await harness.store.get('accountFailures', ['device', 'S1'])).toMatchObject({ failures: 1 });
    });

    it('locks nothing of another merchant whose device is named', async () => {
      for (let at = 0; at < ACCOUNT_FAILURE_LIMITS.device + 1; at += 1)
        expect(await ask(overRest(swipe(), OTHER_ENTITY))).toMatchObject(REFUSED);
      expect(await harness.store.get('accountFailures', ['device', 'S1'])).toBeUndefined();
      expect((await ask(overRest(swipe()))).disposition).toBe('approved');
    });

    it('is not looked at for an entity that is locked, until the time is over', async () => {
      const { entity: failures, windowMs } = ACCOUNT_FAILURE_LIMITS;
      const row = { kind: 'entity', subject: ENTITY, failures, sinceMs: NOW_MS, version: 1 } as const;
      await harness.store.commit([{ op: 'insert', table: 'accountFailures', row }]);
      for (const request of [overRest(swipe()), overBridge('m1', swipe())])
        expect(await ask(request)).toMatchObject(REFUSED);
      await harness.clock.advance(windowMs);
      expect((await ask(overRest(swipe()))).disposition).toBe('approved');
    });

    it('locks an entity at its limit', async () => {
      const row = {
        kind: 'entity',
        subject: OTHER_ENTITY,
        failures: ACCOUNT_FAILURE_LIMITS.entity - 1,
        sinceMs: NOW_MS,
        version: 1,
      } as const;
      await harness.store.commit([{ op: 'insert', table: 'accountFailures', row }]);
      await ask(overRest(swipe(), OTHER_ENTITY));
      expect(await openAlerts(harness.store)).toEqual([`entity-locked ${OTHER_ENTITY}`]);
    });
  });

  describe('of a sale', () => {
    it('is sent again by its offline record, after the reversal of its authorization', async () => {
      const pos = chip();
      const live = overBridge('m1', pos);
      const first = await ask(live);
      expect(first.disposition).toBe('approved');
      const record = (id: string, sequence: number): PaymentRequest => ({
        ...live,
        origin: message(id, sequence),
        ...offline('card-approved'),
        pos: { ...chip('0042', 'TC'), sred: pos.sred as NonNullable<PosData['sred']> },
      });
      // Not before: the reference is held.
      expect((await ask(record('m2', 1))).resultCode).toBe('200.200.106');
      expect((await ask(record('m2', 1))).resultCode).toBe('200.200.106');
      expect((await harness.service.followUp(tillReversal('m3', 'm1', 2))).disposition).toBe('reversed');
      const recorded = await ask(record('m4', 3));
      expect(recorded.disposition).toBe('approved');
      expect(recorded.paymentId).not.toBe(first.paymentId);
      expect((await standing()).map(({ kind }) => kind)).toEqual(['advice']);
      // The same message gets its first answer, before and after.
      expect(await ask(live)).toEqual(first);
      expect(await ask(record('m4', 3))).toEqual(recorded);
    });

    it('is not accepted again from another authorization, or with other data', async () => {
      const pos = chip();
      const live = overBridge('m1', pos);
      await ask(live);
      await harness.service.followUp(tillReversal('m2', 'm1', 1));
      expect(await ask({ ...live, origin: message('m3') })).toMatchObject(REFUSED);
      const ksn = pos.sred?.ksn ?? nextKsn();
      const other = { ...pos, sred: encipheredTrack2(track2Of(VISA, '9999'), ksn) };
      const record = { ...live, origin: message('m4', 2), ...offline('deferred'), pos: other };
      expect(await ask(record)).toMatchObject(REFUSED);
    });

    it('is taken late: a KSN below one that was used is as good as any', async () => {
      const [early, late] = [swipe(), swipe()];
      expect((await ask(overBridge('m1', late))).disposition).toBe('approved');
      expect((await ask(overBridge('m2', early))).disposition).toBe('approved');
      const device = await harness.store.get('devices', ['S1']);
      const counter = Buffer.from(late.sred?.ksn ?? []).readUIntBE(7, 3);
      expect(device?.highestCounter).toBe(counter);
    });

    it('is looked at again for the record that left it open, and for no other', async () => {
      const deferred = overBridge('m1', swipe(), { origin: message('m1', 1), ...offline('deferred') });
      harness.line.fault = 'request-lost';
      await expect(ask(deferred)).rejects.toThrow(TryLaterError);
      expect(await standing()).toEqual([]);
      expect((await ask(deferred)).disposition).toBe('approved');
      expect(await standing()).toHaveLength(1);
    });

    it('stays with the record that left it open while its device is unknown', async () => {
      const deferred = overBridge('m1', swipe(), { origin: message('m1', 1), ...offline('deferred') });
      harness.line.fault = 'request-lost';
      await expect(ask(deferred)).rejects.toThrow(TryLaterError);
      await change('S1', { accountKsn: exampleInitialKsn(7) });
      await expect(ask(deferred)).rejects.toThrow(TryLaterError);
      await change('S1', { accountKsn: exampleInitialKsn(1) });
      expect((await ask(deferred)).disposition).toBe('approved');
    });

    it('is not taken where its use may have been forgotten', async () => {
      const old = swipe();
      await change('S1', { forgottenCounter: Buffer.from(old.sred?.ksn ?? []).readUIntBE(7, 3) });
      expect(await ask(overRest(old))).toMatchObject(REFUSED);
      expect((await ask(overRest(swipe()))).disposition).toBe('approved');
    });

    it('waits for the operator where the use may be forgotten since the database was put back, and live is refused', async () => {
      const [old, older, late, after] = [swipe(), swipe(), swipe(), swipe()];
      const unknownCounter = Buffer.from(late.sred?.ksn ?? []).readUIntBE(7, 3);
      await change('S1', { unknownCounter });
      await openGap();
      const record = (id: string, sequence: number, pos: PosData) =>
        overBridge(id, pos, { origin: message(id, sequence), ...offline('deferred') });
      expect(await ask(overRest(old))).toMatchObject(REFUSED);
      await expect(ask(record('m1', 1, late))).rejects.toThrow(TryLaterError);
      expect((await ask(overRest(after))).disposition).toBe('approved');
      const { store, clock } = harness;
      await confirmRestore({ store, clock, random, actor: 'operator' }, 'compared');
      expect((await ask(record('m1', 1, late))).disposition).toBe('approved');
      expect(await ask(overRest(old))).toMatchObject(REFUSED);
      await harness.clock.advance(31 * 24 * 3_600_000);
      const { offline: recorded } = offline('deferred', harness.clock.nowMs());
      expect(await ask({ ...record('m2', 2, older), ...(recorded && { offline: recorded }) })).toMatchObject(
        REFUSED,
      );
    });

    it('is taken at once where the use is known, whatever else was forgotten', async () => {
      const pos = chip();
      const live = overBridge('m1', pos);
      await ask(live);
      await harness.service.followUp(tillReversal('m2', 'm1', 1));
      await change('S1', { unknownCounter: Buffer.from(pos.sred?.ksn ?? []).readUIntBE(7, 3) });
      await openGap();
      const record = { ...live, origin: message('m3', 2), ...offline('deferred') };
      expect((await ask(record)).disposition).toBe('approved');
    });

    it('does not wait for the operator where its own use cannot be forgotten, and its PIN has no counter', async () => {
      await change('S1', { unknownCounter: 0 });
      await openGap();
      const pos = { ...chip(), pin: encipheredPin(VISA, '1234') };
      const record = overBridge('m1', pos, { origin: message('m1', 1), ...offline('deferred') });
      expect((await ask(record)).disposition).toBe('approved');
    });

    it('is none of a card that was typed, also where its request has to be sent again', async () => {
      const typed = tillSale('m1', 'R-m1', { origin: message('m1', 1), ...offline('deferred') });
      harness.line.fault = 'request-lost';
      await expect(ask(typed)).rejects.toThrow(TryLaterError);
      expect((await ask(typed)).disposition).toBe('approved');
      expect(await harness.store.findAfter('usedKsns', undefined)).toEqual([]);
    });

    it('that was made before its device was suspended is taken late, a later one and a live one are not', async () => {
      await change('S1', { state: 'suspended', stateSinceMs: NOW_MS });
      expect(await ask(overBridge('m1', swipe()))).toMatchObject(REFUSED);
      const at = (id: string, decidedAtMs: number) =>
        overBridge(id, swipe(), { origin: message(id, 1), ...offline('deferred', decidedAtMs) });
      expect(await ask(at('m2', NOW_MS))).toMatchObject(REFUSED);
      expect((await ask(at('m3', NOW_MS - 1))).disposition).toBe('approved');
    });
  });

  describe('and the counter of its card', () => {
    it('is not burnt by a typed card number with the counter of another’s card', async () => {
      const iccData = exampleIccData({ scheme: 'visa', pan: VISA, atc: '0042' });
      const attack = restPayment({ pos: { terminalId: '1', entryMode: 'ICC', iccData } });
      expect((await ask(attack)).resultCode).toBe('100.500.101');
      expect((await ask(overBridge('m1', chip('0042')))).disposition).toBe('approved');
    });

    it('is not burnt by a cryptogram that is not the card’s', async () => {
      const changed = { '9F26': 'DEADBEEFDEADBEEF' };
      const iccData = exampleIccData({ scheme: 'visa', pan: VISA, atc: '0042', changed });
      expect((await ask(overBridge('m1', { ...chip(), iccData }))).resultCode).toBe('800.100.158');
      const genuine = overBridge('m2', chip('0042', 'TC'), {
        origin: message('m2', 1),
        ...offline('card-approved'),
      });
      expect((await ask(genuine)).disposition).toBe('approved');
    });

    it('is burnt by the approval where the gateway cannot check the cryptogram', async () => {
      withoutIssuerKeys(harness);
      expect((await ask(overBridge('m1', chip('0042')))).disposition).toBe('approved');
      expect((await harness.store.findAfter('usedAtcs', undefined)).map(({ sale }) => sale)).toEqual([
        JSON.stringify([AGENT, 'R-m1']),
      ]);
      expect((await ask(overBridge('m2', chip('0042')))).resultCode).toBe('800.110.100');
    });

    it('is not burnt by a decline where the gateway cannot check the cryptogram', async () => {
      withoutIssuerKeys(harness);
      const pos = { ...chip('0042'), pin: encipheredPin(VISA, '4321') };
      expect((await ask(overBridge('m1', pos))).resultCode).toBe('800.100.166');
      expect(await harness.store.findAfter('usedAtcs', undefined)).toEqual([]);
      expect((await ask(overBridge('m2', chip('0042')))).disposition).toBe('approved');
    });
  });

  describe('and a PIN', () => {
    it('belong together: a PIN under a typed number, of another device or a second time is not looked at', async () => {
      const pin = encipheredPin(VISA, '1234');
      const underTypedNumber = restPayment({ pos: { terminalId: '1', entryMode: 'MANUAL', pin } });
      expect((await ask(underTypedNumber)).resultCode).toBe('100.500.101');
      const foreign = { ...chip('0001'), pin: encipheredPin(VISA, '1234', nextKsn(2, 'pin')) };
      expect((await ask(overBridge('m1', foreign))).resultCode).toBe('100.500.101');
      expect((await ask(overBridge('m2', { ...chip('0002'), pin }))).disposition).toBe('approved');
      expect(await ask(overBridge('m3', { ...chip('0003'), pin }))).toMatchObject(REFUSED);
    });

    it('under the KSN of the account data must be of the same transaction', async () => {
      await harness.store.commit([
        { op: 'insert', table: 'devices', row: { ...exampleDevice(6, { pinKsn: null }), terminalId: '1' } },
      ]);
      const sale = (id: string, atc: string, pinKsn?: Uint8Array): PaymentRequest => {
        const ksn = nextKsn(6);
        const pos = chip(atc, 'ARQC', ksn);
        return overBridge(id, { ...pos, pin: encipheredPin(VISA, '1234', pinKsn ?? ksn) });
      };
      expect((await ask(sale('m1', '0001'))).disposition).toBe('approved');
      expect((await ask(sale('m2', '0002', nextKsn(6)))).resultCode).toBe('100.500.101');
    });

    it('under the KSN of the account data are taken again by the record that left them open', async () => {
      await harness.store.commit([
        { op: 'insert', table: 'devices', row: { ...exampleDevice(6, { pinKsn: null }), terminalId: '1' } },
      ]);
      const ksn = nextKsn(6);
      const pos = { ...chip('0001', 'ARQC', ksn), pin: encipheredPin(VISA, '1234', ksn) };
      const deferred = overBridge('m1', pos, { origin: message('m1', 1), ...offline('deferred') });
      harness.line.fault = 'request-lost';
      await expect(ask(deferred)).rejects.toThrow(TryLaterError);
      expect((await ask(deferred)).disposition).toBe('approved');
    });

    it('that is wrong and one that is no PIN block have the answer of the issuer', async () => {
      const answers: unknown[] = [];
      for (const [at, data] of [
        encipheredPin(VISA, '4321').data,
        Buffer.alloc(8, 3),
        Buffer.alloc(5),
      ].entries()) {
        const pos = { ...chip(`000${at + 1}`), pin: { data, ksn: nextKsn(1, 'pin') } };
        const { paymentId: _, iccDataResponse: __, ...answer } = await ask(overBridge(`m${at}`, pos));
        answers.push(answer);
      }
      expect(answers[0]).toMatchObject({
        disposition: 'declined',
        resultCode: '800.100.166',
        responseCode: '55',
      });
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    });
  });
});

/** Gives the gateway a key store with the keys of the terminals alone; the issuer keeps its own. */
function withoutIssuerKeys({ context }: PaymentHarness): void {
  const home = temporaryHome();
  homes.push(home);
  const keys = openKeyStore(home);
  const add = (name: 'bdkData' | 'bdkPin' | 'zonePinKey', usage: KeyUsage, scope: string): void => {
    const { use: label, algorithm, kcv: expectedKcv } = DEVELOPMENT_KEYS[name];
    keys.add({ id: name, usage, scope, algorithm, label, key: developmentKey(name), expectedKcv });
  };
  add('bdkData', 'bdk-data', 'FFFF');
  add('bdkPin', 'bdk-pin', 'FFFF');
  add('zonePinKey', 'zone-pin', 'INTERNAL');
  Object.assign(context, { security: new SoftwareSecurityModule(keys) });
}

test.each([
  ['is suspended', 'the next KSN', false],
  ['is suspended', 'a KSN that comes late', true],
  ['is removed', 'the next KSN', false],
] as const)(
  'a device that %s between the look and the commit sells nothing: %s',
  async (change, _what, isLate) => {
    const stores: FailingStore[] = [];
    const harness = await openPaymentHarness(async (home) => {
      const store = new FailingStore(await storeOf('sqlite')(home));
      stores.push(store);
      return store;
    });
    try {
      const [store] = stores;
      if (!store) throw new Error('no store');
      const pos = swipe();
      if (isLate) await overTime(harness.clock, harness.service.authorize(overBridge('m0', swipe())));
      store.beforeCommit = async (changes) => {
        if (!changes.some((one) => one.op === 'insert' && one.table === 'intents')) return;
        store.beforeCommit = async () => undefined;
        const row = await store.get('devices', ['S1']);
        if (!row) throw new Error('there is no such device');
        await store.commit([
          change === 'is removed'
            ? { op: 'delete', table: 'devices', key: ['S1'], version: row.version }
            : { op: 'update', table: 'devices', row: { ...row, state: 'suspended' } },
        ]);
      };
      const result = await overTime(harness.clock, harness.service.authorize(overBridge('m1', pos)));
      expect(result).toMatchObject(REFUSED);
      expect(harness.line.sent).toHaveLength(isLate ? 1 : 0);
    } finally {
      await harness.dispose();
    }
  },
);

/** What a payment over REST of a channel reads row by row, and what it commits. */
async function accessesOf(
  pos: PosData,
  deviceEntityId = CHANNEL,
): Promise<{ readonly reads: string[]; readonly changes: Change[] }> {
  const reads: string[] = [];
  const changes: Change[] = [];
  const harness = await openPaymentHarness(async (home) => {
    const store = new FailingStore(await storeOf('memory')(home));
    store.beforeGet = async (table) => void reads.push(table);
    store.beforeCommit = async (committed) => void changes.push(...committed);
    return store;
  });
  try {
    const device = await harness.store.get('devices', ['S1']);
    if (!device) throw new Error('there is no such device');
    await harness.store.commit([
      { op: 'insert', table: 'entities', row: entityRow(CHANNEL, 'Channel', ENTITY, 1) },
      { op: 'update', table: 'devices', row: { ...device, entityId: deviceEntityId } },
    ]);
    for (const each of [reads, changes]) each.splice(0);
    const result = await overTime(harness.clock, harness.service.authorize(overRest(pos, CHANNEL)));
    expect(result.disposition).toBe('approved');
    return { reads, changes };
  } finally {
    await harness.dispose();
  }
}
const CHANNEL = 'c'.repeat(32);

test('the next KSN of a device costs no read: the commit finds out whether it was used', async () => {
  const { reads } = await accessesOf(swipe());
  expect(reads).not.toContain('usedKsns');
});

test('a device of the channel itself costs one read less than one of its merchant', async () => {
  const entitiesRead = async (deviceEntityId: string) =>
    (await accessesOf(swipe(), deviceEntityId)).reads.filter((table) => table === 'entities').length;
  expect(await entitiesRead(CHANNEL)).toBe((await entitiesRead(ENTITY)) - 1);
});

test('the device of account data with a PIN is guarded once, by the counter of the account data', async () => {
  const pos = chip();
  const { changes } = await accessesOf({ ...pos, pin: encipheredPin(VISA, '1234') });
  expect(changes.filter(({ op }) => op === 'raise-counter')).toHaveLength(1);
  expect(changes.filter((one) => one.op === 'require-field' && one.table === 'devices')).toHaveLength(1);
  expect(changes.filter((one) => one.op === 'insert' && one.table === 'usedKsns')).toHaveLength(2);
});
