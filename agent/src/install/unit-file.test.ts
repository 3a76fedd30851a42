import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { expect, it } from 'vitest';
import { placesOf } from './places.js';
import { rateUnit } from './system-steps.js';
import { unitFile } from './unit-file.js';

const SYSTEM = placesOf('system', {});
const UNIT = unitFile({ ...SYSTEM, program: ['/usr/lib/tillbridge-agent/bin/tillbridge-agent'] });

it('the unit of the package for Debian is that of an installation', () => {
  const packaged = new URL('docs/install/tillbridge-agent.service', packageFolder(import.meta.url));
  expect(readFileSync(packaged, 'utf8')).toBe(UNIT);
});

it('the unit of a system is rated 3 or better by systemd-analyze, and one without its limits is not', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbridge-unit-'));
  const rate = (content: string) => {
    const path = join(folder, 'tillbridge-agent.service');
    writeFileSync(path, content);
    return rateUnit(path);
  };
  try {
    const rating = await rate(UNIT);
    test.skip(rating.isWithin === undefined, rating.text);
    expect(rating).toEqual({ text: expect.stringMatching(/^exposure \d\.\d by/), isWithin: true });
    expect((await rate(UNIT.replace(/^(Protect|Restrict|SystemCall).*\n/gm, ''))).isWithin).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('the unit of a user asks nothing of the system, and has its own places', () => {
  const places = placesOf('user', { HOME: '/home/anna', XDG_STATE_HOME: '/data/my state' });
  const unit = unitFile({ ...places, program: ['/opt/node 24/node', '/opt/100%/main.js'] });
  expect(places).toMatchObject({
    home: '/data/my state/tillbridge-agent',
    configFile: '/home/anna/.config/tillbridge/agent.yaml',
    unitFile: '/home/anna/.config/systemd/user/tillbridge-agent.service',
  });
  expect(unit).toContain(
    'ExecStart="/opt/node 24/node" /opt/100%%/main.js run --config /home/anna/.config/tillbridge/agent.yaml\n',
  );
  expect(unit).toContain('Environment="AGENT_HOME=/data/my state/tillbridge-agent"\n');
  expect(unit).toContain('WantedBy=default.target\n');
  expect(unit).not.toMatch(
    /^(User|Group|SupplementaryGroups|StateDirectory|Capability|Device|Protect|Private)/m,
  );
});
