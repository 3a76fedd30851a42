import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { standInRule } from '../../core/acquirers/configuration/stand-in-section.js';
import { DEFAULT_LIMITS } from '../../kernel/http/limits/http-limits.js';
import { DEFAULT_THROTTLE_RATES } from '../../kernel/http/throttle/throttle.js';
import { loadConfig } from './config.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbridge-config-'));
  file = join(folder, 'gateway.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(file, yaml, { mode: 0o600 });
  return loadConfig(file, env);
}

function problems(yaml: string, env: NodeJS.ProcessEnv = {}): string {
  try {
    load(yaml, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${file}: `, '');
    throw error;
  }
  return '';
}

const MIB = 1024 * 1024;

describe('loadConfig', () => {
  it('has defaults for everything', () => {
    expect(loadConfig(undefined, { TILLBRIDGE_HOME: '/data' })).toEqual({
      home: '/data/gateway',
      acquirers: [],
      host: '127.0.0.1',
      port: 8080,
      log: {
        level: 'info',
        target: '/data/gateway/gateway.log',
        file: { maxBytes: 16 * MIB, files: 4, maxAgeDays: 90 },
        security: {
          target: '/data/gateway/security.log',
          file: { maxBytes: 16 * MIB, files: 4, maxAgeDays: 400 },
        },
      },
      resolverIntervalMs: 5_000,
      parkAfterMs: 900_000,
      transport: { mode: 'test', trustedProxies: [] },
      bridge: { tlsPins: [] },
      egressAllowed: [],
      alerts: { mailTo: [] },
      throttle: DEFAULT_THROTTLE_RATES,
      limits: DEFAULT_LIMITS,
      vault: { keepDays: 90, rotateDays: 365 },
      cardTesting: {
        attempts: 10,
        checkoutsPerAddress: 30,
        windowMs: 600_000,
        pairsAtMerchant: 10,
        pairsOfCard: 20,
        pairWindowMs: 86_400_000,
      },
      schedules: { shortestIntervalSeconds: 60 },
      requestLog: { sharePercent: 100, keepDays: 7, maxRows: 100_000, bodyBytes: 4_096 },
    });
  });

  it('reads the file, and the environment over it', () => {
    const yaml = 'home: /a\nport: 1\nhost: ::1\nlog: {level: debug, target: stderr}\n';
    expect(load(yaml)).toMatchObject({
      home: '/a',
      port: 1,
      host: '::1',
      log: { level: 'debug', target: 'stderr' },
    });
    const env = {
      GATEWAY_HOME: '/b',
      GATEWAY_PORT: '0',
      GATEWAY_HOST: '127.0.0.2',
      GATEWAY_LOG_LEVEL: 'silent',
    };
    expect(load(yaml, env)).toMatchObject({
      home: '/b',
      port: 0,
      host: '127.0.0.2',
      log: { level: 'silent' },
    });
  });

  it('reads what the gateway may approve in the place of an acquirer', () => {
    const withLimits = (limits: string, bins = '[4999]') =>
      `acquirers: [{name: A, hosts: "h:1", standIn: {limits: "${limits}", cards: present, brands: [VISA, MASTER], blockedBins: ${bins}}}]`;
    const [acquirer] = load(withLimits('EUR:25.00:100.00:500.00, JPY:3000:9000:9000')).acquirers;
    expect(acquirer?.standIn && standInRule(acquirer.standIn)).toEqual({
      limits: {
        EUR: { paymentMinor: 2_500, cardDayMinor: 10_000, dayMinor: 50_000 },
        JPY: { paymentMinor: 3_000, cardDayMinor: 9_000, dayMinor: 9_000 },
      },
      cardDayCount: 3,
      dayCount: 1_000,
      cards: 'present',
      brands: ['VISA', 'MASTER'],
      blockedBins: ['4999'],
    });
    for (const wrong of ['', 'EUR', 'EUR:25.00:100.00', 'EUR:25.00:24.99:50.00', 'EUR:1.00:5.00:4.99'])
      expect(problems(withLimits(wrong))).toMatch(/limits/);
    for (const wrong of ['XXQ:1.00:2.00:3.00', 'EUR:1:2:3:4', 'EUR:0:1:1', 'EUR:1.00:1.00:x'])
      expect(problems(withLimits(wrong))).toMatch(/limits/);
    for (const wrong of ['[499]', '[4999x]', '["499999999999"]'])
      expect(problems(withLimits('EUR:25.00:100.00:500.00', wrong))).toMatch(/blockedBins/);
  });

  it('reads where an acquirer puts its files: into a folder, or on an FTP server', () => {
    const withFiles = (files: string) => `acquirers: [{name: A, hosts: "h:1", files: ${files}}]`;
    expect(load(withFiles('{folder: /in}')).acquirers[0]?.files).toEqual({
      folder: '/in',
      settlements: 'settlement-{day}.csv',
      chargebacks: 'chargebacks-*.csv',
      everySeconds: 300,
    });
    const ftp = 'ftp: {host: ftp.example, user: u, passwordFile: /run/ftp}';
    expect(load(withFiles(`{${ftp}}`)).acquirers[0]?.files?.ftp).toMatchObject({
      port: 21,
      security: 'explicit',
    });
    for (const wrong of ['{}', `{folder: /in, ${ftp}}`])
      expect(problems(withFiles(wrong))).toMatch(/files.*needs one of folder and ftp/);
    expect(problems(withFiles('{folder: /in, settlements: "../x"}'))).toMatch(/settlements/);
    expect(problems(withFiles('{folder: /in, everySeconds: 1}'))).toMatch(/everySeconds/);
  });

  it('takes messages without codes over mutual TLS or a private line alone', () => {
    const without = (more: string) => `acquirers: [{name: A, hosts: "h:1", macMethod: none${more}}]`;
    const rule =
      /acquirers\[0\].macMethod none needs tls with certificateFile and keyFile, or privateLine: true/;
    expect(problems(without(''))).toMatch(rule);
    expect(problems(without(', tls: {}'))).toMatch(rule);
    expect(problems(without(', privateLine: false'))).toMatch(rule);
    expect(problems(without(', privateLine: true, macKeySet: FFFF9876'))).toMatch(
      /must not be none with macKeySet/,
    );
    const mutual = load(without(', tls: {certificateFile: /c, keyFile: /k}')).acquirers;
    const isPrivate = load(without(', privateLine: true')).acquirers;
    expect([mutual, isPrivate].map(([acquirer]) => acquirer?.macMethod)).toEqual(['none', 'none']);
  });

  it('takes what an acquirer does otherwise than its dialect, and names what cannot be', () => {
    const withChanges = (changes: string) =>
      `acquirers: [{name: A, hosts: "h:1", dialectChanges: ${changes}}]`;
    const changes =
      '{bitmap: hex, header: {tpdu: "6007210000"}, timeZone: Europe/Berlin, matchedBy: [11, 41], fields: {24: {value: "721"}}}';
    expect(load(withChanges(changes)).acquirers[0]?.dialectChanges).toMatchObject({
      header: { tpdu: '6007210000' },
      fields: { 24: { value: '721' } },
    });
    for (const [wrong, problem] of [
      ['{bitmap: bcd}', 'acquirers[0].dialectChanges.bitmap must be one of binary, hex'],
      ['{header: {tpdu: "60"}}', 'acquirers[0].dialectChanges.header.tpdu must be ten digits in quotes'],
      ['{timeZone: Mars/Olympus}', 'acquirers[0].dialectChanges.timeZone must be a time zone of IANA'],
      ['{matchedBy: [7]}', 'acquirers[0].dialectChanges.matchedBy must be 11, and any of 7, 37 and 41'],
      ['{fields: {24: {value: "72100"}}}', 'acquirers[0].dialectChanges.fields[24].value must fit the field'],
      [
        '{fields: {55: {format: long}}}',
        'acquirers[0].dialectChanges.fields[55].format must be as the standard',
      ],
      ['{fields: {3: {length: bcd}}}', 'acquirers[0].dialectChanges.fields[3].length must not be set'],
      ['{fields: {x: {}}}', 'acquirers[0].dialectChanges.fields.x must be the number of a field'],
    ])
      expect(problems(withChanges(wrong ?? ''))).toContain(problem);
  });

  it('reads the rates of an operation apart from each other', () => {
    const { throttle } = load('throttle: {followUps: {burst: 7}}', {
      GATEWAY_THROTTLE_FOLLOW_UPS_PER_SECOND: '3',
    });
    expect(throttle).toEqual({ ...DEFAULT_THROTTLE_RATES, followUps: { perSecond: 3, burst: 7 } });
  });

  it('takes other limits of clients, the head within the time of the whole request', () => {
    const { limits } = load('limits: {connections: 50}', { GATEWAY_LIMITS_CONNECTIONS_PER_PEER: '5' });
    expect(limits).toEqual({ ...DEFAULT_LIMITS, connections: 50, connectionsPerPeer: 5 });
    expect(() => load('limits: {requestTimeoutMs: 5000}')).toThrow(
      'limits.requestTimeoutMs must be at least limits.headersTimeoutMs (10000), not 5000',
    );
  });

  it('reads how clients come', () => {
    const yaml = 'host: 0.0.0.0\nmode: live\ntls: {certificateFile: /c, keyFile: /k, redirectPort: 80}\n';
    expect(load(yaml, { GATEWAY_TRUSTED_PROXIES: '10.0.0.0/8, ::1' })).toMatchObject({
      host: '0.0.0.0',
      transport: {
        mode: 'live',
        tls: { certificateFile: '/c', keyFile: '/k', redirectPort: 80 },
        trustedProxies: ['10.0.0.0/8', '::1'],
      },
    });
    const listed = load('trustedProxies: [10.0.0.1, 10.0.0.2]\npublicUrl: https://pay.example/');
    expect(listed.transport).toMatchObject({
      trustedProxies: ['10.0.0.1', '10.0.0.2'],
      publicUrl: 'https://pay.example',
    });
  });

  it('takes an empty file and an empty variable as not set', () => {
    expect(load('', { GATEWAY_PORT: '' }).port).toBe(8080);
  });

  it.each([
    ['prot: 1', 'prot is no known key; did you mean port?'],
    ['log: {levl: x}', 'log.levl is no known key; did you mean level?'],
    ['colour: red', 'colour is no known key; expected home, host, port'],
    ['port: 70000', 'port must be a whole number from 0 to 65535, not 70000'],
    ['port: "12x"', 'port must be a whole number from 0 to 65535, not "12x"'],
    [
      'host: 0.0.0.0',
      'host must be a loopback address (127.0.0.1, ::1 or localhost), not "0.0.0.0", as plain',
    ],
    ['mode: production', 'mode must be one of test, live, not "production"'],
    ['mode: live', 'it speaks no plain HTTP'],
    ['directoryServerUrl: ftp://ds.example', 'directoryServerUrl must be an http or https address'],
    [
      'mode: live\ntls: {certificateFile: /c, keyFile: /k}\ndirectoryServerUrl: http://ds.example/',
      'directoryServerUrl must be of https in mode live',
    ],
    ['tls: {keyFile: /k}', 'tls.certificateFile is missing: expected the path of a certificate in PEM'],
    ['tls: {redirectPort: 80}', 'tls.certificateFile is missing'],
    [
      'trustedProxies: 10.0.0.0/33',
      'trustedProxies must be addresses or networks of proxies, parted by commas, such as 10.0.0.0/8, not "10.0.0.0/33"',
    ],
    [
      'publicUrl: http://pay.example',
      'publicUrl must be the https address of this gateway for its clients, without a path, not "http://pay.example"',
    ],
    ['publicUrl: https://pay.example/path', 'must be the https address'],
    ['screening: {url: "ftp://screening.example"}', 'an http or https address without a user in it'],
    ['screening: {url: "https://user@screening.example"}', 'an http or https address without a user in it'],
    ['screening: {url: "https://screening.example", timeLimitMs: 1}', 'screening.timeLimitMs'],
    ['mode: live\nscreening: {url: "http://screening.example"}', 'screening.url must be https in mode live'],
    ['mail: {host: mail.example}', 'mail.from'],
    ['mail: {host: mail.example, from: "Shop <a@b>"}', 'mail.from must be an e-mail address'],
    [
      'mail: {host: mail.example, from: a@b.example, security: none}',
      'mail.security must be starttls or implicit',
    ],
    ['alerts: {mailTo: ops@shop.example}', 'alerts.mailTo needs mail.host and mail.from'],
    ['alerts: {mailTo: "ops@shop.example, eve"}', 'alerts.mailTo must be e-mail addresses'],
    [
      'mode: live\nalerts: {webhookUrl: "http://ops.example"}',
      'alerts.webhookUrl must be of https in mode live',
    ],
    ['log: loud', 'log must be a mapping'],
    ['- port', 'the file must be a mapping'],
    ['port: [', 'is no valid YAML'],
  ])('names what is wrong with %s', (yaml, expected) => {
    expect(problems(yaml)).toContain(expected);
  });

  it('reads the mail server and who gets alerts', () => {
    const env = {
      GATEWAY_MAIL_PASSWORD_FILE: '/run/mail',
      GATEWAY_ALERTS_WEBHOOK_URL: 'https://ops.example/a',
    };
    const yaml =
      'mail: {host: mail.example, from: pay@shop.example, user: gateway}\nalerts: {mailTo: "a@b.example, c@d.example"}';
    expect(load(yaml, env)).toMatchObject({
      mail: {
        host: 'mail.example',
        port: 587,
        security: 'starttls',
        from: 'pay@shop.example',
        user: 'gateway',
        passwordFile: '/run/mail',
      },
      alerts: { mailTo: ['a@b.example', 'c@d.example'], webhookUrl: 'https://ops.example/a' },
    });
    expect(load('mail: {host: 127.0.0.1, from: a@b.example, security: none}').mail?.security).toBe('none');
  });

  it('names everything that is wrong at once, variables by their own names', () => {
    const found = problems('prot: 1\nhost: 10.0.0.1\n', { GATEWAY_PORT: '-1' });
    expect(found.split('\n')).toHaveLength(3);
    expect(found).toContain('GATEWAY_PORT must be a whole number from 0 to 65535, not "-1"');
  });

  it('takes a database of PostgreSQL, and refuses another one without showing its password', () => {
    const databaseUrl = 'postgres://user:secret@db:5433/x';
    expect(loadConfig(undefined, { DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
    for (const url of ['mysql://user:secret@db/x', 'postgres://user:secret@db', 'user:secret']) {
      const found = problems('', { DATABASE_URL: url });
      expect(found).toContain('DATABASE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE');
      expect(found).not.toContain('secret');
    }
  });

  it('names a file that cannot be read', () => {
    expect(() => loadConfig(join(folder, 'none.yaml'), {})).toThrow(/none\.yaml cannot be read \(ENOENT\)/);
  });

  it('takes size, count and age of both logs', () => {
    const { log } = loadConfig(undefined, {
      GATEWAY_LOG_FILE_MIB: '2',
      GATEWAY_LOG_FILES: '9',
      GATEWAY_LOG_DAYS: '30',
      GATEWAY_SECURITY_LOG: 'stdout',
      GATEWAY_SECURITY_LOG_FILE_MIB: '3',
      GATEWAY_SECURITY_LOG_FILES: '8',
      GATEWAY_SECURITY_LOG_DAYS: '1000',
    });
    expect(log.file).toEqual({ maxBytes: 2 * MIB, files: 9, maxAgeDays: 30 });
    const file = { maxBytes: 3 * MIB, files: 8, maxAgeDays: 1_000 };
    expect(log.security).toEqual({ target: 'stdout', file });
    expect(() => loadConfig(undefined, { GATEWAY_LOG_FILES: '0' })).toThrow('GATEWAY_LOG_FILES');
  });
});
