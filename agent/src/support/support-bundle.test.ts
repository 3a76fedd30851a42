import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCardData } from '@tillbridge/wire/mask/card-data-scan.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { describe, expect, it } from 'vitest';
import { bundleProblems, logPart, MAX_LOG_PART_BYTES } from './support-bundle.js';

describe('card data', () => {
  it.each([
    ['4200000000000000', 'card number'],
    ['pan4200000000000000x', 'card number'],
    ['4200 0000 0000 0000', 'card number'],
    ['4200.0000.0000.0000', 'card number'],
    ['card=5454-5454-5454-5454', 'card number'],
    ['4200 0000 0000 0000 12.34', 'card number'],
    ['343434343434343', 'card number'],
    ['00004200000000000000', 'card number'],
    ['%B4200000000000000^HOLDER/A^2512101', 'track'],
    [';4200000000000000=25121010000012300000?', 'track'],
    ['4200000000000000D25121010000012300000F', 'track'],
    ['9F2701805A0842000000000000005F340101', 'EMV data with a card number'],
    ['57114200000000000000D251210100000123000', 'EMV data with a card number'],
  ])('is found in %s', (text, what) => {
    const found = findCardData(`first\nsecond ${text}`);
    expect(found).toContainEqual({ line: 2, column: expect.any(Number), what });
  });

  it.each([
    '4200000000000001',
    '420000******0000',
    '2026-11-23T10:00:00.123Z',
    '"time":1763892000123',
    '01a203dd-e0ea-7571-95c9-420000000000',
    `${'a'.repeat(48)}4200000000000000`,
    'AE30136042000000000000004242424242424242424242424242424242424242',
    '192.168.100.200:4200',
    'order-4711 12.34 EUR',
    '111111111111111111111',
  ])('is not found in %s', (text) => {
    expect(findCardData(text)).toEqual([]);
  });

  it('that the mask of logs knows is gone behind it', () => {
    for (const text of ['4200000000000000', ';4200000000000000=25121010000012300000?'])
      expect(findCardData(maskText(text))).toEqual([]);
  });
});

describe('a support bundle', () => {
  it('names the line of the source where something stands that must not', () => {
    const parts = [
      { name: 'agent.log', text: 'fine\npan4200000000000000x', firstLine: 100 },
      { name: 'doctor', text: '{\n"token": "a-secret-of-the-store"}' },
    ];
    const secrets = [{ name: 'content of till-token', forms: ['a-secret-of-the-store'] }];
    expect(bundleProblems(parts, secrets)).toEqual([
      'agent.log, line 101, column 4: card number',
      'doctor, line 2: content of till-token',
    ]);
  });

  it('has the end of a log, in whole lines, masked, with the number of its first line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
    try {
      const path = join(folder, 'agent.log');
      expect(logPart('agent.log', path)).toBeUndefined();
      writeFileSync(path, 'Bearer abcdefgh12345678\n');
      expect(logPart('agent.log', path)).toEqual({ name: 'agent.log', text: 'Bearer ***\n', firstLine: 1 });
      const line = `${'x'.repeat(127)}\n`;
      writeFileSync(path, `${line.repeat(MAX_LOG_PART_BYTES / 64)}last`);
      const part = logPart('agent.log', path);
      expect(part?.text.length).toBeLessThanOrEqual(MAX_LOG_PART_BYTES);
      expect(part?.text.endsWith('last')).toBe(true);
      expect(part?.text.startsWith('x'.repeat(127))).toBe(true);
      const lines = part?.text.split('\n').length ?? 0;
      expect((part?.firstLine ?? 0) + lines - 1).toBe(MAX_LOG_PART_BYTES / 64 + 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
