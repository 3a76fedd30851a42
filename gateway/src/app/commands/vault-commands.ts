import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Command } from 'commander';
import { withAudit } from '../../kernel/audit/audit.js';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import type { Store } from '../../kernel/store/store.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import type { OpenSecurityModule } from '../../security/open-security-module.js';
import { KeyEncryptionKeys } from '../../security/vault/key-encryption-keys.js';
import type { StoredDataKeys } from '../../security/vault/stored-data-keys.js';
import { withSecurityModule } from '../../security/with-security-module.js';
import { configOf } from '../configuration/read-config.js';
import { resealAll, vaultStatus } from './vault.js';

type RotateOptions = ConfigOption & { readonly kek?: true };

/** What audit records call the keys as a whole. */
const DATA_KEYS = 'data keys';
const KEY_ENCRYPTION_KEY = 'key-encryption key';

/** `vault status | rotate | reseal`. No key is printed. */
export function addVaultCommands(program: Command): void {
  const vault = program
    .command('vault')
    .description('The keys of the vault, which seal card data and parked messages: show, replace.')
    .addHelpText(
      'after',
      '\nA running gateway takes new keys over at once, seals old rows anew in the background and deletes data keys that seal nothing any more.',
    );
  addCommand(vault, 'status', 'Show the keys of the vault and how many rows each data key seals.').action(
    status,
  );
  addCommand(vault, 'rotate', 'Make a new data key. It seals what is new; what is old is sealed anew.')
    .option(
      '--kek',
      'instead of it, a new key-encryption key: data keys are wrapped anew, rows stay as they are',
    )
    .action(rotate);
  addCommand(
    vault,
    'reseal',
    'Seal anew now whatever retired data keys sealed, with or without a running gateway. Killed, it goes on when it is run again.',
  ).action(reseal);
}

async function status(options: ConfigOption): Promise<void> {
  await withVault(options, async (store, { keys, ofFiles }) => {
    const [all, inFiles] = [keys, ofFiles].map((each) => new KeyEncryptionKeys(each, random));
    if (all && inFiles) printJson(await vaultStatus(store, all, inFiles));
  });
}

async function rotate(options: RotateOptions): Promise<void> {
  if (options.kek) {
    await changeVault(options, 'rotate --kek', KEY_ENCRYPTION_KEY, async (keys) => ({
      keyEncryptionKey: await keys.rotateKek(),
      dataKeys: keys.rows.length,
    }));
    return;
  }
  await changeVault(options, 'rotate', DATA_KEYS, async (keys) => ({ dataKey: await keys.rotate() }));
}

async function reseal(options: ConfigOption): Promise<void> {
  const progress = (resealed: number): void => {
    process.stderr.write(`${resealed} rows sealed anew\n`);
  };
  await changeVault(options, 'reseal', DATA_KEYS, async (keys, store) => ({
    resealed: await resealAll({ store, keys, clock, progress }),
  }));
}

/** Does work on the data keys with a record of it, and prints the result. */
async function changeVault(
  options: ConfigOption,
  command: string,
  subject: string,
  work: (keys: StoredDataKeys, store: Store) => Promise<unknown>,
): Promise<void> {
  await withVault(options, async (store, module) => {
    const entry = { actor: operatorName(), action: `vault ${command}`, subject, detail: {} };
    const result = await withAudit({ store, clock, random }, entry, async () =>
      work(await openDataKeys(module, { store, random, clock }), store),
    );
    printJson(result);
  });
}

function withVault(
  options: ConfigOption,
  work: (store: Store, module: OpenSecurityModule) => Promise<void>,
): Promise<void> {
  const config = configOf(options);
  return withSecurityModule(config, (module) => withHomeStore(config, (store) => work(store, module)));
}
