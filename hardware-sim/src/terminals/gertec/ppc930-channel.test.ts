import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { encodeClassicRequest } from '@tillbridge/wire/terminals/abecs/classic.js';
import { fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { CAN, encodePacket } from '@tillbridge/wire/terminals/abecs/framing.js';
import {
  decodeResponseMessage,
  encodeCommandMessage,
  encodeResponseMessage,
  type ResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { decodeSecureOpenAnswer, encodeSecureOpen } from '@tillbridge/wire/terminals/abecs/secure-open.js';
import { isSealed, openMessage, sealMessage } from '@tillbridge/wire/terminals/abecs/secure-packet.js';
import { beforeEach, expect, test } from 'vitest';
import { GCX, GOX, type PpcHarness, ppcHarness } from './ppc930-device.test.support.js';

// A host that opens the device with a public key (ABECS 2.20 §5.2, §6.3.2).

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
const PUBLIC = { modulus: Buffer.from(n, 'base64url'), exponent: Buffer.from(e, 'base64url') };
const CLEAR = undefined;

let harness: PpcHarness;
/** What the device sent: whether it was enciphered, and the message. */
let received: { readonly sealed: boolean; readonly message: ResponseMessage }[];
let channelKey: Buffer;
beforeEach(async () => {
  harness = ppcHarness();
  await harness.loadTables();
  received = [];
  harness.host.open = (data) => {
    const sealed = isSealed(data);
    const clear = sealed ? openMessage(channelKey, data) : data;
    received.push({ sealed, message: decodeResponseMessage(clear) });
    return clear;
  };
});

async function send(id: string, blocks: readonly Uint8Array[], key: Uint8Array | undefined): Promise<void> {
  const command = encodeCommandMessage({ id, blocks });
  await harness.host.raw(encodePacket(key ? sealMessage(key, command) : command));
  await settle();
}

/** Sends a command; gives id and status of the last answer, and whether it came enciphered. */
async function ask(id: string, key: Uint8Array | undefined, blocks: readonly Uint8Array[] = []) {
  await send(id, blocks, key);
  const last = received.at(-1);
  return [`${last?.message.id} ${last?.message.status}`, last?.sealed ? 'enciphered' : 'clear'];
}

async function openChannel(): Promise<void> {
  await send('OPN', [encodeSecureOpen(PUBLIC)], CLEAR);
  const { sealed, message } = received.at(-1) ?? {};
  expect([sealed, message?.id, message?.status]).toEqual([false, 'OPN', 0]);
  const cryptogram = decodeSecureOpenAnswer(message?.blocks[0] ?? Buffer.alloc(0));
  const block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, cryptogram);
  expect(block.toString('hex', 0, 2)).toBe('0002');
  // The first zero byte behind the head ends the filling.
  expect(block.indexOf(0, 2)).toBe(256 - 17);
  channelKey = Buffer.from(block.subarray(-16));
}

const closing = [Buffer.from(encodeClassicRequest('CLO', { CLO_MSG: 'GOODBYE' }))];

test('a chip is sold to in the channel; every answer and notification is enciphered', async () => {
  await openChannel();
  received = [];
  harness.give('visa-credit-online', 'insert');
  expect(await ask('GCX', channelKey, encodeParameters(fields(GCX)))).toEqual(['GCX 0', 'enciphered']);
  expect(await ask('GOX', channelKey, encodeParameters(fields(GOX)))).toEqual(['GOX 0', 'enciphered']);
  expect(received.map(({ message }) => message.id)).toContain('NTM');
  expect(received.every(({ sealed }) => sealed)).toBe(true);
  expect(harness.shown().at(-1)?.text).toMatch(/^enciphered packet/);
});

test.each(['CLO', 'CLX'])('%s ends the channel and is answered in clear', async (id) => {
  await openChannel();
  const blocks = id === 'CLO' ? closing : [];
  expect(await ask(id, channelKey, blocks)).toEqual([`${id} 0`, 'clear']);
  expect(await ask('GIX', channelKey)).toEqual(['ERR 3', 'clear']);
  expect(await ask('GIX', CLEAR)).toEqual(['GIX 0', 'clear']);
});

test('a command in clear is refused, and the channel stays', async () => {
  await openChannel();
  expect(await ask('GIX', CLEAR)).toEqual(['GIX 9', 'clear']);
  expect(await ask('XYZ', CLEAR)).toEqual(['ERR 9', 'clear']);
  expect(await ask('GIX', channelKey)).toEqual(['GIX 0', 'enciphered']);
  expect(await ask('XYZ', channelKey)).toEqual(['ERR 10', 'enciphered']);
});

test.each([
  ['OPN in the channel', 'OPN', () => channelKey, 'OPN 10'],
  ['a packet under another key', 'GIX', () => Buffer.alloc(16), 'ERR 9'],
])('%s ends it', async (_, id, key, answer) => {
  await openChannel();
  expect(await ask(id, key())).toEqual([answer, 'clear']);
  expect(await ask('GIX', channelKey)).toEqual(['ERR 3', 'clear']);
  expect(await ask('GIX', CLEAR)).toEqual(['GIX 0', 'clear']);
});

test('OPN in clear ends the channel; with a public key it makes a new one; a wrong one makes none', async () => {
  await openChannel();
  expect(await ask('OPN', CLEAR)).toEqual(['OPN 0', 'clear']);
  expect(await ask('GIX', channelKey)).toEqual(['ERR 3', 'clear']);
  await openChannel();
  expect(await ask('GIX', channelKey)).toEqual(['GIX 0', 'enciphered']);
  const shorter = encodeSecureOpen(PUBLIC).subarray(0, -1);
  expect(await ask('OPN', CLEAR, [shorter])).toEqual(['OPN 11', 'clear']);
  expect(await ask('GIX', CLEAR)).toEqual(['GIX 0', 'clear']);
});

test('a power cycle ends the channel; CAN does not', async () => {
  await openChannel();
  await send('GCX', encodeParameters(fields(GCX)), channelKey);
  await harness.host.raw(Buffer.of(CAN));
  await settle();
  expect(await ask('GIX', channelKey)).toEqual(['GIX 0', 'enciphered']);
  harness.device.reset();
  expect(await ask('GIX', CLEAR)).toEqual(['GIX 0', 'clear']);
});

test('the longest answer fits the longest packet', () => {
  const message = encodeResponseMessage({ id: 'GIX', status: 0, blocks: [] });
  const longest = Buffer.concat([message, Buffer.alloc(2044 - message.length)]);
  expect(sealMessage(Buffer.alloc(16), longest)).toHaveLength(2049);
  expect(() => encodePacket(sealMessage(Buffer.alloc(16), longest))).not.toThrow();
});
