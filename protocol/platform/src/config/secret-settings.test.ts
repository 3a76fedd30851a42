import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { section, text } from '../schema/fields.js';
import { Type } from '../schema/type.js';
import { loadSettings } from './load-settings.js';

const SETTINGS = section({
  name: Type.Optional(text('a name', /^.*$/, { description: 'x', env: 'NAME' })),
  databaseUrl: Type.Optional(
    text('an address', /^\S+$/, { description: 'x', env: 'DATABASE_URL', secret: true }),
  ),
});
const SECRET = 'postgres://user:S3CRET@host/database';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string, mode: number): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const load = (env: NodeJS.ProcessEnv, path?: string) =>
  loadSettings(SETTINGS, { file: path, env }, ({ databaseUrl }) => databaseUrl);

describe('a secret', () => {
  it('comes out of a file that a variable names, or of a credential of systemd; the variable itself comes first', () => {
    const named = file('url', `${SECRET}\n`, 0o600);
    expect(load({ DATABASE_URL_FILE: named })).toBe(SECRET);
    file('DATABASE_URL', SECRET, 0o400);
    expect(load({ CREDENTIALS_DIRECTORY: folder })).toBe(SECRET);
    expect(load({ CREDENTIALS_DIRECTORY: folder, DATABASE_URL: 'postgres://other/x' })).toBe(
      'postgres://other/x',
    );
    expect(load({ CREDENTIALS_DIRECTORY: tmpdir() })).toBeUndefined();
  });

  it('whose file is not there is named, and nothing of a secret', () => {
    const missing = join(folder, 'missing');
    expect(() => load({ DATABASE_URL_FILE: missing })).toThrow(`DATABASE_URL_FILE ${missing} cannot be read`);
  });

  it.runIf(process.platform !== 'win32')(
    'in a configuration that others may read is refused, and one for its owner taken',
    () => {
      const content = `databaseUrl: ${SECRET}\n`;
      const open = file('open.yaml', content, 0o640);
      expect(() => load({}, open)).toThrow(
        `${open} has mode 640 and holds databaseUrl: others could read it; run chmod 600 on the file, or give the value by DATABASE_URL`,
      );
      expect(() => load({}, open)).not.toThrow('S3CRET');
      expect(load({}, file('own.yaml', content, 0o600))).toBe(SECRET);
    },
  );

  it('is none in an address without a password, nor in another setting', () => {
    expect(load({}, file('a.yaml', 'databaseUrl: postgres://host/database\n', 0o644))).toBe(
      'postgres://host/database',
    );
    expect(load({}, file('b.yaml', 'name: shop\n', 0o644))).toBeUndefined();
  });
});
