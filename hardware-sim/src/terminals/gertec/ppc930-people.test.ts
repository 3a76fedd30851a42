import { fromHex } from '@tillbridge/wire/bytes.js';
import { tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { workingKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { decodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { displayMessage, encodeClassicRequest } from '@tillbridge/wire/terminals/abecs/classic.js';
import { FieldReader, fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { decodeParameters, encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { AutoCardholder } from '../core/auto-cardholder.js';
import { dukptKey, GCX, GOX, KEY_INDEX, type PpcHarness, ppcHarness } from './ppc930-device.test.support.js';

let clock: PpcHarness['clock'];
let box: PpcHarness['box'];
let device: PpcHarness['device'];
let host: PpcHarness['host'];
let loadTables: PpcHarness['loadTables'];
let give: PpcHarness['give'];

beforeEach(() => {
  ({ clock, box, device, host, loadTables, give } = ppcHarness());
});

describe('cards that are refused or swiped', () => {
  beforeEach(() => loadTables());

  test.each([
    ['visa-blocked', 67],
    ['chip-broken-fallback', 60],
  ])('%s: status %i', async (name, status) => {
    give(name, 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(status);
  });

  test('a mute chip allows the fallback to the magstripe, once', async () => {
    give('chip-broken-fallback', 'insert');
    await host.abecs('GCX', GCX);
    device.ui.remove();
    give('chip-broken-fallback', 'swipe');
    const swipe = await host.abecs('GCX', GCX);
    expect(swipe.fields.text('PP_CARDTYPE')).toBe('00');
    expect(swipe.fields.text('PP_ICCSTAT')).toBe('1');
    expect(swipe.fields.text('PP_TRK2INC')).toBe('420000******0083=3112201');
    give('chip-broken-fallback', 'swipe');
    expect((await host.abecs('GCX', GCX)).fields.text('PP_ICCSTAT')).toBe('0');
  });

  test('the PIN of a swiped card is enciphered with the PAN that the device remembers', async () => {
    give('magstripe-only', 'swipe');
    await host.abecs('GCX', GCX);
    device.ui.enterPin({ kind: 'digits', digits: Buffer.from('1234') });
    const gpn = encodeClassicRequest('GPN', {
      GPN_METHOD: '3',
      GPN_KEYIDX: KEY_INDEX,
      GPN_WKENC: '0'.repeat(32),
      GPN_PANLEN: '00',
      GPN_PAN: '',
      GPN_ENTRIES: '1',
      GPN_MIN1: '04',
      GPN_MAX1: '12',
      GPN_MSG1: displayMessage('PIN'),
    });
    const answer = await host.call('GPN', [gpn]);
    const text = Buffer.from(answer.blocks[0] ?? []).toString();
    const block = tdesDecryptEcb(
      workingKey(dukptKey('bdkPin', fromHex(text.slice(16))), 'pin'),
      fromHex(text.slice(0, 16)),
    );
    expect(decodePinBlock(0, block, '4200000000000075').toString()).toBe('1234');
  });

  test('no card in time', async () => {
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    await clock.advance(30_000);
    expect((await host.answer()).status).toBe(12);
  });
});

describe('people', () => {
  beforeEach(() => loadTables());

  test('a card given ahead of time is forgotten after its time', async () => {
    give('visa-credit-online', 'insert');
    await clock.advance(30_000);
    await host.send('GCX', encodeParameters(fields(GCX)));
    await settle();
    expect(device.ui.state).toBe('waiting-card');
  });

  test('a tap is refused where the host requested chip or magstripe', async () => {
    await host.send('GCX', encodeParameters(fields({ ...GCX, SPE_GCXOPT: '00000' })));
    await settle();
    expect(() => give('visa-contactless', 'tap')).toThrow('insert or swipe');
  });

  test('the simulated cardholder gives its card, enters its PIN and takes it back', async () => {
    const options = { clock, box, defaultCard: 'mastercard-debit-pin', delayMs: 300 };
    const holder = new AutoCardholder(device.ui, options);
    await host.send('GCX', encodeParameters(fields(GCX)));
    await clock.advance(300);
    expect((await host.answer()).status).toBe(0);
    await host.send('GOX', encodeParameters(fields(GOX)));
    await clock.advance(300);
    const gox = await host.answer();
    expect(new FieldReader(decodeParameters(gox.blocks)).text('PP_GOXRES')).toBe('202000');
    await host.send('RMC', [Buffer.from(displayMessage('bye'), 'latin1')]);
    await clock.advance(300);
    expect((await host.answer()).id).toBe('RMC');
    holder.stop();
  });

  test('a given card wins over the default, and a mute one is swiped next', async () => {
    const options = { clock, box, defaultCard: 'visa-credit-online', delayMs: 300 };
    const holder = new AutoCardholder(device.ui, options);
    give('chip-broken-fallback', 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(60);
    await clock.advance(300);
    expect(device.ui.inserted).toBeUndefined();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await clock.advance(300);
    const answer = new FieldReader(decodeParameters((await host.answer()).blocks));
    expect(answer.text('PP_TRK2INC')).toContain('420000******0083');
    holder.stop();
  });

  test('what has no magstripe is not swiped after it was held into the slot', async () => {
    const holder = new AutoCardholder(device.ui, {
      clock,
      box,
      defaultCard: 'magstripe-only',
      delayMs: 300,
    });
    give('visa-phone', 'insert');
    expect((await host.abecs('GCX', GCX)).status).toBe(60);
    await clock.advance(300);
    expect(device.ui.inserted).toBeUndefined();
    await host.send('GCX', encodeParameters(fields(GCX)));
    await clock.advance(300);
    expect(device.ui.given?.card.name).toBe('magstripe-only');
    holder.stop();
  });
});
