import { describe, expect, it } from 'vitest';
import {
  aes,
  clearPinBlock,
  hmac,
  IndependentAesDukpt,
  pinBlock4,
  tdes,
} from './independent.test.support.js';
import { type Case, changed, hex, problems } from './unpublished.test.support.js';

const PAN = '4111111111111111';
const KSN = '123456789012345600000A05';
const BDKS = [16, 24, 32].map((length) => Buffer.alloc(length, 0x5a));
const DATA = 'ABCDEF00'.repeat(4);
const MAC_TEXT = '4012345678909D987';

describe('vectors of keys and PINs without a published example', () => {
  it('dukpt-aes: all lengths of keys', () => {
    const ksn = Buffer.from(KSN, 'hex');
    const cases: Case[] = [];
    for (const bdk of BDKS) {
      const peer = new IndependentAesDukpt(bdk, ksn);
      for (const workingKey of ['aes128', 'aes192', 'aes256']) {
        const randomFill = '1122334455667788';
        const common = { ik: hex(peer.ik), derivationKey: hex(peer.derivationKey) };
        const encryptedPinBlock = pinBlock4(peer.key(0x1000, workingKey), '12345', PAN, randomFill);
        const pinInputs = {
          op: 'encryptPin',
          bdk: hex(bdk),
          ksn: KSN,
          pin: '12345',
          pan: PAN,
          pinBlockFormat: 4,
        };
        cases.push([
          { ...pinInputs, workingKey, randomFill },
          { ...common, encryptedPinBlock },
        ]);
        const [request, response] = [0x3000, 0x3001].map((usage) => peer.key(usage, workingKey));
        if (!request || !response) throw new Error('two keys');
        const iv = '000102030405060708090A0B0C0D0E0F';
        for (const hmacKey of ['hmac128', 'hmac192', 'hmac256']) {
          cases.push([
            {
              op: 'transaction',
              bdk: hex(bdk),
              ksn: KSN,
              workingKey,
              hmacKey,
              macDataAscii: MAC_TEXT,
              dataHex: DATA,
              iv,
            },
            {
              derivationKey: hex(peer.derivationKey),
              dataRequestKey: hex(request),
              dataResponseKey: hex(response),
              hmacSha256Request: hmac(peer.key(0x2000, hmacKey), MAC_TEXT),
              hmacSha256Response: hmac(peer.key(0x2001, hmacKey), MAC_TEXT),
              encryptedRequest: hex(aes(request, Buffer.from(DATA, 'hex'), Buffer.from(iv, 'hex'))),
              encryptedResponse: hex(aes(response, Buffer.from(DATA, 'hex'), Buffer.from(iv, 'hex'))),
            },
          ]);
        }
      }
      const last = new IndependentAesDukpt(bdk, Buffer.from('1234567890123456FFFFFFFF', 'hex'), true);
      cases.push([
        { op: 'deriveUpdateKeys', ik: hex(bdk), initialKeyId: '1234567890123456' },
        {
          updateKeyAes128: hex(last.key(2, 'aes128')),
          updateKeyAes192: hex(last.key(2, 'aes192')),
          updateKeyAes256: hex(last.key(2, 'aes256')),
          updateKeyTdes2: hex(last.key(2, 'tdes2')),
          updateKeyTdes3: hex(last.key(2, 'tdes3')),
        },
      ]);
    }
    expect(problems('dukpt-aes', cases)).toEqual([]);
  });

  it('dukpt-aes and dukpt-tdes: counters that are none, and the end of the counters', () => {
    const aesKsn = (counter: string) => `1234567890123456${counter}`;
    expect(
      problems('dukpt-aes', [
        ...['00000000', '0001FFFF', 'FFFFFFFF'].flatMap((counter) =>
          ['deriveKeys', 'encryptPin', 'transaction'].map((op) =>
            changed('dukpt-aes', op, { ksn: aesKsn(counter) }, 'badCounter'),
          ),
        ),
        [{ op: 'advanceKsn', ksn: aesKsn('0000FFFF') }, { nextKsn: aesKsn('00010000') }],
        [{ op: 'advanceKsn', ksn: aesKsn('0001FFFE') }, { nextKsn: aesKsn('00020000') }],
        [{ op: 'advanceKsn', ksn: aesKsn('FFFE8000') }, { nextKsn: aesKsn('FFFF0000') }],
        [{ op: 'advanceKsn', ksn: aesKsn('FFFF0000') }, { error: 'counterExhausted' }],
        [{ op: 'advanceKsn', ksn: aesKsn('FFFFFFFF') }, { error: 'counterExhausted' }],
      ]),
    ).toEqual([]);
    const tdesKsn = (end: string) => `FFFF987654${end}`;
    expect(
      problems('dukpt-tdes', [
        ...['3210E00000', '3210E00FFF', '3210FFFFFF'].map((end) =>
          changed('dukpt-tdes', 'transaction', { ksn: tdesKsn(end) }, 'badCounter'),
        ),
        [{ op: 'advanceKsn', ksn: tdesKsn('3210EFFC00') }, { nextKsn: tdesKsn('3210F00000') }],
        [{ op: 'advanceKsn', ksn: tdesKsn('3210FFF800') }, { error: 'counterExhausted' }],
        [{ op: 'advanceKsn', ksn: tdesKsn('3210FFFFFF') }, { error: 'counterExhausted' }],
      ]),
    ).toEqual([]);
  });

  it('sred: every working key, TDES keys under AES DUKPT among them', () => {
    const ksn = Buffer.from(KSN, 'hex');
    const plaintextTlv =
      '5713' + '4111111111111111D31122010000000000000F' + '5A084111111111111111' + '5F2403311231';
    const padded = (blockBytes: number, text = plaintextTlv): Buffer => {
      const data = Buffer.from(`${text}80`, 'hex');
      return Buffer.concat([data, Buffer.alloc((blockBytes - (data.length % blockBytes)) % blockBytes)]);
    };
    const dukpt = {
      op: 'decryptTlv',
      dukpt: 'aes',
      keyUsage: 'dataRequest',
      mode: 'cbc',
      padding: 'iso9797Method2',
      ksn: KSN,
    };
    const good = {
      plaintextTlv,
      pan: PAN,
      track2: '4111111111111111D31122010000000000000',
      expiryYYMM: '3112',
    };
    const cases = BDKS.flatMap((bdk) => {
      const peer = new IndependentAesDukpt(bdk, ksn);
      const inputs = (workingKey: string, clear: Buffer) => {
        const key = peer.key(0x3000, workingKey);
        const iv = Buffer.alloc(workingKey === 'tdes2' ? 8 : 16, 0x77);
        const ciphertext = hex(workingKey === 'tdes2' ? tdes(key, clear, iv) : aes(key, clear, iv));
        return { ...dukpt, bdk: hex(bdk), workingKey, iv: hex(iv), ciphertext };
      };
      const bare = Buffer.from('5A084111111111111111'.padEnd(64, 'F'), 'hex');
      return [
        ...['aes128', 'aes192', 'aes256'].map((name) => [inputs(name, padded(16)), good] as const),
        [inputs('tdes2', padded(8)), good] as const,
        [inputs('aes192', bare), { error: 'badPadding' }] as const,
        [inputs('aes192', padded(16, '5A084111111111111111')), { error: 'malformed' }] as const,
        [inputs('aes192', padded(16, '5A0941111111111111')), { error: 'malformed' }] as const,
      ];
    });
    expect(problems('sred', cases)).toEqual([]);
  });

  it('pinblock: every pair of formats is translated or refused as PCI PIN requirement 3-3 demands', () => {
    const allowed: Readonly<Record<number, readonly number[]>> = {
      0: [0, 2, 3, 4],
      1: [0, 1, 2, 3, 4],
      2: [2],
      3: [0, 2, 3, 4],
      4: [0, 2, 3, 4],
    };
    const keyOf = (format: number, seed: number) => Buffer.alloc(format === 4 ? 32 : 16, seed);
    const cases: Case[] = [];
    for (const from of [0, 1, 2, 3, 4] as const) {
      const fromKey = keyOf(from, 0x21);
      const block =
        from === 4
          ? pinBlock4(fromKey, '987654', PAN, '0011223344556677')
          : hex(tdes(fromKey, clearPinBlock(from, '987654', PAN)));
      for (const to of [0, 1, 2, 3, 4]) {
        const inputs = {
          op: 'translate',
          fromFormat: from,
          fromCipher: from === 4 ? 'aes' : 'tdes',
          fromKey: hex(fromKey),
          encryptedPinBlock: block,
          pan: PAN,
          toFormat: to,
          toCipher: to === 4 ? 'aes' : 'tdes',
          toKey: hex(keyOf(to, 0x43)),
        };
        cases.push([inputs, allowed[from]?.includes(to) ? { pin: '987654' } : { error: 'notAllowed' }]);
      }
    }
    expect(cases).toHaveLength(25);
    expect(problems('pinblock', cases)).toEqual([]);
  });

  it('pinblock: formats 1 to 3 enciphered and back, and every broken rule', () => {
    const key = Buffer.alloc(16, 0x64);
    const tdesKey = { cipher: 'tdes', key: hex(key), pan: PAN };
    const clear = ([0, 1, 2, 3] as const).map((format) => clearPinBlock(format, '1234', PAN));
    const decipher = (format: number, block: Uint8Array) => ({
      op: 'decipher',
      format,
      ...tdesKey,
      encryptedPinBlock: hex(tdes(key, block)),
    });
    const broken = (format: 0 | 1 | 2 | 3, text: string): Buffer => {
      const block = Buffer.from(text, 'hex');
      const field =
        format === 0 || format === 3 ? Buffer.from(`0000${PAN.slice(-13, -1)}`, 'hex') : Buffer.alloc(8);
      return Buffer.from(block.map((byte, i) => byte ^ (field[i] ?? 0)));
    };
    const rules = ([0, 1, 2, 3] as const).flatMap((format) => [
      [
        decipher(format, broken(format, `${(format + 1) % 5}41234AAAAAAAAAA`)),
        { error: 'badControl' },
      ] as const,
      [decipher(format, broken(format, `${format}31234AAAAAAAAAA`)), { error: 'badLength' }] as const,
      [decipher(format, broken(format, `${format}D1234AAAAAAAAAA`)), { error: 'badLength' }] as const,
      [decipher(format, broken(format, `${format}412B4AAAAAAAAAA`)), { error: 'badDigits' }] as const,
    ]);
    const fill = ([0, 2, 3] as const).map(
      (format) =>
        [decipher(format, broken(format, `${format}412345555555555`)), { error: 'badPadding' }] as const,
    );
    expect(
      problems('pinblock', [
        ...clear.map((block, format): Case => [decipher(format, block), { pin: '1234' }]),
        ...rules,
        ...fill,
        [
          { op: 'encipher', format: 2, ...tdesKey, pin: '1234' },
          { clearPinBlock: hex(clear[2] ?? key), encryptedPinBlock: hex(tdes(key, clear[2] ?? key)) },
        ],
        [{ op: 'encode', format: 1, pin: '1234567' }, { clearPinBlockStartsWith: '171234567' }],
        [{ op: 'encode', format: 1, pin: '1234', pan: PAN }, { clearPinBlockStartsWith: '141234' }],
        [{ op: 'decode', format: 1, clearPinBlock: '1412340123456789' }, { pin: '1234' }],
      ]),
    ).toEqual([]);
  });

  it('mac-kcv: no data, one key for two, check values of any length', () => {
    const key = '0123456789ABCDEFFEDCBA9876543210';
    expect(
      problems('mac-kcv', [
        [
          { op: 'mac', algorithm: 'iso9797Algorithm1', key, dataHex: '', padding: 'iso9797Method1' },
          { mac: hex(tdes(Buffer.from(key, 'hex'), Buffer.alloc(8))) },
        ],
        [
          { op: 'kcv', method: 'tdesZeroBlock', key, kcvBytes: 8 },
          { kcv: hex(tdes(Buffer.from(key, 'hex'), Buffer.alloc(8))) },
        ],
        [{ op: 'kcv', method: 'tdesZeroBlock', key, kcvBytes: 0 }, { kcv: '' }],
        // RFC 4493 example 1 with its own key; the check value is the CMAC of a zero block.
        [
          { op: 'mac', algorithm: 'aesCmac', key: '2B7E151628AED2A6ABF7158809CF4F3C', dataHex: '' },
          { mac: 'BB1D6929E95937287FA37D129B756746' },
        ],
      ]),
    ).toEqual([]);
  });
});
