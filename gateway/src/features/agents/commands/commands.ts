import type { CommandGroup } from '../../../kernel/commands/command-group.js';
import { addAgentCommands } from './agent-commands.js';
import { addAgentCommandCommands } from './send-commands.js';

/** Commands of the feature. */
export const AGENT_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'agents',
    description: 'Agents of stores: how they become known, and what is known of them.',
    add: (agents) => {
      addAgentCommands(agents);
      addAgentCommandCommands(agents);
    },
  },
];
