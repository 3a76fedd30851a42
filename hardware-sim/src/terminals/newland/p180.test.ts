import { tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import {
  deriveInitialKey,
  deriveTransactionKey,
  workingKey,
} from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { decodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeDisplay, encodeKeySlot } from '@tillbridge/wire/terminals/newland/commands.js';
import { encodeFrame } from '@tillbridge/wire/terminals/newland/frame.js';
import { decodeTerminalConfig } from '@tillbridge/wire/terminals/newland/kernel-data.js';
import { encodeMessage } from '@tillbridge/wire/terminals/newland/messages.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { DATA_SLOT, KSN, P180Harness, PIN_SLOT } from './p180-device.test.support.js';

const EMPTY = Buffer.alloc(0);
let pad: P180Harness;
beforeEach(() => {
  pad = new P180Harness();
});

describe('a Newland P180', () => {
  test('reports what it is, its configuration and its keys', async () => {
    expect(await pad.reply('90')).toMatch(/^P180 /);
    await pad.call('getTerminalConfig', Buffer.of(1));
    const { data } = await pad.answerOf('getTerminalConfig');
    const config = decodeTlv(decodeTerminalConfig(data));
    expect(Buffer.from(findTlv(config, '9F1E') ?? []).toString()).toBe('N0000001');
    for (const slot of [PIN_SLOT, DATA_SLOT]) {
      const before = Buffer.from(await pad.reply('34', encodeKeySlot(slot)), 'latin1');
      expect(await pad.reply('7g', encodeKeySlot(slot))).toBe('00');
      const after = Buffer.from(await pad.reply('34', encodeKeySlot(slot)), 'latin1');
      expect(before.toString('hex')).toBe(`3030${KSN.toString('hex')}`);
      expect(after.readUInt8(11)).toBe(before.readUInt8(11) + 1);
    }
    expect(await pad.reply('34', encodeKeySlot(7))).toBe('01');
  });

  test.each(['tamper', 'key-exhausted'] as const)(
    'has no keys to show with %s, until it is healed',
    async (fault) => {
      pad.device.setDeviceFaults([fault]);
      expect(await pad.reply('34', encodeKeySlot(PIN_SLOT))).toBe('01');
      expect(await pad.reply('7g', encodeKeySlot(DATA_SLOT))).toBe('01');
      pad.device.setDeviceFaults([]);
      expect(await pad.reply('7g', encodeKeySlot(DATA_SLOT))).toBe('00');
    },
  );

  test('confirms messages, refuses damaged ones, and answers unknown commands with a refusal', async () => {
    const bent = encodeFrame(encodeMessage({ type: '90', body: EMPTY }));
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    await pad.host.write(bent);
    await settle();
    expect(pad.controls).toEqual(['nak']);
    expect(await pad.reply('90')).toMatch(/^P180/);
    expect(pad.controls).toEqual(['nak', 'ack']);
    expect(await pad.reply('Z8')).toBe('01');
    await pad.call('kernelVersion', Buffer.of(0x7f));
    expect(await pad.answerOf('kernelVersion')).toMatchObject({ code: '01' });
    await pad.call('perform', Buffer.of(6, 0, 0));
    expect(await pad.answerOf('perform')).toMatchObject({ code: '01' });
    expect(await pad.reply('34', Buffer.of(0))).toBe('01');
  });

  test('reports the version of its kernel', async () => {
    await pad.call('kernelVersion', Buffer.of(1));
    expect(await pad.answerOf('kernelVersion')).toEqual({ code: '00', data: Buffer.from('emv 1.0.14') });
  });

  test('shows four rows, and confirms them with nothing more', async () => {
    await pad.send('3C', encodeDisplay(['PAY', '12.34']));
    expect(pad.device.ui.screen).toEqual(['PAY', '12.34']);
    expect(pad.controls).toEqual(['ack']);
    await pad.send('3C', Buffer.from('no rows'));
    expect(pad.device.ui.screen).toEqual(['PAY', '12.34']);
    expect(pad.messages).toEqual([]);
  });

  test('runs one transaction at a time, and ends it without an answer on a cancel', async () => {
    await pad.perform();
    await pad.perform();
    expect(await pad.answerOf('perform')).toMatchObject({ code: '01' });
    expect(await pad.reply('BM', Buffer.from('REMOVE'))).toBe('01');
    await pad.call('terminate');
    expect(await pad.answerOf('terminate')).toMatchObject({ code: '00' });
    expect(pad.device.ui.want).toBe('nothing');
    expect(pad.messages).toEqual([]);
  });

  test('reports a card in its slot, and prompts for its removal', async () => {
    expect(await pad.reply('BM', Buffer.from('REMOVE'))).toBe('00\u0000');
    await pad.perform();
    pad.give('visa-credit-online', 'insert');
    await pad.performed();
    await pad.call('terminate');
    await pad.answerOf('terminate');
    expect(await pad.reply('BM', Buffer.from('REMOVE'))).toBe('00\u0001');
    expect(pad.device.ui.want).toBe('removal');
    pad.device.ui.remove();
    await settle();
    expect(await pad.reply('BM', Buffer.from('REMOVE'))).toBe('00\u0000');
  });

  describe('PIN ENTRY', () => {
    const PAN = '4200000000000018';
    /** The bytes of the published host, which leaves three rows empty: 30 seconds, at most 12 digits. */
    const REQUEST = Buffer.concat([
      Buffer.of(PIN_SLOT, 1, 0),
      Buffer.from(PAN),
      Buffer.of(0x1c, 0, 0, 12, 0, 30, 0),
      Buffer.from('Enter online PIN:\x1c\x1c\x1c\x1c'),
    ]);

    test('enciphers what is entered, for the card number of the host', async () => {
      await pad.send('32', REQUEST);
      expect(pad.device.ui.screen).toEqual(['Enter online PIN:']);
      pad.device.ui.enterPin({ kind: 'digits', digits: Buffer.from('1357') });
      const { type, body } = await pad.next();
      expect([type, body.subarray(0, 4).toString('hex')]).toEqual(['33', '30300008']);
      const ksn = Buffer.from(await pad.reply('34', encodeKeySlot(PIN_SLOT)), 'latin1').subarray(2);
      const key = workingKey(
        deriveTransactionKey(deriveInitialKey(developmentKey('bdkPin'), ksn), ksn),
        'pin',
      );
      const clear = tdesDecryptEcb(key, body.subarray(4));
      expect(Buffer.from(decodePinBlock(0, clear, PAN)).toString('latin1')).toBe('1357');
    });

    test('has no block for a skipped entry, and another code for one that was cancelled', async () => {
      await pad.send('32', REQUEST);
      expect(await pad.reply('32', REQUEST)).toBe('01');
      pad.device.ui.enterPin({ kind: 'bypass' });
      expect((await pad.next()).body.toString('hex')).toBe(`3030${'00'.repeat(10)}`);
      await pad.send('32', REQUEST);
      pad.device.ui.enterPin({ kind: 'cancel' });
      expect((await pad.next()).body.toString('latin1')).toBe('04');
      await pad.send('32', REQUEST);
      await pad.send('38');
      expect(new Set([await pad.next(), await pad.next()].map(({ type }) => type))).toEqual(
        new Set(['33', '39']),
      );
      expect(pad.device.ui.want).toBe('nothing');
    });

    test('is refused for a key that is not there, or that works otherwise', async () => {
      const other = (at: number, byte: number) => {
        const request = Buffer.from(REQUEST);
        request[at] = byte;
        return request;
      };
      for (const request of [other(0, 7), other(1, 0), other(3, 0x41), REQUEST.subarray(0, -1)])
        expect(await pad.reply('32', request)).toBe('01');
    });
  });

  test('forgets what ran when its power fails', async () => {
    await pad.perform();
    pad.device.reset();
    await settle();
    expect(pad.device.ui.want).toBe('nothing');
    expect(await pad.reply('90')).toMatch(/^P180/);
    expect(pad.messages).toEqual([]);
  });
});
