import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance } from 'fastify';
import { type CommandActionName, commandView } from '../../core/bridge/commands/agent-command.js';
import {
  AgentCommandError,
  type CommandDeps,
  findCommand,
  requestCommand,
} from '../../core/bridge/commands/request-command.js';
import {
  AGENT_COMMAND_PARAMETERS,
  AGENT_PARAMETERS,
} from '../../kernel/api/catalogue/administration/agent-commands.js';
import { type Administration, readAdministration } from '../../kernel/http/request/administration.js';
import type { HttpDeps } from '../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../kernel/http/request/envelope.js';
import { ADMINISTRATION, type WithId } from '../../kernel/http/request/route-kinds.js';
import { needed } from '../../kernel/http/request/valid-values.js';
import type { AgentCommandRow } from '../../kernel/store/rows.js';

/** Additions of ours: commands to a merchant's agents. */
export function agentRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.post<WithId>('/v1/agents/:id/commands', ADMINISTRATION.change, async (request) => {
    const read = await readAdministration(request, AGENT_COMMAND_PARAMETERS);
    // The row of the parameter lists the actions.
    const action = needed(read.values, 'action') as CommandActionName;
    const command = { action, ...present({ reference: read.values.get('reference') }) };
    return answer(deps, read, (commands) => requestCommand(commands, request.params.id, command));
  });
  server.get<{ Params: { id: string; commandId: string } }>(
    '/v1/agents/:id/commands/:commandId',
    ADMINISTRATION.read,
    async (request) => {
      const { id, commandId } = request.params;
      const read = await readAdministration(request, AGENT_PARAMETERS);
      return answer(deps, read, (commands) => findCommand(commands, id, commandId));
    },
  );
}

/** @throws RequestRefused; an agent of another merchant is one that is not there */
async function answer(
  deps: HttpDeps,
  { owners, actor }: Administration,
  work: (commands: CommandDeps) => Promise<AgentCommandRow>,
): Promise<object> {
  try {
    return done(deps, { command: commandView(await work({ ...deps, owners, actor })) });
  } catch (error) {
    if (!(error instanceof AgentCommandError)) throw error;
    const isUnknown = error.code === 'unknown-agent' || error.code === 'unknown-command';
    throw new RequestRefused(isUnknown ? 'no-agent' : 'command-refused');
  }
}
