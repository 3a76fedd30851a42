import { systemRandom } from '@tillbridge/protocol/platform/system-random.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '../config/config.js';
import { prepareHome } from '../home/home.js';
import { MAX_COMPONENT_TEXT_BYTES, MAX_COMPONENTS, MIN_COMPONENTS } from '../security/keys/key-components.js';
import { SYMMETRIC_KEY_BYTES, USAGE_RULES } from '../security/keys/key-rules.js';
import type {
  KeyAlgorithm,
  KeyInfo,
  KeyMode,
  KeyStore,
  KeyUsage,
  SymmetricKeyAlgorithm,
  SymmetricKeyUsage,
} from '../security/keys/key-store.js';
import { SoftwareKeyStore } from '../security/keys/software-key-store.js';
import { DEVICE_PROFILES } from '../security/module/device-profiles.js';
import { openToken } from '../security/open-security-module.js';
import { Pkcs11Keys } from '../security/pkcs11/pkcs11-keys.js';
import { TokenKeyStore } from '../security/pkcs11/token-key-store.js';
import { securityFiles } from '../security/security-files.js';
import { scopeProblem } from './key-scope.js';
import {
  type ComponentSource,
  componentFiles,
  exportPublic,
  generateKey,
  importBlockFile,
  importComponents,
  type KeyAbout,
  KeyCommandError,
  rotateKey,
} from './keys.js';
import { promptSecret } from './secret-prompt.js';
import { configOption } from './token-commands.js';

interface StoreOptions {
  readonly config?: string;
  /** Absent: as configured. */
  readonly mode?: KeyMode;
}

interface AboutOptions extends StoreOptions {
  readonly id: string;
  readonly usage: KeyUsage;
  readonly scope: string;
  readonly deviceType?: string;
  readonly label: string;
  readonly kcv?: string;
  readonly replaces?: string;
  readonly keepOldHours?: number;
}

const HOUR_MS = 3_600_000;
/** Longest time that a rotated key is kept: a year. */
const MAX_KEEP_HOURS = 8_784;
const ALGORITHMS: readonly SymmetricKeyAlgorithm[] = ['tdes2', 'tdes3', 'aes128', 'aes192', 'aes256'];
const USAGES = Object.keys(USAGE_RULES) as KeyUsage[];
const SYMMETRIC_USAGES = USAGES.filter((usage) => usage !== 'wallet');

/** `keys generate | import-components | import-block | list | rotate | export-public`. No key ever comes out, and none goes in by argument. */
export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description('The keys of the security module: make, import, list, replace. Key bytes are never shown.')
    .addHelpText(
      'after',
      '\nA gateway that runs sees every change at once. Where a token is configured all symmetric keys go into it and work there.',
    );
  addGenerate(keys);
  addImportComponents(keys);
  addImportBlock(keys);
  withStoreOptions(keys.command('list'))
    .description('List the keys with their check values.')
    .action((options: StoreOptions) =>
      withKeys(options, openStore(options), async (keys) => print(keys.list())),
    );
  addRotate(keys);
  withStoreOptions(keys.command('export-public <id>'))
    .description('Print the public part of a key pair, PEM.')
    .action((id: string, options: StoreOptions) => {
      process.stdout.write(exportPublic(openStore(options), id));
    });
}

type RotateOptions = StoreOptions & {
  readonly newId?: string;
  readonly keepOldHours: number;
  readonly master?: true;
};

function addRotate(keys: Command): void {
  withStoreOptions(keys.command('rotate [id]'))
    .description(
      'Put a fresh random key of the same kind in a key’s place. The old one still opens what was closed under it for a time. Keys that devices or cards carry derivations of are not rotated.',
    )
    .option('--new-id <id>', 'id of the new key; the old one counted up when absent', keyId)
    .option('--keep-old-hours <hours>', 'how long the old key still opens; 0: not at all', hours, 24)
    .option('--master', 'instead of one key, the master key that seals the store: every key is sealed anew')
    .action((id: string | undefined, options: RotateOptions) => runRotate(id, options));
}

