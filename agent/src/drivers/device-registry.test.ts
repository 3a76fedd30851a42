import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ScriptedDriver } from '../sale/scripted-driver.test.support.js';
import type { StartRequest } from './core/driver.js';
import { DeviceRegistry, DeviceRegistryError, numericDeviceId } from './device-registry.js';
import { RegisteredDriver } from './registered-driver.js';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devices-'));
  path = join(home, 'agent', 'devices.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const log = { info: () => {}, warn: () => {} };
const REQUEST = { kind: 'sale', amount: { minor: 1, currency: 'EUR' } } as StartRequest;
/** What the scripted driver says of itself. */
const SERIAL = '123';

describe('the registry', () => {
  test('keeps devices over a restart, readable by its user alone, and forgets them', () => {
    new DeviceRegistry(path).set('1001', { maker: 'Miura', serial: 'M-1' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = new DeviceRegistry(path);
    expect(again.get('1001')).toEqual({ maker: 'Miura', serial: 'M-1' });
    expect(again.forget('1001')).toBe(true);
    expect(again.forget('1001')).toBe(false);
    expect(new DeviceRegistry(path).get('1001')).toBeUndefined();
  });

  test('a file that cannot be understood is named', () => {
    new DeviceRegistry(path).set('1001', { maker: 'Miura', serial: 'M-1' });
    writeFileSync(path, '{"1001": {"maker": 1}}');
    expect(() => new DeviceRegistry(path)).toThrow(DeviceRegistryError);
    expect(() => new DeviceRegistry(path)).toThrow(/devices\.json cannot be understood .*move it away/);
  });

  test('serials become digits, each its own', () => {
    expect(numericDeviceId('0012345')).toBe('0012345');
    expect(numericDeviceId('G0001001')).toBe('1600000001000001');
    expect(numericDeviceId('b-12.x')).toBe('11010233');
    const long = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
    expect(numericDeviceId(long)).toMatch(/^\d{32}$/);
    expect(new Set(['A1', 'A10', '1A', 'AA', '10'].map(numericDeviceId)).size).toBe(5);
  });
});

describe('a registered terminal', () => {
  const registered = (change: { serial?: string; deviceId?: string } = {}) =>
    new RegisteredDriver({
      terminalId: '1001',
      driver: new ScriptedDriver(),
      registry: new DeviceRegistry(path),
      log,
      ...change,
    });

  test('takes the first device for its own', async () => {
    const terminal = registered();
    expect(terminal.problem).toBeUndefined();
    expect(terminal.deviceId).toBe(SERIAL);
    expect(new DeviceRegistry(path).get('1001')).toEqual({ maker: 'Gertec', serial: SERIAL });
    expect((await terminal.start(REQUEST, () => {})).kind).toBe('online-required');
    expect(registered({ deviceId: '77' }).deviceId).toBe('77');
  });

  test('does not sell with another device, until that is said to be right', async () => {
    new DeviceRegistry(path).set('1001', { maker: 'Gertec', serial: 'OTHER' });
    const refused = await registered().start(REQUEST, () => {});
    expect(refused).toMatchObject({ kind: 'failed', failure: 'wrong-device' });
    expect(JSON.stringify(refused)).toContain('devices forget 1001');
    new DeviceRegistry(path).forget('1001');
    expect((await registered().start(REQUEST, () => {})).kind).toBe('online-required');
  });

  test('the configuration’s serial comes first', async () => {
    expect(await registered({ serial: 'X9' }).start(REQUEST, () => {})).toMatchObject({
      failure: 'wrong-device',
    });
    expect(registered({ serial: SERIAL }).problem).toBeUndefined();
  });
});
