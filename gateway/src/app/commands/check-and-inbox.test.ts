import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { alertId, raiseAlert } from '../../kernel/alerts/alert-changes.js';
import { openAlerts } from '../../kernel/alerts/alerts.test.support.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import type { ParkedRow } from '../../kernel/store/rows.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import type { Change } from '../../kernel/store/store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { gatewayProgram } from '../program.js';

const MESSAGE = 'a1b2';
const parked: ParkedRow = {
  agentId: 'store-1',
  messageId: MESSAGE,
  terminalId: '1',
  kind: 'offlineRecord',
  reasonCode: 'handling-failed',
  reason: 'the message failed again and again',
  state: 'waiting',
  sequence: 4,
  reference: 'R-1',
  note: null,
  message: 'c0ffee',
  keyId: null,
  createdAtMs: Date.UTC(2026, 10, 20),
  version: 1,
};

let home: string;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'tillbridge-check-'));
  vi.stubEnv('GATEWAY_HOME', home);
  const entity = {
    id: 'e1',
    kind: 'merchant',
    parentId: null,
    name: 'One',
    compatibility: 'specification',
  } as const;
  const agent = { entityId: 'e1', publicKey: 'key', terminals: ['1'] };
  await change(
    { op: 'insert', table: 'entities', row: { ...entity, createdAtMs: 1, version: 1 } },
    ...['store-1', 'store-2'].map(
      (id): Change => ({ op: 'insert', table: 'agents', row: newAgentRow({ ...agent, id }, 1) }),
    ),
    { op: 'insert', table: 'parked', row: parked },
  );
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** Works on the home's store as another program would. */
async function withStore<T>(work: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await SqliteStore.open(gatewayFiles(home).database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const change = (...changes: readonly Change[]) => withStore((store) => store.commit(changes));
const storedState = () =>
  withStore(async (store) => (await store.get('parked', ['store-1', MESSAGE]))?.state);

/** Runs a command in this process; gives what it printed and its exit code. */
async function run(...args: string[]): Promise<{ readonly out: string; readonly code: number }> {
  let out = '';
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true),
  ];
  const before = process.exitCode;
  try {
    await gatewayProgram().parseAsync(args, { from: 'user' });
    return { out, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

describe('check', () => {
  const answer = { disposition: 'approved', resultCode: '000.100.110', description: '', paymentId: 'p1' };

  test('ends with 0 where everything agrees', async () => {
    expect(await run('check')).toEqual({
      out: 'payments, stored answers and the acquirer’s record agree\n',
      code: 0,
    });
  });

  test('names each difference and ends with 1, until it is explained', async () => {
    const row = { agentId: 'store-1', messageId: 'm1', result: JSON.stringify(answer), contentHash: null };
    await change({ op: 'insert', table: 'inbox', row: { ...row, createdAtMs: 1, version: 1 } });
    const difference = ['answer-without-payment', 'answer/store-1/m1'] as const;
    expect(await run('check')).toEqual({
      out: `${difference.join(' ')}: approved, payment p1\n1 difference\n`,
      code: 1,
    });
    await run('check', 'explain', ...difference, '--note', 'deleted by an operator');
    expect((await run('check')).code).toBe(0);
    await expect(run('check', 'explain', ...difference, '--note', 'again')).rejects.toThrow(
      'explained already',
    );
    await expect(run('check', 'explain', 'nonsense', 'x', '--note', 'y')).rejects.toThrow('answer-missing');
  });

  test('fails with a message where there is no gateway', async () => {
    vi.stubEnv('GATEWAY_HOME', join(home, 'elsewhere'));
    await expect(run('check')).rejects.toThrow('has no gateway database yet');
  });
});

describe('inbox', () => {
  const list = async (...more: string[]) =>
    JSON.parse((await run('inbox', 'list', ...more)).out) as unknown[];

  test('lists what is parked with its reason, and nothing of its content', async () => {
    expect(await list()).toEqual([
      {
        agentId: 'store-1',
        messageId: MESSAGE,
        terminalId: '1',
        kind: 'offlineRecord',
        sequence: 4,
        reference: 'R-1',
        reasonCode: 'handling-failed',
        reason: 'the message failed again and again',
        state: 'waiting',
        note: null,
        parkedAt: '2026-11-20T00:00:00.000Z',
        kept: true,
      },
    ]);
  });

  test('has a message tried again', async () => {
    await run('inbox', 'retry', MESSAGE);
    expect(await storedState()).toBe('retry');
    expect(await list()).toHaveLength(1);
  });

  test('puts a message aside with what was done about it', async () => {
    const alert = { code: 'message-parked', subject: `store-1/${MESSAGE}`, detail: '' } as const;
    await change(raiseAlert(alert, 1));
    await run('inbox', 'drop', MESSAGE, '--note', 'recorded by an operator');
    expect(await withStore(openAlerts)).toEqual([]);
    expect(await list()).toEqual([]);
    expect(await list('--all')).toMatchObject([
      { state: 'dropped', note: 'recorded by an operator', kept: false },
    ]);
    await expect(run('inbox', 'retry', MESSAGE)).rejects.toThrow('no message');
  });

  test('requires the agent where two agents have the same id, and refuses what was not kept', async () => {
    const other = { ...parked, agentId: 'store-2', message: null };
    await change({ op: 'insert', table: 'parked', row: other });
    await expect(run('inbox', 'retry', MESSAGE)).rejects.toThrow('store-1 and store-2');
    await expect(run('inbox', 'retry', MESSAGE, '--agent', 'store-2')).rejects.toThrow('was not kept');
    await run('inbox', 'retry', MESSAGE, '--agent', 'store-1');
    expect(await storedState()).toBe('retry');
  });
});

describe('alerts', () => {
  const ID = alertId('agent-cloned', 'store-1');
  const printed = async (...args: string[]) => JSON.parse((await run('alerts', ...args)).out);
  beforeEach(() => change(raiseAlert({ code: 'agent-cloned', subject: 'store-1', detail: 'session 3' }, 1)));

  test('are listed, shown and acknowledged', async () => {
    const open = { id: ID, code: 'agent-cloned', severity: 'critical', state: 'open', detail: 'session 3' };
    expect(await printed('list')).toMatchObject([open]);
    expect(await printed('show', ID)).toMatchObject(open);
    const acknowledged = { id: ID, state: 'acknowledged', note: 'Ann stops the copy' };
    expect(await printed('acknowledge', ID, '--note', 'Ann stops the copy')).toMatchObject(acknowledged);
    expect(await printed('list')).toEqual([]);
    expect(await printed('list', '--all')).toMatchObject([acknowledged]);
  });

  test('are shown only by an id that exists', async () => {
    await expect(run('alerts', 'show', 'x')).rejects.toThrow('no alert has the id x');
    await expect(run('alerts', 'acknowledge', 'x', '--note', 'n')).rejects.toThrow('no alert has the id x');
  });
});
