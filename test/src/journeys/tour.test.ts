import { statSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_CARDS } from '@tillbridge/wire/payment/test-cards.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanFolder } from '../leaks/scan.js';
import { runTour } from '../tour/run-tour.js';
import { developmentSecrets, EXEMPT_FILES } from './development-secrets.js';
import { npmStart, type StartedNpm } from './npm-start.js';
import { ALL_TERMINALS, startTestStack, type TestStack } from './test-stack.js';

const TOUR_TIMEOUT_MS = 240_000;

describe('the tour', () => {
  let system: TestStack;
  let command: StartedNpm | undefined;
  let printed = '';
  beforeAll(async () => {
    // It meets every host and a terminal of each maker.
    system = await startTestStack('tour', undefined, undefined, {
      hosts: true,
      nexo: true,
      ...ALL_TERMINALS,
    });
  });
  afterAll(async () => {
    // Alive only when the test has timed out.
    if (command?.running) command.signal('SIGKILL', 'group');
    await system?.end();
  });

  const write = (text: string) => {
    printed += text;
  };

  it(
    'comes out right, and again as a command on the same home with the acquirer’s host',
    async () => {
      expect(await runTour(system.stack, { write }), printed).toBe(0);
      await system.stop();
      command = npmStart(system.home, ['--tour', '--external']);
      const again = await command.ended;
      write(again.printed);
      expect(again.code, again.printed).toBe(0);
    },
    TOUR_TIMEOUT_MS * 2,
  );

  it('leaves no card data, PIN, key or token in clear (P7)', () => {
    expect(scanFolder(system.home, developmentSecrets(system.stack), EXEMPT_FILES)).toEqual([]);
    expect(printed).not.toContain(TEST_CARDS.visaCredit.pan);
  });

  it('keeps what is exempt from the scan to its owner', () => {
    const files = EXEMPT_FILES.filter((name) => !name.endsWith('/'));
    const modeOf = (name: string) => (statSync(join(system.home, name)).mode & 0o777).toString(8);
    expect(files.map((name) => [name, modeOf(name)])).toEqual(files.map((name) => [name, '600']));
    expect(['', 'agent', 'gateway', 'simulator'].map(modeOf)).toEqual(Array(4).fill('700'));
    const databases = ['agent/journal.db', 'gateway/gateway.db', 'gateway/acquirer-internal.db'];
    expect(databases.map(modeOf)).toEqual(Array(3).fill('600'));
  });
});
