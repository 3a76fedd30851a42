import { decodeTlv, encodeTlv, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  CALLBACKS,
  encodeCallbackAnswer,
  PIN_TYPES,
  PRESENT_CARD,
  UI_EVENTS,
} from '@tillbridge/wire/terminals/newland/callbacks.js';
import { DIALOG_FIELDS, EXPIRY_FORMATS, encodeDialog } from '@tillbridge/wire/terminals/newland/dialog.js';
import { CANCEL_CARD_WAIT } from '@tillbridge/wire/terminals/newland/frame.js';
import {
  DATA_TYPES,
  decodeKernelData,
  encodeGetData,
  encodeGetTlvList,
} from '@tillbridge/wire/terminals/newland/kernel-data.js';
import {
  decodeCompleteAnswer,
  encodeComplete,
  encodePerform,
} from '@tillbridge/wire/terminals/newland/perform.js';
import { ERRORS, RESULTS } from '@tillbridge/wire/terminals/newland/statuses.js';
import {
  CALLBACK_FLAGS,
  CARD_WAYS,
  ENTRY_MODES,
  KEY_SYSTEMS,
  TAGS,
} from '@tillbridge/wire/terminals/newland/tags.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { DATA_SLOT, EVERY_WAY, P180Harness, PIN_SLOT } from './p180-device.test.support.js';

let pad: P180Harness;
beforeEach(() => {
  pad = new P180Harness();
});

const presentCard = (how: number): number[] => [CALLBACKS.uiEvent, UI_EVENTS.presentCard, 0, 1, how];
const processing = (how: number): number[] => [CALLBACKS.uiEvent, UI_EVENTS.processing, 0, 1, how];

