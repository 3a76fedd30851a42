import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../bytes.js';
import { CryptoError } from '../ciphers/errors.js';
import { retailMac } from '../ciphers/mac.js';
import { tdesEncryptCbc, tdesEncryptEcb } from '../ciphers/tdes.js';
import { encodePinBlock } from '../pin/pin-block.js';
import { hex, isNegative, text, vectorsOf } from '../vectors.test.support.js';
import {
  advanceKsn,
  deriveInitialKey,
  deriveTransactionKey,
  type TdesKeyUsage,
  tdesCounter,
  workingKey,
} from './dukpt-tdes.js';

const KEY_FIELDS: Readonly<Record<string, TdesKeyUsage>> = {
  pinKey: 'pin',
  macRequestKey: 'macRequest',
  macResponseKey: 'macResponse',
  dataRequestKey: 'dataRequest',
  dataResponseKey: 'dataResponse',
};

describe('TDES DUKPT, published vectors', () => {
  const transactions = vectorsOf('dukpt-tdes', 'transaction');

  it.each(transactions.filter((v) => !isNegative(v)).map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const ksn = hex(vector, 'ksn');
    const ik = deriveInitialKey(hex(vector, 'bdk'), ksn);
    const key = deriveTransactionKey(ik, ksn);
    const actual: Record<string, string> = { ik: toHex(ik), transactionKey: toHex(key) };
    for (const [field, usage] of Object.entries(KEY_FIELDS)) actual[field] = toHex(workingKey(key, usage));
    const block = encodePinBlock({ format: 0, pin: text(vector, 'pin'), pan: text(vector, 'pan') });
    actual.encryptedPinBlock = toHex(tdesEncryptEcb(workingKey(key, 'pin'), block));
    const request = tdesEncryptCbc(workingKey(key, 'dataRequest'), hex(vector, 'iv'), hex(vector, 'dataHex'));
    actual.encryptedRequest = toHex(request);
    if ('macRequest' in vector.expected) {
      const data = Buffer.from(text(vector, 'macDataAscii'), 'latin1');
      const mac = retailMac(workingKey(key, 'macRequest'), data, 'iso9797Method1');
      actual.macRequest = toHex(mac.subarray(0, 4));
    }
    const checked = Object.keys(actual).filter((field) => field in vector.expected);
    expect(checked.length).toBeGreaterThan(0);
    for (const field of checked) expect(actual[field], field).toBe(vector.expected[field]);
  });

  it.each(transactions.filter(isNegative).map((v) => [v.name, v] as const))('%s', (_, vector) => {
    const ik = deriveInitialKey(hex(vector, 'bdk'), hex(vector, 'ksn'));
    expect(() => deriveTransactionKey(ik, hex(vector, 'ksn'))).toThrow(
      expect.objectContaining({ rule: vector.expected.error }),
    );
  });

  it.each(vectorsOf('dukpt-tdes', 'advanceKsn').map((v) => [v.name, v] as const))('%s', (_, vector) => {
    if (isNegative(vector)) {
      expect(() => advanceKsn(hex(vector, 'ksn'))).toThrow(
        expect.objectContaining({ rule: vector.expected.error }),
      );
    } else {
      expect(toHex(advanceKsn(hex(vector, 'ksn')))).toBe(vector.expected.nextKsn);
    }
  });
});

describe('TDES DUKPT counters', () => {
  it('visits every legal counter in order and no other, near the end of the range', () => {
    let ksn = fromHex('FFFF9876543210FFF000');
    const seen: number[] = [];
    for (;;) {
      try {
        ksn = advanceKsn(ksn);
      } catch (error) {
        expect(error).toMatchObject({ rule: 'counterExhausted' });
        break;
      }
      seen.push(tdesCounter(ksn));
    }
    const legal: number[] = [];
    for (let counter = 0x1ff001; counter <= 0x1fffff; counter += 1) {
      if (counter.toString(2).replaceAll('0', '').length <= 10) legal.push(counter);
    }
    expect(seen).toEqual(legal);
  });

  it('states how long a wrong KSN or key is, and nothing of its bytes', () => {
    expect(() => deriveInitialKey(new Uint8Array(16), new Uint8Array(8))).toThrow(/badKsn.*8 bytes/);
    expect(() => deriveInitialKey(new Uint8Array(24), new Uint8Array(10))).toThrow(CryptoError);
  });
});
