import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-update-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(update: object | undefined) {
  const file = join(folder, 'agent.json');
  writeFileSync(file, JSON.stringify({ home: folder, ...(update && { update }) }));
  return loadConfig(file, {}).update;
}

describe('update', () => {
  it('has no window, and the unit of the package, unless it is configured', () =>
    expect(load(undefined)).toEqual({
      window: undefined,
      rootFile: undefined,
      healthySeconds: 120,
      stopCommand: ['systemctl', 'stop', 'tillbridge-agent.service'],
      startCommand: ['systemctl', 'start', 'tillbridge-agent.service'],
    }));

  it('reads a window in minutes of the day, and commands as lists', () =>
    expect(load({ window: '22:30-05:00', stopCommand: ['sh', '/stop'] })).toMatchObject({
      window: { fromMinute: 1_350, toMinute: 300 },
      stopCommand: ['sh', '/stop'],
    }));

  it.each(['24:00-05:00', '02:00', '02:00-02:00', '2-5', '02:00-05:60'])('takes no window %s', (window) =>
    expect(() => load({ window })).toThrow('update.window must be two times of the day'),
  );

  it('takes no command without a word', () =>
    expect(() => load({ stopCommand: [] })).toThrow('update.stopCommand'));
});
