import { expect, it } from 'vitest';
import { Iso8583Error } from '../iso8583-error.js';
import { readZoneKey, writeZoneKey, type ZoneKey } from './zone-key.js';

it.each<ZoneKey>([
  { use: 'mac' },
  { use: 'pin', kcv: '07F9E6' },
  { use: 'mac', kcv: '07F9E6', cryptogram: Buffer.alloc(16, 1) },
  { use: 'pin', kcv: '07F9E6', cryptogram: Buffer.alloc(24, 2) },
])('reads what it wrote: %j', (key) => {
  expect(readZoneKey(writeZoneKey(key))).toEqual(key);
});

it.each(['', '4E', '4D07F9', '4D07F9E600', `4D07F9E6${'00'.repeat(17)}`, '4d'])('refuses "%s"', (text) => {
  expect(() => readZoneKey(text)).toThrow(Iso8583Error);
});
