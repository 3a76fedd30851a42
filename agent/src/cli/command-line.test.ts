import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemorySaleService } from '../till/memory-sale-service.test.support.js';
import { createTillServer } from '../till/server.js';
import { runCommandLine } from './main-command.js';

const TOKEN = 'a-token-of-the-tills-0123';
let service: MemorySaleService;
let server: FastifyInstance;
let url: string;
let home: string;

beforeEach(async () => {
  service = new MemorySaleService();
  server = createTillServer({
    service,
    link: {
      detail: () => ({ state: 'down', attempt: 2, reason: 'unreachable', detail: 'ECONNREFUSED' }),
      nudge: () => {},
    },
    lineProblem: () => undefined,
    token: TOKEN,
    clock: new VirtualClock(),
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  home = mkdtempSync(join(tmpdir(), 'agent-cli-'));
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function cli(line: string, env: NodeJS.ProcessEnv = { AGENT_URL: url, AGENT_TOKEN: TOKEN }) {
  const out: string[] = [];
  const notes: string[] = [];
  const exitCode = await runCommandLine(line.split(' '), {
    env,
    output: { out: (text) => out.push(text), note: (text) => notes.push(text) },
    run: async () => 0,
  });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

/** Ends the next sale that a till waits for. */
function endNext(end: (reference: string) => void): void {
  const stop = service.onEvent((event) => {
    if (event.type !== 'progress') return;
    stop();
    // Behind the event itself, as a real sale ends.
    setImmediate(() => end(event.reference));
  });
}

describe('sale', () => {
  it('shows how it goes and exits 0 when approved', async () => {
    endNext((reference) => service.finish(reference));
    const { exitCode, out, notes } = await cli('sale --amount 12.34 --currency EUR --reference r-7');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^approved {2}12\.34 EUR {2}r-7\n/);
    expect(notes).toMatch(/accepted\n.*waited-for\n.*done/);
    await expect.poll(() => service.listenerCount).toBe(1);
  });

  it('exits 1 when it ends otherwise, and makes its own reference', async () => {
    endNext((reference) => void service.cancel(reference));
    const { exitCode, out } = await cli('sale --amount 1.00 --currency EUR --json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      outcome: 'cancelled',
      reference: expect.stringMatching(/^cli-\d+-[0-9a-f]{6}$/),
    });
  });

  it.each([
    ['sale --amount 12,34 --currency EUR', /amount must have a dot/],
    ['sale --amount 12.34 --currency eur', /did you mean "EUR"/],
    ['sale --amount 12.34 --currency EUR --type salee', /did you mean sale\?/],
    ['sale --amount 12.34', /--currency/],
    ['sale --amount 12.34 --currency EUR --amout 3', /--amount/],
    ['sale --amount 12.34 --currency EUR --wait long', /whole seconds/],
    ['sall', /Did you mean sale/],
  ])('%s exits 2 with the reason', async (line, reason) => {
    const { exitCode, notes } = await cli(line);
    expect(exitCode).toBe(2);
    expect(notes).toMatch(reason);
    expect(service.requests).toEqual([]);
  });
});

describe('cancel', () => {
  it('stops the sale that runs, and exits 0', async () => {
    await service.request(
      { reference: 'r-8', type: 'sale', amount: { minor: 100, currency: 'EUR' } },
      { wait: false },
    );
    const { exitCode, out } = await cli(`cancel --terminal ${service.terminalId} --json`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ reference: 'r-8', outcome: 'cancelled' });
    expect((await cli('cancel r-8')).exitCode).toBe(0);
  });

  it.each([
    ['cancel', 'no sale runs'],
    ['cancel r-9', 'no sale r-9'],
  ])('%s exits 2 where there is none', async (line, reason) => {
    const { exitCode, notes } = await cli(line);
    expect(exitCode).toBe(2);
    expect(notes).toContain(reason);
  });
});

describe('finding the agent', () => {
  it('reads dev.json of the home', async () => {
    writeFileSync(join(home, 'dev.json'), JSON.stringify({ agent: { url, token: TOKEN } }));
    expect(await cli('status', { TILLBRIDGE_HOME: home })).toMatchObject({ exitCode: 0 });
  });

  it('takes options before everything else', async () => {
    const line = `status --url ${url}/ --token ${TOKEN}`;
    expect(await cli(line, { AGENT_URL: 'http://127.0.0.1:1', AGENT_TOKEN: 'x' })).toMatchObject({
      exitCode: 0,
    });
  });

  it.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['no address', {}, /--url/],
    ['no token', { AGENT_URL: 'http://127.0.0.1:1' }, /--token/],
    ['no http address', { AGENT_URL: 'localhost', AGENT_TOKEN: 'x' }, /--url/],
  ])('exits 2 with %s', async (_name, env, reason) => {
    const { exitCode, notes } = await cli('status', { TILLBRIDGE_HOME: home, ...env });
    expect(exitCode).toBe(2);
    expect(notes).toMatch(reason);
  });

  it('exits 2 with a wrong token, without repeating it', async () => {
    const { exitCode, notes } = await cli('status', { AGENT_URL: url, AGENT_TOKEN: 'wrong-token-0123456' });
    expect(exitCode).toBe(2);
    expect(notes).toMatch(/not known here/);
    expect(notes).not.toContain('wrong-token');
  });

  it('exits 3 when no agent listens', async () => {
    await server.close();
    const { exitCode, notes } = await cli('status');
    expect(exitCode).toBe(3);
    expect(notes).toMatch(/no answer from the agent at http.*ECONNREFUSED/);
  });
});

