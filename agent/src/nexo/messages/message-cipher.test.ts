import { createCipheriv, createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageHeader } from './header.js';
import { sentMessage } from './message.js';
import { isSecured, MessageCipher, type NexoKey } from './message-cipher.js';

const KEY: NexoKey = { identifier: 'shop', version: 2, passphrase: 'a passphrase of the shop' };
const HEADER: MessageHeader = {
  ProtocolVersion: '3.0',
  MessageClass: 'Service',
  MessageCategory: 'Payment',
  MessageType: 'Request',
  ServiceID: '4711',
  SaleID: 'till-1',
  POIID: '1001',
};
const MESSAGE = { SaleToPOIRequest: { MessageHeader: HEADER, PaymentRequest: { SaleData: {} } } };
const NONCE = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const cipher = new MessageCipher(KEY, { bytes: () => NONCE });
const sealed = () => cipher.seal(HEADER, MESSAGE);
const received = (secured: object) => sentMessage(JSON.parse(JSON.stringify({ SaleToPOIRequest: secured })));

/** The facts of the format, written once more. */
function independent() {
  const derived = pbkdf2Sync(KEY.passphrase, 'AdyenNexoV1Salt', 4_000, 640, 'sha1');
  const iv = Buffer.from(derived.subarray(64, 80).map((byte, index) => byte ^ (NONCE[index] ?? 0)));
  return { hmacKey: derived.subarray(0, 32), cipherKey: derived.subarray(32, 64), iv };
}

/** A message under the right keys, with any text inside. */
function sealedText(text: string) {
  const { hmacKey, cipherKey, iv } = independent();
  const aes = createCipheriv('aes-256-cbc', cipherKey, iv);
  const { SecurityTrailer } = sealed();
  return {
    MessageHeader: HEADER,
    NexoBlob: Buffer.concat([aes.update(text), aes.final()]).toString('base64'),
    SecurityTrailer: {
      ...SecurityTrailer,
      Hmac: createHmac('sha256', hmacKey).update(text).digest('base64'),
    },
  };
}

describe('message encryption of nexo', () => {
  it('enciphers as the published facts say', () => {
    const { hmacKey, cipherKey, iv } = independent();
    const { NexoBlob, SecurityTrailer, MessageHeader } = sealed();
    const aes = createDecipheriv('aes-256-cbc', cipherKey, iv);
    const clear = Buffer.concat([aes.update(Buffer.from(NexoBlob, 'base64')), aes.final()]);
    expect(JSON.parse(clear.toString())).toEqual(MESSAGE);
    expect(SecurityTrailer).toEqual({
      AdyenCryptoVersion: 1,
      KeyIdentifier: 'shop',
      KeyVersion: 2,
      Nonce: NONCE.toString('base64'),
      Hmac: createHmac('sha256', hmacKey).update(clear).digest('base64'),
    });
    expect(MessageHeader).toEqual(HEADER);
  });

  it('opens what it has enciphered', () => {
    const message = received(sealed());
    expect(isSecured(message)).toBe(true);
    expect(cipher.open(message).members.get('PaymentRequest')).toEqual({ SaleData: {} });
    expect(isSecured(sentMessage(MESSAGE))).toBe(false);
  });

  it.each([
    ['another key', 'key-identifier', { KeyIdentifier: 'other' }],
    ['another version of the key', 'key-version', { KeyVersion: 1 }],
    ['another format', 'crypto-version', { AdyenCryptoVersion: 0 }],
    ['another HMAC', 'bad-hmac', { Hmac: Buffer.alloc(32).toString('base64') }],
    ['an HMAC of another length', 'bad-hmac', { Hmac: 'AAAA' }],
    ['another nonce', 'bad-hmac', { Nonce: Buffer.alloc(16, 1).toString('base64') }],
    ['a short nonce', 'bad-envelope', { Nonce: 'AAAA' }],
    ['no nonce', 'bad-envelope', { Nonce: null }],
    ['a text that is no base64', 'bad-envelope', { Hmac: '%%' }],
  ])('refuses %s', (_what, code, changes) => {
    const secured = sealed();
    const changed = { ...secured, SecurityTrailer: { ...secured.SecurityTrailer, ...changes } };
    expect(() => cipher.open(received(changed))).toThrow(expect.objectContaining({ code }));
  });

  it('gives one answer to wrong padding and to a wrong HMAC', () => {
    const blob = Buffer.from(sealed().NexoBlob, 'base64');
    const texts = Array.from({ length: 256 }, (_, byte) => {
      const changed = Buffer.from(blob);
      changed[changed.length - 17] = byte;
      try {
        cipher.open(received({ ...sealed(), NexoBlob: changed.toString('base64') }));
        return 'taken';
      } catch (error) {
        return String(error);
      }
    });
    expect(new Set(texts.filter((text) => text !== 'taken')).size).toBe(1);
    expect(texts.filter((text) => text === 'taken')).toHaveLength(1);
  });

  it('refuses a clear header that differs from the message inside, in any order of its members', () => {
    const other = { ...sealed(), MessageHeader: { ...HEADER, ServiceID: '4712' } };
    expect(() => cipher.open(received(other))).toThrow(expect.objectContaining({ code: 'header-differs' }));
    const turned = Object.fromEntries(Object.entries(HEADER).reverse());
    expect(cipher.open(received({ ...sealed(), MessageHeader: turned })).header).toEqual(HEADER);
  });

  it.each([
    ['no JSON', '{'],
    ['another object', '{"SaleToPOIResponse":{}}'],
  ])('refuses %s inside', (_what, text) => {
    const code = 'bad-envelope';
    expect(() => cipher.open(received(sealedText(text)))).toThrow(expect.objectContaining({ code }));
  });
});
