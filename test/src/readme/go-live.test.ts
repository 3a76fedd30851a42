import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GO_LIVE_STEPS } from '@tillbridge/gateway/app/commands/go-live/go-live-steps.js';
import {
  newDatabase,
  type PostgresServer,
  startServer,
  stopServer,
} from '@tillbridge/gateway/kernel/store/testing/postgres-server.js';
import type { MadeKeys } from '@tillbridge/hardware-sim/keys/make-keys.js';
import { issueCertificate, makeAuthority } from '@tillbridge/platform/net/own-authority.js';
import { reservedPort } from '@tillbridge/platform/net/testing/reserved-port.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AcquirerHostClient } from '../clients/acquirer-host-client.js';
import { PROGRAMS, ROOT } from '../stack/layout.js';
import { type PartProcess, startPart } from '../stack/part-process.js';
import { scriptOf, shellBlocks } from './shell-blocks.js';

// Runs the page “Go live” as an operator does: three nodes on a PostgreSQL server, an acquirer's host over TLS, a real card.

const PAGE = readFileSync(join(ROOT, 'gateway/docs/go-live.md'), 'utf8');
const PAGE_TIMEOUT_MS = 600_000;
/** In no list of test cards; the simulated issuer knows it. */
const CARD = '4539578763621486';
/** Of the token of a test. */
const PIN = '123456';
const NPX = '#!/bin/sh\nexec "$@"\n';
/** `createdb --maintenance-db=URL NAME` by the driver of the gateway. */
const CREATEDB = `#!/bin/sh
url=\${1#--maintenance-db=}
exec '${process.execPath}' --input-type=commonjs --eval '
const { Client } = require(process.argv[1]);
const client = new Client({ connectionString: process.argv[2] });
client.connect().then(() => client.query("CREATE DATABASE " + process.argv[3])).then(() => client.end());
' '${createRequire(import.meta.url).resolve('pg')}' "$url" "$2"
`;
const DAY_MS = 86_400_000;

