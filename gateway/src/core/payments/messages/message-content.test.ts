import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openAlerts } from '../../../kernel/alerts/alerts.test.support.js';
import { keyedFingerprint } from '../../../security/tokens/fingerprint.js';
import {
  AGENT,
  ENGINES,
  message,
  openPaymentHarness,
  type PaymentHarness,
  storeOf,
  tillReversal,
  tillSale,
} from '../payment-harness.test.support.js';
import { contentHash } from '../rules/message-content.js';
import type { FollowUpRequest, PaymentRequest } from '../rules/requests.js';

const REFUSED = { disposition: 'refused', resultCode: '800.130.100' };
const dearer = { amount: { minor: 9_999, currency: 'EUR' } };

describe.each(ENGINES)('a message id with other content on the %s store', (engine) => {
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(storeOf(engine));
  });
  afterEach(() => harness.dispose());

  it('is refused once the first was answered, which keeps its answer', async () => {
    const first = await harness.service.authorize(tillSale('m1', 'R-1'));
    harness.restart();
    expect(await harness.service.authorize(tillSale('m1', 'R-1', dearer))).toMatchObject(REFUSED);
    expect(await harness.service.authorize(tillSale('m1', 'R-2'))).toMatchObject(REFUSED);
    expect(await harness.service.followUp(tillReversal('m1', 'm0'))).toMatchObject(REFUSED);
    expect(await harness.service.authorize(tillSale('m1', 'R-1'))).toEqual(first);
    expect(await harness.transactions()).toHaveLength(1);
    expect(harness.faults).toEqual(Array(3).fill('a message id was used twice'));
    expect(await openAlerts(harness.store)).toEqual([`message-id-reused ${AGENT}`]);
  });

  it('is refused while the first runs', async () => {
    let open: () => void = () => undefined;
    harness.line.gate = new Promise((resolve) => {
      open = resolve;
    });
    const running = harness.service.authorize(tillSale('m1', 'R-1'));
    expect(await harness.service.authorize(tillSale('m1', 'R-1', dearer))).toMatchObject(REFUSED);
    open();
    expect((await running).disposition).toBe('approved');
    expect(await harness.transactions()).toHaveLength(1);
  });

  it('is refused while the outcome of the first is not known', async () => {
    harness.line.cut = true;
    await expect(harness.service.authorize(tillSale('m1', 'R-1'))).rejects.toThrow('not known');
    harness.restart();
    expect(await harness.service.authorize(tillSale('m1', 'R-1', dearer))).toMatchObject(REFUSED);
    harness.line.cut = false;
    expect(await harness.service.status(AGENT, 'm1')).toMatchObject({ state: 'answered' });
    expect(await harness.service.authorize(tillSale('m1', 'R-1', dearer))).toMatchObject(REFUSED);
  });

  it('is refused for reversals alike', async () => {
    await harness.service.authorize(tillSale('m1', 'R-1'));
    await harness.service.authorize(tillSale('m2', 'R-2'));
    const reversed = await harness.service.followUp(tillReversal('m3', 'm1'));
    expect(await harness.service.followUp(tillReversal('m3', 'm2'))).toMatchObject(REFUSED);
    expect(await harness.service.followUp(tillReversal('m3', 'm1'))).toEqual(reversed);
  });
});

describe('the hash of a message’s content', () => {
  const key = createSecretKey(Buffer.alloc(32, 1));
  const hash = (request: PaymentRequest | FollowUpRequest, origin = message('m1')) =>
    contentHash(keyedFingerprint(key), origin, request);
  const iccData = Buffer.from('9F36020042', 'hex');
  const sred = { ksn: Buffer.alloc(10, 1), data: Buffer.alloc(24, 2) };
  const pos = { terminalId: '1', entryMode: 'ICC', iccData, sred };
  const tap = tillSale('m1', 'R-1', { pos });

  test.each<[string, Partial<PaymentRequest>]>([
    ['amount', { amount: { minor: 1_235, currency: 'EUR' } }],
    ['currency', { amount: { minor: 1_234, currency: 'USD' } }],
    ['type', { type: 'PA' }],
    ['reference', { reference: 'R-2' }],
    ['the way it was decided', { offline: { kind: 'deferred', decidedAtMs: 1 } }],
    ['the card’s data', { pos: { ...pos, iccData: Buffer.from('9F36020043', 'hex') } }],
    ['account data', { pos: { ...pos, sred: { ...sred, data: Buffer.alloc(24, 3) } } }],
    ['key serial number', { pos: { ...pos, sred: { ...sred, ksn: Buffer.alloc(10, 2) } } }],
    ['entry mode', { pos: { ...pos, entryMode: 'NFC_ICC' } }],
  ])('differs by %s', (_what, other) => {
    expect(hash({ ...tap, ...other })).not.toBe(hash(tap));
  });

  test('is the same from another session and position, with the PIN wiped', () => {
    const again = { ...message('m1', 9, 7) };
    const pin = { ksn: Buffer.alloc(10, 1), data: Buffer.alloc(8) };
    expect(hash({ ...tap, pos: { ...pos, pin, deviceType: 'X', deviceId: '9' } }, again)).toBe(hash(tap));
    expect(hash(tap, { ...message('m1'), terminalId: '2' })).not.toBe(hash(tap));
  });

  test('is the same for a reversal whatever amount the till remembers, not for a capture', () => {
    const reversal = tillReversal('m2', 'm1');
    expect(hash({ ...reversal, ...dearer })).toBe(hash(reversal));
    expect(hash({ ...reversal, ...dearer, type: 'CP' })).not.toBe(hash({ ...reversal, type: 'CP' }));
  });

  test('cannot be tried out without the key', () => {
    const other = createSecretKey(Buffer.alloc(32, 2));
    expect(contentHash(keyedFingerprint(other), message('m1'), tap)).not.toBe(hash(tap));
  });
});
