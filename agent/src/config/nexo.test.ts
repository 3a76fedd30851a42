import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-nexo-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(nexo: object | undefined, more: object = {}, env: NodeJS.ProcessEnv = {}) {
  const file = join(folder, 'agent.json');
  writeFileSync(file, JSON.stringify({ home: folder, ...(nexo && { nexo }), ...more }));
  return loadConfig(file, env).nexo;
}

describe('nexo', () => {
  it('is not served unless it is configured, by the file or by its port', () => {
    expect(load(undefined)).toBeUndefined();
    expect(load(undefined, {}, { NEXO_PORT: '0' })).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      plain: false,
    });
    expect(load({})).toMatchObject({ port: 8443 });
  });

  it('has the common name of its mode, or a configured one', () => {
    const gateway = { bridgeUrl: 'wss://gateway.example/bridge' };
    expect(load({})?.commonName).toBe('legacy-terminal-certificate.test.terminal.adyen.com');
    expect(load({}, { mode: 'live', gateway })?.commonName).toBe(
      'legacy-terminal-certificate.live.terminal.adyen.com',
    );
    expect(load({ commonName: 'P400-1.test.terminal.adyen.com' })?.commonName).toBe(
      'P400-1.test.terminal.adyen.com',
    );
  });

  it('distinguishes tills by their SaleID', () => {
    const displayUrls = { 'till 1': 'http://10.0.0.2/display' };
    expect([...(load({ displayUrls })?.displayUrls ?? [])]).toEqual(Object.entries(displayUrls));
  });

  it.each([
    [{ plain: true }, { mode: 'live', gateway: { bridgeUrl: 'wss://g.example/bridge' } }, 'plain'],
    [{ plain: true, host: '0.0.0.0' }, {}, 'plain'],
    [{ commonName: 'a name' }, {}, 'commonName'],
    [{ displayUrls: { a: 'ftp://x' } }, {}, 'displayUrls'],
    [{ displayUrls: { a: 'http://user:secret@x' } }, {}, 'displayUrls'],
    [{ prot: 1 }, {}, 'port'],
  ])('refuses %j with %j', (nexo, more, named) => {
    expect(() => load(nexo, more)).toThrow(named);
  });
});
