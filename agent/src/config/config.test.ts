import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { DEVELOPMENT_CAPKS, TEST_CAPKS } from '@tillbridge/wire/crypto/emv/test-capks.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OFFLINE_MAXIMA } from '../sale/offline/offline-policy.js';
import { loadConfig } from './config.js';
import { STANDARD_OFFLINE } from './offline.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-config-'));
  file = join(folder, 'agent.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(yaml: string, env: NodeJS.ProcessEnv = {}) {
  writeFileSync(file, yaml);
  return loadConfig(file, env);
}

/** The lines of the error, without the file's name. */
function problemsOf(yaml: string, env: NodeJS.ProcessEnv = {}): string[] {
  try {
    load(yaml, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${file}: `, ''));
  }
  return [];
}

const TERMINAL =
  '{id: "1001", deviceType: GERTEC_PPC930, transport: serial, path: /dev/ttyS9, deviceId: "007"}';

describe('tills', () => {
  it('call over a network with TLS, under the names that are configured', () => {
    const tls = 'tls: {certificateFile: /c.pem, keyFile: /k.pem}';
    expect(load(`host: 0.0.0.0\nhostNames: [agent.shop.example]\n${tls}`)).toMatchObject({
      host: '0.0.0.0',
      hostNames: ['agent.shop.example'],
      tls: { certificateFile: '/c.pem', keyFile: '/k.pem' },
    });
    const env = {
      AGENT_HOST: '10.0.0.7',
      AGENT_HOST_NAMES: 'a.example, b.example',
      AGENT_TLS_CERTIFICATE_FILE: '/c.pem',
      AGENT_TLS_KEY_FILE: '/k.pem',
    };
    expect(load('', env)).toMatchObject({ host: '10.0.0.7', hostNames: ['a.example', 'b.example'] });
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('need none on %s', (host) => {
    expect(load(`host: "${host}"`)).toMatchObject({ host, hostNames: [] });
  });
});

describe('the serial line of a terminal', () => {
  it.each([
    ['', { line: { baudRate: 19_200, parity: 'none' } }],
    [', baudRate: 115200, parity: odd', { line: { baudRate: 115_200, parity: 'odd' } }],
    [', baudRate: auto', { line: { baudRate: 19_200, parity: 'none' }, findsLine: true }],
  ])('is set as configured, else as that of the model%s', (written, expected) => {
    const [terminal] = load(`terminals: [${TERMINAL.replace('}', `${written}}`)}]`).terminals;
    expect(terminal).toMatchObject(expected);
    expect(terminal?.findsLine).toBe('findsLine' in expected ? true : undefined);
  });
});

describe('the authorities whose cards terminals trust', () => {
  const LIVE = 'mode: live\ngateway: {bridgeUrl: "wss://g.example/bridge"}\n';
  const capks = (records: unknown): string => {
    const path = join(folder, 'capks.json');
    writeFileSync(path, typeof records === 'string' ? records : JSON.stringify(records));
    return `capkFile: ${path}\nterminals: [${TERMINAL}]`;
  };
  const sha1 = createHash('sha1')
    .update(Buffer.from(`A00000000399${'C5'.repeat(96)}03`, 'hex'))
    .digest('hex');
  const own = { rid: 'A000000003', index: '99', modulus: 'C5'.repeat(96), exponent: '03', sha1 };

  it('are those of test cards unless others are named', () => {
    expect(load(`terminals: [${TERMINAL}]`)).toMatchObject({ mode: 'test' });
    expect(load(`terminals: [${TERMINAL}]`).capks).toBeUndefined();
    expect(load(`${LIVE}${capks([own])}`)).toMatchObject({ mode: 'live', capks: [own] });
    expect(load(capks([...TEST_CAPKS])).capks).toHaveLength(TEST_CAPKS.length);
  });

  it.each<[string, () => string, RegExp]>([
    [
      'none in live mode',
      () => `terminals: [${TERMINAL}]`,
      /^capkFile is missing: in live mode terminal 1001/,
    ],
    [
      'published test keys',
      () => capks([own, TEST_CAPKS[0]]),
      /^capkFile holds keys .* testKey: .*A000000003 92/,
    ],
    ['the development authority', () => capks([DEVELOPMENT_CAPKS[0]]), /testKey/],
    ['another hash', () => capks([{ ...own, sha1: '00'.repeat(20) }]), /badCheckValue/],
    ['no hex', () => capks([{ ...own, modulus: 'x' }]), /badArgument: .*modulus/],
    [
      'a member less',
      () => capks([{ ...own, index: undefined }]),
      /where \[0\]\.index is missing: expected a text of hex digits/,
    ],
    ['no JSON', () => capks('{'), /where the file is not JSON/],
    ['no file', () => 'capkFile: /nowhere/capks.json', /cannot be read \(ENOENT\)/],
  ])('are refused in live mode: %s', (_what, yaml, message) => {
    expect(problemsOf(`mode: live\n${yaml()}`)).toContainEqual(expect.stringMatching(message));
  });

  it('need no file where no terminal keeps tables', () => {
    const miura = TERMINAL.replace('GERTEC_PPC930', 'MIURA_M020');
    expect(load(`${LIVE}terminals: [${miura}]`).mode).toBe('live');
  });
});

it('reads a whole file', () => {
  const config = load(`
home: ${folder}
host: ::1
port: 0
tokenFile: ${folder}/token
gateway: { bridgeUrl: "wss://gateway.example/bridge" }
log: { level: debug, target: stderr }
answerTimeoutMs: 2000
offline:
  limits: { EUR: { perSale: "50.00", sum: "500" }, JPY: { perSale: "900", sum: "9000" } }
  maxCount: 5
  maxContactAgeHours: 2
  cards: { ICC: [offline-pin], NFC_ICC: [device] }
  afterHandOver: reverse
  risk: { floorLimitMinor: 1000 }
terminals: [${TERMINAL}]
`);
  expect(config).toMatchObject({
    home: folder,
    host: '::1',
    port: 0,
    tokenFile: join(folder, 'token'),
    bridgeUrl: 'wss://gateway.example/bridge',
    log: { level: 'debug', target: 'stderr' },
    terminals: [
      { id: '1001', deviceType: 'GERTEC_PPC930', transport: 'serial', path: '/dev/ttyS9', deviceId: '007' },
    ],
  });
  expect(config.policy.answerTimeoutMs).toBe(2000);
  expect(config.policy.offline).toMatchObject({
    enabled: true,
    limits: { EUR: { perSaleMinor: 5000, sumMinor: 50_000 }, JPY: { perSaleMinor: 900, sumMinor: 9000 } },
    maxCount: 5,
    maxContactAgeMs: 7_200_000,
    cards: [
      { entryMode: 'ICC', verification: 'offline-pin' },
      { entryMode: 'NFC_ICC', verification: 'device' },
    ],
    deferred: { enabled: false },
    afterHandOver: 'reverse',
    risk: { floorLimitMinor: 1000, randomSelectionTargetPercent: 0 },
  });
});

it('needs no file: loopback, port 8090, offline off, log in the home', () => {
  const config = loadConfig(undefined, { TILLBRIDGE_HOME: folder });
  const home = join(folder, 'agent');
  expect(config).toMatchObject({ home, host: '127.0.0.1', port: 8090, tokenFile: undefined, terminals: [] });
  expect(config.log.target).toBe(join(home, 'agent.log'));
  expect(config.policy.offline.enabled).toBe(false);
});

it('lets the environment win over the file', () => {
  const config = load(`{home: /nowhere, port: 1, offline: off, gateway: {bridgeUrl: "ws://127.0.0.1:1/"}}`, {
    AGENT_HOME: folder,
    AGENT_PORT: '8123',
    AGENT_OFFLINE: 'on',
    GATEWAY_BRIDGE_URL: 'ws://localhost:9/bridge',
    AGENT_LOG: 'stderr',
  });
  expect(config).toMatchObject({ home: folder, port: 8123, bridgeUrl: 'ws://localhost:9/bridge' });
  expect(config.policy.offline).toEqual(STANDARD_OFFLINE);
  expect(config.log.target).toBe('stderr');
});

it('counts an empty variable as absent', () => {
  expect(load('port: 7', { AGENT_PORT: '' }).port).toBe(7);
});

it('reads limits from AGENT_OFFLINE in the words of the file', () => {
  const { offline } = load('', { AGENT_OFFLINE: '{limits: {EUR: {perSale: "5.00", sum: "9.00"}}}' }).policy;
  expect(offline).toMatchObject({ enabled: true, limits: { EUR: { perSaleMinor: 500, sumMinor: 900 } } });
  expect(load('offline: on', { AGENT_OFFLINE: 'off' }).policy.offline.enabled).toBe(false);
});

it('reads what to do with an approval of a part, and after how long an alert is raised for staff', () => {
  const policy = (file: string, env = {}) => load(file, env).policy;
  expect(policy('')).toMatchObject({ partialApproval: 'reverse', overdueAfterMs: 86_400_000 });
  expect(policy('partialApproval: accept\noverdueAfterMs: 60000')).toMatchObject({
    partialApproval: 'accept',
    overdueAfterMs: 60_000,
  });
  expect(policy('partialApproval: accept', { AGENT_PARTIAL_APPROVAL: 'reverse' }).partialApproval).toBe(
    'reverse',
  );
});

describe('what is wrong is named with what was expected', () => {
  it.each<[string, string, RegExp]>([
    ['a key nearly right', 'prot: 1', /^prot is no known key; did you mean port\?$/],
    ['a key of no section', 'colour: red', /^colour is no known key; expected home, host, port,/],
    [
      'a nested key',
      'gateway: {bridgeurl: x}',
      /^gateway\.bridgeurl is no known key; did you mean bridgeUrl\?$/,
    ],
    ['a port out of range', 'port: 70000', /^port must be a whole number from 0 to 65535, not 70000$/],
    ['a port in words', 'port: eighty', /^port must be a whole number from 0 to 65535, not "eighty"$/],
    ['a list for a mapping', 'gateway: [1]', /^gateway must be a mapping with bridgeUrl, not \[1\]$/],
    ['a level nearly right', 'log: {level: Warning}', /^log\.level must be one of .*$/],
    ['http for ws', 'gateway: {bridgeUrl: "https://g.example/bridge"}', /did you mean wss:\?/],
    [
      'tills over a network in clear',
      'host: 0.0.0.0',
      /^host must be a loopback address .* set tls\.certificateFile/,
    ],
    ['a name of a host that is none', 'hostNames: "a b"', /^hostNames must be host names or addresses/],
    ['card data in clear', 'gateway: {bridgeUrl: "ws://g.example/bridge"}', /in clear: use wss:/],
    ['offline in other words', 'offline: maybe', /^offline must be off, on, or a mapping/],
    [
      'an amount as number',
      'offline: {limits: {EUR: {perSale: 5, sum: "9"}}}',
      /perSale must be an amount in quotes/,
    ],
    [
      'a limit above the maximum',
      'offline: {limits: {EUR: {perSale: "1000.01", sum: "9"}}}',
      /at most 1000 EUR/,
    ],
    [
      'half a limit',
      'offline: {limits: {EUR: {perSale: "1"}}}',
      /^offline\.limits\.EUR\.sum is missing: expected an/,
    ],
    [
      'a currency in lower case',
      'offline: {limits: {eur: {perSale: "1", sum: "1"}}}',
      /^offline\.limits\.eur must be/,
    ],
    [
      'a magnetic stripe offline',
      'offline: {cards: {MAGSTRIPE: [none]}}',
      /^offline\.cards\.MAGSTRIPE is never taken offline; only ICC and NFC_ICC can be$/,
    ],
    [
      'a count above the maximum',
      `offline: {maxCount: ${OFFLINE_MAXIMA.count + 1}}`,
      /^offline\.maxCount must be/,
    ],
    [
      'a terminal id as number',
      'terminals: [{id: 1001}]',
      /^terminals\[0\]\.id must be .* put it in quotes$/,
    ],
    [
      'a model nearly right',
      'terminals: [{id: "1", deviceType: GERTEC_PPC_930}]',
      /did you mean GERTEC_PPC930\?/,
    ],
    ['a speed of no port', `terminals: [{baudRate: 9601}]`, /^terminals\[0\]\.baudRate must be one of 1200,/],
    [
      'two terminals on one port',
      `terminals: [${TERMINAL}, ${TERMINAL.replace('1001', '1002')}]`,
      /with path \/dev/,
    ],
    [
      'two terminals with one id',
      `terminals: [${TERMINAL}, ${TERMINAL.replace('S9', 'S8')}]`,
      /with id 1001/,
    ],
    [
      'two terminals with one trace',
      `terminals: [${TERMINAL.replace('deviceId', 'trace: a, deviceId')}, ${TERMINAL.replace('1001', '1002')
        .replace('S9', 'S8')
        .replace('deviceId', 'trace: a, deviceId')}]`,
      /^terminals has two terminals with trace a$/,
    ],
    [
      'a simulated device that would sell for money',
      'mode: live\nterminals: [{id: "1", deviceType: MAGTEK_DYNAFLEX, path: "unix:/tmp/1.hid"}]',
      /^terminals has 1 on unix:.*simulated/,
    ],
    ['broken YAML', 'port: [1', /agent\.yaml:\d+:\d+ is no valid YAML/],
    ['a key twice', 'port: 1\nport: 2', /agent\.yaml:2:1 is no valid YAML/],
  ])('%s', (_name, yaml, message) => {
    expect(problemsOf(yaml)).toContainEqual(expect.stringMatching(message));
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ AGENT_PORT: '80a' }, /^AGENT_PORT must be a whole number from 0 to 65535, not "80a"$/],
    [{ AGENT_PARTIAL_APPROVAL: 'maybe' }, /^AGENT_PARTIAL_APPROVAL must be/],
    [{ AGENT_OFFLINE: 'sometimes' }, /^AGENT_OFFLINE must be off, on/],
    [{ AGENT_OFFLINE: '{maxCount: 0}' }, /^AGENT_OFFLINE\.maxCount must be/],
    [{ AGENT_OFFLINE: '{' }, /^AGENT_OFFLINE must be off, on/],
    [{ GATEWAY_BRIDGE_URL: 'gateway' }, /^GATEWAY_BRIDGE_URL must be a wss: address/],
  ])('%o', (env, message) => {
    expect(problemsOf('', env)).toContainEqual(expect.stringMatching(message));
  });

  it('reports all problems at once', () => {
    expect(problemsOf('{port: -1, prot: 2, terminals: 7}')).toHaveLength(3);
  });

  it('names a file that is not there', () => {
    expect(() => loadConfig(join(folder, 'none.yaml'), {})).toThrow(/none\.yaml cannot be read \(ENOENT\)/);
  });
});