async function runRotate(id: string | undefined, options: RotateOptions): Promise<void> {
  const store = openStore(options);
  if ((id === undefined) === (options.master === undefined))
    throw new KeyCommandError('give the id of a key, or --master for the key that seals the store');
  if (id === undefined) return print({ masterKcv: store.rotateMasterKey(), keys: store.list().length });
  const keepOldMs = options.keepOldHours * HOUR_MS;
  await withKeys(options, store, async (keys) => print(rotateKey(keys, id, keepOldMs, options.newId)));
}

function addGenerate(keys: Command): void {
  withAboutOptions(keys.command('generate'), USAGES)
    .description('Make a random key inside the store.')
    .addOption(
      new Option('--algorithm <name>', 'ecP256 for wallets, the others for everything else')
        .choices([...ALGORITHMS, 'ecP256'])
        .makeOptionMandatory(),
    )
    .action((options: AboutOptions & { algorithm: KeyAlgorithm }) =>
      withKeys(options, createStore(options), async (keys) =>
        print(generateKey(keys, aboutOf(options), options.algorithm)),
      ),
    );
}

function addImportComponents(keys: Command): void {
  withReplaceOptions(keys.command('import-components'), SYMMETRIC_USAGES)
    .description(
      'Import a key from components that different people hold. Each is typed without echo, or read from a file of mode 0600.',
    )
    .addOption(
      new Option('--algorithm <name>', `bytes: ${JSON.stringify(SYMMETRIC_KEY_BYTES).replaceAll('"', '')}`)
        .choices(ALGORITHMS)
        .makeOptionMandatory(),
    )
    .option('--components <count>', 'how many are typed', componentCount, MIN_COMPONENTS)
    .option('--component-file <file...>', 'read them from files instead, one custodian’s each')
    .action(runImportComponents);
}

type ImportComponentsOptions = AboutOptions & {
  readonly algorithm: SymmetricKeyAlgorithm;
  readonly components: number;
  readonly componentFile?: string[];
};

async function runImportComponents(options: ImportComponentsOptions): Promise<void> {
  const { algorithm, componentFile } = options;
  if (modeOf(options) === 'live' && options.kcv === undefined)
    throw new KeyCommandError(
      '--kcv is missing: in live mode the check value of the whole key must be known',
    );
  const source = componentFile ? componentFiles(componentFile) : typedComponent;
  const count = componentFile ? componentFile.length : options.components;
  const seen = (number: number, kcv: string): void => {
    process.stderr.write(`component ${number}: check value ${kcv}\n`);
  };
  await withKeys(options, createStore(options), async (keys) =>
    print(await importComponents(keys, aboutOf(options), algorithm, count, source, seen)),
  );
}

const typedComponent: ComponentSource = (number) =>
  promptSecret(
    process.stdin,
    process.stderr,
    `component ${number} (hex, not shown): `,
    MAX_COMPONENT_TEXT_BYTES,
  );

function addImportBlock(keys: Command): void {
  withReplaceOptions(keys.command('import-block'), SYMMETRIC_USAGES)
    .description('Import a key from a TR-31 / X9.143 key block, version B or D.')
    .requiredOption('--partner <name>', 'scope of the kbpk key that opens the block')
    .requiredOption('--file <file>', 'the block as text')
    .action((options: AboutOptions & { partner: string; file: string; usage: SymmetricKeyUsage }) =>
      withKeys(options, createStore(options), async (keys) =>
        print(
          importBlockFile(keys, { ...aboutOf(options), usage: options.usage }, options.partner, options.file),
        ),
      ),
    );
}

function withStoreOptions(command: Command): Command {
  return command
    .addOption(new Option('--mode <mode>', 'which store it is; as configured').choices(['test', 'live']))
    .addOption(configOption());
}

function withAboutOptions(command: Command, usages: readonly KeyUsage[]): Command {
  return withStoreOptions(command)
    .requiredOption('--id <id>', 'name of the key, its own', keyId)
    .addOption(new Option('--usage <usage>', 'what it is for').choices(usages).makeOptionMandatory())
    .requiredOption(
      '--scope <text>',
      'for whom: leading KSN or PAN digits (of a pvk after its PVKI and a colon), or the whole name of partner or wallet',
      keyScope,
    )
    .addOption(
      new Option(
        '--device-type <type>',
        'of base derivation keys: the one type of the devices of this key set, for requests that do not tell it',
      ).choices([...DEVICE_PROFILES.keys()]),
    )
    .option('--label <text>', 'for people', '')
    .option('--kcv <hex>', 'check value that the key must have, six hex digits', checkValueText);
}

