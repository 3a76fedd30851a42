import { createLog } from '@tillbridge/platform/log/log.js';
import { securityEvent } from '@tillbridge/platform/log/security-events.js';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { startIsOver } from '@tillbridge/platform/start-is-over.js';
import type { AgentConfig } from '../config/config.js';
import { loadConfig } from '../config/config.js';
import type { AgentLog } from '../log/log.js';
import { LOG_NAME } from '../log/note-command.js';
import { type Agent, startAgent } from '../run/agent.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** How long the agent may take to end. Then the process ends anyway: the journal is complete at any moment. */
const CLOSE_TIMEOUT_MS = 8_000;

/** What `run` works with. */
interface RunDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  /** Resolves with the name of the signal that ends the process. */
  readonly endSignal: () => Promise<string>;
  /** Has work done at every SIGHUP; without any, SIGHUP ends the process. */
  readonly onHangUp?: (work: () => void) => void;
}

/**
 * Runs the agent until a signal comes; resolves with the exit code.
 * @throws CommandError, or an error of COMMAND_ERRORS, naming why the agent cannot start
 */
export async function runAgent(configFile: string | undefined, deps: RunDeps): Promise<number> {
  const ended = deps.endSignal();
  const config = loadConfig(configFile, deps.env);
  makeHome(config);
  const log = createLog(LOG_NAME, config.log);
  const agent = await start(config, log);
  if (agent.checkCertificates) deps.onHangUp?.(agent.checkCertificates);
  const { url, nexo, zvt } = agent;
  deps.output.out(`listening ${JSON.stringify({ url, ...(nexo && { nexo }), ...(zvt && { zvt }) })}`);
  startIsOver();
  log.info({ ...securityEvent('ended'), signal: await ended }, 'agent ends');
  await endInTime(agent, log);
  return EXIT.ok;
}

/** Readable only by the agent's own user. */
function makeHome(config: AgentConfig): void {
  try {
    makeFolder(config.home);
  } catch (error) {
    throw startFailure(error, config) ?? error;
  }
}

async function start(config: AgentConfig, log: AgentLog): Promise<Agent> {
  try {
    return await startAgent(config, log);
  } catch (error) {
    throw startFailure(error, config) ?? error;
  }
}

/** What to do about an address or home that the operating system refuses; undefined for every other error. */
function startFailure(error: unknown, config: AgentConfig): CommandError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  if (error.syscall === 'listen' || error.syscall === 'bind' || error.syscall === 'getaddrinfo') {
    return new CommandError(
      EXIT.usage,
      `cannot listen on ${config.host}:${config.port} (${error.code}): set AGENT_HOST and AGENT_PORT`,
    );
  }
  return new CommandError(
    EXIT.usage,
    `home ${config.home} cannot be used (${error.message}): set AGENT_HOME`,
  );
}

async function endInTime(agent: Agent, log: AgentLog): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    late = setTimeout(() => resolve('late'), CLOSE_TIMEOUT_MS);
  });
  const how = await Promise.race([agent.close(), timeout]);
  clearTimeout(late);
  if (how === 'late') log.warn({ closeTimeoutMs: CLOSE_TIMEOUT_MS }, 'agent did not end in time');
}
