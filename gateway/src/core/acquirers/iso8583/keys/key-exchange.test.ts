import { rmSync } from 'node:fs';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { tdesEncryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { readZoneKey, writeZoneKey } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newKeyBytes } from '../../../../security/keys/key-generation.js';
import type { SoftwareKeyStore } from '../../../../security/keys/software-key-store.js';
import { SoftwareSecurityModule } from '../../../../security/module/software-security-module.js';
import { openDevelopmentKeyStore, temporaryHome } from '../../../../security/test-keys.test.support.js';
import { keyRequest, takeZoneKey } from './key-exchange.js';

let home: string;
let keys: SoftwareKeyStore;
let refusals: string[];
beforeEach(() => {
  home = temporaryHome();
  keys = openDevelopmentKeyStore(home);
  refusals = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const MESSAGE = {
  kind: 'network',
  isAdvice: false,
  isResponse: true,
  isRepeat: false,
  stan: '000001',
  at: '20261123072200',
  network: 'key-exchange',
} as const satisfies ExchangeMessage;

const take = (values: Partial<ExchangeMessage>) =>
  takeZoneKey(
    {
      acquirer: 'EXTERNAL',
      security: new SoftwareSecurityModule(keys),
      refused: (reason) => refusals.push(reason),
    },
    { ...MESSAGE, ...values },
  );

function sent(use: 'mac' | 'pin', key: Uint8Array): string {
  const cryptogram = tdesEncryptEcb(developmentKey('zoneTransportKey'), key);
  return writeZoneKey({ use, kcv: toHex(tdesKcv(key)), cryptogram });
}

it('requests a key of a use', () => {
  expect(keyRequest('pin')).toMatchObject({ kind: 'network', network: 'key-exchange' });
  expect(readZoneKey(keyRequest('pin').zoneKey ?? '')).toEqual({ use: 'pin' });
});

it.each([
  ['mac', 'mac'],
  ['pin', 'zone-pin'],
] as const)('takes a %s key, and answers with its check value', async (use, usage) => {
  const before = keys.find(usage, 'EXTERNAL');
  const key = newKeyBytes('tdes2', systemRandom);
  const kcv = toHex(tdesKcv(key));
  expect(await take({ zoneKey: sent(use, key) })).toEqual({
    responseCode: '00',
    zoneKey: writeZoneKey({ use, kcv }),
  });
  const info = keys.find(usage, 'EXTERNAL');
  expect(info).toMatchObject({ kcv });
  expect(info && keys.predecessors(info)).toMatchObject([{ kcv: before?.kcv }]);
  // An answer that comes twice.
  expect(await take({ zoneKey: sent(use, key) })).toMatchObject({ responseCode: '00' });
  expect(refusals).toEqual([]);
});

it.each([
  ['nothing', {}, '30', 'it brings no key'],
  ['no key', { zoneKey: '4D' }, '30', 'it brings no key'],
  ['no form', { zoneKey: 'FFFF' }, '30', 'it brings no key'],
  ['a key without its use', { keyBlock: 'D0112P0TB00N0000' }, '30', 'it brings no key'],
  ['a wrong block', { keyBlock: 'D0112P0TB00N0000', zoneKey: '50' }, '63', 'badLength'],
  ['another check value', { zoneKey: `4D000000${'00'.repeat(16)}` }, '63', 'kcvMismatch'],
])('refuses %s, and goes on with the key that it has', async (_, values, responseCode, reason) => {
  const before = keys.list();
  expect(await take(values)).toEqual({ responseCode });
  expect(refusals).toEqual([expect.stringContaining(reason)]);
  expect(keys.list()).toEqual(before);
});
