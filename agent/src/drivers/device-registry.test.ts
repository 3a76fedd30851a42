import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DevicePlace } from './device-place.js';
import { DeviceRegistry, DeviceRegistryError, numericDeviceId } from './device-registry.js';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devices-'));
  path = join(home, 'agent', 'devices.json');
});
afterEach(() => rmSync(home, { recursive: true }));

const log = { info: () => {}, warn: () => {} };

describe('the registry', () => {
  test('keeps devices over a restart, readable only by its user, and forgets them', () => {
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
    writeFileSync(path, '{"1001": {"maker": 1, "serial": "M-1"}}');
    expect(() => new DeviceRegistry(path)).toThrow(DeviceRegistryError);
    expect(() => new DeviceRegistry(path)).toThrow(
      /devices\.json: \[1001\]\.maker must be a text, not 1: move it away/,
    );
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

describe('the place of a terminal', () => {
  const DEVICE = { maker: 'Gertec', model: 'PPC930', firmware: '1', serial: '123' };
  const place = (change: { serial?: string; deviceId?: string } = {}) =>
    new DevicePlace({ terminalId: '1001', registry: new DeviceRegistry(path), log, ...change });

  test('registers the first device', () => {
    const first = place();
    expect(first.deviceId).toBeUndefined();
    expect(first.meet(DEVICE)).toBeUndefined();
    expect(first.deviceId).toBe('123');
    expect(new DeviceRegistry(path).get('1001')).toEqual({ maker: 'Gertec', serial: '123' });
    expect(place({ deviceId: '77' }).deviceId).toBe('77');
  });

  test('refuses another device until it is forgotten', () => {
    new DeviceRegistry(path).set('1001', { maker: 'Gertec', serial: 'OTHER' });
    const taken = place();
    expect(taken.meet(DEVICE)).toContain('devices forget 1001');
    expect(taken.problem).toContain('has serial 123');
    expect(new DeviceRegistry(path).get('1001')?.serial).toBe('OTHER');
    new DeviceRegistry(path).forget('1001');
    expect(taken.meet(DEVICE)).toBeUndefined();
    expect(taken.problem).toBeUndefined();
  });

  test('compares with the configured serial first', () => {
    new DeviceRegistry(path).set('1001', { maker: 'Gertec', serial: '123' });
    expect(place({ serial: 'X9' }).meet(DEVICE)).toContain('serial X9');
    expect(place({ serial: '123' }).meet(DEVICE)).toBeUndefined();
  });
});
