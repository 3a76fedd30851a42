import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findControlUrl } from './address.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sim-address-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('SIM_URL wins over SIM_PORT, and that over dev.json and the default', () => {
  const env = { TILLBRIDGE_HOME: home };
  expect(findControlUrl(env)).toBe('http://127.0.0.1:8095');
  writeFileSync(join(home, 'dev.json'), JSON.stringify({ simulator: { url: 'http://127.0.0.1:41234' } }));
  expect(findControlUrl(env)).toBe('http://127.0.0.1:41234');
  expect(findControlUrl({ ...env, SIM_PORT: '0' })).toBe('http://127.0.0.1:41234');
  expect(findControlUrl({ ...env, SIM_PORT: '9000' })).toBe('http://127.0.0.1:9000');
  expect(findControlUrl({ ...env, SIM_PORT: '9000', SIM_URL: 'http://[::1]:1' })).toBe('http://[::1]:1');
});

test.each(['', 'null', '[]', '{"simulator":null}', '{"simulator":{"url":7}}'])(
  'dev.json of %j names none',
  (text) => {
    writeFileSync(join(home, 'dev.json'), text);
    expect(findControlUrl({ TILLBRIDGE_HOME: home })).toBe('http://127.0.0.1:8095');
  },
);
