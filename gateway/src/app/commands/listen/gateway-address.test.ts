import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../configuration/config.js';
import { gatewayAddress } from './gateway-address.js';

const RUNNING = 'http://127.0.0.1:41234';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-address-'));
  mkdirSync(join(folder, 'gateway'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function address(env: NodeJS.ProcessEnv = {}, option?: string): string {
  const all = { TILLBRIDGE_HOME: folder, ...env };
  return gatewayAddress(option, loadConfig(undefined, all), all);
}

function writeDevFile(text: string): void {
  writeFileSync(join(folder, 'dev.json'), text);
}

it('is that of the stack to which the home belongs, not the usual port, where another stack may listen', () => {
  writeDevFile(JSON.stringify({ gateway: { url: RUNNING } }));
  expect(address()).toBe(RUNNING);
  expect(address({ GATEWAY_PORT: '0' })).toBe(RUNNING);
});

it('is the one that the command line or the environment names', () => {
  writeDevFile(JSON.stringify({ gateway: { url: RUNNING } }));
  expect(address({ GATEWAY_PORT: '9001' })).toBe('http://127.0.0.1:9001');
  expect(address({ GATEWAY_PORT: '9001' }, 'http://127.0.0.1:9002')).toBe('http://127.0.0.1:9002');
});

it.each([undefined, '{', '{}', '{"gateway": {"url": 1}}', 'null'])(
  'is that of the configuration where dev.json is %s',
  (text) => {
    if (text !== undefined) writeDevFile(text);
    expect(address()).toBe('http://127.0.0.1:8080');
    expect(() => address({ GATEWAY_PORT: '0' })).toThrow('--gateway');
  },
);
