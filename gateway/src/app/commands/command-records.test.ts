import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { raiseAlert } from '../../kernel/alerts/alert-changes.js';
import type { ChainReport } from '../../kernel/audit/audit-chain.js';
import { withHomeStore } from '../../kernel/commands/command.js';
import { allRows } from '../../kernel/store/all-rows.js';
import { openDatabase } from '../../kernel/store/open-database.js';
import type { Store } from '../../kernel/store/store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { type GatewayConfig, loadConfig } from '../configuration/config.js';
import { gatewayProgram } from '../program.js';
import { seed } from './seed.js';

/** Ids of what the commands before have made. */
interface Made {
  readonly merchant: string;
  readonly channel: string;
  readonly [name: string]: string;
}

/** What a command is tried with; it may give names to ids in what it printed. */
interface Tried {
  readonly args: (made: Made) => readonly string[];
  readonly names?: Readonly<Record<string, (printed: string) => string>>;
}

const tried = (args: Tried['args'], names?: Tried['names']): Tried => ({ args, ...(names && { names }) });
const idIn = (printed: string): string => (JSON.parse(printed) as { readonly id: string }).id;

/** A rate that has not begun can be taken back. */
const LATER = '2999-01-01T00:00:00Z';

/** Commands that change rights, keys, tokens, agents, devices, entities or what is held, in an order in which they can be given. */
const CHANGES: Readonly<Record<string, Tried>> = {
  'entity create': tried(() => ['--name', 'Shop'], { shop: idIn }),
  'entity routing': tried(({ merchant }) => [merchant, '--none']),
  'entity three-d-secure': tried(({ channel }) => [channel, '--set', 'on']),
  'entity time-zone': tried(({ channel }) => [channel, '--set', 'Europe/Berlin']),
  'entity app-schemes': tried(({ channel }) => [channel, '--set', 'com.example.shop']),
  'entity policy': tried(({ channel, file }) => [channel, '--file', `${file}`]),
  'entity risk': tried(({ channel, rules }) => [channel, '--file', `${rules}`]),
  'acquirer routing': tried(({ channel }) => [channel, '--test-mode', 'EXTERNAL']),
  'agents enrol-code': tried(({ channel }) => ['--entity', channel, '--agent', 'new', '--terminal', '7']),
  'agents rotate-key': tried(() => ['store-1']),
  'agents replace': tried(() => ['store-1']),
  'agents allow-generation': tried(() => ['store-1']),
  'agents command': tried(() => ['store-1', 'ping', '--no-wait']),
  'agents revoke': tried(() => ['store-1']),
  'agents rotate-gateway-key': tried(() => []),
  'devices add': tried(({ channel }) => [
    ...['S1', '--type', 'GERTEC_PPC930', '--account-ksn', 'FFFF9877A1B2C3000000', '--entity', channel],
    ...['--terminal', '8'],
  ]),
  'devices import': tried(({ devices }) => [`${devices}`]),
  'devices assign': tried(() => ['S1', '--terminal', '9']),
  'devices suspend': tried(() => ['S1']),
  'devices resume': tried(() => ['S1']),
  'devices swap': tried(() => ['S1', 'S2']),
  'devices decommission': tried(() => ['S2']),
  'token create': tried(({ channel }) => ['--entity', channel, '--rights', 'read'], { token: idIn }),
  'token show': tried(({ token }) => [`${token}`]),
  'token rotate': tried(({ token }) => [`${token}`], { token: idIn }),
  'token revoke': tried(({ token }) => [`${token}`]),
  'keys generate': tried(() => [
    '--id',
    'zone-1',
    '--usage',
    'zone-pin',
    '--scope',
    'A',
    '--algorithm',
    'aes128',
  ]),
  'keys rotate': tried(() => ['zone-1']),
  'vault rotate': tried(() => []),
  'vault reseal': tried(() => []),
  'webhooks create': tried(({ channel }) => ['--entity', channel, '--url', 'https://shop.example/hook'], {
    endpoint: idIn,
  }),
  'webhooks rotate': tried(({ endpoint }) => [`${endpoint}`]),
  'webhooks remove': tried(({ endpoint }) => [`${endpoint}`]),
  'wallets create': tried(
    ({ channel }) => [
      '--entity',
      channel,
      '--wallet',
      'walletA',
      '--merchant-identifier',
      'merchant.example',
    ],
    { wallet: idIn },
  ),
  'wallets rotate': tried(({ channel }) => ['--entity', channel, '--wallet', 'walletA'], { wallet: idIn }),
  'wallets remove': tried(({ wallet }) => [`${wallet}`]),
  'wallets roots remove': tried(({ root, rootWallet }) => [`${root}`, '--wallet', `${rootWallet}`]),
  'settlement organisation': tried(() => ['--name', 'PSP']),
  'settlement account': tried(({ merchant }) => [merchant, '--currency', 'EUR']),
  'settlement ftp-account': tried(({ merchant }) => [merchant]),
  'settlement rates set': tried(() => ['EUR', 'USD', '1.1', '--from', LATER]),
  'settlement rates remove': tried(() => ['EUR', 'USD', '--from', LATER]),
  'alerts acknowledge': tried(({ alert }) => [`${alert}`, '--note', 'x']),
  'users invite': tried(
    ({ channel }) => [
      ...['--email', 'anna@shop.example', '--name', 'Anna', '--entity', channel],
      ...['--role', 'view'],
    ],
    { user: (printed) => (JSON.parse(printed) as { readonly user: { readonly id: string } }).user.id },
  ),
  'users role': tried(({ user, channel }) => [`${user}`, '--entity', channel, '--role', 'admin']),
  'users reset': tried(({ user }) => [`${user}`]),
  'users sign-out': tried(({ user }) => [`${user}`]),
  'users remove': tried(({ user }) => [`${user}`]),
  'restore confirm': tried(() => ['--note', 'x']),
  'go-live confirm': tried(() => ['devices', '--note', 'x']),
};

