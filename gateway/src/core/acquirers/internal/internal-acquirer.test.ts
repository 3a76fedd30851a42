import { createSecretKey } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { verifyArpcMethod1, verifyArpcMethod2 } from '@tillbridge/wire/crypto/emv/cryptogram.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChipExample,
  encipheredPin,
  exampleCryptogram,
  exampleIccData,
  exampleSessionKey,
  magstripeWithoutPin,
  track2Of,
} from '../../../security/module/card-example.test.support.js';
import { SoftwareSecurityModule } from '../../../security/module/software-security-module.js';
import { openDevelopmentKeyStore, temporaryHome } from '../../../security/test-keys.test.support.js';
import {
  type AcquirerAnswer,
  type AcquirerMoneyRequest,
  type AcquirerReversal,
  AcquirerUnreachableError,
} from '../acquirer.js';
import { InternalAcquirer } from './internal-acquirer.js';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const VISA = TEST_CARDS.visaCredit.pan;
const MASTERCARD = TEST_CARDS.mastercardDebit.pan;
let home: string;
let security: SoftwareSecurityModule;
let acquirer: InternalAcquirer;

function open(quota: { readonly maxBytes?: number } = {}): Promise<InternalAcquirer> {
  return InternalAcquirer.open({
    file: join(home, 'acquirer.sqlite'),
    hashKey: createSecretKey(Buffer.alloc(32, 1)),
    security,
    clock: { nowMs: () => NOW_MS },
    random: systemRandom,
    ...quota,
  });
}

beforeEach(async () => {
  home = temporaryHome();
  security = new SoftwareSecurityModule(openDevelopmentKeyStore(home));
  acquirer = await open();
});
afterEach(async () => {
  await acquirer.close();
  rmSync(home, { recursive: true, force: true });
});

let references = 0;
function nextReference(): string {
  references += 1;
  return references.toString(16).padStart(32, '0');
}

