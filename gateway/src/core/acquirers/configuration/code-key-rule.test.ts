import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { describe, expect, it } from 'vitest';
import { requireCodeKeys } from './code-key-rule.js';

type Acquirer = Parameters<typeof requireCodeKeys>[0][number];
const acquirer = (macMethod: Acquirer['macMethod'], more: Partial<Acquirer> = {}): Acquirer => ({
  ...{ name: 'ACME', macMethod, ...more },
});
const key = (algorithm: 'tdes2' | 'tdes3' | 'aes128', more = {}) => ({
  ...{ id: 'acme-mac', usage: 'mac' as const, scope: 'ACME', algorithm, ...more },
});

describe('the method of codes', () => {
  it.each([
    ['iso9797Algorithm1', 'tdes2'],
    ['iso9797Algorithm1', 'tdes3'],
    ['iso9797Algorithm3', 'tdes2'],
    ['cmac', 'tdes2'],
    ['cmac', 'tdes3'],
    ['cmac', 'aes128'],
    ['none', 'aes128'],
  ] as const)('%s takes a key of %s', (method, algorithm) => {
    expect(() => requireCodeKeys([acquirer(method)], [key(algorithm)])).not.toThrow();
  });

  it.each([
    [
      'iso9797Algorithm1',
      'aes128',
      /^acquirers\[0\]\.macMethod: .*tdes2 or tdes3, and key acme-mac of ACME is aes128/,
    ],
    ['iso9797Algorithm3', 'aes128', /needs a mac key of tdes2, /],
    ['iso9797Algorithm3', 'tdes3', /is tdes3; set cmac/],
  ] as const)('%s refuses a key of %s, naming field and rule', (method, algorithm, expected) => {
    const refused = () => requireCodeKeys([acquirer(method)], [key(algorithm)]);
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(expected);
  });

  it('is not compared with keys of others and retired ones, and not where codes are by DUKPT', () => {
    const retail = acquirer('iso9797Algorithm3');
    expect(() => requireCodeKeys([retail], [key('aes128', { scope: 'OTHER' })])).not.toThrow();
    expect(() => requireCodeKeys([retail], [key('aes128', { retiredUntilMs: 1 })])).not.toThrow();
    const byDukpt = acquirer('iso9797Algorithm3', { macKeySet: 'FFFF987654' });
    expect(() => requireCodeKeys([byDukpt], [key('aes128')])).not.toThrow();
  });
});
