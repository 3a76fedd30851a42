import { toHex } from '@tillbridge/wire/bytes.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD, type HttpHarness, openHttpHarness } from '../../app/http/http-harness.test.support.js';
import { alertId } from '../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import {
  encipheredPin,
  encipheredTrack2,
  exampleIccData,
  magstripeWithoutPin,
  nextKsn,
  track2Of,
} from '../../security/module/card-example.test.support.js';
import { overTime } from '../payments/harness-clock.test.support.js';
import { AGENT, exampleDevice, message, tillSale } from '../payments/payment-harness.test.support.js';
import type { PosData } from '../payments/rules/requests.js';

const VISA = '4200000000000000';
const hex4 = (counter: number): string => counter.toString(16).padStart(4, '0');
const DECLINED = '5200000000001013';
const PIN = '1234';

let harness: HttpHarness;
beforeAll(async () => {
  harness = await openHttpHarness();
});
afterAll(() => harness.dispose());

/** A terminal's data: a chip with the given number, as the development terminals encipher it. */
function chip(pan: string, scheme: 'visa' | 'mchip', counter: number): PosData {
  return {
    terminalId: '1',
    entryMode: 'ICC',
    deviceType: 'GERTEC_PPC930',
    panSequenceNumber: '01',
    iccData: exampleIccData({ scheme, pan, atc: hex4(counter) }),
    sred: encipheredTrack2(track2Of(pan, PIN)),
  };
}

/** The magstripe of a card without a chip. */
function swipe(sred = encipheredTrack2(magstripeWithoutPin(VISA))): PosData {
  return { terminalId: '1', entryMode: 'MAGSTRIPE', deviceType: 'GERTEC_PPC930', sred };
}

/** The magstripe of a card with a chip, and how the terminal came to read it. */
const chipSwipe = (entryMode: string): PosData => ({
  ...swipe(encipheredTrack2(track2Of(VISA, PIN))),
  entryMode,
});

/** What a terminal sends (with the counter of its card, which no two sales may share), and the code that it comes to. */
const CASES: readonly (readonly [what: string, pos: (atc: number) => PosData, code: string])[] = [
  ['a chip', (atc) => chip(VISA, 'visa', atc), '000.100.110'],
  ['a tap', (atc) => ({ ...chip(VISA, 'visa', atc), entryMode: 'NFC_ICC' }), '000.100.110'],
  ['a magstripe', () => swipe(), '000.100.110'],
  ['a magstripe in place of a broken chip', () => chipSwipe('MAGSTRIPE_AS_FALLBACK'), '000.100.110'],
  ['the magstripe of a tap', () => chipSwipe('NFC_MAGSTRIPE'), '000.100.110'],
  ['the magstripe of a card whose chip was not tried', () => chipSwipe('MAGSTRIPE'), '100.500.101'],
  ['the track of a chip as if it had been typed', () => chipSwipe('MANUAL'), '100.500.101'],
  [
    'a PIN of another device',
    (atc) => ({ ...chip(VISA, 'visa', atc), pin: encipheredPin(VISA, PIN, nextKsn(2, 'pin')) }),
    '100.500.101',
  ],
  [
    'a chip and its PIN',
    (atc) => ({ ...chip(VISA, 'visa', atc), pin: encipheredPin(VISA, PIN) }),
    '000.100.110',
  ],
  [
    'a chip and a wrong PIN',
    (atc) => ({ ...chip(VISA, 'visa', atc), pin: encipheredPin(VISA, '4321') }),
    '800.100.166',
  ],
  ['a PIN of a card that has none', () => ({ ...swipe(), pin: encipheredPin(VISA, PIN) }), '800.100.166'],
  ['a card that its issuer declines', (atc) => chip(DECLINED, 'mchip', atc), '800.100.203'],
  ['a chip without its cryptogram', () => chipSwipe('ICC'), '100.500.101'],
  [
    'a cryptogram of another card',
    (atc) => ({ ...chip(VISA, 'visa', atc), sred: encipheredTrack2(track2Of('4200000000000018', PIN)) }),
    '800.100.158',
  ],
  [
    'account data under an unknown key',
    (atc) => ({
      ...chip(VISA, 'visa', atc),
      sred: encipheredTrack2(track2Of(VISA, PIN), Buffer.from('AAAA9876543210E00001', 'hex')),
    }),
    '800.100.156',
  ],
  [
    'account data that was cut',
    (atc) => ({ ...chip(VISA, 'visa', atc), sred: { data: new Uint8Array(8), ksn: nextKsn() } }),
    '800.100.156',
  ],
];

