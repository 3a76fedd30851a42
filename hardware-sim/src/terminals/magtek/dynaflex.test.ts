import { fromHex, toHex } from '@tillbridge/wire/bytes.js';
import { findTemplate, findTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/magtek/commands.js';
import {
  decodeMessage,
  encodeRequest,
  type MmsMessage,
  type MmsNotification,
  parameter,
  readParameters,
} from '@tillbridge/wire/terminals/magtek/message.js';
import {
  decodeProperties,
  decodeProperty,
  encodeProperty,
  type PropertyName,
} from '@tillbridge/wire/terminals/magtek/properties.js';
import { encodeResume } from '@tillbridge/wire/terminals/magtek/resume-transaction.js';
import { encodeSlip, INITIAL_SLIP_STATE, parseSlip } from '@tillbridge/wire/terminals/magtek/slip.js';
import { encodeStart } from '@tillbridge/wire/terminals/magtek/start-transaction.js';
import { statusText } from '@tillbridge/wire/terminals/magtek/statuses.js';
import { decodeTransactionObject } from '@tillbridge/wire/terminals/magtek/transaction-object.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PresentMode } from '../../cards/catalogue.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import { DynaFlex } from './dynaflex.js';

// The device on its own, in raw frames over SLIP: what a host gets that does not behave as ours does.

let harness: DeviceHarness<DynaFlex>;
let clock: DeviceHarness<DynaFlex>['clock'];
let device: DynaFlex;
let host: DeviceHarness<DynaFlex>['host'];
let received: MmsMessage[];
let reference: number;

beforeEach(() => {
  received = [];
  reference = 0;
  harness = new DeviceHarness(DynaFlex, {
    id: '1005',
    serial: 'B613783',
    ksnData: fromHex('FFFF9879543210E00000'),
    onFault: (error) => {
      throw error;
    },
  });
  ({ clock, device, host } = harness);
  let state = INITIAL_SLIP_STATE;
  host.onData((bytes) => {
    const parsed = parseSlip(state, bytes, 'to-host');
    state = parsed.state;
    for (const event of parsed.events)
      if (event.kind === 'message') received.push(decodeMessage(event.bytes));
  });
});
afterEach(() => host.close());

/** Sends a command; its status and parameters. */
async function ask(command: CommandName | number, parameters: Uint8Array = Buffer.alloc(0)) {
  reference += 1;
  const number = typeof command === 'number' ? command : COMMANDS[command];
  const request = { reference, command: number, parameters: Buffer.from(parameters) };
  await host.write(encodeSlip('to-device', encodeRequest(request)));
  await settle();
  for (const message of received) {
    if (message.kind === 'response' && message.reference === reference)
      return { status: statusText(message.status), parameters: message.parameters };
  }
  return undefined;
}

async function get(name: PropertyName): Promise<string> {
  const answer = await ask('getProperty', encodeProperty(name));
  return toHex(decodeProperty(answer?.parameters ?? Buffer.alloc(0)).value);
}

const set = (name: PropertyName, hex: string) => ask('setProperty', encodeProperty(name, fromHex(hex)));

function start(changes: Partial<Parameters<typeof encodeStart>[0]> = {}) {
  const transaction = [tlv('9C', Buffer.of(0)), tlv('9F02', fromHex('000000001234'))];
  const all = { timeoutSeconds: 60, magstripe: true, contact: true, contactless: true, quickChip: false };
  return ask('startTransaction', encodeStart({ ...all, transaction, ...changes }));
}

const startManual = (changes: Partial<Parameters<typeof encodeStart>[0]> = {}) =>
  start({ magstripe: false, contact: false, contactless: false, manual: { keySounds: true }, ...changes });

const give = (card: string, how: PresentMode = 'insert'): void => harness.give(card, how);

/** Details of the notifications so far. */
const details = (): readonly string[] =>
  received.flatMap((message) => (message.kind === 'notification' ? [message.detail] : []));

function objectOf(detail: string): readonly TlvNode[] {
  const notification = received.find(
    (message): message is MmsNotification => message.kind === 'notification' && message.detail === detail,
  );
  const value = notification && parameter(readParameters(notification.payload.subarray(2)), '84');
  return decodeTransactionObject(value ?? Buffer.alloc(0)).nodes;
}

async function resume(serial: string, code = '00') {
  return ask(
    'resumeTransaction',
    encodeResume({ serial: Buffer.from(serial), objects: [tlv('8A', Buffer.from(code))] }),
  );
}

describe('a command is refused', () => {
  test('that is not known, or not built as it must be', async () => {
    expect(await ask(0x1009)).toMatchObject({ status: '80 01 01 13' });
    expect(await ask('startTransaction')).toMatchObject({ status: '80 02 01 02' });
    expect(await ask('displayMessage', fromHex('8201FE'))).toMatchObject({ status: '80 02 01 02' });
  });

  test('that cannot be decoded; the next one is answered', async () => {
    await host.write(encodeSlip('to-device', fromHex('AA00FF')));
    await settle();
    expect(received).toMatchObject([{ kind: 'response', reference: 0, status: { detail: 0x010102 } }]);
    expect(await ask('echo', fromHex('8103010203'))).toMatchObject({ parameters: fromHex('8103010203') });
  });

  test('that nothing runs for', async () => {
    expect(await ask('cancelTransaction')).toMatchObject({ status: '80 02 03 04' });
    expect(await resume('B613783')).toMatchObject({ status: '80 02 03 04' });
  });

  test('while a transaction runs', async () => {
    expect(await start()).toMatchObject({ status: '01 00 00 00' });
    expect(await start()).toMatchObject({ status: '80 02 03 08' });
    expect(await ask('displayMessage')).toMatchObject({ status: '80 02 03 08' });
    expect(await resume('B613783')).toMatchObject({ status: '80 02 03 0D' });
  });

  test('that wants PIN blocks of a format that no key of the device makes', async () => {
    expect(await get('pinKeyMapping')).toBe('200001');
    expect(await get('pinAesKeyMapping')).toBe('000007');
    expect(await start({ pinFormat: 4 })).toMatchObject({ status: '80 01 01 10' });
    expect(await start({ pinFormat: 0 })).toMatchObject({ status: '01 00 00 00' });
  });

  test('when the device was opened, or its battery is empty', async () => {
    device.setDeviceFaults(['tamper']);
    expect(await start()).toMatchObject({ status: '80 01 01 09' });
    expect([await get('tampered'), await get('operationalStatus')]).toEqual(['01', '01']);
    device.setDeviceFaults(['low-battery']);
    expect(await start()).toMatchObject({ status: '80 02 03 16' });
    expect(await get('batteryCharge')).toBe('03');
  });
});

describe('properties', () => {
  test('are those of a new device until they are set, and outlive a reset', async () => {
    expect(await get('serialNumber')).toBe('B6137830');
    expect(await get('arpcTimeout')).toBe('FF');
    expect(await set('arpcTimeout', '1E')).toMatchObject({ status: '00 00 00 00' });
    await ask('resetDevice');
    await clock.advance(2_000);
    expect(await get('arpcTimeout')).toBe('1E');
  });

  test('are answered in the form of the request', async () => {
    // The serial number as the maker's host code requests it.
    const tree = await ask('getProperty', fromHex('81072B06010401F609850102890AE208E106E104E102C100'));
    expect(tree?.status).toBe('00 00 00 00');
    const serial = await get('serialNumber');
    expect(toHex(tree?.parameters ?? Buffer.alloc(0))).toBe(
      `81072B06010401F609850102890EE20CE10AE108E106C104${serial}`,
    );
    const list = await ask('getProperty', fromHex('85010287040102020289' + '04C100C200'));
    expect(list?.status).toBe('00 00 00 00');
    const reported = decodeProperties(list?.parameters ?? Buffer.alloc(0)).properties;
    expect(reported.map(({ name }) => name)).toEqual(['modelName', 'firmwareVersion']);
  });

  test('are not set to what they cannot be', async () => {
    expect(await set('arpcTimeout', '0001')).toMatchObject({ status: '80 02 01 02' });
    expect(await set('serialNumber', '00000000')).toMatchObject({ status: '80 02 01 02' });
    expect(await ask('getProperty', fromHex('8501018704020701018902DE00'))).toMatchObject({
      status: '80 02 01 02',
    });
  });
});

describe('a transaction', () => {
  test('as a new device reports it: everything enciphered, the track masked by zeros', async () => {
    await start();
    give('visa-credit-online');
    await settle();
    expect(details()).toEqual(['10010200', '10080202']);
    const request = findTemplate(objectOf('10080202'), '70') ?? [];
    expect(request.map(({ tag }) => tag)).toEqual(['DFDF53', 'DFDF4D', 'DFDF52', 'F8']);
    expect(Buffer.from(findTlv(request, 'DFDF4D') ?? []).toString()).toMatch(/^;42000000+=0+\?$/);
  });

  test('has the serial number of its enciphered part under its MAC', async () => {
    await start();
    give('visa-credit-online');
    await settle();
    const nodes = objectOf('10080202');
    const [mac, data] = ['DFDF54', 'DFDF56'].map((tag) => findTlv(nodes, tag));
    expect(mac).toHaveLength(10);
    expect(mac).toEqual(data);
  });

  test('reports in clear what it is set to, and never the account', async () => {
    await set('reportAllTags', '01');
    await start();
    give('visa-credit-online');
    await settle();
    const request = findTemplate(objectOf('10080202'), '70') ?? [];
    const tags = request.map(({ tag }) => tag);
    expect(tags).toEqual(expect.arrayContaining(['82', '95', '9F10', '9F26', '9F27']));
    // Enciphered by default, as the published list states.
    for (const tag of ['57', '5A', '5F24', '5F30', '9F36', '9F37']) expect(tags).not.toContain(tag);
  });

  test('goes on only for the device of the request, and ends by the issuer’s code', async () => {
    await start();
    give('visa-credit-online');
    await settle();
    expect(await resume('B613784')).toMatchObject({ status: '80 02 01 02' });
    expect(await resume('B613783', '05')).toMatchObject({ status: '00 00 00 00' });
    await settle();
    expect(details().slice(2)).toEqual(['10080302', '10028000']);
    expect(device.ui.screen).toContain('REMOVE CARD');
    device.ui.remove();
    await settle();
    expect(details().at(-1)).toBe('10010300');
  });

  test('may be stopped while it waits, and not while it reads', async () => {
    await start();
    expect(await ask('cancelTransaction')).toMatchObject({ status: '00 00 00 00' });
    expect(details()).toEqual(['00030100']);
    await start();
    give('visa-credit-online');
    expect(await ask('cancelTransaction')).toMatchObject({ status: '80 02 03 05' });
    await settle();
    expect(details().at(-1)).toBe('10080202');
    expect(await ask('cancelTransaction')).toMatchObject({ status: '00 00 00 00' });
  });

  test('sends its request again as often as it is set to, then the card decides', async () => {
    await set('arpcTimeout', '02');
    await set('arpcRetries', '02');
    await start();
    give('visa-credit-online');
    await settle();
    await clock.advance(7_000);
    expect(details()).toEqual(['10010200', '10080202', '10080202', '10080202', '10080302', '10020600']);
  });

  test('of the quick chip flow ends without the issuer', async () => {
    await start({ quickChip: true });
    give('visa-credit-online');
    await settle();
    expect(details()).toEqual(['10010200', '10080202', '10080302', '10020700']);
  });

  test('reads the magstripe after three failures of a mute chip', async () => {
    await start();
    for (let tries = 1; tries <= 3; tries += 1) {
      expect(device.ui.accepts.has('insert')).toBe(true);
      give('chip-broken-fallback', 'insert');
      await settle();
      device.ui.remove();
      await settle();
    }
    expect([...device.ui.accepts]).toEqual(['swipe']);
    give('chip-broken-fallback', 'swipe');
    await settle();
    const request = findTemplate(objectOf('08080202'), '70') ?? [];
    expect(toHex(findTlv(request, 'DFDF53') ?? Buffer.alloc(0))).toBe('01');
    expect(toHex(findTlv(request, 'DFDF52') ?? Buffer.alloc(0))).toBe('07');
  });

  test('leaves the fallback to a host that wants it so', async () => {
    await set('deviceFallback', '00');
    await start();
    give('chip-broken-fallback', 'insert');
    await settle();
    expect(details()).toEqual(['10010200', '10020F00']);
  });

  test('sends the holder of a chip card’s magstripe to the chip', async () => {
    await start();
    give('visa-credit-online', 'swipe');
    await settle();
    expect(details()).toEqual(['08010100']);
    expect(device.ui.screen).toContain('USE CHIP READER');
    expect(device.ui.accepts.has('swipe')).toBe(false);
  });

  test('of a keyed-in card number ends without waiting for the issuer', async () => {
    await startManual();
    expect([...device.ui.accepts]).toEqual(['manual']);
    expect(device.ui.screen).toEqual(['12.34', 'CARD NUMBER']);
    give('visa-credit-online', 'manual');
    await settle();
    expect(details()).toEqual(['07010100', '07080202', '07080302', '07040000']);
    const request = findTemplate(objectOf('07080202'), '70') ?? [];
    expect(toHex(findTlv(request, 'DFDF52') ?? Buffer.alloc(0))).toBe('03');
    expect(Buffer.from(findTlv(request, 'DFDF33') ?? []).toString()).toMatch(/^;42000000+=0+\?$/);
    expect(await resume('B613783')).toMatchObject({ status: '80 02 03 04' });
  });

  test('of a keyed-in card number ends on timeout and on the cancel key', async () => {
    await startManual({ timeoutSeconds: 5 });
    await clock.advance(6_000);
    await startManual();
    device.ui.enterPin({ kind: 'cancel' });
    await settle();
    await startManual();
    expect(await ask('cancelTransaction')).toMatchObject({ status: '00 00 00 00' });
    expect(details()).toEqual(['00010000', '00030200', '00030100']);
  });

  test('with a button on the card page ends with a notification to the host', async () => {
    await start({ rightButton: 0x0023 });
    expect(device.ui.screen).toEqual(['12.34', 'TAP, INSERT or SWIPE CARD', '[Options]']);
    give('visa-credit-online', 'manual');
    await settle();
    expect(details()).toEqual(['01050000']);
    expect(device.ui.screen).toEqual(['PLEASE WAIT']);
    expect(await ask('cancelTransaction')).toMatchObject({ status: '80 02 03 04' });
    // Who touched the button keys in at once; without the touch no entry begins.
    await startManual();
    expect(details().slice(1)).toEqual(['07010100', '07080202', '07080302', '07040000']);
    await startManual();
    expect(device.ui.want).toBe('card');
  });

  test('reads only with the requested readers, and ends on timeout', async () => {
    await start({ contact: false, contactless: false, timeoutSeconds: 5 });
    expect([...device.ui.accepts]).toEqual(['swipe']);
    await clock.advance(6_000);
    expect(details()).toEqual(['00010000']);
  });
});
