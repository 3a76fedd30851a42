import { describe, expect, it } from 'vitest';
import { signingOnlyToken } from './independent.test.support.js';
import { type Case, hex, problems, published } from './unpublished.test.support.js';

describe('vectors without a published example', () => {
  it('bertlv, tr31, vault, capk: the refusals', () => {
    expect(
      problems('bertlv', [
        [{ op: 'tagHeader', hex: '9F' }, { error: 'badTag' }],
        [{ op: 'tagHeader', hex: '' }, { error: 'badTag' }],
        [{ op: 'parseDol', hex: '9F02069F' }, { error: 'badTag' }],
        [{ op: 'parseDol', hex: '9F02' }, { error: 'badLength' }],
        [
          { op: 'parseDol', hex: '' },
          { entries: [], totalLength: 0 },
        ],
        [{ op: 'buildDol', hex: '9F1F', values: [] }, { error: 'badLength' }],
        [{ op: 'buildDol', hex: '9F', values: [] }, { error: 'badTag' }],
        [
          { op: 'buildDol', hex: '9F02069F1A02', values: [{ tag: '9F1A', value: '0276' }] },
          { hex: '0000000000000276' },
        ],
        [{ op: 'decode', hex: '70819F02' }, { error: 'truncated' }],
        [{ op: 'decode', hex: '70039F0206' }, { error: 'truncated' }],
      ]),
    ).toEqual([]);
    const legacy = published('tr31', 'unwrap').filter(({ inputs }) => inputs.legacyVersions === 'accept');
    expect(legacy.length).toBeGreaterThan(0);
    const withoutConsent = legacy.map(
      ({ inputs: { legacyVersions: _, ...inputs } }): Case => [inputs, { error: 'notAllowed' }],
    );
    expect(problems('tr31', withoutConsent)).toEqual([]);
    expect(
      problems('vault-aes-gcm', [
        ...['', 'AA', '00'.repeat(12), '00'.repeat(17)].map((tag): Case => {
          const [sealed] = published('vault-aes-gcm', 'decrypt');
          return [{ ...sealed?.inputs, tag }, { error: 'badTagLength' }];
        }),
        ...published('vault-aes-gcm', 'encrypt').map(
          ({ inputs: { op: _, plaintext, ...rest }, expected }): Case => [
            { op: 'decrypt', ...rest, ...expected },
            { plaintext },
          ],
        ),
      ]),
    ).toEqual([]);
    const capks = published('emv-capk', 'checkCapk').map(({ inputs }): Case => {
      const modulus = String(inputs.modulus);
      return [
        { ...inputs, modulus: modulus.replace(/.$/, (last) => (last === '1' ? '3' : '1')) },
        { error: 'badCheckValue' },
      ];
    });
    expect(problems('emv-capk', capks)).toEqual([]);
  });

  it('iso8583: both encodings of the head, and what a field refuses', () => {
    const spec = {
      3: { encoding: 'bcd', lengthDigits: 0, maxLength: 6 },
      41: { encoding: 'ascii', lengthDigits: 0, maxLength: 8, pad: 'rightSpace' },
      48: { encoding: 'ascii', lengthDigits: 1, lengthEncoding: 'ascii', maxLength: 99 },
      52: { encoding: 'binary', lengthDigits: 0, maxLength: 8 },
      70: { encoding: 'bcd', lengthDigits: 0, maxLength: 3, pad: 'rightZero' },
    };
    const pack = (op: string, fields: Readonly<Record<string, string>>, mti = '0800') => ({
      op,
      mtiEncoding: 'bcd',
      bitmapEncoding: 'binary',
      fieldSpec: spec,
      mti,
      fields,
    });
    expect(
      problems('iso8583', [
        [pack('packUnpack', { 3: '990000' }), { packedHex: '08002000000000000000990000' }],
        [
          pack('packUnpack', { 41: 'T1' }),
          { packedHex: `08000000000000800000${hex(Buffer.from('T1      '))}` },
        ],
        [pack('packUnpack', { 70: '301' }), { packedHex: '0800800000000000000004000000000000003010' }],
        [
          pack('pack', { 41: 'TERM0001' }),
          { packedAscii: '\u0008\u0000\u0000\u0000\u0000\u0000\u0000\u0080\u0000\u0000TERM0001' },
        ],
        [
          {
            op: 'readBitmap',
            mtiEncoding: 'bcd',
            bitmapEncoding: 'binary',
            messageAscii: '\u0008\u0000\u0020\u0000\u0000\u0000\u0000\u0000\u0000\u0001',
          },
          { mti: '0800', presentFields: [3, 64] },
        ],
        [
          { op: 'readBitmap', mtiEncoding: 'ascii', bitmapEncoding: 'asciiHex', messageAscii: '0800A0' },
          { error: 'truncated' },
        ],
        [
          { op: 'readBitmap', mtiEncoding: 'ascii', bitmapEncoding: 'asciiHex', messageAscii: '08' },
          { error: 'truncated' },
        ],
        ...['packUnpack', 'pack'].flatMap((op): Case[] => [
          [pack(op, { 3: '1234567' }), { error: 'badField' }],
          [pack(op, { 3: '12345X' }), { error: 'badField' }],
          [pack(op, { 4: '12' }), { error: 'badField' }],
          [pack(op, { 48: '0123456789' }), { error: 'badField' }],
          [pack(op, { 52: 'ABC' }), { error: 'badField' }],
          [pack(op, { 52: 'AB' }), { error: 'badField' }],
        ]),
      ]),
    ).toEqual([]);
  });

  it('emv-oda: what breaks in each certificate and signature', () => {
    const flip = (text: unknown): string =>
      String(text).replace(/^../, (byte) => (byte === '00' ? '01' : '00'));
    const [cda] = published('emv-oda', 'cda').filter(({ expected }) => expected.error === undefined);
    const [sda] = published('emv-oda', 'sda').filter(({ expected }) => expected.error === undefined);
    const cases: Case[] = [
      [{ ...sda?.inputs, issuerCert: flip(sda?.inputs.issuerCert) }, { error: 'badIssuerCertificate' }],
      [
        { ...sda?.inputs, issuerRemainder: `${sda?.inputs.issuerRemainder}00` },
        { error: 'badIssuerCertificate' },
      ],
      [{ ...sda?.inputs, ssad: flip(sda?.inputs.ssad) }, { error: 'badSsad' }],
      [{ ...sda?.inputs, ssad: '' }, { error: 'badSsad' }],
      [{ ...cda?.inputs, issuerCert: flip(cda?.inputs.issuerCert) }, { error: 'badIssuerCertificate' }],
      [{ ...cda?.inputs, iccCert: flip(cda?.inputs.iccCert) }, { error: 'badIccCertificate' }],
      [{ ...cda?.inputs, pan: '4999999999999999' }, { error: 'badIccCertificate' }],
      [{ ...cda?.inputs, sdad: flip(cda?.inputs.sdad) }, { error: 'badSdad' }],
      [{ ...cda?.inputs, unpredictableNumber: 'FFFFFFFF' }, { error: 'badSdad' }],
    ];
    expect(problems('emv-oda', cases)).toEqual([]);
  });

  it('wallet: versions, chains, signatures, expiry and form of the signing-only scheme', () => {
    const at = 1_800_000_000_000;
    const message = JSON.stringify({ messageExpiration: String(at + 1), n: 1 });
    const { token, rootSigningKeysSpkiBase64 } = signingOnlyToken(message, at + 1);
    const inputs = {
      op: 'verifyOnly',
      scheme: 'googleEcV2SigningOnly',
      recipientId: 'merchant:12345',
      senderId: 'Google',
      rootSigningKeysSpkiBase64,
      evaluateAtUnixMs: at,
      payloadFormat: 'json',
      token,
    };
    const text = signingOnlyToken('no JSON at all', at + 1).token;
    const noJson = {
      ...token,
      intermediateSigningKey: { ...token.intermediateSigningKey, signedKey: 'no JSON' },
    };
    const otherRoot = published('wallet', 'verifyAndDecrypt').find(
      ({ inputs: i }) => i.scheme === 'googleEcV1',
    );
    const cases: Case[] = [
      [inputs, { payload: JSON.parse(message) as object }],
      [{ ...inputs, token: text, payloadFormat: 'text' }, { payloadText: 'no JSON at all' }],
      [{ ...inputs, token: text }, { error: 'malformed' }],
      [{ ...inputs, token: { ...token, protocolVersion: 'ECv2' } }, { error: 'badVersion' }],
      [{ ...inputs, token: { ...token, signedMessage: 7 } }, { error: 'malformed' }],
      [{ ...inputs, token: noJson }, { error: 'badChain' }],
      [
        { ...inputs, rootSigningKeysSpkiBase64: otherRoot?.inputs.rootSigningKeysSpkiBase64 },
        { error: 'badChain' },
      ],
      [{ ...inputs, evaluateAtUnixMs: at + 1 }, { error: 'expiredKey' }],
      [
        { ...inputs, token: signingOnlyToken(message, at + 9).token, evaluateAtUnixMs: at + 1 },
        { error: 'expiredMessage' },
      ],
      [{ ...inputs, recipientId: 'merchant:54321' }, { error: 'badSignature' }],
      [
        { ...inputs, token: { ...token, signedMessage: message.replace('1}', '2}') } },
        { error: 'badSignature' },
      ],
      ...published('wallet', 'verifyAndDecrypt').map(({ inputs: good }): Case => {
        const version = good.scheme === 'appleEcV1' ? { version: 'RSA_v1' } : { protocolVersion: 'ECv0' };
        return [{ ...good, token: { ...(good.token as object), ...version } }, { error: 'badVersion' }];
      }),
      ...published('wallet', 'decryptOnly').map(({ inputs: good }): Case => {
        const broken = { ...(good.token as object), data: Buffer.alloc(64).toString('base64') };
        return [{ ...good, token: broken }, { error: 'badTag' }];
      }),
    ];
    expect(problems('wallet', cases)).toEqual([]);
  });
});
