import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { type Command, Option } from 'commander';
import { TOKEN_RIGHTS, type TokenRight } from '../../kernel/api/token-rights.js';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { createToken, listTokens, revokeToken, rotateToken, showToken, type TokenDeps } from './service.js';

/** Every right and what it allows, for `--help`. */
const RIGHTS_HELP = `
Rights:
${Object.entries(TOKEN_RIGHTS)
  .map(([right, allows]) => `  ${right.padEnd(16)}${allows}`)
  .join('\n')}`;

/** Commands of the feature. */
export const TOKEN_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'token',
    description: 'Access tokens of merchants: create, list, replace, revoke.',
    add: addTokenCommands,
  },
];

/** `token create | list | show | rotate | revoke`. */
function addTokenCommands(token: Command): void {
  addCommand(token, 'create', 'Create a token and print it.')
    .requiredOption('--entity <id>', 'entity the token acts for: a merchant (with its channels) or a channel')
    .option('--label <text>', 'name for people', 'access token')
    .addOption(
      new Option('--rights <right...>', 'what it may do')
        .choices(Object.keys(TOKEN_RIGHTS))
        .makeOptionMandatory(),
    )
    .addHelpText('after', RIGHTS_HELP)
    .action((options: ConfigOption & { entity: string; label: string; rights: TokenRight[] }) =>
      withTokens(options, async (deps) => {
        const about = {
          entityId: options.entity,
          label: options.label,
          rights: [...new Set(options.rights)],
        };
        printJson(await createToken(deps, about));
      }),
    );
  addCommand(token, 'list', 'List the tokens, without the tokens themselves.').action(
    (options: ConfigOption) => withTokens(options, async ({ store }) => printJson(await listTokens(store))),
  );
  addCommand(token, 'show <id>', 'Print a token again. Who saw it is recorded.').action(
    (id: string, options: ConfigOption) =>
      withTokens(options, async (deps) => printJson(await showToken(deps, id))),
  );
  addCommand(token, 'rotate <id>', 'Replace a token: the old one is refused from now on.').action(
    (id: string, options: ConfigOption) =>
      withTokens(options, async (deps) => printJson(await rotateToken(deps, id))),
  );
  addCommand(token, 'revoke <id>', 'Revoke a token: it is refused from now on.').action(
    (id: string, options: ConfigOption) => withTokens(options, (deps) => revokeToken(deps, id)),
  );
}

function withTokens(options: ConfigOption, work: (deps: TokenDeps) => Promise<void>): Promise<void> {
  const config = options.readConfig();
  // Before the database: a home without its key gets no database either.
  const tokenKey = loadKeyFile(gatewayFiles(config.home).tokenKey);
  // Who can read the key of this home can open every seal: the right to see tokens is that of the system's user.
  const actor = { name: operatorName(), maySeeTokens: true };
  return withHomeStore(config, (store) =>
    work({ store, tokenKey, clock: systemClock, random: systemRandom, actor }),
  );
}
