import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { expect, test } from 'vitest';
import { loadConfig } from './config.js';

const WHOLE = {
  GATEWAY_PKCS11_LIBRARY: '/usr/lib/softhsm/libsofthsm2.so',
  GATEWAY_PKCS11_TOKEN: 'payments',
  GATEWAY_PKCS11_PIN_FILE: '/etc/tillbridge/token.pin',
};

test('a token is configured as a whole or not at all', () => {
  expect(loadConfig(undefined, {}).token).toBeUndefined();
  expect(loadConfig(undefined, WHOLE).token).toEqual({
    library: '/usr/lib/softhsm/libsofthsm2.so',
    label: 'payments',
    pinFile: '/etc/tillbridge/token.pin',
  });
  const half = { ...WHOLE, GATEWAY_PKCS11_PIN_FILE: '' };
  expect(() => loadConfig(undefined, half)).toThrow(
    /pkcs11\.pinFile is missing: expected the path of a file of mode 0600/,
  );
  const long = { ...WHOLE, GATEWAY_PKCS11_TOKEN: 'x'.repeat(33) };
  expect(() => loadConfig(undefined, long)).toThrow(ConfigError);
});