/** Commands that change nothing of this. */
const READS = [
  ...[
    'agents list',
    'agents show',
    'agents gateway-key',
    'agents command-result',
    'devices list',
    'devices show',
    'entity list',
  ],
  ...[
    'acquirer list',
    'acquirer stand-ins',
    'acquirer dialect show',
    'acquirer files',
    'token list',
    'wallets list',
    'wallets roots list',
  ],
  ...[
    'audit list',
    'audit verify',
    'users list',
    'inbox list',
    'alerts list',
    'alerts show',
    'reviews list',
    'settlement list',
  ],
  ...[
    'settlement show',
    'settlement rates list',
    'webhooks list',
    'webhooks show',
    'webhooks log',
    'restore show',
  ],
  ...[
    'schedules list',
    'schedules show',
    'schedules preview',
    'keys list',
    'vault status',
    'decode',
    'listen',
  ],
  ...['export-incident', 'explain', 'keys protocol', 'completion'],
];

/** Commands that change something, by the same door to the database: what they need is long to make. */
const NOT_TRIED = [
  ...[
    'acquirer close-gap',
    'acquirer try',
    'acquirer retry-file',
    'acquirer drop-file',
    'devices unlock',
    'inbox retry',
    'inbox drop',
    'check explain',
  ],
  ...['reviews release', 'reviews refuse', 'settlement run', 'settlement import', 'settlement rates import'],
  ...[
    'webhooks test',
    'webhooks pause',
    'webhooks resume',
    'webhooks resend',
    'wallets import',
    'wallets roots add',
  ],
  ...['keys import-components', 'keys import-block', 'keys import-cryptogram'],
];

/** Commands without a database of their own, or with all of it. */
const WHOLE = [
  'serve',
  'migrate',
  'init',
  'seed',
  'export',
  'import',
  'backup',
  'trigger',
  'check',
  'go-live',
];

let home: string;
let config: GatewayConfig;
let made: Made;
/** Records so far: their ids give the order. */
let recorded: number;
const withStore = <T>(work: (store: Store) => Promise<T>): Promise<T> => withHomeStore(config, work);

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-records-'));
  vi.stubEnv('GATEWAY_HOME', home);
  config = loadConfig(undefined, process.env);
  const { merchant } = await seed(config);
  const files = {
    file: file('policy.json', '{"unlinkedRefunds": false}'),
    rules: file('rules.json', '{"rules": [], "reviewFrom": 50, "refuseFrom": 100}'),
    devices: file(
      'devices.yaml',
      `- {serial: S2, deviceType: GERTEC_PPC930, accountKsn: FFFF9877A1B2C4000000, entityId: ${merchant.entityId}}\n`,
    ),
  };
  made = {
    merchant: merchant.merchantEntityId,
    channel: merchant.entityId,
    ...files,
    ...(await rows(merchant.entityId)),
  };
  recorded = (await actions()).length;
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(home, name), text);
  return join(home, name);
}

