import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { describe, expect, it } from 'vitest';
import { requirePinRoom } from './pin-block-rule.js';

const acquirer = (format?: string) => ({
  name: 'ACME',
  dialect: '1987-binary' as const,
  ...(format !== undefined && { dialectChanges: { fields: { 52: { format } } } }),
});
const key = (algorithm: 'tdes2' | 'aes128' | 'aes256', more = {}) => ({
  ...{ id: 'acme-pin', usage: 'zone-pin' as const, scope: 'ACME', algorithm, ...more },
});

describe('the field of PIN blocks', () => {
  it('takes blocks of 8 bytes under a TDES key, and of 16 under an AES key where it holds them', () => {
    expect(() => requirePinRoom([acquirer()], [key('tdes2')])).not.toThrow();
    expect(() => requirePinRoom([acquirer('b16')], [key('aes128')])).not.toThrow();
    expect(() => requirePinRoom([acquirer('b..16')], [key('aes256')])).not.toThrow();
  });

  it.each([
    [
      undefined,
      'aes128',
      /^acquirers\[0\]\.dialectChanges\.fields\.52\.format: .*8 bytes.*format 4, 16 bytes/,
    ],
    ['b16', 'tdes2', /16 bytes.*format 0, 8 bytes/],
  ] as const)('of format %s refuses a key of %s, naming field and rule', (format, algorithm, expected) => {
    const refused = () => requirePinRoom([acquirer(format)], [key(algorithm)]);
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(expected);
  });

  it('is not looked at for keys of others, retired ones, and where it is never written', () => {
    expect(() => requirePinRoom([acquirer()], [key('aes128', { scope: 'OTHER' })])).not.toThrow();
    expect(() => requirePinRoom([acquirer()], [key('aes128', { retiredUntilMs: 1 })])).not.toThrow();
    expect(() => requirePinRoom([acquirer()], [])).not.toThrow();
    const never = { ...acquirer(), dialectChanges: { fields: { 52: { presence: 'never' as const } } } };
    expect(() => requirePinRoom([never], [key('aes128')])).not.toThrow();
  });
});
