import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareStack, type Disagreement } from '../external/compare.js';
import type { StackOptions } from '../stack/options.js';
import { copyPreparedHome } from '../stack/prepared-home.js';
import { reservedPorts } from '../stack/reserved-ports.js';
import { type Stack, type StackExtras, startStack } from '../stack/stack.js';
import { namedTestMode } from '../stack/test-mode.js';

/** Short, so that a lost answer becomes an unknown outcome soon. */
const ANSWER_TIMEOUT_MS = 4_000;

/** Most journeys sell at one terminal, or at two at once: to open all of them would be a third of each start of the agent. */
const TERMINALS = 2;
/** For a journey that needs a terminal of each maker. */
export const ALL_TERMINALS: StackExtras = { terminalCount: Number.POSITIVE_INFINITY };

/**
 * How long other processes may take to come where they must: an agent waits up to a minute before it tries its link again, and on a
 * machine with much else to do everything takes several times as long. A wait ends as soon as its condition holds.
 */
export const SETTLE_MS = 180_000;
/** How long a case of several such waits may take. */
export const CASE_TIMEOUT_MS = 4 * SETTLE_MS;

/** A system of real processes on a separate home, for one test file. */
export interface TestStack {
  readonly stack: Stack;
  readonly home: string;
  /**
   * Ends the processes, once. In test mode EXTERNAL gateway, link journal, the host's totals, its ledger and its settlement files are compared
   * before; rejects where they differ.
   */
  stop(): Promise<void>;
  /** The same, and removes the home. */
  end(): Promise<void>;
}

/** Where a test writes the crash point of the agent that runs. */
export function crashFile(home: string): string {
  return join(home, 'crash-at');
}

/** What may differ in a test; `auto: false`: no card presents itself. */
type TestStackExtras = StackExtras &
  Partial<Pick<StackOptions, 'only' | 'auto'>> & {
    /** True: the records of both sides differ in the end, and the journey checks itself how. */
    readonly mayDiffer?: boolean;
  };

/**
 * Starts gateway, simulator and agent on free ports, on a copy of the prepared home, with two terminals, without the interface for nexo and
 * without the hosts that only payments over REST reach; in test mode EXTERNAL (test-mode.ts) with the acquirer's host. `journal` gives the
 * agent's `journal` section for a home, `offline` its offline rules, as in
 * `AGENT_OFFLINE`, and `more` what else differs, such as `only` the gateway.
 */
export async function startTestStack(
  name: string,
  journal?: (home: string) => object,
  offline?: string,
  { only, auto = true, mayDiffer = false, ...more }: TestStackExtras = {},
): Promise<TestStack> {
  const home = mkdtempSync(join(tmpdir(), `tillbridge-${name}-`));
  const ports = await reservedPorts();
  const external = namedTestMode() === 'EXTERNAL';
  const options = {
    ...{ home, tour: false, ...ports.options, chosen: new Set<never>(), auto, offline },
    external,
    ...(only && { only }),
  };
  const seed = await copyPreparedHome(home);
  const agentEnv = { TILLBRIDGE_CRASH_AT: `@${crashFile(home)}` };
  const extras = {
    seed,
    hosts: false,
    nexo: false,
    terminalCount: TERMINALS,
    ...ports.extras,
    agentEnv,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    ...(journal && { journal: journal(home) }),
    ...more,
  };
  const stack = await startStack(options, extras);
  const compareAndStop = async (): Promise<void> => {
    try {
      if (external && !mayDiffer) expectEqual(name, await compareStack(stack, home));
    } finally {
      await stack.stop();
    }
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= compareAndStop();
    return stopped;
  };
  return {
    stack,
    home,
    stop,
    end: () => stop().finally(() => rmSync(home, { recursive: true, force: true })),
  };
}

/** @throws Error where a gateway and its host differ */
export function expectEqual(name: string, { exchanges, ...found }: Disagreement): void {
  const differences = Object.values(found).flat();
  process.stdout.write(`${name}: ${exchanges} exchanges with the host, ${differences.length} differences\n`);
  if (differences.length > 0) throw new Error(`${name}: ${differences.join('; ')}`);
}
