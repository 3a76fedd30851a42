import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@tillbridge/gateway/app/configuration/config.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../stack/layout.js';

const FOLDER = join(ROOT, 'gateway', 'docs', 'cluster');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
  readonly read_only?: boolean;
  readonly depends_on?: Readonly<Record<string, object>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, object>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const UNIT = 'tillbridge-gateway@.service';

/** Sections and keys that the unit has, by the manual pages systemd.unit(5), systemd.service(5) and systemd.exec(5). */
const UNIT_KEYS: Readonly<Record<string, RegExp>> = {
  Unit: /^(Description|Documentation|After|Wants)$/,
  Service:
    /^(Type|User|Group|UMask|EnvironmentFile|Environment|ExecStart|ExecReload|Restart|RestartSec|TimeoutStopSec|LimitNOFILE|StateDirectory|NoNewPrivileges|ProtectSystem|ProtectHome|PrivateTmp|PrivateDevices)$/,
  Install: /^WantedBy$/,
};

/** What is wrong with the lines of a unit. */
function unitFaults(text: string): readonly string[] {
  const faults: string[] = [];
  let section = '';
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, named] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key] = /^(\w+)=./.exec(line) ?? [];
    if (named) section = named;
    else if (!key || !UNIT_KEYS[section]?.test(key)) faults.push(`[${section}] ${line}`);
  }
  return faults;
}

describe('the example files of a cluster', () => {
  it('are a compose file whose parts name each other', () => {
    const { services, networks, volumes, secrets } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const parts = ['folders', 'keys', 'database', 'balancer'];
    expect(Object.keys(services)).toEqual(['gateway-a', 'gateway-b', 'gateway-c', ...parts]);
    for (const [name, service] of Object.entries(services)) {
      expect(service.image.replace(/^\$\{\w+:-(.+)\}$/, '$1'), name).toMatch(/^[a-z-]+:[\w.-]+$/);
      for (const secret of service.secrets ?? []) expect(Object.keys(secrets), name).toContain(secret);
      for (const network of service.networks ?? []) expect(Object.keys(networks), name).toContain(network);
      for (const other of Object.keys(service.depends_on ?? {}))
        expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? []) {
        const [from = ''] = volume.split(':');
        // The certificate is the operator's.
        if (from.startsWith('./')) expect([...readdirSync(FOLDER), 'gateway.pem']).toContain(from.slice(2));
        else expect(Object.keys(volumes), name).toContain(from);
      }
    }
  });

  it('give each gateway a configuration that it takes, a separate home and the keys of all', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const homes = new Set<string>();
    for (const name of ['gateway-a', 'gateway-b', 'gateway-c']) {
      const { environment = {}, volumes = [], read_only: isReadOnly } = services[name] ?? {};
      expect(isReadOnly).toBe(true);
      const filled = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{\w+:(\?|-)\}/g, (_all, kind) => (kind === '?' ? 'secret' : '')),
      ]);
      const variables = Object.fromEntries(filled);
      expect(variables.DATABASE_URL_FILE).toBe('/run/secrets/database-url');
      const url = 'postgres://tillbridge:secret@database:5432/tillbridge';
      const { transport } = loadConfig(undefined, { ...variables, DATABASE_URL: url });
      expect(transport.mode).toBe('live');
      homes.add(volumes.find((volume) => volume.endsWith(':/var/lib/tillbridge')) ?? '');
      expect(volumes).toContain('keys:/var/lib/tillbridge/keys');
    }
    expect(homes.size).toBe(3);
  });

  it('send a client to the gateways of the compose file', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const servers = [...read('haproxy.cfg').matchAll(/^ {4}server \w+ ([\w-]+):8080$/gm)].map(
      ([, name]) => name,
    );
    expect(servers).toEqual(Object.keys(services).filter((name) => name.startsWith('gateway-')));
  });

  it('have a unit of systemd with keys that there are', () => {
    expect(unitFaults(read(UNIT))).toEqual([]);
    expect(unitFaults(read(UNIT).replace('Restart=', 'Restarts='))).toEqual(['[Service] Restarts=always']);
  });

  it('have a unit that systemd itself finds no fault with', ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-unit-'));
    try {
      const unit = join(folder, UNIT.replace('@', '@a'));
      copyFileSync(join(FOLDER, UNIT), unit);
      const { error, status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--recursive-errors=no', unit],
        {
          encoding: 'utf8',
        },
      );
      if (error) skip(`systemd-analyze does not run here (${error.message}): the keys were compared alone`);
      // Findings about the machine's own units, and about a user that only the target machine has, do not count.
      const own = stderr.split('\n').filter((line) => line.includes('tillbridge-gateway'));
      expect(own).toEqual([]);
      expect(status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
