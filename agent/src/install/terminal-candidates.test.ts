import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readYamlFile } from '@tillbridge/platform/config/yaml-file.js';
import { describe, expect, it } from 'vitest';
import { configFile } from './config-file.js';
import { assignIds, readGivenPort, terminalCandidates } from './terminal-candidates.js';

const VERIFONE = { transport: 'serial', path: '/dev/ttyACM0', vendorId: '11ca' } as const;
const MAGTEK = { transport: 'hid', path: '0801:2020:B7', vendorId: '0801' } as const;
const PRINTER = { transport: 'serial', path: '/dev/ttyUSB0', vendorId: '04b8' } as const;

describe('ports that are probed', () => {
  it('are those of makers that are recognised, with their model alone; never another one', () => {
    const keyboard = { ...MAGTEK, path: '0801:0001', usedAs: 'a keyboard' };
    expect(terminalCandidates([], [PRINTER, VERIFONE, keyboard, MAGTEK])).toEqual([
      { path: '/dev/ttyACM0', transport: 'serial', deviceTypes: ['VERIFONE_P400'] },
      { path: '0801:2020:B7', transport: 'hid', deviceTypes: ['MAGTEK_DYNAFLEX'] },
    ]);
  });

  it('are those that were given first, with every model of their transport', () => {
    const given = ['7002=/dev/ttyUSB0', '/dev/ttyACM0', '192.168.1.20:6543'].map(readGivenPort);
    const [usb, acm, tcp] = terminalCandidates(given, [PRINTER, VERIFONE]);
    expect(usb).toMatchObject({ id: '7002', path: '/dev/ttyUSB0', transport: 'serial' });
    expect(usb?.deviceTypes).toContain('GERTEC_PPC930');
    expect(acm).toEqual({ path: '/dev/ttyACM0', transport: 'serial', deviceTypes: ['VERIFONE_P400'] });
    expect(tcp).toMatchObject({ transport: 'tcp', deviceTypes: ['MIURA_M020', 'VERIFONE_P400'] });
  });

  it.each([
    ['0801:2020:B7', 'hid'],
    ['/dev/hidraw3', 'hid'],
    ['unix:/run/sim.sock', 'hid'],
    ['COM3', 'serial'],
  ])('%s is one of %s', (path, transport) => {
    expect(terminalCandidates([readGivenPort(path)], [])).toMatchObject([{ path, transport }]);
  });
});

describe('ids of terminals', () => {
  it('go to the ports that they were typed for, the others in order', () => {
    const ports = [{ path: 'a' }, { path: 'b', id: '7001' }, { path: 'c' }, { path: 'd' }];
    expect(assignIds(ports, ['7001', '7002', '7003'])).toEqual({
      terminals: [
        { path: 'a', id: '7002' },
        { path: 'b', id: '7001' },
        { path: 'c', id: '7003' },
      ],
      idsLeft: [],
      portsLeft: [{ path: 'd' }],
    });
    expect(assignIds([], ['7001'])).toEqual({ terminals: [], idsLeft: ['7001'], portsLeft: [] });
  });
});

it('the configuration reads back as what was found', () => {
  const terminal = {
    id: '0701',
    deviceType: 'GERTEC_PPC930',
    transport: 'serial',
    path: '/dev/a "b"',
  } as const;
  const own = { home: '/data/my home', mode: 'live', capkFile: '/etc/capk.json' } as const;
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-config-'));
  const file = join(folder, 'agent.yaml');
  try {
    for (const terminals of [[terminal], []]) {
      writeFileSync(file, configFile({ scope: 'system', ...own, terminals }));
      expect(readYamlFile(file)).toEqual({ ...own, terminals });
    }
    writeFileSync(file, configFile({ scope: 'user', ...own, terminals: [] }));
    expect(readYamlFile(file)).toEqual({
      ...own,
      terminals: [],
      update: {
        stopCommand: 'systemctl,--user,stop,tillbridge-agent.service',
        startCommand: 'systemctl,--user,start,tillbridge-agent.service',
      },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
