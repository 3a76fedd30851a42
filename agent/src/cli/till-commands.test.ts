import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TillRegistry } from '../access/till-registry.js';
import { MemorySaleService } from '../till/memory-sale-service.test.support.js';
import { createTillServer } from '../till/server.js';
import { runCommandLine } from './main-command.js';

const TOKEN = 'a-token-of-the-store-0123';
const home = mkdtempSync(join(tmpdir(), 'till-commands-'));
const service = new MemorySaleService();
let server: FastifyInstance;
let url: string;

beforeAll(async () => {
  server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: TOKEN,
    tills: new TillRegistry(join(home, 'tills.json'), systemRandom),
    clock: new VirtualClock(Date.parse('2026-11-23T10:00:00Z')),
    log: pino({ level: 'silent' }),
  });
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function cli(line: string, token = TOKEN) {
  const out: string[] = [];
  const notes: string[] = [];
  const exitCode = await runCommandLine(line.split(' '), {
    env: { AGENT_URL: url, AGENT_TOKEN: token },
    output: { out: (text) => out.push(text), note: (text) => notes.push(text) },
    run: async () => 0,
  });
  return { exitCode, out: out.join('\n'), notes: notes.join('\n') };
}

it('tills get, show and lose their tokens', async () => {
  const made = await cli('token create front-1 --right sell report');
  expect(made).toMatchObject({ exitCode: 0, notes: expect.stringContaining('front-1 may sell, report') });
  expect((await cli('status', made.out)).exitCode).toBe(0);
  expect((await cli('token', made.out)).notes).toContain('only the token of the store');
  expect((await cli('token')).out).toBe(
    'TILL     RIGHTS        CREATED\nfront-1  sell, report  2026-11-23T10:00:00.000Z',
  );
  expect(JSON.parse((await cli('token list --json')).out)).toHaveLength(1);
  expect((await cli('token create front-1')).notes).toContain('revoke it first');
  expect((await cli('token create back --right everything')).notes).toContain(
    'sell, refund, resolve, report',
  );
  expect((await cli('token revoke front-1')).out).toBe('no till has a token');
  expect((await cli('status', made.out)).exitCode).toBe(2);
  expect((await cli('token revoke front-1')).exitCode).toBe(2);
});

it('receipts and totals are printed, or written into a file', async () => {
  await service.request(
    { reference: 'r-1', type: 'sale', amount: { minor: 1_234, currency: 'EUR' } },
    { wait: false },
  );
  service.finish('r-1');
  const receipt = await cli('receipt r-1 --language fr --columns 40 --reprint');
  expect(receipt.out).toMatch(/DUPLICATA[\s\S]*EXEMPLAIRE CLIENT[\s\S]*EUR 12,34/);
  const file = join(home, 'receipt.bin');
  expect((await cli('receipt r-1 --format escpos')).notes).toContain('--output');
  expect((await cli(`receipt r-1 --format escpos --output ${file}`)).exitCode).toBe(0);
  expect(readFileSync(file).subarray(0, 2).toString('hex')).toBe('1b40');
  expect((await cli('receipt r-2')).notes).toContain('no sale r-2');
  expect((await cli('totals')).out).toMatch(
    /TERMINAL +WHAT +COUNT +AMOUNT\n10001 +approved +1 +12\.34 EUR\n10001 +net +12\.34 EUR/,
  );
  const page = join(home, 'totals.html');
  expect((await cli(`totals --by till --html ${page}`)).exitCode).toBe(0);
  expect(readFileSync(page, 'utf8')).toContain('<!doctype html>');
  expect((await cli('totals --since soon')).notes).toContain('since must be ISO 8601');
});

it('a till is made with a code to scan or to type, and signed in anew by the next one', async () => {
  const made = await cli(
    'tills add bar --right sell refund --pin 4711 --page https://agent.shop.example:8090/',
  );
  expect(made.exitCode).toBe(0);
  expect(made.notes).toMatch(/till bar may sell, refund[\s\S]*within 10 minutes/);
  expect(made.out).toMatch(/▄|█/);
  expect(made.out.split('\n').at(-1)).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  const again = await cli('tills add bar --json --page https://agent.shop.example:8090/');
  const { code, address } = JSON.parse(again.out);
  expect(address).toBe(`https://agent.shop.example:8090/#code=${code}`);
  expect(code).not.toBe(made.out.split('\n').at(-1));
  expect((await cli('tills')).out).toContain('bar');
  expect(JSON.parse((await cli('tills --json')).out)).toMatchObject([{ id: 'bar', hasPin: true }]);
  expect((await cli('tills add bar2 --pin 12')).notes).toContain('4 to 8 digits');
  expect((await cli('token revoke bar')).exitCode).toBe(0);
});

it('a till that is there already gets no PIN, and no code where one was wanted', async () => {
  await cli('token create bar');
  const refused = await cli('tills add bar --pin 4711');
  expect(refused).toMatchObject({ exitCode: 2, out: '' });
  expect(refused.notes).toContain('till bar is there already: revoke it first');
  expect((await cli('tills add bar')).notes).toContain(
    'till bar is there already, with its rights and without a PIN',
  );
  await cli('token revoke bar');
});
