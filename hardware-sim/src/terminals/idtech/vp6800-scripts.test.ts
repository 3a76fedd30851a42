import { fromHex } from '@tillbridge/wire/bytes.js';
import { settle } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { decodeApplicationData } from '@tillbridge/wire/terminals/idtech/application-data.js';
import { encodeFrame, type NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { findObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { RESULTS } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { decodeTransactionAnswer, resultCode } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import { beforeEach, expect, test } from 'vitest';
import { Vp6800Harness } from './vp6800-device.test.support.js';

// Requests of test scripts for NEO 2 readers that were found in public (Python, DL.SendIOCommand), with the answers that they expect.

const hex = (text: string): Buffer => fromHex(text.replace(/\s/g, ''));
const VISA =
  hex(`0700 A0000000031010 1400 9F0106012345678910 5F570100 5F2A020840 9F09020096 5F360102 9F15021234
  9F1C0846726F6E74313233 9F4E0653484F502031 9F1B0400003A98 9F3C020840 9F3D0102 DF25039F3704 DF28039F0802 DFEE150101
  DF13050000000000 DF14050000000000 DF15050000000000 DF180100 DF170400002710 DF190100`);
/** Contact alone, no transaction type, no currency. */
const ACTIVATE = hex('3C 9F0206000000001000 DFEF370104 DFEF3C03010060');
const AUTHENTICATE = hex('00 0078');
const APPLY_HOST_RESPONSE = hex('01 8A023030 910A11223344556677883030');

let device: Vp6800Harness;
beforeEach(() => {
  device = new Vp6800Harness('serial');
});

/** The content of a frame: its status, and the result where it has one. */
function contentOf({ second, data }: NeoFrame): string {
  const status = second.toString(16);
  return data.length === 0 ? status : `${status} result ${resultCode(decodeTransactionAnswer(data))}`;
}

async function send(command: number, second: number, data: Buffer): Promise<string[]> {
  await device.host.write(encodeFrame('host', { command, second, data }));
  await settle();
  return device.frames().map(contentOf);
}

test('objects of an application are read and taken', async () => {
  const { aid, objects } = decodeApplicationData(VISA);
  expect([aid, objects.length]).toEqual(['A0000000031010', 20]);
  expect(findObject(objects, '9F1B')).toEqual(hex('00003A98'));
  expect(await device.send(0x60, 0x03, VISA)).toEqual(['60 00']);
});

test('a chip is read, authenticated and completed', async () => {
  expect(await send(0x02, 0x40, ACTIVATE)).toEqual(['63']);
  device.give('visa-credit-online', 'insert');
  await settle();
  expect(device.frames().map(contentOf)).toEqual([`0 result ${RESULTS.started.code}`]);
  expect(await send(0x60, 0x11, AUTHENTICATE)).toEqual(['63', `0 result ${RESULTS.goOnline.code}`]);
  // The script's card approves; ours verifies the issuer's cryptogram, which is made up.
  expect(await send(0x60, 0x12, APPLY_HOST_RESPONSE)).toEqual(['63', `0 result ${RESULTS.declined.code}`]);
});

test('a step that is not due is refused by the status of the scripts', async () => {
  expect(await send(0x60, 0x11, AUTHENTICATE)).toEqual(['c']);
});

test('57 and 5A are masked and enciphered both, in lengths as the scripts expect them', async () => {
  await send(0x02, 0x40, ACTIVATE);
  device.give('visa-credit-online', 'insert');
  await settle();
  const { objects } = decodeTransactionAnswer(device.frames()[0]?.data ?? Buffer.alloc(0));
  const account = objects.filter(({ tag }) => tag === '57' || tag === '5A');
  expect(account.map(({ tag, disclosure, value }) => `${tag} ${disclosure} ${value.length}`)).toEqual([
    '57 masked 16',
    '57 encrypted 24',
    '5A masked 8',
    '5A encrypted 16',
  ]);
});
