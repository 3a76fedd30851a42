import { createSecretKey, type KeyObject } from 'node:crypto';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { DATA_KEY_BYTES, DataKeyRing, dataKeyId } from '../data-key-ring.js';

const TEST_KEY = createSecretKey(Buffer.alloc(DATA_KEY_BYTES, 4));

/** A ring of one data key. */
export function testKeyRing(key: KeyObject = TEST_KEY, random: Random = systemRandom): DataKeyRing {
  const activeId = dataKeyId(key);
  return new DataKeyRing({ keys: new Map([[activeId, key]]), activeId }, random);
}
