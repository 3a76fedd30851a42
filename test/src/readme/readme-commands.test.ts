import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { ROOT } from '../stack/layout.js';
import { pagesOf } from './pages.js';
import { scriptOf, shellBlocks } from './shell-blocks.js';

// Every command of the READMEs and of the pages under docs/, as a reader pastes it, against a system that runs. On a fresh clone
// (.ci/run) this also tells whether the install links the programs.

/** How long the commands of one page may take. */
const PAGE_TIMEOUT_MS = 180_000;

/** Commands that this test cannot run inside itself, and what runs them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'npm start': 'test/src/journeys/commands.test.ts',
  'npm start -- --tour': '.ci/run',
  'npm test': '.ci/run',
  'npm run check': '.ci/run',
};

/** How they are written there, where that differs. */
const CALLS: Readonly<Record<string, string>> = {
  'npm start': 'start([',
  'npm run check': 'npm run --silent check',
};

/** Statuses that no page shows on purpose: a path, a method, a token or a content type of the page is wrong, or the program is. */
const NEVER_SHOWN = /^HTTP (401|403|404|405|415|5\d\d) .*$/m;

const pages = pagesOf(ROOT)
  .map((path) => ({ path, blocks: shellBlocks(readFileSync(join(ROOT, path), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

let system: TestStack;
let place: string;

beforeAll(async () => {
  system = await startTestStack('readme');
  place = mkdtempSync(join(tmpdir(), 'tillbridge-readme-'));
  mkdirSync(join(place, 'curl'));
  writeFileSync(join(place, 'curl', '.curlrc'), 'write-out = "%{stderr}HTTP %{http_code} %{url}\\n"\n');
}, SETTLE_MS);
afterAll(async () => {
  await system?.end();
  if (place) rmSync(place, { recursive: true });
}, SETTLE_MS);

/** What the commands find around them: the system of this test, and no registry that would be asked for a program. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TILLBRIDGE_HOME: system.home,
    TMPDIR: place,
    CURL_HOME: join(place, 'curl'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** Runs a script as a reader's shell does; resolves with its exit code and all that it wrote. */
function runScript(script: string): Promise<{ code: number | string; printed: string; errors: string }> {
  const shell = spawn('sh', ['-s'], { cwd: ROOT, env: environment(), detached: true });
  // Commands that hang end with all that they have started.
  const late = setTimeout(() => process.kill(-(shell.pid ?? 0), 'SIGKILL'), PAGE_TIMEOUT_MS - 10_000);
  let printed = '';
  let errors = '';
  shell.stdout.setEncoding('utf8').on('data', (piece: string) => {
    printed += piece;
  });
  shell.stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
    printed += piece;
  });
  shell.stdin.end(script);
  return new Promise((resolve) => {
    shell.on('close', (code, signal) => {
      clearTimeout(late);
      resolve({ code: code ?? signal ?? 1, printed, errors });
    });
  });
}

/** Each page begins with the network up, every terminal plugged in and sound, and nothing in the queue. */
async function setRight(): Promise<void> {
  const { agent, simulator, terminals } = system.stack.dev;
  const hand = new SimulatorClient(simulator.url);
  await hand.network({ state: 'up' });
  for (const { id } of terminals) {
    await hand.plug(id);
    await hand.heal(id);
  }
  const till = new AgentClient(agent);
  await till.untilGateway('up', SETTLE_MS);
  await till.untilTerminalsReady(SETTLE_MS);
  await till.untilQueueEmpty(SETTLE_MS);
}

describe('the commands of', () => {
  it.each(pages)(
    '$path',
    async ({ blocks }) => {
      await setRight();
      const { code, printed, errors } = await runScript(scriptOf(blocks, new Set(Object.keys(ELSEWHERE))));
      expect(code, printed).toBe(0);
      expect(NEVER_SHOWN.exec(errors)?.[0], printed).toBeUndefined();
    },
    PAGE_TIMEOUT_MS + SETTLE_MS,
  );
});

describe('a command that is tried elsewhere', () => {
  it.each(Object.entries(ELSEWHERE))('%s is run by %s', (command, path) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toContain(CALLS[command] ?? command);
  });
});