/** What no command makes. */
function rows(entityId: string): Promise<Readonly<Record<string, string>>> {
  return withStore(async (store) => {
    const agent = newAgentRow({ id: 'store-1', entityId, publicKey: 'key', terminals: ['8', '9'] }, 0);
    const alert = raiseAlert({ code: 'card-replayed', subject: 'x', detail: 'x' }, 0);
    await store.commit([
      { op: 'insert', table: 'agents', row: agent },
      alert,
      {
        op: 'insert',
        table: 'restoreGaps',
        row: {
          ...{ name: 'database', sinceMs: null, untilMs: 1, foundAtMs: 2, isWhole: 0, reapplied: '{}' },
          ...{ closedAtMs: null, note: null, version: 1 },
        },
      },
    ]);
    const [root] = await allRows(store, 'walletRoots');
    return {
      alert: alert.op === 'raise-alert' ? alert.row.id : '',
      root: root?.id ?? '',
      rootWallet: root?.wallet ?? '',
    };
  });
}

/** Runs a command in this process; gives what it printed. */
async function run(...words: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0),
  );
  try {
    await gatewayProgram().parseAsync([...words], { from: 'user' });
    return printed.join('');
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const actions = () => withStore(async (store) => (await allRows(store, 'audit')).map(({ action }) => action));

/** Names of all commands that do something. */
function leaves(command: Command, names: readonly string[] = []): string[] {
  const below = command.commands.flatMap((each) => leaves(each, [...names, each.name()]));
  return below.length > 0 ? below : [names.join(' ')];
}

it('lists for each command of the program whether it changes something', () => {
  const listed = [...Object.keys(CHANGES), ...READS, ...NOT_TRIED, ...WHOLE];
  const named = leaves(gatewayProgram());
  expect(named.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !named.includes(name) && name !== 'check' && name !== 'go-live')).toEqual(
    [],
  );
});

describe('a command that changes something', () => {
  it.each(Object.entries(CHANGES))(
    'leaves a record and a security event: %s',
    async (name, { args, names = {} }) => {
      const printed = await run(...name.split(' '), ...args(made));
      for (const [key, read] of Object.entries(names)) made = { ...made, [key]: read(printed) };
      const log = readFileSync(join(home, 'security.log'), 'utf8');
      const added = (await actions()).slice(recorded);
      expect(added.length).toBeGreaterThan(0);
      for (const action of added) expect(log).toContain(`"action":"${action}"`);
      recorded += added.length;
    },
  );
});

it('a command that only prints leaves none', async () => {
  const before = await actions();
  for (const words of [
    ['entity', 'app-schemes', made.channel],
    ['token', 'list'],
    ['audit', 'list'],
    ['users', 'list'],
    ['agents', 'list'],
  ])
    await run(...words);
  expect(await actions()).toEqual(before);
});

describe('the chain of the records', () => {
  /** Changes the database as somebody does who has it alone. */
  const tamper = async (sql: string) => {
    const connection = await openDatabase(join(home, 'gateway.db'));
    await connection.exec(sql);
    await connection.close();
  };
  const copy = (name: string) => cpSync(join(home, 'gateway.db'), join(home, name));

  it('holds for all that was done', async () => {
    const report = JSON.parse(await run('audit', 'verify')) as ChainReport & { readonly compared: number };
    const stored = await withStore((store) => allRows(store, 'audit'));
    expect(report).toMatchObject({ records: stored.length, unlinked: 0, faults: [] });
    expect(report.compared).toBe(stored.length);
  });

  it.each([
    ['altered', "UPDATE audit SET actor = 'somebody' WHERE sequence = 3", 'record 3 is altered'],
    ['deleted', 'DELETE FROM audit WHERE sequence = 4', 'record 4 is missing'],
    [
      'deleted at the end, which the security log shows',
      'DELETE FROM audit WHERE sequence > 20',
      'record 21 is cut',
    ],
  ])('shows a record that was %s', async (_what, sql, fault) => {
    copy('kept.db');
    await tamper(sql);
    await expect(run('audit', 'verify')).rejects.toThrow(fault);
    cpSync(join(home, 'kept.db'), join(home, 'gateway.db'));
    await run('audit', 'verify');
  });
});
