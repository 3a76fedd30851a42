import { fromHex } from '@tillbridge/wire/bytes.js';
import { findTemplate, findTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  INITIAL_FRAME_B,
  MAX_RESPONSE_BYTES,
  parseTypeB,
} from '@tillbridge/wire/terminals/verifone/frame-b.js';
import {
  MERCHANT_INFO,
  TAGS,
  TECHNOLOGY,
  TRANSACTION_OPTIONS,
} from '@tillbridge/wire/terminals/verifone/tags.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DATA_STORE_MS } from './card-store.js';
import { REQUEST_TIMEOUT_MS } from './host-requests.js';
import { P400Harness, SALE } from './p400-device.test.support.js';

// What the device does on raw frames, where the contract suite does not reach.

let device: P400Harness;
beforeEach(() => {
  device = new P400Harness();
});
afterEach(() => {
  expect(device.faults).toEqual([]);
});

const { chip, magstripe, tap, manual } = TECHNOLOGY;
const ACCOUNT_LIST = tlv(TAGS.tagList, fromHex('5A0057005F2400'));
const technology = (bits: number) => tlv(TAGS.technology, Buffer.of(bits));

describe('the line', () => {
  test('confirms a command before it answers, and sends an answer again that was refused', async () => {
    device.confirms = false;
    await device.raw('0241000439000000' + '03E534');
    expect(device.received).toEqual(['ack', '9000']);
    await device.raw('15');
    expect(device.received).toEqual(['ack', '9000', '9000']);
    await device.raw('06');
    await device.raw('15');
    expect(device.received).toHaveLength(3);
  });

  test('refuses a frame with a wrong CRC, and one that stops in the middle', async () => {
    await device.raw('0241000439000000' + '03E535');
    expect(device.received).toEqual(['nak']);
    await device.clock.advance(1_000);
    await device.raw('024100043900');
    await device.clock.advance(1_000);
    expect(device.received).toEqual(['nak', 'nak']);
    await device.raw('0241000439000000' + '03E534');
    expect(device.received.slice(2)).toEqual(['ack', '9000']);
  });

  test('over type B a wrong byte ends the connection', async () => {
    const other = new P400Harness('B');
    const ended: string[] = [];
    other.host.onClose((reason) => ended.push(reason));
    const messages: string[] = [];
    other.host.onData((bytes) => {
      const { events } = parseTypeB(INITIAL_FRAME_B, bytes, MAX_RESPONSE_BYTES);
      for (const event of events)
        messages.push(event.kind === 'message' ? event.message.toString('hex') : event.reason);
    });
    await other.host.write(fromHex('0242000000043900000003'));
    await settle();
    expect(messages).toEqual(['9000']);
    await other.host.write(fromHex('0242000000043900000004'));
    await settle();
    expect(ended).toHaveLength(1);
  });

  test('what it may send unsolicited is a frame that a host can read', async () => {
    await device.host.write(Buffer.of(0x06));
    const frame = Buffer.from(device.device.unsolicited());
    expect(frame.subarray(0, 2)).toEqual(Buffer.of(0x02, 0x41));
    expect(frame.subarray(4, 6)).toEqual(Buffer.of(0x9e, 0x01));
  });
});

