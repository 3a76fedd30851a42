import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { encipherPinBlock4 } from '../pin/pin-block-4.js';
import { refusalOf } from '../random.test.support.js';
import { hex, isNegative, text, vectorsOf } from '../vectors.test.support.js';
import {
  advanceAesKsn,
  aesWorkingKey,
  deriveAesInitialKey,
  deriveAesTransactionKey,
  deriveAesUpdateKey,
} from './dukpt-aes.js';

const named = (op: string) => vectorsOf('dukpt-aes', op).map((v) => [v.name, v] as const);

describe('AES DUKPT, published vectors', () => {
  it.each([...named('deriveKeys'), ...named('transaction'), ...named('encryptPin')])('%s', (_, vector) => {
    const ksn = hex(vector, 'ksn');
    const ik = deriveAesInitialKey(hex(vector, 'bdk'), ksn);
    if (isNegative(vector)) {
      expect(refusalOf(() => deriveAesTransactionKey(ik, ksn))).toBe(vector.expected.error);
      return;
    }
    const key = deriveAesTransactionKey(ik, ksn);
    if ('ik' in vector.expected) expect(toHex(ik)).toBe(vector.expected.ik);
    expect(toHex(key)).toBe(vector.expected.derivationKey);
    if (vector.inputs.op === 'encryptPin') {
      const pinKey = aesWorkingKey(key, ksn, 'pin', text<'aes128'>(vector, 'workingKey'));
      const block = encipherPinBlock4(
        pinKey,
        text(vector, 'pin'),
        text(vector, 'pan'),
        hex(vector, 'randomFill'),
      );
      expect(toHex(block)).toBe(vector.expected.encryptedPinBlock);
    }
  });

  it.each(named('deriveUpdateKeys'))('%s', (_, vector) => {
    const update = (type: 'aes128' | 'aes256') =>
      toHex(deriveAesUpdateKey(hex(vector, 'ik'), hex(vector, 'initialKeyId'), type));
    expect(update('aes128')).toBe(vector.expected.updateKeyAes128);
    expect(update('aes256')).toBe(vector.expected.updateKeyAes256);
  });

  it.each(named('advanceKsn'))('%s', (_, vector) => {
    expect(toHex(advanceAesKsn(hex(vector, 'ksn')))).toBe(vector.expected.nextKsn);
  });
});

describe('AES DUKPT refusals', () => {
  const ik = Buffer.alloc(16, 1);

  it.each([
    ['123456789012345600000000', 'badCounter'],
    ['12345678901234560001FFFF', 'badCounter'],
    ['1234567890123456FFFFFFFF', 'badCounter'],
    ['12345678901234560000', 'badKsn'],
  ])('%s: %s', (ksn, rule) => {
    expect(refusalOf(() => deriveAesTransactionKey(ik, fromHex(ksn)))).toBe(rule);
  });

  it('every usage and every length gives another key', () => {
    const ksn = fromHex('123456789012345600000003');
    const keys = new Set<string>();
    for (const usage of [
      'pin',
      'macGeneration',
      'macVerification',
      'macBothWays',
      'dataEncrypt',
      'dataDecrypt',
      'dataBothWays',
    ] as const) {
      for (const type of ['aes128', 'aes192', 'aes256', 'tdes2', 'tdes3', 'hmac128', 'hmac256'] as const) {
        keys.add(toHex(aesWorkingKey(ik, ksn, usage, type)));
      }
    }
    expect(keys.size).toBe(49);
  });
});
