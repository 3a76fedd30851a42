import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../bytes.js';
import { decodeTlv, TLV_MAX_DEPTH, TlvError } from '../emv/tlv.js';
import { aesDecryptCbc } from './ciphers/aes.js';
import { CryptoError } from './ciphers/errors.js';
import { gcmOpen, gcmSeal } from './ciphers/gcm.js';
import { unpadBit } from './ciphers/padding.js';
import { tdesEncryptEcb, withOddParity } from './ciphers/tdes.js';
import { advanceAesKsn, deriveAesTransactionKey } from './dukpt/dukpt-aes.js';
import { advanceKsn, deriveTransactionKey } from './dukpt/dukpt-tdes.js';
import { arpcMethod1 } from './emv/cryptogram.js';
import { deriveIccMasterKey } from './emv/emv-keys.js';
import { unwrapKeyBlock, wrapKeyBlock } from './key-block/key-block.js';
import { importKeyBlock } from './key-block/key-block-policy.js';
import { pvv } from './pin/card-values.js';
import { ibm3624Offset } from './pin/ibm3624.js';
import { encodePinBlock } from './pin/pin-block.js';
import { decipherPin, encipherPin, translatePin } from './pin/pin-translation.js';
import { filler } from './random.test.support.js';
import { openGoogleToken } from './wallets/google-token.js';

const KEY = withOddParity(fromHex('A1B2C3D4E5F60718293A4B5C6D7E8F90'));
const AES_KEY = fromHex('5E4D3C2B1A09F8E7D6C5B4A392817060');
const PIN = '97531';
const PAN = '4761739001010010';
const HEADER = {
  version: 'D',
  usage: 'P0',
  algorithm: 'T',
  mode: 'B',
  keyVersion: '00',
  exportability: 'N',
  optionalBlocks: [],
} as const;
const BLOCK = wrapKeyBlock(AES_KEY, HEADER, KEY, { random: filler });
const EVEN = Buffer.from(KEY.map((byte) => byte ^ 1));
const tdes = (key: Uint8Array, format: 0 | 1 | 2 | 3 = 0) => ({ format, cipher: 'tdes', key }) as const;
const sealed = gcmSeal(Buffer.alloc(32, 1), Buffer.alloc(12), Buffer.alloc(0), KEY);
const open = (tag: Uint8Array) =>
  gcmOpen(Buffer.alloc(32, 1), Buffer.alloc(12), Buffer.alloc(0), { ...sealed, tag });