describe('commands', () => {
  test('unknown ones differ by class and instruction', async () => {
    expect((await device.askRaw('20FF0000')).sw).toBe('6D00');
    expect((await device.askRaw('12340000')).sw).toBe('6E00');
    expect((await device.askRaw('2004')).sw).toBe('6700');
    expect((await device.askRaw('29020000F0059F')).sw).toBe('6200');
    expect(await device.sw('getProperty', [tlv(TAGS.propertyId, Buffer.of(99))], 1)).toBe('6400');
    expect(await device.sw('getProperty', [])).toBe('6200');
  });

  test('a sys abort is answered while nothing runs, unless it must not be', async () => {
    expect(await device.sw('sysAbort')).toBe('6500');
    await device.send('sysAbort', undefined, 1);
    expect(device.messages).toHaveLength(1);
  });

  test('a sys abort ends the wait for a card, which alone is answered; other commands meanwhile are refused', async () => {
    await device.send('cardDetection', [technology(chip)], 20);
    expect(device.messages).toEqual([]);
    expect(await device.sw('getProperty', [tlv(TAGS.propertyId, Buffer.of(1))], 1)).toBe('640A');
    expect(await device.sw('sysAbort')).toBe('6500');
    await device.clock.advance(20_000);
    expect(device.messages).toHaveLength(2);
    expect(device.device.ui.want).toBe('nothing');
  });

  test('card detection ends by its time: halves of a second, times ten on demand, in whole seconds', async () => {
    await device.send('cardDetection', [technology(chip)], 3);
    await device.clock.advance(1_999);
    await device.settle();
    expect(device.messages).toEqual([]);
    await device.clock.advance(1);
    await device.settle();
    expect(device.last?.sw).toBe('6600');
    await device.send('cardDetection', [technology(chip), tlv(TAGS.timesTen, Buffer.of(1))], 3);
    await device.clock.advance(14_999);
    await device.settle();
    expect(device.messages).toHaveLength(1);
    await device.clock.advance(1);
    await device.settle();
    expect(device.messages).toHaveLength(2);
  });

  test('the cancel key ends card detection only through a dialog that has one', async () => {
    const stop = tlv(TAGS.stopByDialog, Buffer.of(1));
    await device.send('cardDetection', [technology(chip), stop], 20);
    device.device.ui.enterPin({ kind: 'cancel' });
    await device.settle();
    expect(device.messages).toEqual([]);
    await device.ask('sysAbort');
    const text = tlv(TAGS.displayData, [tlv(TAGS.variableValue, Buffer.from('CARD'))]);
    const withKey = tlv(TAGS.dialogOptions, fromHex('00001802'));
    expect(await device.sw('handleDisplay', [text, withKey])).toBe('9000');
    expect(device.device.ui.screen).toEqual(['CARD']);
    await device.send('cardDetection', [technology(chip), stop], 20);
    device.device.ui.enterPin({ kind: 'cancel' });
    await device.settle();
    expect(device.last?.sw).toBe('6405');
  });

  test('reports time, tamper switch and battery, and nothing of a list that is wrong', async () => {
    const list = (hex: string) => device.askRaw(`20040000${hex}`);
    const status = await list('F306D007D209D402');
    expect(findTlv(status.objects, 'D0')).toEqual(fromHex('141A0B140A0F00'));
    expect(findTlv(status.objects, 'D2')).toEqual(Buffer.alloc(9));
    device.device.setDeviceFaults(['tamper', 'low-battery']);
    const broken = await list('F306D007D209D402');
    expect(findTlv(broken.objects, 'D2')?.[0]).toBe(0x80);
    expect(findTlv(broken.objects, 'D4')?.[0]).toBe(3);
    expect((await list('F302D008')).sw).toBe('6300');
    expect((await list('F302C007')).sw).toBe('6200');
    expect((await list('F303D007')).sw).toBe('6200');
  });
});

