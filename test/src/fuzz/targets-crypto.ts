import { readComponent } from '@tillbridge/gateway/security/keys/key-components.js';
import { KeyStoreError } from '@tillbridge/gateway/security/keys/key-store.js';
import { odaKey } from '@tillbridge/hardware-sim/cards/oda/development-authority.js';
import {
  iccCertificate,
  signedDynamicData,
  signedStaticData,
} from '@tillbridge/hardware-sim/cards/oda/signatures.js';
import { fromHex } from '@tillbridge/wire/bytes.js';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { readAccountData } from '@tillbridge/wire/crypto/dukpt/account-data.js';
import { deriveAesInitialKey } from '@tillbridge/wire/crypto/dukpt/dukpt-aes.js';
import { AesDukptKeys, TdesDukptKeys } from '@tillbridge/wire/crypto/dukpt/dukpt-keys.js';
import { deriveInitialKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { type CapkRecord, loadCapk } from '@tillbridge/wire/crypto/emv/capk.js';
import { verifyCombinedData, verifyStaticData } from '@tillbridge/wire/crypto/emv/oda.js';
import { recoverIccKey, recoverIssuerKey } from '@tillbridge/wire/crypto/emv/oda-certificates.js';
import { TEST_CAPKS } from '@tillbridge/wire/crypto/emv/test-capks.js';
import { unwrapKeyBlock, wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { decodePinBlock, encodePinBlock } from '@tillbridge/wire/crypto/pin/pin-block.js';
import { decipherPinBlock4 } from '@tillbridge/wire/crypto/pin/pin-block-4.js';
import { openAppleToken, openUnverifiedAppleToken } from '@tillbridge/wire/crypto/wallets/apple-token.js';
import { type GoogleScheme, openGoogleToken } from '@tillbridge/wire/crypto/wallets/google-token.js';
import { parseObject } from '@tillbridge/wire/crypto/wallets/token-json.js';
import { type VectorInputs, vectorInputs } from './corpus.js';
import type { FuzzTarget } from './target.js';
import { JWE_TARGETS } from './targets-jwe.js';

const BDK = fromHex('0123456789ABCDEFFEDCBA9876543210');
const PAN = '4111111111111111';
const CAPKS = TEST_CAPKS.map(loadCapk);
const text = (input: Uint8Array): string => Buffer.from(input).toString('utf8');

function base64s(inputs: VectorInputs, name: string): Buffer[] {
  const list = inputs[name];
  return Array.isArray(list) ? list.map((item) => Buffer.from(String(item), 'base64')) : [];
}

const WALLET = vectorInputs('wallet');

function walletsOf(scheme: string): readonly VectorInputs[] {
  return WALLET.filter((inputs) => inputs.scheme === scheme && typeof inputs.token === 'object');
}

function tokensOf(scheme: string): readonly Buffer[] {
  return walletsOf(scheme).map((inputs) => Buffer.from(JSON.stringify(inputs.token)));
}

const APPLE = walletsOf('appleEcV1')[0] ?? {};
const APPLE_TRUST = {
  merchantIdHash: fromHex(String(APPLE.merchantIdHashHex ?? '')),
  privateKeys: base64s(APPLE, 'merchantPrivateKeysPkcs8Base64'),
  trustAnchors: base64s(APPLE, 'trustAnchorsDerBase64'),
  nowMs: Number(APPLE.evaluateAtUnixMs ?? 0),
};

function google(scheme: GoogleScheme): FuzzTarget {
  const inputs = walletsOf(scheme)[0] ?? {};
  const trust = {
    recipientId: String(inputs.recipientId),
    senderId: String(inputs.senderId),
    rootSigningKeys: base64s(inputs, 'rootSigningKeysSpkiBase64'),
    merchantPrivateKeys: base64s(inputs, 'merchantPrivateKeysPkcs8Base64'),
    nowMs: Number(inputs.evaluateAtUnixMs ?? 0),
  };
  return {
    name: `crypto/${scheme}`,
    corpus: tokensOf(scheme),
    refusals: [CryptoError],
    run: (input) => openGoogleToken(scheme, parseObject(text(input), 'token'), trust, 'json'),
  };
}

/** A block that opens under a protection key, so that some of its changed copies are read to the end. */
function ownBlock(kbpk: Buffer): Buffer {
  const header = {
    version: 'D',
    usage: 'B0',
    algorithm: 'T',
    mode: 'X',
    keyVersion: '00',
    exportability: 'N',
    optionalBlocks: [{ id: 'LB', data: 'fuzz' }],
  } as const;
  const random = (length: number): Buffer => Buffer.alloc(length, 0x5a);
  return Buffer.from(wrapKeyBlock(kbpk, header, BDK, { random }), 'latin1');
}

const STATIC_DATA = fromHex('5A0841111111111111111C00');
const UNPREDICTABLE = fromHex('DEADBEEF');
/** Header, format, hash algorithm, length, hash and trailer around signed dynamic data. */
const MAX_DYNAMIC_OVERHEAD = 25;

/** A key block protection key of each length, tried for the versions that take it. */
const KBPKS = [16, 24, 32].map((length) => Buffer.alloc(length, 0x77));

/** Readers of enciphered and signed inputs, whose keys are right and whose bytes are not. */
export const CRYPTO_TARGETS: readonly FuzzTarget[] = [
  ...KBPKS.map((kbpk) => ({
    name: `crypto/key-block-${kbpk.length * 8}`,
    corpus: [
      ...vectorInputs('tr31').map((inputs) => Buffer.from(String(inputs.keyBlock), 'latin1')),
      ownBlock(kbpk),
    ],
    refusals: [CryptoError],
    run: (input: Uint8Array) =>
      unwrapKeyBlock(kbpk, Buffer.from(input).toString('latin1'), { legacyVersions: 'accept' }),
  })),
  ...([0, 1, 2, 3] as const).map((format) => ({
    name: `crypto/pin-block-${format}`,
    corpus: ['1234', '123456789012'].map((pin) =>
      encodePinBlock({ format, pin, pan: PAN, random: (length) => Buffer.alloc(length, 0x5a) }),
    ),
    refusals: [CryptoError],
    run: (input: Uint8Array) => decodePinBlock(format, input, PAN),
  })),
  {
    name: 'crypto/pin-block-4',
    corpus: [fromHex('A912150391AB65A67E52883D81CE2D15')],
    refusals: [CryptoError],
    run: (input) => decipherPinBlock4(BDK, input, PAN),
  },
  tdesDukpt(),
  aesDukpt(),
  {
    name: 'crypto/issuer-certificate',
    corpus: CAPKS.map(({ modulus }) => Buffer.from(modulus)),
    refusals: [CryptoError],
    run: (input) => {
      for (const capk of CAPKS)
        refusedOrThrow(() =>
          recoverIssuerKey(capk, {
            certificate: input,
            remainder: input.subarray(0, 36),
            exponent: fromHex('03'),
          }),
        );
    },
  },
  {
    name: 'crypto/apple-token',
    corpus: tokensOf('appleEcV1'),
    refusals: [CryptoError],
    run: (input) => openAppleToken(parseObject(text(input), 'token'), APPLE_TRUST),
  },
  {
    name: 'crypto/apple-token-inside',
    corpus: tokensOf('appleEcV1'),
    refusals: [CryptoError],
    run: (input) => openUnverifiedAppleToken(parseObject(text(input), 'token'), APPLE_TRUST),
  },
  google('googleEcV1'),
  google('googleEcV2'),
  google('googleEcV2SigningOnly'),
  ...JWE_TARGETS,
  {
    name: 'crypto/account-data',
    corpus: [fromHex('5A08411111111111111157134111111111111111D31122010000000000000F5F2403311231')],
    refusals: [CryptoError],
    run: (input) => readAccountData(Buffer.from(input)),
  },
  {
    name: 'crypto/capk-record',
    corpus: TEST_CAPKS.map((record) => Buffer.from(JSON.stringify(record))),
    refusals: [CryptoError],
    run: (input) => loadCapk(parseObject(text(input), 'CAPK') as unknown as CapkRecord),
  },
  {
    name: 'crypto/icc-certificate',
    corpus: [iccCertificate(odaKey('issuer'), odaKey('icc'), PAN, STATIC_DATA).certificate],
    refusals: [CryptoError],
    run: (input) =>
      recoverIccKey(
        odaKey('issuer'),
        { certificate: input, remainder: Buffer.alloc(0), exponent: fromHex('03') },
        PAN,
        STATIC_DATA,
      ),
  },
  {
    name: 'crypto/signed-static-data',
    corpus: [signedStaticData(odaKey('issuer'), fromHex('DAC0'), STATIC_DATA)],
    refusals: [CryptoError],
    run: (input) => verifyStaticData(odaKey('issuer'), input, STATIC_DATA),
  },
  {
    name: 'crypto/signed-dynamic-data',
    // Signed again after each change, so that the content is read: wrong lengths, data that end early.
    corpus: [Buffer.concat([fromHex('08'), Buffer.alloc(37, 0x5a)])],
    refusals: [CryptoError],
    run: (input) => {
      const icc = odaKey('icc');
      const inside = input.subarray(0, icc.modulus.length - MAX_DYNAMIC_OVERHEAD);
      const signature = signedDynamicData(icc, inside, UNPREDICTABLE);
      verifyCombinedData(icc, signature, UNPREDICTABLE, undefined);
    },
  },
  ...(['tdes2', 'aes256'] as const).map((algorithm) => ({
    name: `security/key-component-${algorithm}`,
    corpus: [Buffer.from('0123 4567 89AB CDEF FEDC BA98 7654 3210\n')],
    refusals: [KeyStoreError],
    run: (input: Uint8Array) => readComponent(algorithm, 'component 1', input),
  })),
];

function refusedOrThrow(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
  }
}

function tdesDukpt(): FuzzTarget {
  const keys = new TdesDukptKeys(64);
  return {
    name: 'crypto/dukpt-tdes',
    corpus: [fromHex('FFFF9876543210E00001'), fromHex('FFFF9876540000F6D800')],
    refusals: [CryptoError],
    run: (ksn) => keys.transactionKey(ksn, () => deriveInitialKey(BDK, ksn)).fill(0),
  };
}

function aesDukpt(): FuzzTarget {
  const keys = new AesDukptKeys(64);
  return {
    name: 'crypto/dukpt-aes',
    corpus: [fromHex('123456789012345600000001'), fromHex('12345678901234560016DA00')],
    refusals: [CryptoError],
    run: (ksn) => keys.transactionKey(ksn, () => deriveAesInitialKey(BDK, ksn)).fill(0),
  };
}
