import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TILL_RIGHTS } from '../access/rights.js';
import { loadConfig } from './config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-zvt-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const TERMINAL = { id: '1001', deviceType: 'GERTEC_PPC930', path: '/dev/ttyACM0' };
const FRONT = { till: 'front', terminalId: '1001', port: 20_007 };

function load(zvt: object | undefined) {
  const file = join(folder, 'agent.json');
  writeFileSync(file, JSON.stringify({ home: folder, terminals: [TERMINAL], ...(zvt && { zvt }) }));
  return loadConfig(file, {}).zvt;
}

describe('zvt', () => {
  it('is not served unless it is configured', () => {
    expect(load(undefined)).toBeUndefined();
  });

  it('takes tills of this machine alone, with every right, unless configured otherwise', () => {
    expect(load({ tills: [FRONT] })).toEqual({
      host: '127.0.0.1',
      repeatSeconds: 600,
      registrationMinutes: 720,
      tills: [{ ...FRONT, baudRate: 9_600, rights: TILL_RIGHTS }],
    });
    const tls = { certificateFile: '/c.pem', keyFile: '/k.pem' };
    const till = { ...FRONT, from: '10.0.0.21, 10.1.0.0/16', rights: ['sell'] };
    expect(load({ host: '0.0.0.0', tls, tills: [till] })).toMatchObject({
      tls,
      tills: [{ from: ['10.0.0.21', '10.1.0.0/16'], rights: ['sell'] }],
    });
  });

  it.each([
    [{ tills: [] }, 'tills'],
    [{ tills: [{ ...FRONT, path: '/dev/ttyUSB1' }] }, 'either port or path'],
    [{ tills: [{ till: 'front', terminalId: '1001' }] }, 'either port or path'],
    [{ tills: [{ ...FRONT, terminalId: '1002' }] }, 'terminalId 1002'],
    [{ tills: [FRONT, { ...FRONT, till: 'back' }] }, 'two tills with port 20007'],
    [{ tills: [{ till: 'front', terminalId: '1001', path: '/dev/ttyACM0' }] }, 'that of a terminal'],
    [{ tills: [{ ...FRONT, from: 'shop' }] }, 'from'],
    [{ host: '0.0.0.0', tills: [FRONT] }, 'tls'],
  ])('refuses %j', (zvt, named) => {
    expect(() => load(zvt)).toThrow(named);
  });
});
