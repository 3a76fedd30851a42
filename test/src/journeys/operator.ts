import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GENERATION_FILE } from '@tillbridge/agent/uplink/generation.js';
import { AGENT_ID, PROGRAMS, partHome } from '../stack/layout.js';

const run = promisify(execFile);

/** Runs `tillbridge-gateway …` on the gateway of a home; resolves with what it printed. */
export async function runGateway(home: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GATEWAY_HOME: partHome(home, 'gateway') };
  const { stdout } = await run(process.execPath, [PROGRAMS.gateway, ...args], { env });
  return stdout;
}

/** Runs `tillbridge-gateway agents …` on the gateway of a home; resolves with what it printed. */
export function operate(home: string, ...args: readonly string[]): Promise<string> {
  return runGateway(home, 'agents', ...args);
}

/** Allows the generation that the journal of an agent's home has now, as an operator does after a restore. */
export async function allowRestored(home: string, agentHome = partHome(home, 'agent')): Promise<void> {
  const generation = readFileSync(join(agentHome, GENERATION_FILE), 'utf8').trim();
  await operate(home, 'allow-generation', AGENT_ID, '--generation', generation);
}
