import { generateKeyPairSync } from 'node:crypto';
import { CompactEncrypt, CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../bytes.js';
import { isNegative, text, type Vector, vectorsOf } from '../vectors.test.support.js';
import { openAppleToken, openUnverifiedAppleToken } from './apple-token.js';
import { type GoogleScheme, openGoogleToken, type PayloadFormat } from './google-token.js';
import { openJweToken } from './jwe-token.js';
import type { TokenObject } from './token-json.js';

const base64List = (vector: Vector, name: string): Buffer[] =>
  ((vector.inputs[name] as string[] | undefined) ?? []).map((item) => Buffer.from(item, 'base64'));

function run(vector: Vector): Record<string, unknown> {
  const token = vector.inputs.token as TokenObject;
  const nowMs = vector.inputs.evaluateAtUnixMs as number | undefined;
  const privateKeys = base64List(vector, 'merchantPrivateKeysPkcs8Base64');
  if (vector.inputs.scheme === 'appleEcV1') {
    const merchant = { merchantIdHash: fromHex(text(vector, 'merchantIdHashHex')), privateKeys };
    const trustAnchors = base64List(vector, 'trustAnchorsDerBase64');
    const opened =
      vector.inputs.op === 'decryptOnly'
        ? openUnverifiedAppleToken(token, merchant)
        : openAppleToken(token, { ...merchant, trustAnchors, nowMs: nowMs ?? 0 });
    return {
      payment: opened.payment,
      sharedSecretBase64: opened.sharedSecret.toString('base64'),
      symmetricKeyBase64: opened.symmetricKey.toString('base64'),
    };
  }
  const trust = {
    recipientId: text(vector, 'recipientId'),
    senderId: text(vector, 'senderId'),
    rootSigningKeys: base64List(vector, 'rootSigningKeysSpkiBase64'),
    merchantPrivateKeys: privateKeys,
    nowMs,
  };
  const format = vector.inputs.payloadFormat as PayloadFormat;
  return { ...openGoogleToken(vector.inputs.scheme as GoogleScheme, token, trust, format) };
}

describe('wallet tokens, published vectors', () => {
  it.each(vectorsOf('wallet').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    if (isNegative(vector)) {
      expect(() => run(vector)).toThrow(expect.objectContaining({ rule: vector.expected.error }));
    } else {
      expect(run(vector)).toMatchObject(vector.expected);
    }
  });
});

function vectorNamed(name: string): Vector {
  const vector = vectorsOf('wallet').find((candidate) => candidate.name === name);
  if (vector === undefined) throw new Error(`no vector ${name}`);
  return vector;
}

const withInputs = (vector: Vector, inputs: Record<string, unknown>): Vector => ({
  ...vector,
  inputs: { ...vector.inputs, ...inputs },
});

/** A signature whose signing time, a signed attribute, is a UTCTime without its `Z`, as fuzzing found it. */
function withBrokenSigningTime(signature: string): string {
  const cms = Buffer.from(signature, 'base64');
  const utcTime = Buffer.from('06092a864886f70d010905310f170d', 'hex');
  const at = cms.indexOf(utcTime);
  expect(at).toBeGreaterThan(0);
  cms.write('1', at + utcTime.length + 'YYMMDDhhmmss'.length);
  return cms.toString('base64');
}

describe('Apple-style token', () => {
  const good = vectorNamed('apple EC_v1 gala');
  const token = good.inputs.token as TokenObject;
  const signedMs = (good.inputs.evaluateAtUnixMs as number) - 60_000;

  it.each<[string, string, Record<string, unknown>]>([
    ['an unsigned token', 'malformed', { token: { ...token, signature: undefined } }],
    ['another version', 'badVersion', { token: { ...token, version: 'RSA_v1' } }],
    ['a signature that is no CMS', 'malformed', { token: { ...token, signature: 'AAAA' } }],
    ['no trust anchor', 'badChain', { trustAnchorsDerBase64: [] }],
    ['certificates that have expired', 'expiredKey', { evaluateAtUnixMs: Date.UTC(2039, 1, 1) }],
    ['a signing time six minutes old', 'expiredMessage', { evaluateAtUnixMs: signedMs + 6 * 60_000 }],
    ['a signing time in the future', 'expiredMessage', { evaluateAtUnixMs: signedMs - 2 * 60_000 }],
    [
      'a signed attribute that cannot be serialized anew',
      'badSignature',
      { token: { ...token, signature: withBrokenSigningTime(token.signature as string) } },
    ],
    ['another merchant', 'badTag', { merchantIdHashHex: '00'.repeat(32) }],
  ])('refuses %s', (_, rule, inputs) => {
    expect(() => run(withInputs(good, inputs))).toThrow(expect.objectContaining({ rule }));
  });
});