describe('what a store shows', () => {
  it('prints the status', async () => {
    const { out } = await cli('status');
    expect(out).toMatch(/^gateway +down, unreachable, ECONNREFUSED$/m);
    expect(out).toMatch(/^10001 +PPC930 +ready$/m);
    expect(out).toMatch(/^terminal 10001 offline-ready: no, because offline sales are switched off$/m);
    expect(out).toMatch(/^queue +1 waiting, 1 parked, 1 declined later or expired/m);
  });

  it.each(['queue', 'flush'])('prints the queue on %s', async (command) => {
    const { out } = await cli(command);
    expect(out).toMatch(/^1 waiting, oldest 5 s, 1 parked; offline approvals 12\.34 EUR$/m);
    expect(out).toMatch(/^terminal 10001: 87\.66 EUR and 59 sales left offline$/m);
    expect(out).toMatch(/^10001 +1 +r-1 +offline-record +12\.34 EUR +waiting$/m);
    expect(out).toMatch(/^10001 +2 +r-1 +reversal +parked +refused$/m);
  });

  it('lists lost money until staff acknowledge it', async () => {
    const { out } = await cli('queue');
    expect(out).toMatch(
      /^DECLINED LATER r-9 9\.99 EUR, terminal 10001, card …0040: 800\.100\.203 insufficient funds; take note with queue --acknowledge r-9$/m,
    );
    endNext((reference) => service.finish(reference));
    await cli('sale --amount 1.00 --currency EUR --reference r-9');
    const { exitCode } = await cli('queue --acknowledge r-9 --by Tessa');
    expect(exitCode).toBe(0);
    expect(service.acknowledged).toEqual(['r-9 Tessa']);
    expect((await cli('queue --by Tessa')).notes).toContain('--by belongs to --acknowledge REFERENCE');
    expect((await cli('queue --acknowledge unknown-reference')).exitCode).toBe(2);
  });

  it('prints JSON with --json', async () => {
    expect(JSON.parse((await cli('queue --json')).out)).toMatchObject({ depth: 1, parked: 1 });
    expect(JSON.parse((await cli('status --json')).out)).toMatchObject({ gateway: { state: 'down' } });
  });
});

