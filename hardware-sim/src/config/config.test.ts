import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { tdesCounter } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from './config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'sim.yaml');
  writeFileSync(file, yaml, { mode: 0o600 });
  return loadConfig(file, env);
}

const TERMINAL = '{id: 1001, deviceType: GERTEC_PPC930, serial: G0001001}';

test('file, then environment over it; the rest has presets', () => {
  const config = load(
    `port: 1\nauto: false\nterminals: [${TERMINAL}]\nproxy: {port: 0, target: "127.0.0.1:8080"}`,
    {
      SIM_PORT: '2',
      SIM_AUTO: '1',
    },
  );
  expect(config).toMatchObject({ port: 2, auto: true, host: '127.0.0.1', gateway: undefined });
  expect(config.proxy).toEqual({ port: 0, targetHost: '127.0.0.1', targetPort: 8080 });
  expect(config.terminals[0]).toMatchObject({
    id: '1001',
    pinKeyIndex: 1,
    defaultCard: 'visa-credit-online',
  });
});

test('each terminal has its own keys: serial numbers differ by device and by use, counters are zero', () => {
  const config = load(`terminals: [${TERMINAL}, {id: 1002, deviceType: GERTEC_PPC930, serial: G0001002}]`);
  const ksns = config.terminals.flatMap(({ ksnPin, ksnData }) => [ksnPin, ksnData]);
  expect(new Set(ksns.map((ksn) => ksn.toString('hex'))).size).toBe(4);
  for (const ksn of ksns) expect(tdesCounter(ksn)).toBe(0);
});

test.each([
  ['hom: x', 'hom is no known key; did you mean home?'],
  ['port: 70000', 'port must be a whole number from 0 to 65535, not 70000'],
  ['terminals: [{id: a}]', 'terminals[0].serial is missing'],
  [`terminals: [${TERMINAL}, ${TERMINAL}]`, 'has 1001 twice'],
  ['terminals: [{id: a, deviceType: X, serial: b}]', 'terminals[0].deviceType must be one of GERTEC_PPC930'],
  [
    `terminals: [{id: a, deviceType: GERTEC_PPC930, serial: b, defaultCard: gold}]`,
    'terminals[0].defaultCard must be one of visa-credit-online',
  ],
  [`terminals: [{id: a, deviceType: GERTEC_PPC930, serial: b, ksnPin: FFFF9876543210000001}]`, 'ksnPin'],
  [`terminals: [{id: a, deviceType: GERTEC_PPC930, serial: b, ksnPin: FFFF98A8543210E000000000}]`, 'ksnPin'],
  [`terminals: [{id: a, deviceType: MAGTEK_DYNAFLEX, serial: b, ksnPin: FFFF98A8543210E000000001}]`, 'AES'],
  ['proxy: {target: nowhere}', 'proxy.target must be host:port of the gateway, not "nowhere"'],
  ['gateway: {url: ftp://x}', 'gateway.url'],
  ['port: 1\nport: 2', 'no valid YAML'],
  ['- a', 'the file must be a mapping'],
])('%s is refused: %s', (yaml, message) => {
  expect(() => load(yaml)).toThrow(ConfigError);
  expect(() => load(yaml)).toThrow(message);
});

test('a wrong variable is named; a file that is not there, too', () => {
  expect(() => load('', { SIM_AUTO: 'maybe' })).toThrow(
    'SIM_AUTO must be true or false (1 or 0), not "maybe"',
  );
  expect(() => loadConfig(join(folder, 'none.yaml'), {})).toThrow('none.yaml cannot be read');
});
