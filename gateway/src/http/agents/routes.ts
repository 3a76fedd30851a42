import {
  AGENT_COMMAND_PARAMETERS,
  AGENT_PARAMETERS,
} from '@tillbridge/protocol/api/catalogue/administration/agent-commands.js';
import { present } from '@tillbridge/protocol/present.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CommandActionName, commandView } from '../../agent-commands/agent-command.js';
import {
  AgentCommandError,
  type CommandDeps,
  findCommand,
  requestCommand,
} from '../../agent-commands/request-command.js';
import type { AgentCommandRow } from '../../store/rows.js';
import { callerOf } from '../request/authenticate.js';
import type { HttpDeps } from '../request/deps.js';
import { envelope, invalidParameters, RequestRefused } from '../request/envelope.js';
import { formOf } from '../request/form.js';
import { validValues } from '../request/valid-values.js';

const READ = { config: { right: 'administration', throttle: 'reads' } } as const;
const CHANGE = { config: { right: 'administration', throttle: 'followUps' } } as const;
/** Code of what went well. */
const DONE = '000.000.100';

/** Additions of ours: what a merchant's agents are asked to do. */
export function agentRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.post<{ Params: { id: string } }>('/v1/agents/:id/commands', CHANGE, (request) => {
    const values = validValues(formOf(request), AGENT_COMMAND_PARAMETERS);
    const action = values.get('action');
    if (action === undefined)
      throw invalidParameters([{ name: 'action', value: null, message: 'may not be empty' }]);
    // The row of the parameter lists the actions.
    const asked = { action: action as CommandActionName, ...present({ reference: values.get('reference') }) };
    return answer(deps, request, values, (commands) => requestCommand(commands, request.params.id, asked));
  });
  server.get<{ Params: { id: string; commandId: string } }>(
    '/v1/agents/:id/commands/:commandId',
    READ,
    (request) => {
      const { id, commandId } = request.params;
      const values = validValues(formOf(request), AGENT_PARAMETERS);
      return answer(deps, request, values, (commands) => findCommand(commands, id, commandId));
    },
  );
}

/** @throws RequestRefused; an agent of another merchant is one that is not there */
async function answer(
  deps: HttpDeps,
  request: FastifyRequest,
  values: ReadonlyMap<string, string>,
  work: (commands: CommandDeps) => Promise<AgentCommandRow>,
): Promise<object> {
  const caller = callerOf(request);
  const owners = await caller.readableEntities(values.get('entityId'));
  try {
    const row = await work({ ...deps, owners, actor: `token ${caller.token.id}` });
    return { ...envelope(deps, DONE), command: commandView(row) };
  } catch (error) {
    if (!(error instanceof AgentCommandError)) throw error;
    const isUnknown = error.code === 'unknown-agent' || error.code === 'unknown-command';
    throw new RequestRefused(isUnknown ? 'no-agent' : 'command-refused');
  }
}
