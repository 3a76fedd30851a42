import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../bytes.js';
import { refusalOf, SEED } from '../random.test.support.js';
import { advanceAesKsn, deriveAesTransactionKey } from './dukpt-aes.js';
import { AesDukptKeys, TdesDukptKeys } from './dukpt-keys.js';
import { DukptPathCache } from './dukpt-path-cache.js';
import { advanceKsn, deriveTransactionKey } from './dukpt-tdes.js';

const IK = (length: number) => Buffer.alloc(length, 0x5a);

function tdesKsn(device: number, counter: number): Buffer {
  const ksn = Buffer.from('FFFF9876540000E00000', 'hex');
  ksn[5] = device;
  ksn.writeUInt32BE((0x00e00000 | counter) >>> 0, 6);
  return ksn;
}

function aesKsn(device: number, counter: number): Buffer {
  const ksn = Buffer.alloc(12, 0x11);
  ksn[7] = device;
  ksn.writeUInt32BE(counter, 8);
  return ksn;
}

describe('cached DUKPT keys', () => {
  it('are those of the direct derivation, whatever the order of counters and devices', () => {
    const use = fc.record({
      device: fc.integer({ min: 0, max: 5 }),
      counter: fc.integer({ min: 0, max: 0x1fffff }),
    });
    fc.assert(
      fc.property(fc.array(use, { maxLength: 20 }), (uses) => {
        const tdes = new TdesDukptKeys(3);
        const aes = new AesDukptKeys(3);
        for (const { device, counter } of uses) {
          const [ksn, longKsn] = [tdesKsn(device, counter), aesKsn(device, counter * 1024)];
          let direct = '';
          const refusal = refusalOf(() => {
            direct = toHex(deriveTransactionKey(IK(16), ksn));
          });
          let cached = '';
          expect(
            refusalOf(() => {
              cached = toHex(tdes.transactionKey(ksn, () => IK(16)));
            }),
          ).toBe(refusal);
          expect(cached).toBe(direct);
          if (refusal === undefined) {
            const key = aes.transactionKey(longKsn, () => IK(32));
            expect(toHex(key)).toBe(toHex(deriveAesTransactionKey(IK(32), longKsn)));
          }
        }
        tdes.clear();
        aes.clear();
      }),
      SEED,
    );
  });

  it('are right for a long run of consecutive transactions in the dense part of the range', () => {
    const tdes = new TdesDukptKeys();
    const aes = new AesDukptKeys();
    let ksn = tdesKsn(1, 0x0ff800);
    let longKsn = aesKsn(1, 0x7fff8000);
    for (let i = 0; i < 300; i += 1) {
      expect(toHex(tdes.transactionKey(ksn, () => IK(16)))).toBe(toHex(deriveTransactionKey(IK(16), ksn)));
      const key = aes.transactionKey(longKsn, () => IK(16));
      expect(toHex(key)).toBe(toHex(deriveAesTransactionKey(IK(16), longKsn)));
      ksn = advanceKsn(ksn);
      longKsn = advanceAesKsn(longKsn);
    }
  });

  it('ask for the initial key once per device while it is kept, and again after it was evicted or cleared', () => {
    const keys = new TdesDukptKeys(2);
    const derived: number[] = [];
    const use = (device: number, counter: number) =>
      keys.transactionKey(tdesKsn(device, counter), () => {
        derived.push(device);
        return IK(16);
      });
    use(1, 1);
    use(2, 1);
    use(1, 2);
    expect(derived).toEqual([1, 2]);
    use(3, 1);
    use(1, 3);
    expect(derived).toEqual([1, 2, 3]);
    use(2, 2);
    keys.clear();
    use(3, 2);
    expect(derived).toEqual([1, 2, 3, 2, 3]);
  });

  it('are wiped when evicted, and the key of the transaction is never kept', () => {
    const made: { reached: number; disposed: boolean }[] = [];
    const node = (reached: number) => {
      const record = { reached, disposed: false };
      made.push(record);
      return {
        reached,
        childKey: () => Buffer.alloc(1),
        child: (to: number) => node(to),
        dispose: () => {
          record.disposed = true;
        },
      };
    };
    const cache = new DukptPathCache(1);
    cache.transactionKey('a', 0b1011, () => node(0));
    expect(made.map(({ reached }) => reached)).toEqual([0, 0b1000, 0b1010]);
    cache.transactionKey('b', 1, () => node(0));
    expect(made.slice(0, 3).every(({ disposed }) => disposed)).toBe(true);
    expect(cache.size).toBe(1);
    cache.clear();
    expect(made.every(({ disposed }) => disposed)).toBe(true);
    expect(cache.size).toBe(0);
  });
});