let place: string;
let databaseFolder: string;
let host: PartProcess;
let database: PostgresServer;
let variables: NodeJS.ProcessEnv;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'tillbridge-go-live-'));
  const inPlace = (name: string, content: string, mode = 0o600): string => {
    writeFileSync(join(place, name), content, { mode });
    return join(place, name);
  };
  const valid = { fromMs: Date.now() - 60_000, toMs: Date.now() + 30 * DAY_MS };
  const issuer = makeAuthority('Go live', valid, systemRandom);
  const names = { commonName: 'localhost', dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const server = issueCertificate(issuer, names, valid, systemRandom);
  inPlace('authority.pem', issuer.certificate);
  const certificateFile = inPlace('certificate.pem', `${server.certificate}\n${issuer.certificate}`);
  const keyFile = inPlace('key.pem', server.key);
  mkdirSync(join(place, 'bin'));
  inPlace('bin/npx', NPX, 0o755);
  // PostgreSQL's own, where it is installed, is called in the same way.
  inPlace('bin/createdb', CREATEDB, 0o755);
  const components = join(place, 'components');
  const made = JSON.parse(
    execFileSync(process.execPath, [PROGRAMS.simulator, 'keys', components], { encoding: 'utf8' }),
  ) as MadeKeys;
  for (const [name, kcv] of Object.entries(made.checkValues)) inPlace(`components/${name}.kcv`, kcv);
  host = await startPart({
    name: 'acquirerHost',
    args: [PROGRAMS.simulator, 'acquirer-host'],
    env: {
      ...{ SIM_KEY_FILE: made.keyFile, SIM_LOG_LEVEL: 'error', SIM_ACQUIRER_HOME: join(place, 'host') },
      ...{ SIM_ACQUIRER_CONTROL_PORT: '0', HOST_PORT: '0' },
      ...{ SIM_ACQUIRER_TLS_CERTIFICATE_FILE: certificateFile, SIM_ACQUIRER_TLS_KEY_FILE: keyFile },
    },
  });
  // The server of the other tests forgets commits, which the checklist refuses.
  databaseFolder = mkdtempSync(join(tmpdir(), 'tillbridge-go-live-database-'));
  database = await startServer(databaseFolder, { settings: ['fsync=on'] });
  const token = softHsm();
  if (!token)
    process.stdout.write(
      'go-live: without a PKCS#11 token, because SoftHSM 2 or pkcs11js is not installed\n',
    );
  const [portA, portB, portC] = [await reservedPort(), await reservedPort(), await reservedPort()].map(
    String,
  );
  variables = {
    ...process.env,
    ...{ PLACE: place, DATABASE_URL: await newDatabase(database.url), GATEWAY_NAME: 'localhost', CARD },
    ...{ ACQUIRER_HOST: String(host.listening.address), COMPONENTS: components },
    ...{ TOKEN_LIBRARY: '', ...token },
    ...{ PORT_A: portA, PORT_B: portB, PORT_C: portC },
    PATH: [join(place, 'bin'), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
}, PAGE_TIMEOUT_MS);
afterAll(async () => {
  await host?.stop();
  if (database) await stopServer(database, 'SIGQUIT');
  if (databaseFolder) rmSync(databaseFolder, { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
});

/** A fresh token of SoftHSM with its PIN in a file, as variables; undefined where SoftHSM or what loads it is not installed. */
function softHsm(): Readonly<Record<string, string>> | undefined {
  const library = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/softhsm/libsofthsm.so'].find(existsSync);
  if (library === undefined || !existsSync(join(ROOT, 'node_modules/pkcs11js/build/Release/pkcs11.node')))
    return undefined;
  const tokens = join(place, 'tokens');
  mkdirSync(tokens);
  const config = join(place, 'softhsm2.conf');
  writeFileSync(config, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
  writeFileSync(join(place, 'token.pin'), `${PIN}\n`, { mode: 0o600 });
  const variables = { SOFTHSM2_CONF: config, TOKEN_LIBRARY: library };
  const words = ['--init-token', '--free', '--label', 'tillbridge', '--so-pin', PIN, '--pin', PIN];
  execFileSync('softhsm2-util', words, { env: { ...process.env, ...variables }, stdio: 'ignore' });
  return variables;
}

/** Runs a script in a group of its own, and ends what it has left running. */
async function runPage(script: string): Promise<{ readonly code: unknown; readonly printed: string }> {
  const shell = spawn('sh', ['-c', `exec 2>&1\n${script}`], { cwd: ROOT, env: variables, detached: true });
  const printed = text(shell.stdout);
  const [code] = await once(shell, 'exit');
  try {
    process.kill(-(shell.pid ?? 0), 'SIGTERM');
  } catch {
    // Nothing was left.
  }
  return { code, printed: await printed };
}

it(
  'the page brings three nodes live, sells once and reverses; its checklist finds every step done',
  async () => {
    const { code, printed } = await runPage(scriptOf(shellBlocks(PAGE), new Set()));
    expect(code, printed).toBe(0);
    expect(printed).toContain('every step is done');
    expect(printed).toMatch(
      variables.TOKEN_LIBRARY ? /pkcs11 +done +token tillbridge, 6 keys/ : /no token: the keys are sealed/,
    );
    // In a token its label is its name.
    expect(readFileSync(join(place, 'ceremony.txt'), 'utf8')).toMatch(
      /key {10}(bdkPin|tillbridge\/bdk-pin\/FFFF\/key)[\s\S]*check value {2}[0-9A-F]{6}/,
    );
    const control = new AcquirerHostClient(String(host.listening.url));
    const money = await control.transactions();
    expect(money).toMatchObject([{ kind: 'sale', amountMinor: 100, reversedMinor: 100 }]);
  },
  PAGE_TIMEOUT_MS,
);

it('the checklist has the sections of the page, in their order', () => {
  const sections = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(GO_LIVE_STEPS.map(({ title }) => title)).toEqual(sections);
});
