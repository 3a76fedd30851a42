import type { CommandGroup } from '../../../kernel/commands/command-group.js';
import { addFileCommands } from './file-commands.js';
import { addSettlementCommands } from './settlement-commands.js';

/** Commands of the feature. */
export const SETTLEMENT_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'settlement',
    description: 'What merchants are paid: settle now, list, show; fees and currencies; files of acquirers.',
    add: addSettlementCommands,
  },
  { name: 'acquirer', add: addFileCommands },
];