describe('decode', () => {
  it('names tags and masks card data', async () => {
    const { exitCode, out } = await cli('decode 9F27 01 40:5A 08 4761739001010010', {});
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Cryptogram: TC/);
    expect(out).not.toContain('4761739001010010');
  });

  it.each([
    ['decode 9F2', /^not hex: 3 digits/],
    ['decode 9F27xyz', /^not hex: character 5/],
    ['decode 9F270540', /^no BER-TLV from here on: truncated/],
    ['decode --tag 9F 00', /--tag 9F is no whole tag/],
    ['decode --tag 9F2701 00', /more than one tag/],
    ['decode --tag 95 80', /^no value of --tag 95: 1 byte, but tag 95 has 5; too short: a part is missing$/],
    ['decode --tag 9f36 001C00', /^no value of --tag 9F36: 3 bytes, but tag 9F36 has 2; too long/],
    ['decode --tag 9F06 A000', /2 bytes, but tag 9F06 has 5 to 16/],
    ['decode --json --tag 95 80', /but tag 95 has 5/],
    ['decode --file /nowhere/x', /cannot be read \(ENOENT\)/],
    ['decode --file x 9F270180', /not both/],
    ['decode 0x', /nothing to decode/],
  ])('%s exits 2 and prints why', async (line, reason) => {
    const { exitCode, notes } = await cli(line, {});
    expect(exitCode).toBe(2);
    expect(notes).toMatch(reason);
  });

  it('shows what stands before the end of a message that was cut short', async () => {
    const { exitCode, out, notes } = await cli('decode 770E9F2701809F3602001C9F260811', {});
    expect(exitCode).toBe(2);
    expect(out).toMatch(/77 Response.*\n.*9F27.*\n.*Cryptogram: ARQC\n.*9F36.*\n.*28/);
    expect(notes).toMatch(/truncated: fewer value bytes than the length states \(at byte 14\)/);
  });

  it('marks a value of a message whose length does not fit its tag', async () => {
    const { exitCode, out } = await cli('decode 95 01 80 9C 01 00', {});
    expect(exitCode).toBe(0);
    expect(out.split('\n').slice(0, 3)).toEqual([
      '95 Terminal Verification Results (TVR) [1] 80',
      '    ! 1 byte, but tag 95 has 5; too short: a part is missing',
      '    Offline data authentication was not performed',
    ]);
  });

  it('gives JSON of one shape: a list of objects, also of a message that was cut short', async () => {
    const amount = { tag: '9F02', name: 'Amount, Authorised (Numeric)', length: 6, value: '000000001234' };
    const leaf = { ...amount, meaning: expect.any(Array), children: [] };
    const whole = await cli('decode --json 7709 9F0206000000001234', {});
    const template = { tag: '77', name: 'Response Message Template Format 2', length: 1, meaning: [] };
    expect(JSON.parse(whole.out)).toEqual([{ ...template, children: [leaf] }]);
    const cut = await cli('decode --json 9F0206000000001234 9F2608', {});
    expect(cut.exitCode).toBe(2);
    expect(JSON.parse(cut.out)).toEqual([leaf]);
    const short = await cli('decode --json 9F020112', {});
    expect(JSON.parse(short.out)).toMatchObject([
      { fault: expect.stringContaining('tag 9F02 has 6'), value: '12' },
    ]);
  });

  it('reads a single value, and digits of a file', async () => {
    const tvr = await cli('decode --tag 95 0x80-00-04-80-00', {});
    expect(tvr.out).toMatch(/95 Terminal Verification Results.*\n.*not performed\n.*Online CVM captured/);
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-decode-'));
    const file = join(folder, 'card.hex');
    writeFileSync(file, '9F27 01\n80\n');
    try {
      expect((await cli(`decode --file ${file}`, {})).out).toMatch(/Cryptogram: ARQC/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('documents its exit codes', async () => {
  const { exitCode, out } = await cli('--help');
  expect(exitCode).toBe(0);
  expect(out).toMatch(/Exit codes: 0 done/);
});