describe('the order of a transaction', () => {
  test('is kept: each step wants the one before', async () => {
    expect(await device.sw('ctStart', SALE)).toBe('90ED');
    expect(await device.sw('ctlsSetup', SALE)).toBe('90ED');
    await device.ask('ctInit');
    await device.ask('ctlsInit');
    expect(await device.sw('cardActivate')).toBe('9401');
    expect(await device.sw('ctStart', SALE)).toBe('9401');
    expect(await device.sw('ctStart', [])).toBe('90E6');
    expect(await device.sw('ctUpdateTags', [])).toBe('90E1');
    expect(await device.sw('ctOffline', [])).toBe('90E1');
    expect(await device.sw('ctOnline', [tlv(TAGS.onlineResult, Buffer.of(1))])).toBe('90E1');
    expect(await device.sw('ctlsOffline')).toBe('90E1');
    expect(await device.sw('cardDetection', [technology(tap)], 2)).toBe('64FD');
    expect(await device.sw('cardDetection', [], 2)).toBe('6200');
    expect(await device.sw('ctlsSetup', SALE)).toBe('9000');
    expect(await device.sw('ctlsOffline')).toBe('90DF');
    expect(await device.sw('ctlsBreak')).toBe('9000');
    expect(await device.sw('ctlsOffline')).toBe('90E1');
  });

  test('a chip goes online above its floor limit, is answered, and cannot be answered twice', async () => {
    await device.chip('visa-credit-online');
    expect(device.last?.sw).toBe('90E2');
    const { objects = [] } = device.last ?? {};
    expect(findTlv(objects, '9F27')).toEqual(Buffer.of(0x80));
    expect(findTlv(objects, '9F41')).toEqual(fromHex('00000007'));
    expect(findTlv(objects, TAGS.obfuscatedPan)).toEqual(fromHex('420000FFFFFF0000'));
    expect(findTlv(objects, '5A')).toBeUndefined();
    expect(findTlv(objects, '57')).toBeUndefined();
    expect(await device.sw('ctOnline', [tlv(TAGS.onlineResult, Buffer.of(1))])).toBe('90E6');
    expect(await device.sw('ctOnline', [tlv(TAGS.onlineResult, Buffer.of(0))])).toMatch(/^90E[34]$/);
    expect(await device.sw('ctOnline', [tlv(TAGS.onlineResult, Buffer.of(0))])).toBe('90E1');
  });

  test('the floor limit of a transaction is an object that may be updated; others are refused on demand', async () => {
    await device.ask('ctInit');
    await device.detect(chip, 'maestro-offline-approved', 'insert');
    await device.ask('ctStart', SALE);
    const update = (options: string, objects: string) => [
      tlv(TAGS.updateOptions, fromHex(options)),
      tlv(TAGS.updateObjects, fromHex(objects)),
    ];
    expect(await device.sw('ctUpdateTags', update('00000001', '9F360200FF'))).toBe('90E6');
    expect(await device.sw('ctUpdateTags', update('00000000', '9F360200FF'))).toBe('9000');
    expect(await device.sw('ctUpdateTags', update('00000000', '9F1B0400001388'))).toBe('9000');
    await device.send('ctOffline', []);
    await device.enterRightPin();
    expect(device.last?.sw).toBe('90E3');
  });

  test('a mute chip is reported when it is activated', async () => {
    await device.detect(chip, 'chip-broken-fallback', 'insert');
    expect(await device.sw('cardActivate')).toBe('9403');
    await device.ask('ctInit');
    expect(await device.sw('ctStart', SALE)).toBe('90F4');
  });

  test('the host is notified of a PIN entry, and must reply before the card goes on', async () => {
    await device.chip('maestro-offline-approved', [tlv(TAGS.transactionOptions, TRANSACTION_OPTIONS)]);
    expect(device.last?.sw).toBe('9101');
    const report = findTemplate(device.last?.objects ?? [], TAGS.merchantInfo) ?? [];
    expect(findTlv(report, TAGS.merchantInfoCode)).toEqual(Buffer.of(MERCHANT_INFO.pinInput));
    await device.enterRightPin();
    expect(device.last?.sw).toBe('9101');
    await device.askRaw('9201F000');
    expect(device.last?.sw).toBe('90E2');
  });

  test('a host that never replies ends the transaction', async () => {
    await device.chip('maestro-offline-approved', [tlv(TAGS.transactionOptions, TRANSACTION_OPTIONS)]);
    await device.enterRightPin();
    await device.clock.advance(REQUEST_TIMEOUT_MS);
    await device.settle();
    expect(device.last?.sw).toBe('90EA');
  });

  test('a second PIN entry is notified once the first was replied to', async () => {
    await device.chip('maestro-offline-approved', [tlv(TAGS.transactionOptions, TRANSACTION_OPTIONS)]);
    await device.enterPin('9999');
    expect(device.device.ui.want).toBe('pin');
    expect(device.messages.filter(({ sw }) => sw === '9101')).toHaveLength(1);
    await device.askRaw('9201F000');
    expect(device.messages.filter(({ sw }) => sw === '9101')).toHaveLength(2);
  });

  test('a sys abort reaches the PIN entry of a chip, and nothing of it before or after', async () => {
    await device.chip('maestro-offline-approved');
    expect(device.device.ui.want).toBe('pin');
    await device.send('sysAbort');
    expect(device.last?.sw).toBe('90E9');
    expect(device.device.ui.want).toBe('nothing');
  });

  test('a card pulled out during the PIN entry ends the transaction, and is reported as pulled out', async () => {
    await device.chip('maestro-offline-approved');
    device.device.ui.remove();
    await device.settle();
    expect(device.last?.sw).toBe('90EA');
    expect(findTlv(device.last?.objects ?? [], TAGS.statusInfo)).toEqual(fromHex('00000080'));
  });

  test('its removal is waited for as long as the host requests', async () => {
    expect(await device.sw('waitCardRemoval')).toBe('9000');
    await device.detect(chip, 'visa-credit-online', 'insert');
    expect(await device.sw('waitCardRemoval')).toBe('6600');
    await device.send('waitCardRemoval', [tlv(TAGS.timeoutSeconds, fromHex('0005'))]);
    await device.send('sysAbort', undefined, 1);
    expect(device.messages).toHaveLength(3);
    await device.clock.advance(5_000);
    await device.settle();
    expect(device.last?.sw).toBe('6600');
    await device.send('waitCardRemoval', [tlv(TAGS.timeoutSeconds, fromHex('0005'))]);
    device.device.ui.remove();
    await device.settle();
    expect(device.last?.sw).toBe('9000');
  });
});