/** What a person did wrong, what was tried, and the rule that must be named. */
const MISTAKES: readonly (readonly [string, () => unknown, string])[] = [
  ['a key of a length that is none', () => tdesEncryptEcb(KEY.subarray(1), Buffer.alloc(8)), 'badKeyLength'],
  ['data that are no whole blocks', () => tdesEncryptEcb(KEY, Buffer.from(PIN)), 'badDataLength'],
  ['an IV of another length', () => aesDecryptCbc(AES_KEY, KEY.subarray(1), Buffer.alloc(16)), 'badIv'],
  ['a master key cut short', () => deriveIccMasterKey(KEY.subarray(8), PAN, '00', 'optionA'), 'badKeyLength'],
  ['a PAN that is none', () => deriveIccMasterKey(KEY, `${PAN}x`, '00', 'optionA'), 'badPan'],
  ['a PIN too short', () => encodePinBlock({ format: 0, pin: PIN.slice(2), pan: PAN }), 'badPin'],
  ['a PIN with a letter', () => ibm3624Offset(KEY, ibm(), PAN, `${PIN}x`), 'badPin'],
  ['a PIN verification key cut short', () => pvv(KEY.subarray(1), '1', PAN, PIN), 'badKeyLength'],
  ['a decimalisation table cut short', () => ibm3624Offset(KEY, ibm('012'), PAN, PIN), 'badArgument'],
  ['even parity', () => importKeyBlock(AES_KEY, wrapped(EVEN), 'pinEncipher'), 'badParity'],
  ['another use', () => importKeyBlock(AES_KEY, BLOCK, 'baseDerivation'), 'notAllowed'],
  [
    'a key under a header of another algorithm',
    () => importKeyBlock(AES_KEY, wrapped(KEY.subarray(8)), 'pinEncipher'),
    'badKeyLength',
  ],
  [
    'a changed key block',
    () =>
      unwrapKeyBlock(
        AES_KEY,
        BLOCK.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    'badMac',
  ],
  ['another protection key', () => unwrapKeyBlock(Buffer.from(AES_KEY).reverse(), BLOCK), 'badMac'],
  ['a protection key of another length', () => unwrapKeyBlock(AES_KEY.subarray(4), BLOCK), 'badKbpk'],
  ['a legacy key block', () => unwrapKeyBlock(AES_KEY, `A${BLOCK.slice(1)}`), 'notAllowed'],
  ['a counter of zero', () => deriveTransactionKey(KEY, fromHex('FFFF9876543210E00000')), 'badCounter'],
  [
    'a counter with too many one-bits',
    () => deriveAesTransactionKey(AES_KEY, fromHex('1234567890123456FFFFFFFF')),
    'badCounter',
  ],
  ['a KSN cut short', () => deriveTransactionKey(KEY, fromHex('FFFF98765432')), 'badKsn'],
  ['the last counter', () => advanceKsn(fromHex('FFFF9876543210FFF800')), 'counterExhausted'],
  ['the last counter of AES', () => advanceAesKsn(fromHex('1234567890123456FFFF0000')), 'counterExhausted'],
  ['padding that is none', () => unpadBit(KEY), 'badPadding'],
  [
    'a PIN block under another key',
    () => decipherPin(tdes(EVEN), encipherPin(tdes(AES_KEY), PIN, PAN, filler), PAN),
    'badControl',
  ],
  [
    'a forbidden change of format',
    () => translatePin(tdes(KEY), encipherPin(tdes(KEY), PIN, PAN, filler), PAN, tdes(KEY, 1), filler),
    'notAllowed',
  ],
  ['a tag of another length', () => open(sealed.tag.subarray(4)), 'badTagLength'],
  ['another tag', () => open(Buffer.alloc(16)), 'badTag'],
  ['a cryptogram cut short', () => arpcMethod1(KEY, Buffer.alloc(7), Buffer.from('00')), 'badArgument'],
  [
    'a wallet token of another version',
    () => openGoogleToken('googleEcV2', { protocolVersion: PIN }, trust(), 'json'),
    'badVersion',
  ],
  [
    'a wallet token without a message',
    () => openGoogleToken('googleEcV1', { protocolVersion: 'ECv1' }, trust(), 'json'),
    'malformed',
  ],
];

function ibm(decimalisationTable = '0123456789012345') {
  return { decimalisationTable, panVerifyOffset: 0, panVerifyLength: 12, panPad: 'F' };
}

function wrapped(key: Uint8Array): string {
  return wrapKeyBlock(AES_KEY, HEADER, key, { random: filler });
}

function trust() {
  return {
    recipientId: 'merchant:1',
    senderId: 'Google',
    rootSigningKeys: [],
    merchantPrivateKeys: [],
    nowMs: 0,
  };
}

/** Every run of secret digits long enough to be no chance. */
const SECRETS = [KEY, AES_KEY, EVEN]
  .map(toHex)
  .flatMap((hex) => Array.from({ length: hex.length - 7 }, (_, at) => hex.slice(at, at + 8)))
  .concat(PIN, PAN.slice(0, 7), PAN.slice(-7));

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('bad input', () => {
  it.each(MISTAKES)('%s is refused by its rule, and the error contains no secret', (_what, run, rule) => {
    const error = thrown(run);
    expect(error).toBeInstanceOf(CryptoError);
    expect(error).toMatchObject({ rule, message: expect.stringMatching(new RegExp(`^${rule}: .{20}`)) });
    const shown = `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`.toUpperCase();
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });

  it.each([
    ['a length that lies', '5A0947617390010100', 'truncated'],
    ['a length within a template that lies', '70035A0847', 'truncated'],
    ['a length of many bytes that lies', '5A88FFFFFFFFFFFFFFFF47', 'truncated'],
    ['a length that ends early', '5A82', 'badLength'],
    ['a length without end', '5A80476173900000', 'badLength'],
    ['a tag without end', '9F8181', 'badTag'],
    ['templates in templates without end', '', ''],
  ])('a TLV with %s is refused by its rule', (what, hex, code) => {
    let bytes: Uint8Array = fromHex(hex);
    if (code === '')
      for (let i = 0; i <= TLV_MAX_DEPTH; i += 1)
        bytes = Buffer.concat([fromHex('E082'), Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
    const error = thrown(() => decodeTlv(bytes));
    expect(error, what).toBeInstanceOf(TlvError);
    expect(error).toMatchObject({ code: code === '' ? 'tooDeep' : code });
    expect(String(error)).not.toContain('4761');
  });
});
