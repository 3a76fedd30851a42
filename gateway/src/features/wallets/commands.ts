import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCommand, type ConfigOption, printFrom } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import { readSecretFile } from '../../kernel/data-folder/secret-file.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import { allRows } from '../../kernel/store/all-rows.js';
import type { WalletKeyRow } from '../../kernel/store/rows.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { withSecurityModule } from '../../security/with-security-module.js';
import {
  addWalletRoot,
  createWalletKey,
  removeWalletKey,
  removeWalletRoot,
  rotateWalletKey,
  type WalletKeyCommandDeps,
  walletKeys,
  walletKeyView,
} from './service.js';

const HOUR_MS = 3_600_000;
/** Longest time that a rotated key is kept: a year. */
const MAX_KEEP_HOURS = 8_784;
/** Largest file of a root, in bytes. */
const MAX_ROOT_FILE_BYTES = 16_384;

interface WalletOption extends ConfigOption {
  readonly wallet: WalletName;
}

interface KeyOptions extends WalletOption {
  readonly entity: string;
  readonly keyFile?: string;
}

/** Commands of the feature. */
export const WALLET_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'wallets',
    description:
      'Keys that digital wallets encipher tokens for, by merchant or channel; and the wallets’ roots.',
    add: addWalletCommands,
  },
];

/** `wallets list | create | import | rotate | remove | roots`. No private key is printed. */
function addWalletCommands(wallets: Command): void {
  addCommand(wallets, 'list', 'List the key pairs with their public keys.')
    .option('--entity <id>', 'those of this merchant or channel alone')
    .action((options: ConfigOption & { entity?: string }) =>
      printFrom(options, async ({ store }) => (await walletKeys(store, options.entity)).map(walletKeyView)),
    );
  forKey(
    addCommand(wallets, 'create', 'Make the first key pair of an entity and wallet; print its public key.'),
  )
    .requiredOption('--merchant-identifier <text>', IDENTIFIER, merchantIdentifier)
    .action(create);
  forKey(addCommand(wallets, 'import', 'Take in a key pair that the wallet knows already.'))
    .requiredOption('--merchant-identifier <text>', IDENTIFIER, merchantIdentifier)
    .requiredOption('--key-file <file>', 'private key on P-256, PEM, mode 0600')
    .action(create);
  forKey(addCommand(wallets, 'rotate', 'Put a new key pair in the place of the old one.'))
    .option('--key-file <file>', 'private key on P-256, PEM, mode 0600; without it a fresh one')
    .option('--keep-old-hours <n>', 'for which the old key still opens tokens', keepHours, 720)
    .action(rotate);
  addCommand(wallets, 'remove <id>', 'Delete a key pair: tokens for it are opened no more.').action(
    (id: string, options: ConfigOption) =>
      printFrom(options, async (deps) => walletKeyView(await removeWalletKey(deps, id))),
  );
  addRootCommands(wallets.command('roots').description('What the signatures of wallets’ tokens lead to.'));
}

const IDENTIFIER =
  'the merchant as the wallet knows it: identifier of walletA, recipient of walletB (merchant:ID, gateway:ID), audience of walletC';

function addRootCommands(roots: Command): void {
  addCommand(roots, 'list', 'List the roots.').action((options: ConfigOption) =>
    printFrom(options, ({ store }) => allRows(store, 'walletRoots')),
  );
  addCommand(roots, 'add', 'Trust a root.')
    .addOption(walletOption())
    .requiredOption('--file <file>', 'certificate of walletA, public key of walletB or walletC; PEM')
    .requiredOption('--label <text>', 'for people')
    .action((options: WalletOption & { file: string; label: string }) =>
      printFrom(options, (deps) => {
        const refuse = (reason: string) => new OperatorError(`${options.file} ${reason}`);
        const pem = readSmallFile(options.file, MAX_ROOT_FILE_BYTES, refuse);
        const { wallet, label } = options;
        return addWalletRoot(deps, { wallet, label, pem, mode: options.readConfig().transport.mode });
      }),
    );
  addCommand(roots, 'remove <id>', 'Trust a root no more.')
    .addOption(walletOption())
    .action((id: string, options: WalletOption) =>
      printFrom(options, (deps) => removeWalletRoot(deps, options.wallet, id)),
    );
}

function forKey(command: Command): Command {
  return command
    .requiredOption('--entity <id>', 'merchant, or channel with its own key')
    .addOption(walletOption());
}

function walletOption(): Option {
  return new Option('--wallet <name>', 'the wallet').choices(WALLET_NAMES).makeOptionMandatory();
}

async function create(options: KeyOptions & { merchantIdentifier: string }): Promise<void> {
  const { merchantIdentifier } = options;
  await withKeys(options, (deps) => createWalletKey(deps, { ...keyOf(options), merchantIdentifier }));
}

async function rotate(options: KeyOptions & { keepOldHours: number }): Promise<void> {
  const keepOldMs = options.keepOldHours * HOUR_MS;
  await withKeys(options, (deps) => rotateWalletKey(deps, { ...keyOf(options), keepOldMs }));
}

/** Whose key it is, and the key where a file brings it. */
function keyOf({ entity: entityId, wallet, keyFile }: KeyOptions) {
  if (keyFile === undefined) return { entityId, wallet };
  const pem = readSecretFile(keyFile);
  if (pem === undefined) throw new OperatorError(`${keyFile} is missing`);
  return { entityId, wallet, pem };
}

function keepHours(text: string): number {
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : MAX_KEEP_HOURS + 1;
  if (hours <= MAX_KEEP_HOURS) return hours;
  throw new InvalidArgumentError(`Expected whole hours, 0 to ${MAX_KEEP_HOURS}.`);
}

function merchantIdentifier(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected 1 to 255 printable characters without blanks.');
}

/** Prints the key that the work returns; the data keys are opened, which seal private keys. @throws OperatorError, VaultError */
function withKeys(
  options: ConfigOption,
  work: (deps: WalletKeyCommandDeps) => Promise<WalletKeyRow>,
): Promise<void> {
  return withSecurityModule(options.readConfig(), (module) =>
    printFrom(options, async (deps) => {
      const { store, clock, random } = deps;
      const { ring: dataKeys } = await openDataKeys(module, { store, clock, random });
      return walletKeyView(await work({ ...deps, dataKeys }));
    }),
  );
}
