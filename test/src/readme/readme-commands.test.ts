import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../clients/agent-client.js';
import { SimulatorClient } from '../clients/simulator-client.js';
import { ALL_TERMINALS, SETTLE_MS, startTestStack, type TestStack } from '../journeys/test-stack.js';
import { ROOT } from '../stack/layout.js';
import { pagesOf } from './pages.js';
import { scriptOf, shellBlocks, withoutComment } from './shell-blocks.js';

// Runs every command of the READMEs and of the pages under docs/, as a reader pastes it, against one running system. On a fresh clone
// (.ci/run) it also shows that the install links the programs.

/** How long the commands of one page may take. */
const PAGE_TIMEOUT_MS = 180_000;

/** Commands that this test does not run, the file that runs each, and how it is written there. */
const ELSEWHERE: Readonly<Record<string, { readonly file: string; readonly call: string }>> = {
  'npm start': { file: 'test/src/journeys/commands.test.ts', call: 'start([' },
  'npm start -- --tour': { file: 'test/src/journeys/tour.test.ts', call: "['--tour'" },
  'npm test': { file: '.ci/run', call: 'npm test' },
  'npm run check': { file: '.ci/run', call: 'npm run --silent check' },
};

/** What npm runs reads no state of the system: a command that an earlier page has shown is run once. */
const OF_NPM = /^npm .*/gm;

/** The programs that pages call through `npx`. launchers.test.ts calls npx itself, which takes half a second a time. */
const NPX = '#!/bin/sh\nexec "$@"\n';
/** A script of the root package.json, as npm calls it. commands.test.ts and .ci/run call npm itself. */
const NPM = String.raw`#!/bin/sh
if [ "$1" = run ]; then shift; fi
name=$1; shift
if [ "$1" = -- ]; then shift; fi
script=$(node -e 'const { [process.argv[1]]: script = "exit 1" } = require("./package.json").scripts; console.log(script)' "$name")
eval "$script \"\$@\""
`;

/** Statuses that no page shows on purpose. They mean a wrong path, method, token or content type on the page, or a broken program. */
const NEVER_SHOWN = /^HTTP (401|403|404|405|415|5\d\d) .*$/m;

/** A page whose system is another one: go-live.test.ts runs it. */
const OTHER_SYSTEM = 'gateway/docs/go-live.md';

const pages = pagesOf(ROOT)
  .filter((path) => path !== OTHER_SYSTEM)
  .map((path) => ({ path, blocks: shellBlocks(readFileSync(join(ROOT, path), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

let system: TestStack;
let place: string;

beforeAll(async () => {
  system = await startTestStack('readme', undefined, undefined, { ...ALL_TERMINALS, hosts: true });
  place = mkdtempSync(join(tmpdir(), 'tillbridge-readme-'));
  mkdirSync(join(place, 'curl'));
  mkdirSync(join(place, 'bin'));
  writeFileSync(join(place, 'bin', 'npx'), NPX, { mode: 0o755 });
  writeFileSync(join(place, 'bin', 'npm'), NPM, { mode: 0o755 });
  writeFileSync(join(place, 'curl', '.curlrc'), 'write-out = "%{stderr}HTTP %{http_code} %{url}\\n"\n');
}, SETTLE_MS);
afterAll(async () => {
  await system?.end();
  if (place) rmSync(place, { recursive: true });
}, SETTLE_MS);

/** Variables of the commands: the system of this test, the installed programs, and no registry. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TILLBRIDGE_HOME: system.home,
    TMPDIR: place,
    PATH: [join(place, 'bin'), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
    CURL_HOME: join(place, 'curl'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** Runs a script as a reader's shell does. Resolves with its exit code and its output. */
function runScript(script: string): Promise<{ code: number | string; printed: string; errors: string }> {
  const shell = spawn('sh', ['-s'], { cwd: ROOT, env: environment(), detached: true });
  // Ends commands that hang, and all processes that they have started.
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

/** Restores the system for the next page: network up, every terminal plugged in without a fault, nothing in the queue. */
async function restoreSystem(): Promise<void> {
  const { agent, simulator, terminals } = system.stack.dev;
  const simulated = new SimulatorClient(simulator.url);
  await simulated.network({ state: 'up' });
  for (const { id } of terminals) {
    await simulated.plug(id);
    await simulated.heal(id);
  }
  const till = new AgentClient(agent);
  await till.untilGateway('up', SETTLE_MS);
  await till.untilTerminalsReady(SETTLE_MS);
  await till.untilQueueEmpty(SETTLE_MS);
}

describe('the commands of', () => {
  const leftOut = new Set(Object.keys(ELSEWHERE));

  it.each(pages)(
    '$path',
    async ({ blocks }) => {
      await restoreSystem();
      const { code, printed, errors } = await runScript(scriptOf(blocks, leftOut));
      expect(code, printed).toBe(0);
      for (const { commands } of blocks)
        for (const [command] of commands.matchAll(OF_NPM)) leftOut.add(withoutComment(command));
      expect(NEVER_SHOWN.exec(errors)?.[0], printed).toBeUndefined();
    },
    PAGE_TIMEOUT_MS + SETTLE_MS,
  );
});

describe('a command that is run elsewhere', () => {
  it.each(Object.entries(ELSEWHERE))('%s', (_command, { file, call }) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(call);
  });
});
