import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { aesKcv, tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { tdesEncryptEcb, withOddParity } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { wrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { DEVELOPMENT_KEYS } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import type { KeyInfo } from '../../security/keys/key-store.js';
import { SoftwareKeyStore } from '../../security/keys/software-key-store.js';
import {
  openSoftHsm,
  SOFTHSM_LIBRARY,
  TOKEN,
  TOKEN_SKIP_REASON,
} from '../../security/security-backends.test.support.js';
import { securityFiles } from '../../security/security-files.js';
import { loadConfig } from '../configuration/config.js';
import { gatewayProgram } from '../program.js';
import { type AuditView, listAudit } from './audit-command.js';
import { initHome } from './init.js';
import { PromptError, type PromptInput, promptSecret } from './secret-prompt.js';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-keys-'));
  vi.stubEnv('GATEWAY_HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a command in this process; gives what it printed. */
async function keys(...args: string[]): Promise<string> {
  let out = '';
  const write = (text: string | Uint8Array): boolean => {
    out += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true),
  ];
  try {
    await gatewayProgram().parseAsync(['keys', ...args], { from: 'user' });
    return out;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function secretFile(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

function open(mode: 'test' | 'live' = 'test'): SoftwareKeyStore {
  const files = securityFiles(home);
  return SoftwareKeyStore.open({
    keysPath: files.keys,
    masterKeyPath: files.masterKey,
    mode,
    random: systemRandom,
  });
}

const ZONE = ['--id', 'zone-1', '--usage', 'zone-pin', '--scope', 'ACQ'] as const;

/** The records of what was done, oldest first. */
async function records(): Promise<readonly AuditView[]> {
  return withHomeStore(loadConfig(undefined, { GATEWAY_HOME: home }), (store) => listAudit(store));
}

describe('keys', () => {
  test('are changed with a record of who did what, and no key in it', async () => {
    await keys('generate', ...ZONE, '--algorithm', 'aes128');
    await expect(keys('generate', ...ZONE, '--algorithm', 'aes128')).rejects.toThrow(/keyExists/);
    const component = toHex(randomBytes(16));
    const files = [secretFile('a', component), secretFile('b', toHex(randomBytes(16)))];
    const about = ['--id', 'z', '--usage', 'zone-pin', '--scope', 'B', '--algorithm', 'aes128'];
    await keys('import-components', ...about, '--component-file', ...files);
    await keys('rotate', 'z');
    await keys('rotate', '--master');
    await keys('list');
    const found = await records();
    expect(found.map(({ action, subject, outcome }) => [action, subject, outcome])).toEqual([
      ['keys generate', 'zone-1', 'done'],
      ['keys generate', 'zone-1', 'failed'],
      ['keys import-components', 'z', 'done'],
      ['keys rotate', 'z', 'done'],
      ['keys rotate', 'master key', 'done'],
    ]);
    expect(found[0]).toMatchObject({
      actor: userInfo().username,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      detail: { usage: 'zone-pin', scope: 'ACQ' },
    });
    expect(JSON.stringify(found)).not.toContain(component);
    // Keys may come first: the home is whole all the same.
    await initHome(loadConfig(undefined, { GATEWAY_HOME: home }));
  });

  test('are not changed where nothing can be recorded', async () => {
    await keys('generate', ...ZONE, '--algorithm', 'aes128');
    const before = await keys('list');
    rmSync(gatewayFiles(home).database);
    mkdirSync(gatewayFiles(home).database);
    await expect(keys('rotate', 'zone-1')).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    expect(await keys('list')).toBe(before);
  });

  test('are made, listed with their check values and replaced', async () => {
    const made = JSON.parse(await keys('generate', ...ZONE, '--algorithm', 'aes256')) as KeyInfo;
    expect(made).toMatchObject({ id: 'zone-1', algorithm: 'aes256', mode: 'test' });
    expect(JSON.parse(await keys('list'))).toEqual([made]);
    const next = JSON.parse(await keys('rotate', 'zone-1', '--new-id', 'zone-2')) as KeyInfo;
    expect(next).toEqual({ ...made, id: 'zone-2', kcv: next.kcv });
    expect(next.kcv).not.toBe(made.kcv);
    const [first, second] = JSON.parse(await keys('list')) as KeyInfo[];
    expect(first).toEqual(next);
    expect(second).toEqual({ ...made, retiredUntilMs: expect.any(Number) });
    await expect(keys('rotate', 'zone-1')).rejects.toThrow(/retired/);
    await expect(keys('rotate', 'zone-9')).rejects.toThrow(/noKey/);
    await expect(keys('rotate', 'zone-2', '--new-id', 'zone-2')).rejects.toThrow(/keyExists/);
    const last = JSON.parse(await keys('rotate', 'zone-2', '--keep-old-hours', '0')) as KeyInfo;
    expect(last.id).toBe('zone-3');
    const kept = (JSON.parse(await keys('list')) as KeyInfo[]).map(({ id }) => id);
    expect(kept).toEqual(['zone-3', 'zone-1']);
  });

  test('are sealed anew under a fresh master key', async () => {
    const made = JSON.parse(await keys('generate', ...ZONE, '--algorithm', 'aes256')) as KeyInfo;
    const before = readFileSync(securityFiles(home).masterKey);
    const rotated = JSON.parse(await keys('rotate', '--master')) as { masterKcv: string; keys: number };
    expect(rotated).toEqual({ masterKcv: expect.stringMatching(/^[0-9A-F]{6}$/), keys: 1 });
    expect(readFileSync(securityFiles(home).masterKey).equals(before)).toBe(false);
    expect(JSON.parse(await keys('list'))).toEqual([made]);
    for (const args of [['rotate'], ['rotate', 'zone-1', '--master']])
      await expect(keys(...args)).rejects.toThrow(/id of a key, or --master/);
  });

  test('that devices depend on are not replaced under them', async () => {
    const about = ['--id', 'b', '--usage', 'bdk-pin', '--scope', 'FFFF01', '--algorithm', 'tdes2'];
    await keys('generate', ...about);
    await expect(keys('rotate', 'b', '--new-id', 'c')).rejects.toThrow(/notRotatable/);
  });

  test('of an algorithm that does not serve the use are refused', async () => {
    const about = ['--id', 'i', '--usage', 'imk-ac', '--scope', '4', '--algorithm', 'aes128'];
    await expect(keys('generate', ...about)).rejects.toThrow(/badUse/);
  });

  test.each([
    ['bdk-data', 'ffff98', 'FFFF98'],
    ['bdk-pin', 'ACME', 'FFFF98'],
    ['imk-ac', 'VISA', '4200'],
    ['pvk', '4200', '1:4200'],
    ['mac', '', 'name'],
  ])('refuses a %s key for "%s", which would never be found', async (usage, scope, hint) => {
    const about = ['--id', 'k', '--usage', usage, '--scope', scope, '--algorithm', 'tdes2'];
    await expect(keys('generate', ...about)).rejects.toThrow(hint);
  });

  test('come in from components of several people', async () => {
    const parts = [randomBytes(16), randomBytes(16), randomBytes(16)];
    const files = parts.map((part, i) => secretFile(`part${i}`, `${toHex(part)}\n`));
    const options = ['--algorithm', 'aes128', '--component-file', ...files];
    const info = JSON.parse(await keys('import-components', ...ZONE, ...options)) as KeyInfo;
    const whole = parts.reduce((sum, part) => Buffer.from(sum.map((byte, i) => byte ^ (part[i] ?? 0))));
    expect(open().use(info, toHex)).toBe(toHex(whole));
    const wrong = ['--id', 'z2', '--usage', 'mac', '--scope', 'X', ...options];
    await expect(keys('import-components', ...wrong, '--kcv', '000000')).rejects.toThrow(/kcvMismatch/);
    expect(open().list()).toHaveLength(1);
  });

  test('that are published are refused in live mode, whatever they are cut into', async () => {
    const part = randomBytes(16);
    const published = Buffer.from(DEVELOPMENT_KEYS.bdkData.hex, 'hex');
    const other = published.map((byte, i) => byte ^ (part[i] ?? 0));
    const files = [secretFile('a', toHex(part)), secretFile('b', toHex(other))];
    const about = ['--id', 'b', '--usage', 'bdk-data', '--scope', 'FFFF', '--mode', 'live'];
    const options = ['--algorithm', 'tdes2', '--component-file', ...files];
    const kcv = ['--kcv', DEVELOPMENT_KEYS.bdkData.kcv];
    await expect(keys('import-components', ...about, ...options)).rejects.toThrow(/--kcv is missing/);
    await expect(keys('import-components', ...about, ...options, ...kcv)).rejects.toThrow(/testKeyInLive/);
  });

  test('that are published are refused in live mode in a key block too', async () => {
    const kbpk = randomBytes(32);
    const halves = [randomBytes(32)];
    halves.push(Buffer.from(kbpk.map((byte, i) => byte ^ (halves[0]?.[i] ?? 0))));
    const files = halves.map((half, i) => secretFile(`l${i}`, toHex(half)));
    const live = ['--mode', 'live'];
    const protection = ['--id', 'k', '--usage', 'kbpk', '--scope', 'ACQ', '--algorithm', 'aes256', ...live];
    const kcv = ['--kcv', toHex(aesKcv(kbpk))];
    await keys('import-components', ...protection, ...kcv, '--component-file', ...files);
    const header = {
      version: 'D',
      usage: 'B0',
      algorithm: 'T',
      mode: 'X',
      keyVersion: '00',
      exportability: 'N',
    };
    const wrapped = (key: Uint8Array): string =>
      wrapKeyBlock(kbpk, { ...header, version: 'D', optionalBlocks: [] }, key, {
        random: (length) => randomBytes(length),
      });
    const about = ['--id', 'b', '--usage', 'bdk-data', '--scope', 'FFFF', '--partner', 'ACQ', ...live];
    const published = secretFile('published', wrapped(Buffer.from(DEVELOPMENT_KEYS.bdkData.hex, 'hex')));
    await expect(keys('import-block', ...about, '--file', published)).rejects.toThrow(/testKeyInLive/);
    const own = secretFile('own', wrapped(withOddParity(randomBytes(16))));
    expect(JSON.parse(await keys('import-block', ...about, '--file', own))).toMatchObject({ mode: 'live' });
  });

  test('come in from a key block under a partner’s key', async () => {
    const kbpk = randomBytes(32);
    const halves = [randomBytes(32)];
    halves.push(Buffer.from(kbpk.map((byte, i) => byte ^ (halves[0]?.[i] ?? 0))));
    const files = halves.map((half, i) => secretFile(`k${i}`, toHex(half)));
    const protection = ['--id', 'k', '--usage', 'kbpk', '--scope', 'ACQ', '--algorithm', 'aes256'];
    await keys('import-components', ...protection, '--component-file', ...files);
    const header = {
      version: 'D',
      usage: 'P0',
      algorithm: 'T',
      mode: 'B',
      keyVersion: '00',
      exportability: 'N',
    };
    const key = withOddParity(randomBytes(16));
    const block = wrapKeyBlock(kbpk, { ...header, version: 'D', optionalBlocks: [] }, key, {
      random: (length) => randomBytes(length),
    });
    const file = secretFile('block', `${block}\n`);
    const info = JSON.parse(
      await keys('import-block', ...ZONE, '--partner', 'ACQ', '--file', file),
    ) as KeyInfo;
    expect(open().use(info, toHex)).toBe(toHex(key));
    const bad = secretFile(
      'bad',
      block.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    );
    const again = ['--id', 'y', '--usage', 'zone-pin', '--scope', 'Y', '--partner', 'ACQ', '--file', bad];
    await expect(keys('import-block', ...again)).rejects.toThrow(/badMac/);
  });

  test('come in from a cryptogram under a partner’s transport key, with their check value', async () => {
    const zmk = withOddParity(randomBytes(16));
    const first = randomBytes(16);
    const second = zmk.map((byte, i) => byte ^ (first[i] ?? 0));
    const files = [first, second].map((half, i) => secretFile(`z${i}`, toHex(half)));
    const transport = ['--id', 't', '--usage', 'zmk', '--scope', 'ACQ', '--algorithm', 'tdes2'];
    await keys('import-components', ...transport, '--component-file', ...files);
    const key = withOddParity(randomBytes(16));
    const file = secretFile('cryptogram', `${toHex(tdesEncryptEcb(zmk, key))}\n`);
    const from = [...ZONE, '--partner', 'ACQ', '--file', file];
    await expect(keys('import-cryptogram', ...from)).rejects.toThrow(/--kcv is missing/);
    await expect(keys('import-cryptogram', ...from, '--kcv', '000000')).rejects.toThrow(/kcvMismatch/);
    const kcv = toHex(tdesKcv(key));
    const info = JSON.parse(await keys('import-cryptogram', ...from, '--kcv', kcv)) as KeyInfo;
    expect(info).toMatchObject({ id: 'zone-1', usage: 'zone-pin', scope: 'ACQ', kcv });
    expect(open().use(info, toHex)).toBe(toHex(key));
    const next = withOddParity(randomBytes(16));
    const nextFile = secretFile('next', toHex(tdesEncryptEcb(zmk, next)));
    const about = ['--id', 'zone-2', '--usage', 'zone-pin', '--scope', 'ACQ', '--partner', 'ACQ'];
    const replacing = [...about, '--file', nextFile, '--kcv', toHex(tdesKcv(next)), '--replaces', 'zone-1'];
    await keys('import-cryptogram', ...replacing);
    expect(open().predecessors(info)).toMatchObject([{ kcv }]);
    expect(await keys('list')).not.toContain(toHex(key));
    const junk = ['--file', secretFile('junk', 'no hex'), '--kcv', kcv];
    await expect(keys('import-cryptogram', ...about, ...junk)).rejects.toThrow(/no hex digits/);
  });

  test('of partners are rotated by bringing the next one in, in its place', async () => {
    const old = JSON.parse(await keys('generate', ...ZONE, '--algorithm', 'tdes2')) as KeyInfo;
    const files = [randomBytes(16), randomBytes(16)].map((part, i) => secretFile(`n${i}`, toHex(part)));
    const components = ['--algorithm', 'aes128', '--component-file', ...files];
    const next = ['--id', 'zone-2', '--usage', 'zone-pin', '--scope', 'ACQ', ...components];
    await expect(keys('import-components', ...next)).rejects.toThrow(/keyExists/);
    const info = JSON.parse(await keys('import-components', ...next, '--replaces', 'zone-1')) as KeyInfo;
    expect(info).toMatchObject({ id: 'zone-2', algorithm: 'aes128', scope: 'ACQ' });
    expect(open().find('zone-pin', 'ACQ')).toEqual(info);
    expect(
      open()
        .predecessors(info)
        .map(({ kcv }) => kcv),
    ).toEqual([old.kcv]);
    const other = ['--id', 'm', '--usage', 'mac', '--scope', 'ACQ', ...components, '--replaces', 'zone-2'];
    await expect(keys('import-components', ...other)).rejects.toThrow(/its place is not for mac/);
  });

  test.skipIf(TOKEN_SKIP_REASON !== undefined)(
    'symmetric keys go into the token that is configured',
    async () => {
      openSoftHsm(home).close();
      vi.stubEnv('GATEWAY_PKCS11_LIBRARY', SOFTHSM_LIBRARY ?? '');
      vi.stubEnv('GATEWAY_PKCS11_TOKEN', TOKEN.tokenLabel);
      vi.stubEnv('GATEWAY_PKCS11_PIN_FILE', secretFile('token.pin', TOKEN.pin));
      const about = ['--id', 'b', '--usage', 'bdk-pin', '--scope', '1234', '--algorithm', 'aes128'];
      const base = JSON.parse(await keys('generate', ...about)) as KeyInfo;
      expect(base).toMatchObject({ usage: 'bdk-pin', algorithm: 'aes128', scope: '1234' });
      const zone = JSON.parse(await keys('generate', ...ZONE, '--algorithm', 'tdes2')) as KeyInfo;
      expect(JSON.parse(await keys('list'))).toHaveLength(2);
      expect(JSON.parse(await keys('list'))).toEqual(expect.arrayContaining([zone, base]));
      expect(open().list()).toEqual([]);
      await expect(keys('generate', ...about)).rejects.toThrow(/keyExists/);
      const next = JSON.parse(await keys('rotate', zone.id)) as KeyInfo;
      expect(next).toMatchObject({ usage: 'zone-pin', algorithm: 'tdes2', scope: 'ACQ' });
      expect(next.kcv).not.toBe(zone.kcv);
      const listed = JSON.parse(await keys('list')) as KeyInfo[];
      expect(listed.find(({ id }) => id === zone.id)?.retiredUntilMs).toBeGreaterThan(0);
    },
  );

  test('commands never leave key digits in the store file', async () => {
    const parts = [randomBytes(16), randomBytes(16)].map(toHex);
    const files = parts.map((part, i) => secretFile(`p${i}`, part));
    await keys('import-components', ...ZONE, '--algorithm', 'aes128', '--component-file', ...files);
    const file = readFileSync(securityFiles(home).keys, 'utf8').toUpperCase();
    for (const part of parts) expect(file).not.toContain(part);
  });
});

class Typist extends EventEmitter {
  readonly isTTY = true;
  isRaw = false;
  setRawMode(on: boolean): this {
    this.isRaw = on;
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

describe('the prompt', () => {
  const ask = (typist: Typist, shown: string[]): Promise<Buffer> =>
    promptSecret(typist as unknown as PromptInput, { write: (text) => shown.push(text) }, 'key: ', 8);

  test('shows nothing of what is typed, and takes corrections', async () => {
    const [typist, shown]: [Typist, string[]] = [new Typist(), []];
    const answer = ask(typist, shown);
    expect(typist.isRaw).toBe(true);
    typist.emit('data', Buffer.from('12G'));
    typist.emit('data', Buffer.from('\x7f34\r'));
    expect((await answer).toString()).toBe('1234');
    expect(typist.isRaw).toBe(false);
    expect(shown).toEqual(['key: ', '\n']);
    expect(typist.listenerCount('data')).toBe(0);
  });

  test.each([
    ['a person who breaks off', '12\x03'],
    ['too much', '123456789'],
  ])('ends with a clear error: %s', async (_what, typed) => {
    const typist = new Typist();
    const answer = ask(typist, []);
    typist.emit('data', Buffer.from(typed));
    await expect(answer).rejects.toThrow(PromptError);
    expect(typist.isRaw).toBe(false);
  });

  test('shows the question when the terminal echoes no more', () => {
    const typist = new Typist();
    const raw: boolean[] = [];
    const write = () => raw.push(typist.isRaw);
    void promptSecret(typist as unknown as PromptInput, { write }, 'key: ', 8);
    expect(raw).toEqual([true]);
  });

  test('needs a terminal', async () => {
    const input = { isTTY: false } as unknown as PromptInput;
    await expect(promptSecret(input, { write: () => true }, '', 8)).rejects.toThrow(/--component-file/);
  });
});
