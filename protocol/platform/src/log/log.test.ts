import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog, createSecurityLog } from './log.js';
import { securityEvent } from './security-events.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const PAN = '4761739001010010';

/** The end of this turn of the event loop, which writes its lines. */
const endOfTurn = () => new Promise(setImmediate);

it('writes no card number, wherever it stands', async () => {
  const path = join(folder, 'agent.log');
  const log = createLog('test', { level: 'info', target: path });
  log.info({ detail: `card ${PAN}`, nested: { list: [PAN] } }, `read ${PAN}`);
  log
    .child({ reference: PAN })
    .child({ again: PAN })
    .warn(new Error(`cannot read ${PAN}`));
  await endOfTurn();
  const text = readFileSync(path, 'utf8');
  expect(text.match(/\n/g)).toHaveLength(2);
  expect(text).toContain('cannot read');
  expect(text).toMatch(/"reference":"476173\*{6}0010","again":"476173/);
  expect(text).not.toContain(PAN);
});

it('keeps its file to its owner', () => {
  const path = join(folder, 'agent.log');
  createLog('test', { level: 'info', target: path }).info('x');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('goes on at stderr when the file cannot be opened', () => {
  writeFileSync(join(folder, 'file'), '');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const log = createLog('test', { level: 'silent', target: join(folder, 'file', 'agent.log') });
  expect(written.mock.calls.join()).toMatch(/agent\.log: .*(EEXIST|ENOTDIR)/);
  written.mockRestore();
  expect(() => log.info('still alive')).not.toThrow();
});

it('sends security events to their own file as well, whatever the level', () => {
  const path = join(folder, 'agent.log');
  const security = { target: join(folder, 'security.log') };
  const log = createLog('test', { level: 'error', target: path, security }).child({ part: 'till' });
  log.info('a request');
  log.warn({ ...securityEvent('token-revoked'), till: PAN }, `revoked ${PAN}`);
  log.error('a fault');
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(lines(path)).toMatchObject([{ msg: 'a fault' }]);
  expect(lines(security.target)).toMatchObject([
    {
      part: 'till',
      securityEvent: 'token-revoked',
      till: '476173******0010',
      msg: 'revoked 476173******0010',
    },
  ]);
});

it('has each line once where log and security events go to one stream, and security events at any level', () => {
  const lines: string[] = [];
  const written = vi.spyOn(fs, 'writeSync').mockImplementation((_descriptor, text) => {
    lines.push(String(text));
    return String(text).length;
  });
  try {
    const log = createLog('test', { level: 'error', target: 'stdout', security: { target: 'stdout' } });
    log.info('a request');
    log.warn(securityEvent('started'), 'began');
    log.error(securityEvent('ended'), 'ended');
  } finally {
    written.mockRestore();
  }
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['began', 'ended']);
});

it.each([[null], [undefined], [7], ['text'], [['list']]])('is not stopped by a line about %j', (about) => {
  const security = { target: join(folder, 'security.log') };
  const log = createLog('test', { level: 'error', target: join(folder, 'agent.log'), security });
  expect(() => log.info(about, 'not of security')).not.toThrow();
  expect(readFileSync(security.target, 'utf8')).toBe('');
});

it('writes them to both where the level allows it', async () => {
  const path = join(folder, 'agent.log');
  const security = { target: join(folder, 'security.log') };
  const log = createLog('test', { level: 'debug', target: path, security });
  log.info(securityEvent('started'), 'agent started');
  log.debug('a detail');
  await endOfTurn();
  expect(readFileSync(path, 'utf8').match(/\n/g)).toHaveLength(2);
  expect(readFileSync(security.target, 'utf8').match(/\n/g)).toHaveLength(1);
});

it('puts files aside as it is configured, those of security events by their own limits', () => {
  const file = { maxBytes: 400, files: 2, maxAgeDays: 9 };
  const security = { target: join(folder, 'security.log'), file: { ...file, files: 3 } };
  const log = createLog('test', { level: 'info', target: join(folder, 'agent.log'), file, security });
  for (let at = 0; at < 9; at += 1) log.warn({ ...securityEvent('command'), at }, 'x'.repeat(99));
  expect(readdirSync(folder).sort()).toEqual([
    'agent.log',
    'agent.log.1',
    'security.log',
    'security.log.1',
    'security.log.2',
  ]);
});

it('lets the writer alone put files aside, and writes nothing where there is no security log', () => {
  const security = {
    target: join(folder, 'security.log'),
    file: { maxBytes: 100, files: 2, maxAgeDays: 9 },
  };
  const log = createSecurityLog('test', { level: 'info', target: 'stderr', security });
  for (let at = 0; at < 3; at += 1) log.warn(securityEvent('command'), 'x'.repeat(99));
  expect(readdirSync(folder)).toEqual(['security.log']);
  const none = createSecurityLog('test', { level: 'info', target: join(folder, 'agent.log') });
  none.warn(securityEvent('command'), 'token create');
  expect(readdirSync(folder)).toEqual(['security.log']);
});

it('gives a process other than the writer a log of security events alone', () => {
  const security = { target: join(folder, 'security.log') };
  const log = createSecurityLog('test', { level: 'info', target: join(folder, 'agent.log'), security });
  log.info('a request');
  log.info(securityEvent('command'), 'token create');
  expect(readFileSync(security.target, 'utf8')).toContain('token create');
  expect(readdirSync(folder)).toEqual(['security.log']);
  const quiet = createSecurityLog('test', {
    level: 'info',
    target: 'stdout',
    security: { target: 'stdout' },
  });
  expect(() => quiet.info(securityEvent('command'), 'token create')).not.toThrow();
});