describe('a sale on a Newland P180', () => {
  test('a card number that was keyed in has its expiry in a separate dialog', async () => {
    await pad.perform({ ways: EVERY_WAY | CARD_WAYS.manual });
    pad.give('visa-credit-online', 'manual');
    const { error, objects } = await pad.performed();
    expect(error).toBe(ERRORS.manual.code);
    expect(findTlv(objects, '9F39')).toEqual(Buffer.of(ENTRY_MODES.manual));
    await pad.call('getData', encodeGetData({ keySlot: 0, type: DATA_TYPES.expiry, maxBytes: 8 }));
    expect(decodeKernelData((await pad.answerOf('getData')).data, 0)).toEqual({ kind: 'absent' });
    const expiry = { format: EXPIRY_FORMATS.yearMonth, minLength: 4, maxLength: 4, timeoutSeconds: 60 };
    const keyed = await pad.reply('6k', encodeDialog([{ field: DIALOG_FIELDS.expiry, ...expiry }]));
    expect(keyed).toMatch(/^00.*3112$/s);
    expect(await pad.reply('6k', encodeDialog([{ field: DIALOG_FIELDS.cvv, ...expiry }]))).toBe('01');
    await pad.call('terminate');
    await pad.answerOf('terminate');
    expect(await pad.reply('6k', encodeDialog([{ field: DIALOG_FIELDS.expiry, ...expiry }]))).toBe('01');
  });

  test('a chip that cannot be read has no way back where no magstripe is allowed', async () => {
    await pad.perform({ ways: CARD_WAYS.contact });
    pad.give('chip-broken-fallback', 'insert');
    expect(await pad.performed()).toMatchObject({ error: ERRORS.fallback.code });
  });

  test('reads a chip and reports it; card data come enciphered alone', async () => {
    await pad.perform({ flags: CALLBACK_FLAGS.notification });
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.magstripeInsertTap));
    pad.give('visa-credit-online', 'insert');
    expect(await pad.callback()).toEqual(processing(1));
    const { result, objects } = await pad.performed();
    expect(result).toBe(RESULTS.online);
    expect(findTlv(objects, '9F39')).toEqual(Buffer.of(ENTRY_MODES.chip));
    await pad.call(
      'getTlvList',
      encodeGetTlvList({ keySlot: 0, tags: ['57', '5A', '9F26', '9F5B'], maxBytes: 512 }),
    );
    const list = decodeKernelData((await pad.answerOf('getTlvList')).data, 0);
    const tags = list.kind === 'data' ? decodeTlv(list.data).map(({ tag }) => tag) : [];
    expect(tags).toEqual(['9F26']);
    const ask = async (type: number, keySlot: number, maxBytes = 64) => {
      await pad.call('getData', encodeGetData({ keySlot, type, maxBytes }));
      return pad.answerOf('getData');
    };
    expect(await ask(DATA_TYPES.pan, 0)).toMatchObject({ code: '01' });
    expect(await ask(DATA_TYPES.track2, PIN_SLOT)).toMatchObject({ code: '01' });
    expect(await ask(DATA_TYPES.track2, DATA_SLOT, 8)).toMatchObject({ code: '01' });
    const track = decodeKernelData((await ask(DATA_TYPES.track2, DATA_SLOT)).data, DATA_SLOT);
    expect(track).toMatchObject({ kind: 'data', actualBytes: expect.any(Number) });
    const expiry = decodeKernelData((await ask(DATA_TYPES.expiry, 0)).data, 0);
    expect(expiry).toMatchObject({ data: Buffer.from('3112') });
    expect(decodeKernelData((await ask(DATA_TYPES.track3, DATA_SLOT)).data, DATA_SLOT)).toEqual({
      kind: 'absent',
    });
    const log = pad.passed.map(({ text }) => text).join('\n');
    expect(log).toContain('PERFORM TRANSACTION answer 00 9F39=05');
    expect(log).not.toContain('4200000000000000');
  });

  test('takes one answer of the issuer, and none without a chip that waits', async () => {
    const answer = encodeComplete({ online: true, objects: [tlv('8A', Buffer.from('05'))] });
    await pad.call('complete', answer);
    expect(decodeCompleteAnswer((await pad.answerOf('complete')).data).result).toBe(RESULTS.terminated);
    await pad.perform();
    pad.give('visa-credit-online', 'insert');
    await pad.performed();
    await pad.call('complete', answer);
    expect(decodeCompleteAnswer((await pad.answerOf('complete')).data)).toEqual({
      result: RESULTS.declined,
      error: 0,
    });
    await pad.call('complete', answer);
    expect(decodeCompleteAnswer((await pad.answerOf('complete')).data).result).toBe(RESULTS.terminated);
  });

  test('reports that the card was pulled out before the issuer answered', async () => {
    await pad.perform();
    pad.give('visa-credit-online', 'insert');
    await pad.performed();
    pad.device.ui.remove();
    await pad.call('complete', encodeComplete({ online: true, objects: [tlv('8A', Buffer.from('00'))] }));
    const { data } = await pad.answerOf('complete');
    expect(decodeCompleteAnswer(data)).toEqual({ result: RESULTS.terminated, error: ERRORS.removed.code });
  });

  test('ends the wait for a card by +++CANCEL, by its key, and after its time', async () => {
    await pad.perform();
    await pad.host.write(CANCEL_CARD_WAIT);
    expect(await pad.performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.cancel.code });
    await pad.host.write(CANCEL_CARD_WAIT);
    await pad.perform();
    pad.device.ui.enterPin({ kind: 'cancel' });
    expect(await pad.performed()).toMatchObject({ error: ERRORS.cancel.code });
    await pad.perform();
    await pad.clock.advance(30_000);
    expect(await pad.performed()).toMatchObject({ error: ERRORS.timeout.code });
    expect(pad.faults).toEqual([]);
  });

  test('refuses a request without amount, ways or time as L3 does', async () => {
    await pad.call('perform', encodePerform({ cardWays: EVERY_WAY, timeoutSeconds: 30, objects: [] }));
    expect(await pad.performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.tagAbsent.code });
    await pad.perform({ ways: 0 });
    expect(await pad.performed()).toMatchObject({ error: ERRORS.param.code });
  });

  test('requests the terms of a PIN from its host, and enciphers under the key that it names alone', async () => {
    const terms = (slot: number, lengths = Buffer.of(0, 4)) =>
      encodeCallbackAnswer({
        result: 0,
        objects: [
          tlv(TAGS.pinKeySystem, Buffer.of(KEY_SYSTEMS.dukpt)),
          tlv(TAGS.pinKeySlot, Buffer.of(slot)),
          tlv(TAGS.pinLengths, lengths),
          tlv(TAGS.pinTimeout, Buffer.of(20)),
        ],
      });
    const untilPin = async (): Promise<void> => {
      await pad.perform({ flags: CALLBACK_FLAGS.getPin });
      pad.give('mastercard-debit-pin', 'insert');
      expect(await pad.callback()).toEqual([CALLBACKS.getPin, PIN_TYPES.online]);
      expect(pad.device.ui.want).toBe('nothing');
    };
    await untilPin();
    await pad.call('callback', terms(7));
    expect(await pad.performed()).toMatchObject({ error: ERRORS.param.code });
    pad.device.ui.remove();
    await untilPin();
    await pad.call('callback', terms(PIN_SLOT));
    expect(pad.device.ui.want).toBe('pin');
    pad.device.ui.enterPin({ kind: 'digits', digits: Buffer.from('1234') });
    const { objects } = await pad.performed();
    expect(findTlv(objects, TAGS.pinBlock)).toHaveLength(8);
    expect(pad.passed.at(-1)?.text).toContain(`${TAGS.pinBlock}=***`);
    await pad.call('terminate');
    await pad.answerOf('terminate');
    pad.device.ui.remove();
    await untilPin();
    await pad.call('callback', terms(PIN_SLOT));
    expect(await pad.reply('38')).toBe('00');
    expect(await pad.performed()).toMatchObject({ error: ERRORS.cancel.code });
  });

  test.each([
    ['skips the PIN', ERRORS.skipPin.code, { result: RESULTS.online }],
    ['ends the sale', ERRORS.cancel.code, { error: ERRORS.cancel.code }],
    ['ends the sale by any other error', ERRORS.param.code, { error: ERRORS.fail.code }],
  ])('a host that answers the question for a PIN by an error %s', async (_, result, expected) => {
    await pad.perform({ flags: CALLBACK_FLAGS.getPin });
    pad.give('mastercard-debit-pin', 'insert');
    await pad.callback();
    await pad.call('callback', encodeCallbackAnswer({ result, objects: [] }));
    expect(await pad.performed()).toMatchObject(expected);
  });

  test('gives up a host that does not answer its question', async () => {
    await pad.perform({ flags: CALLBACK_FLAGS.getPin });
    pad.give('mastercard-debit-pin', 'insert');
    await pad.callback();
    await pad.call('callback', Buffer.of(0xff, 0));
    await pad.clock.advance(10_000);
    expect(await pad.performed()).toMatchObject({ result: RESULTS.terminated, error: ERRORS.timeout.code });
  });

  test('decides offline below the floor limit that the host sets for the application', async () => {
    await pad.perform({ flags: CALLBACK_FLAGS.afterFinalSelect });
    pad.give('maestro-offline-approved', 'insert');
    const request = await pad.callback();
    expect(request.slice(0, 4)).toEqual([CALLBACKS.afterFinalSelect, 1, 0, 7]);
    const floor = encodeTlv([tlv('9F1B', Buffer.from('00001388', 'hex'))]);
    await pad.call('callback', encodeCallbackAnswer({ result: 0, objects: decodeTlv(floor) }));
    for (let turn = 0; pad.device.ui.want !== 'pin' && turn < 200; turn += 1) await settle();
    const pin = pad.device.ui.given?.definition.pin ?? '';
    pad.device.ui.enterPin({ kind: 'digits', digits: Buffer.from(pin) });
    expect(await pad.performed()).toMatchObject({ result: RESULTS.approved });
  });

  test('prompts for the chip of a swiped chip card, and for the magstripe of a chip that is mute', async () => {
    const flags = CALLBACK_FLAGS.notification;
    await pad.perform({ flags });
    await pad.callback();
    pad.give('visa-credit-online', 'swipe');
    await pad.callback();
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.useChip));
    expect([...pad.device.ui.accepts].sort()).toEqual(['insert', 'tap']);
    pad.give('chip-broken-fallback', 'insert');
    await pad.callback();
    await settle();
    expect(pad.device.ui.want).toBe('removal');
    pad.device.ui.remove();
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.fallbackToMagstripe));
    pad.give('chip-broken-fallback', 'swipe');
    await pad.callback();
    const { objects } = await pad.performed();
    expect(findTlv(objects, '9F39')).toEqual(Buffer.of(ENTRY_MODES.fallback));
  });

  test('prompts again after two cards at once', async () => {
    await pad.perform({ flags: CALLBACK_FLAGS.notification });
    await pad.callback();
    pad.give('visa-contactless', 'tap', true);
    expect(await pad.callback()).toEqual(processing(2));
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.presentAgain));
    pad.give('visa-contactless', 'tap');
    await pad.callback();
    expect(await pad.performed()).toMatchObject({ result: RESULTS.online });
  });

  test('the card of the sale before is not taken for the next', async () => {
    await pad.perform();
    pad.give('visa-credit-online', 'insert');
    await pad.performed();
    await pad.call('terminate');
    await pad.answerOf('terminate');
    await pad.perform({ flags: CALLBACK_FLAGS.notification });
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.presentAgain));
    expect(pad.device.ui.want).toBe('removal');
    pad.device.ui.remove();
    expect(await pad.callback()).toEqual(presentCard(PRESENT_CARD.magstripeInsertTap));
  });
});
