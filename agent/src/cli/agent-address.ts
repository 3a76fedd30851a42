import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, EXIT } from './exit-code.js';

/** Where the agent listens and what opens it. */
export interface AgentAddress {
  readonly url: string;
  readonly token: string;
}

/**
 * The agent to talk to: options first, then `AGENT_URL` and `AGENT_TOKEN`, then `$TILLBRIDGE_HOME/dev.json` of a
 * development system.
 * @throws CommandError when a part is missing everywhere
 */
export function findAgent(
  options: { readonly url?: string; readonly token?: string },
  env: NodeJS.ProcessEnv,
): AgentAddress {
  const path = join(env.TILLBRIDGE_HOME || '.local', 'dev.json');
  const given = {
    url: options.url ?? (env.AGENT_URL || undefined),
    token: options.token ?? (env.AGENT_TOKEN || undefined),
  };
  const dev = given.url && given.token ? {} : readDevFile(path);
  const url = given.url ?? dev.url;
  const token = given.token ?? dev.token;
  if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url)) {
    throw missing('where the agent listens', '--url http://127.0.0.1:8090', 'AGENT_URL', path);
  }
  if (token === undefined) throw missing("the tills' token", '--token TOKEN', 'AGENT_TOKEN', path);
  return { url: url.replace(/\/+$/, ''), token };
}

function missing(what: string, option: string, variable: string, path: string): CommandError {
  return new CommandError(
    EXIT.usage,
    `${what} is not known: give ${option}, set ${variable}, or have ${path}`,
  );
}

function readDevFile(path: string): { readonly url?: string; readonly token?: string } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
  const agent = fieldOf(content, 'agent');
  const url = fieldOf(agent, 'url');
  const token = fieldOf(agent, 'token');
  return { ...(typeof url === 'string' && { url }), ...(typeof token === 'string' && { token }) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
