import { fromHex } from '@tillbridge/wire/bytes.js';
import { tdesDecryptCbc, tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { tdesCounter, workingKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { decodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { cryptogramType } from '@tillbridge/wire/emv/cid.js';
import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { decodeAccountData } from '@tillbridge/wire/terminals/abecs/account-data.js';
import { displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { decodeParameters, encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PresentMode } from '../../cards/catalogue.js';
import { cryptogramIsTrue, issuerAuthenticationData } from '../../kernel/issuer.test.support.js';
import {
  dukptKey,
  GCX,
  GOX,
  KEY_INDEX,
  objectsOf,
  type PpcHarness,
  ppcHarness,
} from './ppc930-device.test.support.js';

let clock: PpcHarness['clock'];
let device: PpcHarness['device'];
let host: PpcHarness['host'];
let pinSlot: PpcHarness['pinSlot'];
let loadTables: PpcHarness['loadTables'];
let give: PpcHarness['give'];

beforeEach(() => {
  ({ clock, device, host, pinSlot, loadTables, give } = ppcHarness());
});

describe('a chip sale', () => {
  beforeEach(() => loadTables());

  async function toGox(name: string, how: PresentMode = 'insert', gox: FieldValues = GOX) {
    give(name, how);
    const card = await host.abecs('GCX', GCX);
    expect(card.status).toBe(0);
    return { card: card.fields, gox: await host.abecs('GOX', gox) };
  }

  test('online: masked card, enciphered track, true ARQC, TC, removal', async () => {
    const { card, gox } = await toGox('visa-credit-online');
    expect(card.text('PP_CARDTYPE')).toBe('03');
    expect(card.text('PP_PAN')).toBe('420000******0000');
    expect(card.text('PP_AIDTABINFO')).toBe('010101');
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('2');
    expect(device.ui.state).toBe('online');
    const objects = objectsOf(gox.fields);
    expect(cryptogramIsTrue('4200000000000000', objects)).toBe(true);

    const gtk = await host.abecs('GTK', { SPE_TRACKS: '0010', SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX });
    const ksn = gtk.fields.bytes('PP_TRK2KSN') ?? Buffer.alloc(10);
    const key = workingKey(dukptKey('bdkData', ksn), 'dataRequest');
    const clear = tdesDecryptCbc(key, Buffer.alloc(8), gtk.fields.bytes('PP_TRACK2') ?? Buffer.alloc(0));
    expect(decodeAccountData(clear)).toMatchObject({
      pan: '4200000000000000',
      expiry: '3112',
      serviceCode: '201',
    });
    expect((await host.abecs('GTK', { SPE_MTHDDAT: '51', SPE_KEYIDX: KEY_INDEX })).status).toBe(10);

    const answer = issuerAuthenticationData('4200000000000000', objects, '00');
    const fcx = await host.abecs('FCX', {
      SPE_FCXOPT: '0000',
      SPE_ARC: '00',
      SPE_EMVDATA: encodeTlv([tlv('91', answer)]),
      SPE_TAGLIST: fromHex('9F279F269F36'),
    });
    expect(fcx.fields.text('PP_FCXRES')).toBe('000');
    expect(cryptogramType(objectsOf(fcx.fields)('9F27')?.[0] ?? 0)).toBe('TC');
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(10);

    await host.send('RMC', [Buffer.from(displayMessage('Approved'), 'latin1')]);
    await settle();
    expect(device.ui.state).toBe('removing');
    expect(device.ui.screen).toContain('RETIRE O CARTAO');
    device.ui.remove();
    expect((await host.answer()).id).toBe('RMC');
    expect(device.ui).toMatchObject({ state: 'idle', screen: ['Approved', ''] });
  });

  test('protected objects are never given by tag list', async () => {
    give('visa-credit-online', 'insert');
    const card = await host.abecs('GCX', { ...GCX, SPE_TAGLIST: fromHex('5A575F24') });
    expect(card.fields.bytes('PP_EMVDATA')).toEqual(fromHex('5F2403311231'));
    const ged = await host.abecs('GED', { SPE_TAGLIST: fromHex('579F24') });
    expect(objectsOf(ged.fields)('57')).toBeUndefined();
    expect(objectsOf(ged.fields)('9F24')).toHaveLength(29);
  });

  test('online PIN: the operator is notified, the PIN block opens only under the next key', async () => {
    give('mastercard-debit-pin', 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(0);
    await host.send('GOX', encodeParameters(fields(GOX)));
    expect(Buffer.from((await host.notification()).blocks[0] ?? []).toString()).toContain('SOLICITE A SENHA');
    expect(device.ui.state).toBe('waiting-pin');
    device.ui.enterPin({ kind: 'digits', digits: Buffer.from('2468') });
    const gox = new FieldReader(decodeParameters((await host.answer()).blocks));
    expect(gox.text('PP_GOXRES')).toBe('202000');
    const ksn = gox.bytes('PP_KSN') ?? Buffer.alloc(10);
    expect(tdesCounter(ksn)).toBe(1);
    expect(pinSlot.read()?.ksn).toBe(ksn.toString('hex').toUpperCase());
    const key = workingKey(dukptKey('bdkPin', ksn), 'pin');
    const block = tdesDecryptEcb(key, gox.bytes('PP_PINBLK') ?? Buffer.alloc(0));
    expect(decodePinBlock(0, block, '5454545454545454').toString()).toBe('2468');
  });

  test.each([
    ['cancel', { kind: 'cancel' } as const, 13],
    ['removal', undefined, 43],
  ])('%s during PIN entry ends GOX', async (_, entry, status) => {
    give('mastercard-debit-pin', 'insert');
    await host.abecs('GCX', GCX);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await host.notification();
    if (entry) device.ui.enterPin(entry);
    else device.ui.remove();
    expect((await host.answer()).status).toBe(status);
  });

  test('no PIN in time: ST_TIMEOUT; an unknown key: ST_ERRKEY', async () => {
    give('mastercard-debit-pin', 'insert');
    await host.abecs('GCX', GCX);
    expect((await host.abecs('GOX', { ...GOX, SPE_KEYIDX: '07' })).status).toBe(42);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await host.notification();
    await clock.advance(60_000);
    expect((await host.answer()).status).toBe(12);
  });

  test.each([
    ['visa-credit-online', '000', 'Y3'],
    ['mastercard-declined', '100', 'Z3'],
  ])('unable to go online: %s answers %s (%s)', async (name, result, code) => {
    const { gox } = await toGox(name);
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('2');
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '2000', SPE_TAGLIST: fromHex('8A') });
    expect(fcx.fields.text('PP_FCXRES')).toBe(result);
    expect(Buffer.from(objectsOf(fcx.fields)('8A') ?? []).toString()).toBe(code);
  });

  test('a card that declines at once', async () => {
    const { gox } = await toGox('visa-offline-declined');
    expect(gox.fields.text('PP_GOXRES')?.[0]).toBe('1');
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '1000', SPE_ARC: 'Z1' });
    expect(fcx.fields.text('PP_FCXRES')).toBe('100');
  });

  test('GOX and FCX out of order, an acquirer that GCX did not name', async () => {
    expect((await host.abecs('GOX', GOX)).status).toBe(10);
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(10);
    give('visa-credit-online', 'insert');
    await host.abecs('GCX', GCX);
    expect((await host.abecs('GOX', { ...GOX, SPE_ACQREF: '09' })).status).toBe(11);
    expect((await host.abecs('GOX', GOX)).status).toBe(0);
    expect((await host.abecs('GOX', GOX)).status).toBe(10);
    expect((await host.abecs('FCX', { SPE_FCXOPT: '0000' })).status).toBe(19);
  });

  test('a card pulled out before the second cryptogram: ST_NOCARD', async () => {
    await toGox('visa-credit-online');
    device.ui.remove();
    expect((await host.abecs('FCX', { SPE_FCXOPT: '2000' })).status).toBe(43);
  });

  test('a tap: ARQC without a further card, the host’s decision repeated', async () => {
    const { card, gox } = await toGox('visa-contactless', 'tap');
    expect(card.text('PP_CARDTYPE')).toBe('06');
    expect(gox.fields.text('PP_GOXRES')).toBe('200000');
    expect(cryptogramIsTrue('4200000000000018', objectsOf(gox.fields))).toBe(true);
    const fcx = await host.abecs('FCX', { SPE_FCXOPT: '0000', SPE_ARC: '00', SPE_TAGLIST: fromHex('9F26') });
    expect(fcx.fields.text('PP_FCXRES')).toBe('000');
    expect(fcx.fields.bytes('PP_EMVDATA')).toHaveLength(0);
  });
});
