import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOME_FILES } from '../home/home-files.js';
import type { AgentIncident } from '../incident/agent-incident.js';
import { noSaleRow } from '../journal/journal.js';
import { type ProvenHome, provenHome, SOLD_AT } from '../proof/proven-home.test.support.js';
import { factToRow } from '../sale/records/fact-rows.js';
import { runCommandLine } from './main-command.js';

let folder: string;
let home: ProvenHome;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-incident-'));
  home = await provenHome(join(folder, 'agent'));
});
afterEach(async () => {
  await home.journal.close();
  rmSync(folder, { recursive: true });
});

async function cli(...argv: string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const output = { out: (text: string) => out.push(text), note: (text: string) => notes.push(text) };
  const exitCode = await runCommandLine(argv, { env: {}, output, run: async () => 0 });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

const exported = (to: string, since = new Date(SOLD_AT).toISOString(), ...more: string[]) =>
  cli('export-incident', '--home', join(folder, 'agent'), '--since', since, '--output', to, ...more);

const contentOf = (path: string): AgentIncident =>
  (JSON.parse(readFileSync(path, 'utf8')) as { readonly content: AgentIncident }).content;

describe('export-incident', () => {
  it('writes the sales of a time, whole and masked, while the agent runs', async () => {
    await home.sell('order-1');
    await home.append(noSaleRow('contact', { timeMs: 1 }), noSaleRow('odd', { secret: 'text' }));
    const path = join(folder, 'incident.json');
    const { exitCode, out, notes } = await exported(path);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: path });
    expect(notes).toContain('1 sales');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { sales, others, policy, agentId } = contentOf(path);
    expect(agentId).toBe('store-1');
    expect(policy.statusScheduleMs.length).toBeGreaterThan(0);
    const [sale] = sales;
    expect(sale?.rows.map(({ kind }) => kind)).toEqual([
      'accepted',
      'authorizing',
      'answered',
      'completed',
      'ended',
    ]);
    expect(sale?.rows[1]?.data).toMatchObject({
      card: { bin: '401200', last4Digits: '1112' },
      emv: { ac: '***' },
    });
    const odd = others.find(({ kind }) => kind === 'odd');
    expect(odd?.data).toEqual({});
    expect(others.find(({ kind }) => kind === 'contact')?.data).toEqual({ timeMs: 1 });
  });

  it('takes earlier sales only where their messages wait', async () => {
    await home.sell('order-1');
    const amount = { minor: 1, currency: 'EUR' };
    const sale = { type: 'sale', ...amount, onlineOnly: false } as const;
    const about = {
      messageId: 'm-1',
      originalMessageId: 'm-0',
      amount,
      reason: 'no-answer',
      otherwise: 'failed',
    } as const;
    await home.append(
      factToRow({ kind: 'accepted', sale }, 'order-2', '77'),
      factToRow({ kind: 'reversal', ...about }, 'order-2', '77'),
    );
    const path = join(folder, 'incident.json');
    await exported(path, '2030-01-01');
    expect(contentOf(path).sales.map(({ reference }) => reference)).toEqual(['order-2']);
  });

  it('masks a reference with the digits of a card number, names it, and has the other sales', async () => {
    await home.sell('4200000000000000');
    await home.sell('order-2');
    const path = join(folder, 'incident.json');
    const { exitCode, notes } = await exported(path);
    expect(exitCode).toBe(0);
    const text =
      'sales.0.reference: it looks like a card number, and stands as "masked value 1" wherever it was';
    expect(notes).toContain(`masked: ${text}`);
    expect(contentOf(path).sales.map(({ reference }) => reference)).toEqual(['masked value 1', 'order-2']);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ leftOut: expect.arrayContaining([text]) });
    expect(readFileSync(path, 'utf8') + notes).not.toContain('4200000000000000');
  });

  it('writes nothing where it would carry other card data, and names the place', async () => {
    await home.append(noSaleRow('contact', { timeMs: 4_200_000_000_000_000 }));
    const path = join(folder, 'incident.json');
    const { exitCode, notes } = await exported(path, '2020-01-01');
    expect(exitCode).toBe(1);
    expect(notes).toMatch(/line \d+ \(timeMs\): card number/);
    expect(notes).not.toContain('4200000000000000');
    expect(() => statSync(path)).toThrow();
  });

  it('has the traces of terminals, unless they are not wanted', async () => {
    const trace = join(folder, 'trace.jsonl');
    writeFileSync(trace, '{"head":1}\n{"kind":"open"}\n');
    const config = join(folder, 'agent.yaml');
    const terminal = { id: '77', deviceType: 'GERTEC_PPC930', path: '/dev/none', trace };
    writeFileSync(config, JSON.stringify({ home: join(folder, 'agent'), terminals: [terminal] }));
    const write = (to: string, ...more: string[]) =>
      cli('export-incident', '--config', config, '--since', 'today', '--output', join(folder, to), ...more);
    expect((await write('with.json')).exitCode).toBe(0);
    expect((await write('without.json', '--no-frames')).exitCode).toBe(0);
    expect(contentOf(join(folder, 'with.json')).frames).toEqual([
      { terminalId: '77', lines: ['{"head":1}', '{"kind":"open"}'] },
    ]);
    expect(contentOf(join(folder, 'without.json')).frames).toEqual([]);
  });

  it('refuses a time that is none, a file that is there, and a home without a journal', async () => {
    const path = join(folder, 'incident.json');
    expect(await exported(path, 'yesterday')).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('--since'),
    });
    writeFileSync(path, 'mine');
    expect(await exported(path)).toMatchObject({ exitCode: 2, notes: expect.stringContaining('EEXIST') });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await home.journal.close();
    rmSync(join(folder, 'agent', HOME_FILES.journal));
    expect(await exported(join(folder, 'other.json'))).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('no journal'),
    });
  });
});
