import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { decodeMagstripeData } from '@tillbridge/wire/terminals/idtech/magstripe-data.js';
import { readMasked57 } from '@tillbridge/wire/terminals/idtech/masking.js';
import { PIN_REQUEST } from '@tillbridge/wire/terminals/idtech/pin-entry.js';
import { encodeAddLabel } from '@tillbridge/wire/terminals/idtech/screen.js';
import { decodeObjects, findObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { decodeTransactionAnswer } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { Vp6800Harness } from './vp6800-device.test.support.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** EUR 12.34, three interfaces, fallback, 60 seconds. */
const ACTIVATE = hex('3C 9C0100 9F0206000000001234 5F2A020978 DFEF370107 DFEF3C03010060');
const CONTACT_ONLY = hex('05 9C0100 9F0206000000001234 5F2A020978 DFEF370104');

let device: Vp6800Harness;
beforeEach(() => {
  device = new Vp6800Harness('serial');
});

describe('commands that are answered at once', () => {
  test('ping, serial number, version, keys', async () => {
    expect(await device.send(0x18, 0x01)).toEqual(['18 00']);
    expect(await device.send(0x12, 0x01)).toEqual(['12 00 4E 30 30 30 30 30 30 31 30 30 37 00 00 00 00']);
    expect((await device.send(0x29, 0x00))[0]).toMatch(/^29 00 56 50 36 38 30 30/);
    expect(await device.send(0x81, 0x0b, hex('02 00 00'))).toEqual([
      '81 00 01 0A FF FF 98 7A 00 00 00 00 00 00',
    ]);
    expect(await device.send(0x81, 0x0b, hex('14 00 00'))).toEqual(['81 00 FF']);
    device.device.setDeviceFaults(['key-exhausted']);
    expect((await device.send(0x81, 0x0b, hex('01 00 00')))[0]).toMatch(/^81 00 02/);
    device.device.setDeviceFaults(['tamper']);
    expect(await device.send(0x81, 0x0b, hex('02 00 00'))).toEqual(['81 00 00']);
  });

  test('unknown commands, sub-commands and parameters have their own statuses', async () => {
    expect(await device.send(0x33, 0x01)).toEqual(['33 02']);
    expect(await device.send(0x60, 0x7f)).toEqual(['60 03']);
    expect(await device.send(0x02, 0x40, hex('3C 9C0100'))).toEqual(['02 05']);
    expect(await device.send(0x02, 0x40, hex('00'))).toEqual(['02 05']);
    expect(await device.send(0x04, 0x00, hex('DFEE1D 05 07 04 2A 0C 31'))).toEqual(['04 05']);
    expect(await device.send(0x60, 0x01, hex('A000000025'))).toEqual(['60 60']);
    expect(await device.send(0x60, 0x03, hex('0500 A000000025 0000'))).toEqual(['60 06']);
  });

  test('a new screen has an id, and shows its label', async () => {
    expect(await device.send(0x61, 0x0a, Buffer.from('A\0'))).toEqual(['61 00 00 00']);
    await device.send(0x61, 0x07, encodeAddLabel('A', 'B', 'HELLO'));
    await device.send(0x61, 0x05, Buffer.from('A\0'));
    expect(device.device.ui.screen).toEqual(['HELLO']);
    expect(await device.send(0x61, 0x0a, Buffer.from('A'))).toEqual(['61 05']);
  });

  test('steps that are not due are not allowed, an empty slot is not switched off', async () => {
    expect(await device.send(0x60, 0x11, hex('00 00 78'))).toEqual(['60 0C']);
    expect(await device.send(0x60, 0x12, hex('00'))).toEqual(['60 0C']);
    expect(await device.send(0x2c, 0x18, hex('20'))).toEqual(['2C 0A']);
  });

  test('ignores a frame with a wrong CRC and answers the next one', async () => {
    expect(await device.write(hex('5669564F74656368320018010000B3CC'))).toEqual([]);
    expect(await device.send(0x18, 0x01)).toEqual(['18 00']);
  });
});

describe('waiting for a card', () => {
  test('sends an answer when the wait begins and when it ends in time', async () => {
    expect(await device.send(0x02, 0x40, CONTACT_ONLY)).toEqual(['02 63']);
    await device.clock.advance(5_000);
    expect(await device.answers()).toEqual(['02 08 C0 DF EE 25 02 00 08']);
  });

  test('a cancel ends it with its own answer first, then with that of the cancel', async () => {
    await device.send(0x02, 0x40, ACTIVATE);
    expect(await device.send(0x18, 0x01)).toEqual(['18 0B']);
    expect(await device.send(0x05, 0x01)).toEqual(['02 0A C0 DF EE 25 02 00 12', '05 00']);
    expect(await device.send(0x05, 0x01)).toEqual(['05 00']);
    expect(device.device.ui.want).toBe('nothing');
  });

  test('without first answers sends the end alone', async () => {
    expect(await device.send(0x04, 0x00, hex('DFED59 01 01'))).toEqual(['04 00']);
    expect(await device.send(0x02, 0x40, CONTACT_ONLY)).toEqual([]);
    device.device.ui.enterPin({ kind: 'cancel' });
    expect(await device.answers()).toEqual(['02 0A C0 DF EE 25 02 00 12']);
  });

  test('a device that was opened, or has no keys, takes no card', async () => {
    device.device.setDeviceFaults(['tamper']);
    expect(await device.send(0x02, 0x40, ACTIVATE)).toEqual(['02 1D']);
    device.device.setDeviceFaults(['key-exhausted']);
    expect(await device.send(0x02, 0x40, ACTIVATE)).toEqual(['02 12']);
  });

  test('a swiped card with a chip is sent to the slot, and the wait goes on', async () => {
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('visa-credit-online', 'swipe');
    expect(await device.answers()).toEqual([]);
    expect(device.device.ui.want).toBe('card');
  });

  test('two cards in the field are reported', async () => {
    await device.send(0x02, 0x40, ACTIVATE);
    device.frames();
    await device.present('visa-contactless', 'tap', true);
    const [answer] = device.frames();
    expect(answer?.second).toBe(0x0a);
    const { objects, attribution } = decodeTransactionAnswer(answer?.data ?? Buffer.alloc(0));
    expect(attribution.captured).toBe('tap');
    expect(findObject(objects, 'FFEE1F')?.[0]).toBe(0x21);
  });
});

describe('a tap', () => {
  const tags = (data: Uint8Array): string[] => decodeObjects(data).map(({ tag }) => tag);

  test('of a Mastercard answers its data record and discretionary data, of a Visa plain objects', async () => {
    const objects: string[][] = [];
    for (const card of ['mastercard-contactless', 'visa-contactless']) {
      await device.send(0x02, 0x40, ACTIVATE);
      device.frames();
      await device.present(card, 'tap');
      const [answer] = device.frames();
      objects.push(tags(answer?.data.subarray(1) ?? Buffer.alloc(0)));
      if (card === 'visa-contactless') continue;
      const record = decodeObjects(answer?.data.subarray(1) ?? Buffer.alloc(0));
      const inside = findObject(record, 'FF8105') ?? Buffer.alloc(0);
      expect(tags(inside)).toEqual(expect.arrayContaining(['57', '5A', '9F26', '9F27', '9F39']));
      expect(Buffer.from(inside.subarray(0, 13)).toString('hex')).toBe(
        '57a1105200cccccccc1021d3112c'.slice(0, 26),
      );
    }
    expect(objects[0]).toEqual(['DFEE12', 'FF8105', 'FF8106', 'DF52']);
    expect(objects[1]).toEqual(expect.arrayContaining(['DFEE12', '57', '9F26', 'DF52']));
  });
});

describe('a card in the slot', () => {
  async function readChip(): Promise<Buffer> {
    await device.send(0x01, 0x07, hex('01'));
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('visa-credit-online', 'insert');
    const [seat, answer] = device.frames();
    expect([seat?.command, seat?.second, seat?.data[0]]).toEqual([0xf2, 0x00, 0x01]);
    expect([answer?.command, answer?.second]).toEqual([0x60, 0x00]);
    return answer?.data ?? Buffer.alloc(0);
  }

  test('its number is masked as configured, with four open digits before that', async () => {
    const first = decodeTransactionAnswer(await readChip()).objects;
    expect(Buffer.from(findObject(first, '57', 'masked') ?? []).toString('hex')).toMatch(
      /^4200cccccccc0000d3112/,
    );
    expect(findObject(first, '57', 'encrypted')).toHaveLength(24);
    expect(findObject(first, '57')).toBeUndefined();
    await device.send(0x05, 0x01);
    device.device.ui.remove();
    await settle();
    await device.send(0x04, 0x00, hex('DFEE1D 05 06 04 2A 0C 31'));
    const second = decodeTransactionAnswer(await readChip()).objects;
    expect(readMasked57(findObject(second, '57', 'masked') ?? Buffer.alloc(0)).bin).toBe('420000');
  });

  test('reads a chip, gets its decision, and completes it as unable to go online', async () => {
    expect(decodeTransactionAnswer(await readChip()).objects[0]?.value).toEqual(hex('00 10'));
    expect(await device.send(0x60, 0x12, hex('00'))).toEqual(['60 0C']);
    const [accepted, decided] = await device.send(0x60, 0x11, hex('00 00 78 DFEE1A 04 9F27 9F26'));
    expect(accepted).toBe('60 63');
    expect(decided).toMatch(/^60 00 C0 DF EE 25 02 00 04 9F 27 01 80 9F 26 08/);
    const [, done] = await device.send(0x60, 0x12, hex('00'));
    expect(done).toMatch(/^60 00 C0 DF EE 25 02 00 02/);
    expect(device.device.ui.want).toBe('removal');
    device.device.ui.remove();
    expect(await device.answers()).toEqual(['F2 00 00']);
  });

  test('a cancel of a contact step has no answer of the step', async () => {
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('maestro-offline-approved', 'insert');
    expect(await device.send(0x60, 0x11, hex('00 00 78'))).toContain('60 63');
    expect(device.device.ui.want).toBe('pin');
    expect(await device.send(0x05, 0x01)).toEqual(['05 00']);
    expect(device.device.ui.want).toBe('removal');
  });

  test('an issuer answer without a response code is refused before anything is done', async () => {
    await readChip();
    await device.send(0x60, 0x11, hex('01 00 78'));
    expect(await device.send(0x60, 0x12, hex('01 91 02 0000'))).toEqual(['60 05']);
    const [, done] = await device.send(0x60, 0x12, hex('01 8A 02 3035'));
    expect(done).toMatch(/^60 00 C0 DF EE 25 02 00 03/);
  });

  test('the log of frames shows neither number nor track nor PIN block', async () => {
    await readChip();
    await device.send(0x60, 0x11, hex('01 00 78'));
    const text = device.passed.map((frame) => frame.text).join('\n');
    expect(text).toContain('57=***');
    expect(text).not.toMatch(/4200000000000000|4200cccc/i);
  });
});

describe('separate PIN entry', () => {
  test('without a card there is nothing to enter a PIN for', async () => {
    expect(await device.send(0x62, 0x01, PIN_REQUEST)).toEqual(['62 00', '62 0A 04']);
    expect(await device.send(0x62, 0x01, hex('11 00 0C 04 00'))).toEqual(['62 00', '62 0A 03']);
  });

  test('it ends with a PIN in characters, with the cancel key, or with the host’s cancel', async () => {
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('visa-contactless', 'tap');
    device.frames();
    expect(await device.send(0x62, 0x01, PIN_REQUEST)).toEqual(['62 00']);
    expect(await device.send(0x18, 0x01)).toEqual(['18 0A']);
    expect(await device.send(0x62, 0x00)).toEqual(['62 00', '62 0A 02']);
    await device.send(0x62, 0x01, PIN_REQUEST);
    device.device.ui.enterPin({ kind: 'cancel' });
    expect(await device.answers()).toEqual(['62 0A 01']);
    await device.send(0x62, 0x01, PIN_REQUEST);
    device.device.ui.enterPin({ kind: 'digits', digits: Buffer.from('1234') });
    await settle();
    const [pin] = device.frames();
    expect([pin?.second, pin?.data[0], pin?.data.length]).toEqual([0, 0, 37]);
    await device.send(0x62, 0x01, PIN_REQUEST);
    await device.clock.advance(60_000);
    expect(await device.answers()).toEqual(['62 08']);
  });
});

describe('a card number that is keyed in', () => {
  /** Card number, expiry, check digit; 60 seconds. */
  const GET_PAN = hex('003C 2500');

  test('a touch of the screen’s corner is notified during the wait for a card, and the wait goes on', async () => {
    expect(await device.send(0x02, 0x40, ACTIVATE)).toEqual(['02 63']);
    await device.present('visa-credit-online', 'manual');
    expect(await device.answers()).toEqual(['61 FF 00 00 07 01 00 00']);
    expect(device.device.ui.want).toBe('card');
    expect(device.device.ui.screen).toEqual(['12.34', 'PRESENT CARD']);
  });

  test('who held the corner keys in the number, masked as a magstripe is; its PIN may follow', async () => {
    await device.send(0x04, 0x00, hex('DFEE1D 05 06 04 2A 0C 31'));
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('visa-credit-online', 'manual');
    await device.send(0x05, 0x01);
    device.frames();
    const [answer = ''] = await device.send(0x83, 0x41, GET_PAN);
    expect(answer).toMatch(/^83 00 /);
    const keyed = decodeMagstripeData(hex(answer).subarray(2));
    expect(keyed).toMatchObject({ source: 'keyed', cipher: 'tdes' });
    expect(keyed.masked).toEqual([undefined, ';420000******0000=3112?*', undefined]);
    expect(keyed.encrypted[1]).toHaveLength(24);
    expect(await device.send(0x62, 0x01, PIN_REQUEST)).toEqual(['62 00']);
  });

  test('without the corner the keys are waited for; the cancel key, time and the host end it', async () => {
    expect(await device.send(0x83, 0x41, GET_PAN)).toEqual([]);
    expect([...device.device.ui.accepts]).toEqual(['manual']);
    device.device.ui.enterPin({ kind: 'cancel' });
    expect(await device.answers()).toEqual(['83 0A']);
    await device.send(0x83, 0x41, GET_PAN);
    await device.clock.advance(60_000);
    expect(await device.answers()).toEqual(['83 08']);
    await device.send(0x83, 0x41, GET_PAN);
    expect(await device.send(0x18, 0x01)).toEqual(['18 0B']);
    expect(await device.send(0x05, 0x01)).toEqual(['05 00']);
    expect(device.device.ui.want).toBe('nothing');
  });

  test('a request of anything else, and a device without keys, are refused at once', async () => {
    expect(await device.send(0x83, 0x41, hex('003C 2700'))).toEqual(['83 05']);
    device.device.setDeviceFaults(['tamper']);
    expect(await device.send(0x83, 0x41, GET_PAN)).toEqual(['83 1D']);
  });

  test('the log of frames shows no number', async () => {
    await device.send(0x83, 0x41, GET_PAN);
    await device.present('visa-credit-online', 'manual');
    const text = device.passed.map((frame) => frame.text).join('\n');
    expect(text).toMatch(/GET PAN 00 done \(\d+ bytes\)/);
    expect(text).not.toContain('420000');
  });
});

describe('over USB-HID', () => {
  test('every piece is one report of 64 bytes', async () => {
    device = new Vp6800Harness('hid');
    await device.send(0x01, 0x07, hex('01'));
    await device.send(0x02, 0x40, ACTIVATE);
    await device.present('visa-credit-online', 'insert');
    expect(device.writes.every((bytes) => bytes.length === 64)).toBe(true);
    expect(device.writes.map(([id]) => id)).toContain(3);
    expect(device.frames().at(-1)?.command).toBe(0x60);
    expect(device.device.unsolicited()).toHaveLength(64);
  });

  test('the fault of a wrong CRC bends the frame and not the filling', async () => {
    device = new Vp6800Harness('hid');
    await device.send(0x18, 0x01);
    const [report = new Uint8Array(64)] = device.writes;
    const bent = device.device.lineStyle.corrupt?.(report);
    expect(bent?.findIndex((byte, at) => byte !== report[at])).toBe(11);
  });
});