describe('secrets', () => {
  test('come enciphered, under a key that is new each time, through the profile that is theirs', async () => {
    const report = await device.detect(magstripe, 'magstripe-only');
    expect(findTlv(report?.objects ?? [], TAGS.obfuscatedPan)?.toString()).toMatch(/^\d+/);
    expect(Buffer.from(findTlv(report?.objects ?? [], TAGS.obfuscatedPan) ?? []).toString()).toMatch(
      /^\d{6}X{6}\d{4}$/,
    );
    const handle = await device.profile('accountData');
    const first = await device.ask('getEncData', [handle, ACCOUNT_LIST]);
    const second = await device.ask('getEncData', [handle, ACCOUNT_LIST]);
    const [ksn, next] = [first, second].map(({ objects }) => findTlv(objects, TAGS.encryptionKsn));
    expect(ksn).not.toEqual(next);
    expect((findTlv(first.objects, TAGS.encryptedData)?.length ?? 1) % 8).toBe(0);
    const pinHandle = await device.profile('pin');
    expect(await device.sw('getEncData', [pinHandle, ACCOUNT_LIST])).toBe('64FE');
    expect(await device.sw('getEncData', [handle, tlv(TAGS.tagList, fromHex('5A10'))])).toBe('64FE');
    // The guide's request: fixed lengths, filled with zeros, and no data of the host.
    const published = [
      tlv(TAGS.tagList, fromHex('5A10570056005F24005F2030')),
      tlv('DFA120', Buffer.alloc(0)),
    ];
    const options = (bits: string) => tlv(TAGS.dataOptions, fromHex(bits));
    expect(await device.sw('getEncData', [handle, ...published, options('000001')])).toBe('9000');
    expect(await device.sw('getEncData', [handle, ...published, options('000020')])).toBe('64FE');
    expect(await device.sw('getEncData', [handle, tlv('DFA120', fromHex('9C0100'))])).toBe('9000');
    expect(await device.sw('getEncData', [handle])).toBe('6200');
    expect(await device.sw('cryptoClose', [handle])).toBe('9000');
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('64FE');
    expect(await device.sw('cryptoClose', [handle])).toBe('64FE');
    expect(await device.sw('cryptoOpen', [tlv(TAGS.hostName, Buffer.from('OTHER'))])).toBe('6400');
  });

  test('are never among the tags that can be fetched, nor in the log of frames', async () => {
    await device.chip('visa-credit-online');
    const list = tlv(TAGS.tagList, fromHex('0000005A000000570000005F' + '00005F2400009F26'));
    const { objects } = await device.ask('fetchTags', [list]);
    expect(objects.map(({ tag }) => tag)).toEqual(['5F24', '9F26']);
    expect(await device.sw('fetchTags', [tlv(TAGS.tagList, fromHex('5A'))])).toBe('6300');
    const log = device.passed.map(({ text }) => text).join('\n');
    expect(log).toContain('CT CONTINUE OFFLINE');
    expect(log).not.toContain('4200000000000000');
  });

  test('refuses a PIN without a card, and a PIN block without a PIN', async () => {
    expect(await device.sw('getPin')).toBe('6400');
    await device.detect(magstripe, 'magstripe-only');
    const handle = await device.profile('pin');
    const format = (value: number) => tlv(TAGS.pinBlockFormat, Buffer.of(value));
    expect(await device.sw('getEncPin', [handle, format(0)])).toBe('64FD');
    await device.send('getPin');
    await device.enterPin('1234');
    expect(device.last?.sw).toBe('9000');
    expect(await device.sw('getEncPin', [handle, format(3)])).toBe('64FE');
    const { objects } = await device.ask('getEncPin', [handle, format(0)]);
    expect(findTlv(objects, TAGS.pinBlock)).toHaveLength(8);
    expect(findTlv(objects, TAGS.pinKsn)).toHaveLength(10);
    expect(await device.sw('clearDataStore')).toBe('9000');
    expect(await device.sw('getEncPin', [handle, format(0)])).toBe('64FD');
  });

  test.each([
    ['the bypass key where it is allowed', { kind: 'bypass' }, 0x01, '9070'],
    ['the cancel key', { kind: 'cancel' }, 0x00, '6405'],
  ] as const)('a PIN entry ends by %s', async (_, entry, bypass, sw) => {
    await device.detect(magstripe, 'magstripe-only');
    await device.send('getPin', [tlv(TAGS.pinBypass, Buffer.of(bypass))]);
    device.device.ui.enterPin(entry);
    await device.settle();
    expect(device.last?.sw).toBe(sw);
  });

  test('a PIN entry ends by its time; after a bypass that is not allowed the entry is repeated', async () => {
    await device.detect(magstripe, 'magstripe-only');
    await device.send('getPin');
    device.device.ui.enterPin({ kind: 'bypass' });
    await device.settle();
    expect(device.device.ui.want).toBe('pin');
    await device.clock.advance(30_000);
    await device.settle();
    expect(device.last?.sw).toBe('640C');
    expect(await device.sw('getPin', [tlv(TAGS.timeoutSeconds, fromHex('0FFF'))])).toBe('64FE');
  });

  test('card data are gone eight minutes after they came', async () => {
    await device.detect(manual, 'visa-credit-online', 'manual');
    const handle = await device.profile('accountData');
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('9000');
    await device.clock.advance(DATA_STORE_MS);
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('6400');
    expect(await device.sw('getPin')).toBe('6400');
  });

  test('an opened device answers that its keys are missing; an exhausted key enciphers no more', async () => {
    await device.detect(magstripe, 'magstripe-only');
    const handle = await device.profile('accountData');
    device.device.setDeviceFaults(['key-exhausted']);
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('6FB4');
    device.device.setDeviceFaults(['tamper']);
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('6FF0');
    expect(await device.sw('cardDetection', [technology(chip)], 2)).toBe('6FF0');
    expect(await device.sw('getProperty', [tlv(TAGS.propertyId, Buffer.of(1))], 1)).toBe('9000');
  });

  test('a power cycle forgets transaction, profiles and what runs', async () => {
    await device.chip('visa-credit-online');
    const handle = await device.profile('accountData');
    device.device.reset();
    expect(await device.sw('getEncData', [handle, ACCOUNT_LIST])).toBe('64FE');
    expect(await device.sw('ctOnline', [tlv(TAGS.onlineResult, Buffer.of(0))])).toBe('90E1');
    expect(await device.sw('ctStart', SALE)).toBe('90ED');
  });
});