function authorization(pan: string, overrides: Partial<AcquirerMoneyRequest> = {}): AcquirerMoneyRequest {
  return {
    kind: 'authorization',
    acquirerReference: nextReference(),
    amount: { minor: 1_234, currency: 'EUR' },
    instrument: { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12' },
    captureNow: true,
    ...overrides,
  };
}

function reversalOf({ acquirerReference }: AcquirerMoneyRequest, messageId = 'm-r'): AcquirerReversal {
  return {
    kind: 'reversal',
    acquirerReference: nextReference(),
    originalReference: acquirerReference,
    messageId,
  };
}

function chipSale(chip: ChipExample, overrides: Partial<AcquirerMoneyRequest> = {}): AcquirerMoneyRequest {
  return authorization(chip.pan, {
    pos: { terminalId: '7', entryMode: 'ICC', panSequenceNumber: '1', iccData: exampleIccData(chip) },
    ...overrides,
  });
}

function issuerData(answer: AcquirerAnswer): Uint8Array {
  return findTlv(decodeTlv(answer.iccDataResponse ?? new Uint8Array()), '91') ?? new Uint8Array();
}

describe('the issuer', () => {
  test('approves a chip sale with an ARPC that the card believes', async () => {
    const chip = { scheme: 'visa', pan: VISA } as const;
    const answer = await acquirer.send(chipSale(chip));
    expect(answer).toMatchObject({ approved: true, resultCode: '000.100.110', responseCode: '00' });
    expect(answer.approvalCode).toMatch(/^\d{6}$/);
    const data = issuerData(answer);
    const csu = data.subarray(4);
    const none = new Uint8Array();
    expect(
      verifyArpcMethod2(exampleSessionKey(VISA), exampleCryptogram(chip), csu, none, data.subarray(0, 4)),
    ).toBe(true);
  });

  test('of the bad-arpc card approves with an ARPC that the card does not believe', async () => {
    const { pan } = TEST_CARDS.visaBadArpc;
    const chip = { scheme: 'visa', pan } as const;
    const answer = await acquirer.send(chipSale(chip));
    expect(answer.approved).toBe(true);
    const data = issuerData(answer);
    const none = new Uint8Array();
    expect(data).toHaveLength(8);
    expect(
      verifyArpcMethod2(
        exampleSessionKey(pan),
        exampleCryptogram(chip),
        data.subarray(4),
        none,
        data.subarray(0, 4),
      ),
    ).toBe(false);
  });

  test('declines with a true ARPC over its response code', async () => {
    const { pan } = TEST_CARDS.mastercardDeclined;
    const chip = { scheme: 'mchip', pan } as const;
    const answer = await acquirer.send(chipSale(chip));
    expect(answer).toMatchObject({ approved: false, responseCode: '51', resultCode: '800.100.203' });
    expect(answer.approvalCode).toBeUndefined();
    const key = exampleSessionKey(pan);
    expect(
      verifyArpcMethod1(key, exampleCryptogram(chip), Buffer.from('51'), issuerData(answer).subarray(0, 8)),
    ).toBe(true);
  });

  test.each([
    ['another amount', { changed: { '9F02': '000000000001' } }],
    ['no cryptogram at all', { without: ['9F26', '9F27', '9F10'] }],
  ])('declines a cryptogram over %s, and gives the card nothing', async (_name, chip) => {
    const answer = await acquirer.send(chipSale({ scheme: 'visa', pan: VISA, ...chip }));
    expect(answer).toEqual({ approved: false, responseCode: '63', resultCode: '800.100.158' });
  });

  test('answers the chip of a refund, which would end in AAC without', async () => {
    const chip = { scheme: 'visa', pan: VISA } as const;
    const answer = await acquirer.send(chipSale(chip, { kind: 'credit' }));
    expect(answer.approved).toBe(true);
    expect(issuerData(answer)).toHaveLength(8);
    const changed = { '9F02': '000000000001' };
    const forged = await acquirer.send(chipSale({ ...chip, changed }, { kind: 'credit' }));
    expect(forged).toMatchObject({ approved: false, responseCode: '63' });
    const typed = await acquirer.send(authorization(VISA, { kind: 'credit' }));
    expect(typed).toMatchObject({ approved: true });
  });

  test('wants a cryptogram from a chip and none from a magstripe', async () => {
    const pos = { terminalId: '7', panSequenceNumber: '1' };
    const without = await acquirer.send(authorization(VISA, { pos: { ...pos, entryMode: 'ICC' } }));
    expect(without.responseCode).toBe('63');
    const swiped = await acquirer.send(authorization(VISA, { pos: { ...pos, entryMode: 'MAGSTRIPE' } }));
    expect(swiped.approved).toBe(true);
  });

  test.each([
    ['2468', true, '00'],
    ['8642', false, '55'],
  ])('checks the online PIN %s', async (typed, approved, responseCode) => {
    const { ksn, data } = encipheredPin(MASTERCARD, typed);
    const pin = await security.translatePin({ ksn, pinBlock: data, pan: MASTERCARD });
    const chip = { scheme: 'mchip', pan: MASTERCARD } as const;
    const sale = chipSale(chip, {
      instrument: {
        kind: 'card',
        pan: MASTERCARD,
        expiryYear: '2031',
        expiryMonth: '12',
        track2: track2Of(MASTERCARD, '2468'),
      },
      pos: { terminalId: '7', entryMode: 'ICC', panSequenceNumber: '01', iccData: exampleIccData(chip), pin },
    });
    expect(await acquirer.send(sale)).toMatchObject({ approved, responseCode });
  });

  test('a PIN for a card that has none is wrong', async () => {
    const { ksn, data } = encipheredPin(MASTERCARD, '2468');
    const pin = await security.translatePin({ ksn, pinBlock: data, pan: MASTERCARD });
    const instrument = {
      kind: 'card',
      pan: MASTERCARD,
      expiryYear: '2031',
      expiryMonth: '12',
      track2: magstripeWithoutPin(MASTERCARD),
    } as const;
    const pos = { terminalId: '7', entryMode: 'MAGSTRIPE', pin };
    const answer = await acquirer.send(authorization(MASTERCARD, { instrument, pos }));
    expect(answer).toMatchObject({ responseCode: '55', resultCode: '800.100.166' });
  });

  test('checks the TC of an advice', async () => {
    const advice = (chip: Partial<ChipExample>) =>
      acquirer.send(chipSale({ scheme: 'visa', pan: VISA, type: 'TC', ...chip }, { kind: 'advice' }));
    const good = await advice({});
    expect(good.approved).toBe(true);
    expect(good.iccDataResponse).toBeUndefined();
    expect((await advice({ changed: { '9F36': '0043' } })).responseCode).toBe('63');
  });

  test.each([
    ['an expired card', { expiryYear: '2026', expiryMonth: '10' }, VISA, '54'],
    ['a card in its last month', { expiryYear: '2026', expiryMonth: '11' }, VISA, '00'],
    ['a number with a wrong check digit', {}, '4200000000000001', '14'],
    ['a blocked card', {}, TEST_CARDS.visaBlocked.pan, '62'],
    ['a card of no table', {}, '4111111111111111', '00'],
  ])('%s', async (_name, expiry, pan, responseCode) => {
    const instrument = { kind: 'card', pan, expiryYear: '2031', expiryMonth: '12', ...expiry } as const;
    expect((await acquirer.send(authorization(pan, { instrument }))).responseCode).toBe(responseCode);
  });
});

describe('the ledger', () => {
  test('survives a restart on the same file: stored answers, status, amounts, tombstones', async () => {
    const sale = chipSale({ scheme: 'visa', pan: VISA }, { messageId: 'm-1' });
    const answer = await acquirer.send(sale);
    const late = authorization(VISA);
    await acquirer.send(reversalOf(late));
    const before = await acquirer.transactions();
    await acquirer.close();

    acquirer = await open();
    expect(await acquirer.transactions()).toEqual(before);
    expect(await acquirer.status(sale.acquirerReference)).toEqual({ state: 'answered', answer });
    expect(await acquirer.status(nextReference())).toEqual({ state: 'unknown' });
    expect(await acquirer.send(sale)).toEqual(answer);
    expect((await acquirer.send(late)).approved).toBe(false);
    const refund = { kind: 'refund', originalReference: sale.acquirerReference } as const;
    expect((await acquirer.send(authorization(VISA, refund))).approved).toBe(true);
    expect((await acquirer.send(authorization(VISA, refund))).responseCode).toBe('13');
  });

  test('stores what the issuer answered to the cardholder for a later query', async () => {
    const billing = { street: 'High Street', postcode: '00000' };
    const instrument = {
      kind: 'card',
      pan: VISA,
      expiryYear: '2031',
      expiryMonth: '12',
      cvv: '000',
    } as const;
    const sale = authorization(VISA, { instrument, billing });
    const answer = await acquirer.send(sale);
    expect(answer).toMatchObject({ avsResponse: 'A', cvvResponse: 'N' });
    expect(await acquirer.status(sale.acquirerReference)).toEqual({ state: 'answered', answer });
  });

  test('shows increments and receipts under the kinds of a record', async () => {
    const reservation = authorization(VISA, { captureNow: false });
    await acquirer.send(reservation);
    const following = { originalReference: reservation.acquirerReference, captureNow: false };
    await acquirer.send(authorization(VISA, { kind: 'increment', ...following }));
    const { instrument: _, ...receipt } = authorization(VISA, { kind: 'receipt', ...following });
    await acquirer.send(receipt);
    const record = await acquirer.transactions();
    expect(record.map(({ kind, approved }) => [kind, approved])).toEqual([
      ['authorization', true],
      ['authorization', true],
      ['advice', true],
    ]);
  });

  test('shows every transaction in order, the reversed one as such', async () => {
    const sale = chipSale({ scheme: 'visa', pan: VISA }, { messageId: 'm-1' });
    await acquirer.send(sale);
    const reversal = reversalOf(sale, 'm-2');
    await acquirer.send(reversal);
    const common = {
      acquirer: 'INTERNAL',
      amount: '12.34',
      currency: 'EUR',
      approved: true,
      terminalId: '7',
    };
    const more = { last4Digits: '0000', at: '2026-11-20T12:00:00.000Z' };
    expect(await acquirer.transactions()).toEqual([
      {
        ...common,
        ...more,
        acquirerReference: sale.acquirerReference,
        messageId: 'm-1',
        kind: 'authorization',
        reversed: true,
      },
      {
        ...common,
        ...more,
        acquirerReference: reversal.acquirerReference,
        messageId: 'm-2',
        kind: 'reversal',
        reversed: false,
      },
    ]);
  });

  test('takes the same reference once, however many times at once', async () => {
    const sale = authorization(VISA);
    const answers = await Promise.all(Array.from({ length: 20 }, () => acquirer.send(sale)));
    expect(new Set(answers.map((answer) => answer.approvalCode)).size).toBe(1);
    expect(await acquirer.transactions()).toHaveLength(1);
    const other = await acquirer.send({ ...sale, amount: { minor: 1, currency: 'EUR' } });
    expect(other).toMatchObject({ approved: false, responseCode: '94' });
    expect(await acquirer.transactions()).toHaveLength(1);
  });

  test('answers a status only after the request that is on its way', async () => {
    const sale = authorization(VISA);
    const running = acquirer.send(sale);
    const status = await acquirer.status(sale.acquirerReference);
    expect(status).toEqual({ state: 'answered', answer: await running });
  });

  test('records many at once', async () => {
    const sales = Array.from({ length: 150 }, () => authorization(VISA));
    const answers = await Promise.all(sales.map((sale) => acquirer.send(sale)));
    expect(answers.every((answer) => answer.approved)).toBe(true);
    expect(await acquirer.transactions()).toHaveLength(150);
  });

  test('holds no card number and no track', async () => {
    const track2 = track2Of(VISA, '4315');
    const instrument = { kind: 'card', pan: VISA, expiryYear: '2031', expiryMonth: '12', track2 } as const;
    await acquirer.send(chipSale({ scheme: 'visa', pan: VISA }, { instrument }));
    const files = readdirSync(home).filter((name) => name.startsWith('acquirer'));
    const content = Buffer.concat(files.map((name) => readFileSync(join(home, name))));
    expect(content.includes('INTEGER')).toBe(true);
    for (const secret of [VISA, track2, Buffer.from(VISA, 'hex')])
      expect(content.includes(secret)).toBe(false);
  });

  test('a full disk is no answer, nothing is recorded, and the acquirer comes back', async () => {
    await acquirer.close();
    acquirer = await open({ maxBytes: 8 * 4_096 });
    const full = async () => {
      for (let sales = 0; sales < 500; sales += 1)
        await acquirer.send(authorization(VISA, { messageId: 'm'.repeat(200) }));
    };
    await expect(full()).rejects.toThrow(AcquirerUnreachableError);
    const recorded = await acquirer.transactions();
    expect(recorded.length).toBeGreaterThan(0);
    await acquirer.close();
    acquirer = await open();
    expect(await acquirer.transactions()).toEqual(recorded);
    expect((await acquirer.send(authorization(VISA))).approved).toBe(true);
  });

  test('a file that cannot be opened is refused with its name', async () => {
    mkdirSync(join(home, 'taken'));
    const file = join(home, 'taken');
    const clock = { nowMs: () => NOW_MS };
    const hashKey = createSecretKey(Buffer.alloc(32, 1));
    await expect(
      InternalAcquirer.open({ file, hashKey, security, clock, random: systemRandom }),
    ).rejects.toThrow(/database file cannot be opened/);
  });
});
