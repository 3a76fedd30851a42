import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RESTORE_STEPS } from '@tillbridge/agent/journal/copy/take-place.js';
import { SqliteConnection } from '@tillbridge/platform/sqlite/connection.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentCommand, signalDuring } from '../stack/agent-command.js';
import { PROGRAMS, partHome } from '../stack/layout.js';
import { stands, TourContext } from '../tour/tour-context.js';
import { CRASH_AMOUNT, crashVariables } from './crash-journey.js';
import type { CrashAt } from './crash-point-cases.js';
import { allowRestored } from './operator.js';
import { SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const SALES = 2;
const OFFLINE = JSON.stringify({
  limits: { EUR: { perSale: '50.00', sum: '200.00', perCard: '100.00' } },
  maxPerCard: SALES,
});
/** After one step is before the next. */
const CRASHES: readonly CrashAt[] = [
  `${RESTORE_STEPS[0]}:before`,
  ...RESTORE_STEPS.map((step): CrashAt => `${step}:after`),
];

const run = promisify(execFile);

/** One home after a `kill -9`, restored again and again from a picture of it; every restore is killed at one of its steps. */
describe('a restore that is killed', () => {
  let system: TestStack;
  let tour: TourContext;
  let places: { copy: string; key: string; picture: string; home: string };
  let references: string[];
  beforeAll(async () => {
    system = await startTestStack(
      'crash-restore',
      (home) => {
        places = {
          copy: join(home, 'second-disk'),
          key: join(home, 'kept-apart', 'copy.key'),
          picture: join(home, 'picture'),
          home: partHome(home, 'agent'),
        };
        for (const folder of [places.copy, join(home, 'kept-apart')]) mkdirSync(folder, { mode: 0o700 });
        writeFileSync(places.key, `${'5a'.repeat(32)}\n`, { mode: 0o600 });
        return { copy: { path: places.copy, keyFile: places.key, mode: 'required' } };
      },
      OFFLINE,
    );
    tour = new TourContext(system.stack, 'crash-restore');
    await tour.agent.untilGateway('up', SETTLE_MS);
    await tour.begin();
    await tour.simulator.network({ state: 'down' });
    await tour.agent.untilGateway('down', SETTLE_MS);
    references = [];
    for (let sale = 0; sale < SALES; sale += 1) {
      const request = tour.request(CRASH_AMOUNT);
      const sold = await tour.sell('maestro-offline-approved', request);
      expect(sold).toMatchObject({ outcome: 'approved', mode: 'offline-card' });
      references.push(request.reference);
    }
    await system.stack.part('agent')?.kill();
    // With its log: what was committed last is there alone.
    expect(readdirSync(places.home)).toContain('journal.db-wal');
    cpSync(places.home, places.picture, { recursive: true });
  }, SETTLE_MS * 2);
  afterAll(() => system?.end(), SETTLE_MS);

  const command = (args: readonly string[]) => agentCommand([...args, '--home', places.home]);

  function asItWas(): void {
    rmSync(places.home, { recursive: true });
    cpSync(places.picture, places.home, { recursive: true });
  }

  /** Rows of the sales that the journal in the home has, and what is waiting for the gateway. */
  async function content(): Promise<unknown> {
    expect(JSON.parse(await command(['verify', '--json', '--no-gateway']))).toMatchObject({ ok: true });
    const ledger = await SqliteConnection.open(join(places.home, 'journal.db'));
    try {
      const rows = await ledger.all(
        "SELECT row, hex(hash) AS hash FROM rows WHERE reference <> '' ORDER BY row",
      );
      return { rows, blobs: await ledger.all('SELECT messageId FROM blobs ORDER BY 1') };
    } finally {
      await ledger.close();
    }
  }

  async function expectRefused(): Promise<void> {
    const config = join(places.home, '..', 'agent-alone.json');
    const tokenFile = join(places.home, 'till-token');
    writeFileSync(config, JSON.stringify({ home: places.home, port: 0, tokenFile, terminals: [] }));
    const started = run(process.execPath, [PROGRAMS.agent, 'run', '--config', config]);
    await expect(started).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('interrupted') });
    await expect(command(['restore', '--as-is'])).rejects.toMatchObject({ code: 2 });
  }

  const ways = [
    ['--from', () => ['restore', '--from', places.copy, '--key-file', places.key, '--replace']],
    ['--salvage', () => ['restore', '--salvage']],
  ] as const;

  describe.each(ways)('%s', (_way, args) => {
    let whole: unknown;
    beforeAll(async () => {
      asItWas();
      await command(args());
      whole = await content();
      expect(whole).toMatchObject({ blobs: { length: SALES } });
    }, SETTLE_MS);

    it.each(CRASHES)(
      'at %s is run again and has lost nothing; no start in between takes another journal for the restored one',
      async (at) => {
        asItWas();
        const signal = await signalDuring([...args(), '--home', places.home], crashVariables(at));
        expect(signal).toBe('SIGKILL');
        if (!existsSync(join(places.home, 'journal.db'))) await expectRefused();
        await command(args());
        expect(await content()).toEqual(whole);
        expect(existsSync(join(places.home, 'journal.db.restored'))).toBe(false);
      },
      SETTLE_MS,
    );
  });

  it(
    'brings every queued sale to the acquirer once in the end',
    async () => {
      await allowRestored(system.home);
      await tour.simulator.network({ state: 'up' });
      await system.stack.restart('agent');
      await tour.agent.untilGateway('up', SETTLE_MS);
      await tour.agent.untilQueueEmpty(SETTLE_MS);
      expect((await tour.newRows()).filter(stands)).toHaveLength(SALES);
      for (const reference of references)
        expect((await tour.agent.get(reference)).body).toMatchObject({ state: 'done', outcome: 'approved' });
    },
    SETTLE_MS,
  );
});
