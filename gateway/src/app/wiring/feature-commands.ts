import { TOKEN_COMMANDS } from '../../features/access-tokens/commands.js';
import { AGENT_COMMANDS } from '../../features/agents/commands/commands.js';
import { USER_COMMANDS } from '../../features/console/commands.js';
import { DEVICE_COMMANDS } from '../../features/devices/commands.js';
import { RISK_COMMANDS } from '../../features/risk/commands.js';
import { SCHEDULE_COMMANDS } from '../../features/schedules/commands.js';
import { SETTLEMENT_COMMANDS } from '../../features/settlement/commands/commands.js';
import { WALLET_COMMANDS } from '../../features/wallets/commands.js';
import { WEBHOOK_COMMANDS } from '../../features/webhooks/commands.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';

/** Commands of all features; `features.ts` lists what they serve, which no command loads. */
export const FEATURE_COMMANDS: readonly CommandGroup[] = [
  ...AGENT_COMMANDS,
  ...DEVICE_COMMANDS,
  ...TOKEN_COMMANDS,
  ...WALLET_COMMANDS,
  ...RISK_COMMANDS,
  ...SETTLEMENT_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...SCHEDULE_COMMANDS,
  ...USER_COMMANDS,
];