/** The pos.* parameters that say the same. */
function parametersOf(pos: PosData): Record<string, string> {
  const texts = {
    'pos.terminalId': pos.terminalId,
    'pos.entryMode': pos.entryMode,
    'pos.deviceType': pos.deviceType,
    'pos.panSequenceNumber': pos.panSequenceNumber,
    'pos.iccDataRequest': pos.iccData && toHex(pos.iccData),
    'pos.encryptedSred.data': pos.sred && toHex(pos.sred.data),
    'pos.encryptedSred.ksn': pos.sred && toHex(pos.sred.ksn),
    'pos.encryptedPin.data': pos.pin && toHex(pos.pin.data),
    'pos.encryptedPin.ksn': pos.pin && toHex(pos.pin.ksn),
  };
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

describe('a sale of a terminal over REST', () => {
  it.each(CASES.map(([what, pos, code], at) => [what, code, pos, at] as const))(
    'is decided like one over the bridge: %s (%s)',
    async (_what, code, pos, at) => {
      const sent = harness.post('/v1/payments', {
        amount: '12.34',
        currency: 'EUR',
        paymentType: 'DB',
        ...parametersOf(pos(100 + at)),
      });
      const { status, body } = await overTime(harness.clock, sent);
      const { card: _card, ...sale } = tillSale(`m${at}`, `R-${at}`, { origin: message(`m${at}`) });
      const bridged = await overTime(
        harness.clock,
        harness.service.authorize({ ...sale, pos: pos(200 + at) }),
      );
      expect([body.result.code, bridged.resultCode]).toEqual([code, code]);
      expect(status).toBe(code === '000.100.110' ? 200 : 400);
      expect(body.pos.statusText).toBe(code === '000.100.110' ? 'APPROVED' : 'DECLINED');
      expect(body.pos.iccDataResponse === undefined).toBe(bridged.iccDataResponse === undefined);
      expect(JSON.stringify(body)).not.toMatch(/4200000000000000|5200000000001013/);
    },
  );

  it('raises an alert about account data under an unknown key', async () => {
    const { card: _card, ...sale } = tillSale('m-alert', 'R-alert', { origin: message('m-alert') });
    const row = exampleDevice(5, { agentId: AGENT, terminalId: '1', accountKsn: 'AAAA9876543210E00000' });
    await harness.store.commit([{ op: 'insert', table: 'devices', row }]);
    const sred = { data: new Uint8Array(8), ksn: Buffer.from('AAAA9876543210E00001', 'hex') };
    await overTime(harness.clock, harness.service.authorize({ ...sale, pos: swipe(sred) }));
    expect(await openAlerts(harness.store)).toContain(`device-key-missing ${AGENT}/1`);
    const alert = await harness.store.get('alerts', [alertId('device-key-missing', `${AGENT}/1`)]);
    expect(alert?.detail).toContain('AAAA98');
    expect(alert?.detail).not.toContain('AAAA9876543210');
  });

  it('is refused a second time with the counter of the first', async () => {
    const form = {
      amount: '1.00',
      currency: 'EUR',
      paymentType: 'DB',
      ...parametersOf(chip(VISA, 'visa', 50)),
    };
    expect((await harness.post('/v1/payments', form)).status).toBe(200);
    const other = parametersOf(chip(VISA, 'visa', 50));
    const again = await harness.post('/v1/payments', { ...form, ...other });
    expect(again.status).toBe(400);
    expect(again.body.resultDetails.AcquirerResponse).toBe('94');
  });

  it.each([
    ['chip data', { iccData: exampleIccData({ scheme: 'visa', pan: VISA, atc: '0051' }) }],
    ['a PIN', { pin: encipheredPin(VISA, PIN) }],
  ])('is declined for its content where %s came with a typed card number', async (_what, more) => {
    const pos = parametersOf({ terminalId: '1', entryMode: 'MANUAL', ...more });
    const { status, body } = await harness.post('/v1/payments', { ...CARD, ...pos });
    expect(status).toBe(400);
    expect(body.result.code).toBe('100.500.101');
  });

  it('is authorized and captured in one on request', async () => {
    const form = { amount: '1.00', currency: 'EUR', ...parametersOf(chip(VISA, 'visa', 51)) };
    const { status, body } = await harness.post('/v1/payments', { ...form, paymentType: 'PA.CP' });
    expect(status).toBe(200);
    expect(body.pos.iccDataResponse).toMatch(/^91/);
    const refused = await harness.post('/v1/payments', {
      ...form,
      ...parametersOf(chip(VISA, 'visa', 52)),
      paymentType: 'PA.CP',
      'customParameters[riskScore]': '100',
    });
    expect(refused.body.result.code).toBe('100.400.020');
    // The card must not believe that it paid.
    expect(refused.body.pos).not.toHaveProperty('iccDataResponse');
  });
});
