import { userInfo } from 'node:os';
import { systemClock } from '@tillbridge/protocol/platform/system-clock.js';
import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { type Command, Option } from 'commander';
import { type GatewayConfig, loadConfig } from '../config/config.js';
import { gatewayFiles } from '../home/gateway-files.js';
import { openHomeStore } from '../home/open-store.js';
import { loadKeyFile } from '../security/keys/key-file.js';
import { TOKEN_RIGHTS, type TokenRight } from '../security/tokens/access-tokens.js';
import { createToken, listTokens, revokeToken, rotateToken, showToken, type TokenDeps } from './tokens.js';

interface ConfigOption {
  readonly config?: string;
}

/** `token create | list | show | rotate | revoke`. */
export function addTokenCommands(program: Command): void {
  const token = program
    .command('token')
    .description('Access tokens of merchants: make, list, replace, revoke.');
  token
    .command('create')
    .description('Make a token and print it.')
    .requiredOption('--entity <id>', 'entity the token acts for: a merchant (with its channels) or a channel')
    .option('--label <text>', 'name for people', 'access token')
    .addOption(
      new Option('--right <right...>', 'what it may do').choices([...TOKEN_RIGHTS]).default(['payments']),
    )
    .addOption(configOption())
    .action((options: ConfigOption & { entity: string; label: string; right: TokenRight[] }) =>
      withTokens(options, async (deps) => {
        const about = { entityId: options.entity, label: options.label, rights: options.right };
        print(await createToken(deps, about));
      }),
    );
  token
    .command('list')
    .description('List the tokens, without the tokens themselves.')
    .addOption(configOption())
    .action((options: ConfigOption) =>
      withTokens(options, async ({ store }) => print(await listTokens(store))),
    );
  token
    .command('show <id>')
    .description('Print a token again. Who saw it is recorded.')
    .addOption(configOption())
    .action((id: string, options: ConfigOption) =>
      withTokens(options, async (deps) => print(await showToken(deps, id))),
    );
  token
    .command('rotate <id>')
    .description('Replace a token: the old one is refused from now on.')
    .addOption(configOption())
    .action((id: string, options: ConfigOption) =>
      withTokens(options, async (deps) => print(await rotateToken(deps, id))),
    );
  token
    .command('revoke <id>')
    .description('Revoke a token: it is refused from now on.')
    .addOption(configOption())
    .action((id: string, options: ConfigOption) => withTokens(options, (deps) => revokeToken(deps, id)));
}

/** `--config`, the same for every command. */
export function configOption(): Option {
  return new Option('--config <file>', 'configuration in YAML');
}

async function withTokens(options: ConfigOption, work: (deps: TokenDeps) => Promise<void>): Promise<void> {
  const config: GatewayConfig = loadConfig(options.config, process.env);
  const files = gatewayFiles(config.home);
  const tokenKey = loadKeyFile(files.tokenKey);
  const store = await openHomeStore(config);
  try {
    // Who can read the key of this home can open every seal: here the right is that of the system's user.
    const actor = { name: userInfo().username, maySeeTokens: true };
    await work({ store, tokenKey, clock: systemClock, random: systemRandom, actor });
  } finally {
    await store.close();
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