describe('Google-style token', () => {
  const good = vectorNamed('synthetic ECv2 7');
  const token = good.inputs.token as TokenObject;
  const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = other.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const pkcs8 = other.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

  it.each<[string, string, Record<string, unknown>]>([
    ['another version', 'badVersion', { token: { ...token, protocolVersion: 'ECv1' } }],
    ['a root that did not sign', 'badChain', { rootSigningKeysSpkiBase64: [spki] }],
    ['another sender', 'badChain', { senderId: 'Someone' }],
    ['another recipient', 'badSignature', { recipientId: 'merchant:other' }],
    ['another merchant key', 'badTag', { merchantPrivateKeysPkcs8Base64: [pkcs8] }],
    ['an expired intermediate key', 'expiredKey', { evaluateAtUnixMs: 9_999_999_999_999 }],
    ['a token without its message', 'malformed', { token: { ...token, signedMessage: undefined } }],
    [
      'a chain without signatures',
      'malformed',
      { token: { ...token, intermediateSigningKey: { signedKey: '{}', signatures: [] } } },
    ],
  ])('refuses %s', (_, rule, inputs) => {
    expect(() => run(withInputs(good, inputs))).toThrow(expect.objectContaining({ rule }));
  });

  it('is for the merchant that the gateway serves, where one is named', () => {
    const trust = {
      recipientId: text(good, 'recipientId'),
      senderId: 'Google',
      rootSigningKeys: base64List(good, 'rootSigningKeysSpkiBase64'),
      merchantPrivateKeys: base64List(good, 'merchantPrivateKeysPkcs8Base64'),
      nowMs: good.inputs.evaluateAtUnixMs as number,
    };
    const open = (gatewayMerchantId: string) =>
      openGoogleToken('googleEcV2', token, { ...trust, gatewayMerchantId }, 'json');
    expect(open('test').payload).toMatchObject({ gatewayMerchantId: 'test' });
    expect(() => open('other')).toThrow(expect.objectContaining({ rule: 'notAllowed' }));
  });

  it('verifies the text as received: the same JSON written otherwise is another message', () => {
    const signedMessage = ` ${token.signedMessage as string}`;
    expect(() => run(withInputs(good, { token: { ...token, signedMessage } }))).toThrow(/badSignature/);
  });
});

describe('signed JWE token', () => {
  const signing = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const merchant = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const trust = {
    signingKeys: [signing.publicKey],
    merchantPrivateKeys: [merchant.privateKey],
    nowMs: 1_000_000,
  };

  async function make(payload: unknown, signer = signing.privateKey): Promise<string> {
    const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
      .encrypt(merchant.publicKey);
    return new CompactSign(Buffer.from(jwe)).setProtectedHeader({ alg: 'ES256' }).sign(signer);
  }

  it('opens what the wallet signed for the merchant', async () => {
    expect(await openJweToken(await make({ exp: 2000, amount: 100 }), trust)).toEqual({
      exp: 2000,
      amount: 100,
    });
  });

  it('refuses another signer, another merchant, an old token, garbage', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const expectRule = async (token: Promise<string> | string, rule: string, more = {}) =>
      expect(openJweToken(await token, { ...trust, ...more })).rejects.toMatchObject({ rule });
    await expectRule(make({ exp: 2000 }, other.privateKey), 'badSignature');
    await expectRule(make({ exp: 2000 }), 'badTag', { merchantPrivateKeys: [other.privateKey] });
    await expectRule(make({ exp: 2000 }), 'unknownKey', { merchantPrivateKeys: [] });
    await expectRule(make({ exp: 1000 }), 'expiredMessage');
    await expectRule(make({ exp: 'soon' }), 'malformed');
    await expectRule('garbage', 'malformed');
    await expectRule(`${'a'.repeat(70_000)}.b.c`, 'malformed');
  });

  it('refuses an unsigned token whose algorithm is none', async () => {
    const head = Buffer.from('{"alg":"none"}').toString('base64url');
    await expect(openJweToken(`${head}.e30.`, trust)).rejects.toMatchObject({ rule: 'badSignature' });
  });
});