function withReplaceOptions(command: Command, usages: readonly KeyUsage[]): Command {
  return withAboutOptions(command, usages)
    .option('--replaces <id>', 'the key in whose place this one comes, as at a rotation', keyLabel)
    .option('--keep-old-hours <hours>', 'how long that key still opens; 0: not at all', hours, 24);
}

/** As {@link keyId}; a key in a token has its label there as id. */
function keyLabel(value: string): string {
  if (/^[A-Za-z0-9._:/@+-]{1,160}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected the id of a key as "keys list" shows it.');
}

function aboutOf(options: AboutOptions): KeyAbout {
  const { id, usage, scope, deviceType, label, kcv, replaces, keepOldHours = 0 } = options;
  const problem = scopeProblem(usage, scope);
  if (problem !== undefined) throw new KeyCommandError(problem);
  return {
    id,
    usage,
    scope,
    ...(deviceType !== undefined && { deviceType }),
    label,
    ...(kcv !== undefined && { expectedKcv: kcv }),
    ...(replaces !== undefined && { replaces: { id: replaces, keepOldMs: keepOldHours * HOUR_MS } }),
  };
}

function keyId(value: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected 1 to 64 letters, digits, dots, hyphens or underscores.');
}

function keyScope(value: string): string {
  if (/^[A-Za-z0-9._:-]{0,64}$/.test(value)) return value;
  throw new InvalidArgumentError('Expected up to 64 letters, digits, dots, colons, hyphens or underscores.');
}

function hours(value: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && count <= MAX_KEEP_HOURS) return count;
  throw new InvalidArgumentError(`Expected whole hours, 0 to ${MAX_KEEP_HOURS}.`);
}

function checkValueText(value: string): string {
  if (/^[0-9A-Fa-f]{6}$/.test(value)) return value.toUpperCase();
  throw new InvalidArgumentError('Expected six hex digits.');
}

function componentCount(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= MIN_COMPONENTS && count <= MAX_COMPONENTS) return count;
  throw new InvalidArgumentError(`Expected ${MIN_COMPONENTS} to ${MAX_COMPONENTS}.`);
}

/** Opens a store that must be there: looking at keys makes none. */
function openStore(options: StoreOptions): SoftwareKeyStore {
  return SoftwareKeyStore.open(storeOptions(loadConfig(options.config, process.env).home, modeOf(options)));
}

/** Opens the store, or makes an empty one with a new master key. */
function createStore(options: StoreOptions): SoftwareKeyStore {
  const { home } = loadConfig(options.config, process.env);
  prepareHome(home);
  return SoftwareKeyStore.create(storeOptions(home, modeOf(options)));
}

function modeOf({ config, mode }: StoreOptions): KeyMode {
  return mode ?? loadConfig(config, process.env).transport.mode;
}

/** Runs work on the store and, where one is configured, the token that has the symmetric keys. */
async function withKeys(
  { config }: StoreOptions,
  store: SoftwareKeyStore,
  work: (keys: KeyStore) => Promise<void>,
): Promise<void> {
  const configured = loadConfig(config, process.env).token;
  if (configured === undefined) return work(store);
  const token = openToken(configured);
  try {
    await work(new TokenKeyStore(store, new Pkcs11Keys(token, store.mode)));
  } finally {
    token.close();
  }
}

function storeOptions(home: string, mode: KeyMode) {
  const files = securityFiles(home);
  return { keysPath: files.keys, masterKeyPath: files.masterKey, mode, random: systemRandom };
}

/** What a rotation of the master key tells. */
interface MasterKeyRotated {
  readonly masterKcv: string;
  /** How many keys were sealed anew. */
  readonly keys: number;
}

function print(value: KeyInfo | readonly KeyInfo[] | MasterKeyRotated): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
