import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../dialects/dialects.js';
import { unpackMessage } from '../message.js';
import { packExchange } from './exchange-codec.js';
import type { ExchangeEntryMode, ExchangeMessage } from './exchange-message.js';

/**
 * What each bit of field 22 means to a jPOS host: four words of four bytes, the lowest byte first, the lowest bit first in each
 * (`org.jpos.iso.PosDataCode`). A separate reader, so that a fault which the codec and the simulated host share is seen.
 */
const MEANINGS = {
  reading: {
    1: 'unknown',
    2: 'contactless',
    4: 'keyed',
    16: 'magstripe',
    32: 'chip',
    64: 'on file',
    2048: 'chip failed',
    4096: 'magstripe failed',
    8192: 'fallback',
  },
  verification: { 1: 'unknown', 2: 'none', 4: 'signature', 8: 'online PIN', 16: 'offline PIN' },
  environment: {
    2: 'attended',
    4: 'unattended',
    16: 'e-commerce',
    64: 'recurring',
    128: 'stored details',
  },
  security: { 1: 'unknown', 32: 'channel encryption' },
} as const;

function meaningOf(field22: string): Readonly<Record<string, readonly string[]>> {
  const bytes = Buffer.from(field22, 'hex');
  return Object.fromEntries(
    Object.entries(MEANINGS).map(([name, bits], at) => {
      let left = bytes.readUInt32LE(4 * at);
      const found: string[] = [];
      for (const [bit, meaning] of Object.entries(bits)) {
        if ((left & Number(bit)) === 0) continue;
        left -= Number(bit);
        found.push(meaning);
      }
      return [name, left === 0 ? found : [...found, `no meaning: ${left.toString(16)}`]];
    }),
  );
}

const READ_AS: Readonly<Record<ExchangeEntryMode, readonly [reading: string, environment: string]>> = {
  keyed: ['keyed', 'attended'],
  magstripe: ['magstripe', 'attended'],
  fallback: ['magstripe, chip failed, fallback', 'attended'],
  chip: ['chip', 'attended'],
  'contactless-chip': ['contactless, chip', 'attended'],
  'contactless-magstripe': ['contactless, magstripe', 'attended'],
  'e-commerce': ['keyed', 'e-commerce'],
  stored: ['on file', 'stored details'],
};

describe('field 22 of the common message format, as a jPOS host reads it', () => {
  const cases = Object.entries(READ_AS) as [ExchangeEntryMode, (typeof READ_AS)[ExchangeEntryMode]][];
  it.each(cases)('%s: %s', (entryMode, [reading, environment]) => {
    for (const pinBlock of [undefined, '0011223344556677']) {
      const sent: ExchangeMessage = {
        ...{ kind: 'financial', isAdvice: false, isResponse: false, isRepeat: false },
        ...{ stan: '000042', at: '20261123072200', transaction: 'purchase', entryMode },
        ...{ amount: { minor: 1234, currency: 'EUR' }, pan: '4761739001010010' },
        ...(pinBlock !== undefined && { pinBlock }),
      };
      const { fields } = unpackMessage(DIALECTS.cmf, packExchange(DIALECTS.cmf, sent, false));
      const read = meaningOf(fields[22] ?? '');
      expect(read).toEqual({
        reading: expect.arrayContaining(reading.split(', ')),
        verification: [pinBlock === undefined ? 'unknown' : 'online PIN'],
        environment: [environment],
        security: ['unknown'],
      });
      expect(read.reading).toHaveLength(reading.split(', ').length);
    }
  });
});
