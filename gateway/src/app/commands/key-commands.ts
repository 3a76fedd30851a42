import { existsSync } from 'node:fs';
import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withAudit } from '../../kernel/audit/audit.js';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';
import { gatewayFiles } from '../../kernel/data-folder/gateway-files.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import {
  MAX_COMPONENT_TEXT_BYTES,
  MAX_COMPONENTS,
  MIN_COMPONENTS,
} from '../../security/keys/key-components.js';
import { SYMMETRIC_KEY_BYTES, USAGE_RULES } from '../../security/keys/key-rules.js';
import type { KeyAlgorithm, KeyMode, KeyStore, KeyUsage } from '../../security/keys/key-store.js';
import { SoftwareKeyStore } from '../../security/keys/software-key-store.js';
import { DEVICE_PROFILES } from '../../security/module/device-profiles.js';
import { openToken } from '../../security/open-security-module.js';
import { Pkcs11Keys } from '../../security/pkcs11/pkcs11-keys.js';
import { TokenKeyStore } from '../../security/pkcs11/token-key-store.js';
import { keyStoreOptions, securityFiles } from '../../security/security-files.js';
import { configOf } from '../configuration/read-config.js';
import { initHome } from './init.js';
import { addKeyProtocol } from './key-protocol.js';
import { scopeProblem } from './key-scope.js';
import {
  type ComponentSource,
  componentFiles,
  generateKey,
  importBlockFile,
  importComponents,
  importCryptogramFile,
  type KeyAbout,
  KeyCommandError,
  rotateKey,
} from './keys.js';
import { promptSecret } from './secret-prompt.js';

interface StoreOptions extends ConfigOption {
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

/** What audit records call the key that seals the store. */
const MASTER = 'master key';
const HOUR_MS = 3_600_000;
/** Longest time that a rotated key is kept: a year. */
const MAX_KEEP_HOURS = 8_784;
const ALGORITHMS: readonly KeyAlgorithm[] = ['tdes2', 'tdes3', 'aes128', 'aes192', 'aes256'];
/** What partners send under a zone transport key. */
const ZONE_USAGES: readonly KeyUsage[] = ['zone-pin', 'mac'];
/** Key-encryption keys of the vault are made by `vault rotate --kek`. */
const USAGES = (Object.keys(USAGE_RULES) as KeyUsage[]).filter((usage) => usage !== 'vault-kek');

const keyId = textOf(/^[A-Za-z0-9._-]{1,64}$/, '1 to 64 letters, digits, dots, hyphens or underscores');
/** As {@link keyId}; the id of a key in a token is its label there. */
const keyLabel = textOf(/^[A-Za-z0-9._:/@+-]{1,160}$/, 'the id of a key as "keys list" shows it');
const keyScope = textOf(
  /^[A-Za-z0-9._:-]{0,64}$/,
  'up to 64 letters, digits, dots, colons, hyphens or underscores',
);
const checkValueText = textOf(/^[0-9A-Fa-f]{6}$/, 'six hex digits');
const hours = countOf(0, MAX_KEEP_HOURS, 'whole hours, ');
const componentCount = countOf(MIN_COMPONENTS, MAX_COMPONENTS, '');

/** `keys generate | import-components | import-block | import-cryptogram | list | rotate`. No key is printed, and none is taken as an argument. */
export function addKeyCommands(program: Command): void {
  const keys = program
    .command('keys')
    .description(
      'The keys of the security module: generate, import, list, replace. Key bytes are never shown.',
    )
    .addHelpText(
      'after',
      '\nA running gateway uses every change at once. Where a PKCS#11 token is configured, all symmetric keys are stored and used in it.',
    );
  addGenerate(keys);
  addImportComponents(keys);
  addImportBlock(keys);
  addImportCryptogram(keys);
  storeCommand(keys, 'list', 'List the keys with their check values.').action((options: StoreOptions) =>
    withKeys(options, openStore(options), (keys) => printJson(keys.list())),
  );
  addRotate(keys);
  addKeyProtocol(keys);
}

type RotateOptions = StoreOptions & {
  readonly newId?: string;
  readonly keepOldHours: number;
  readonly master?: true;
};

function addRotate(keys: Command): void {
  storeCommand(
    keys,
    'rotate [id]',
    'Replace a key by a new random one of the same kind. The old key still decrypts for a time. Keys from which the keys of devices or cards are derived are not rotated.',
  )
    .option('--new-id <id>', 'id of the new key; the old one counted up when absent', keyId)
    .option('--keep-old-hours <hours>', 'how long the old key still decrypts; 0: not at all', hours, 24)
    .option('--master', 'instead of one key, the master key that seals the store: every key is sealed anew')
    .action((id: string | undefined, options: RotateOptions) => runRotate(id, options));
}

async function runRotate(id: string | undefined, options: RotateOptions): Promise<void> {
  const store = openStore(options);
  if ((id === undefined) === (options.master === undefined))
    throw new KeyCommandError('give the id of a key, or --master for the key that seals the store');
  if (id === undefined) {
    const masterKcv = await audited(options, 'rotate', { id: MASTER }, () => store.rotateMasterKey());
    return printJson({ masterKcv, keys: store.list().length });
  }
  const { newId, keepOldHours } = options;
  const about = { id, ...present({ newId }), keepOldHours };
  await changeKeys(options, store, 'rotate', about, (keys) =>
    rotateKey(keys, id, keepOldHours * HOUR_MS, newId),
  );
}

function addGenerate(keys: Command): void {
  withAboutOptions(storeCommand(keys, 'generate', 'Make a random key inside the store.'), USAGES)
    .addOption(
      new Option('--algorithm <name>', 'how the key works').choices(ALGORITHMS).makeOptionMandatory(),
    )
    .action((options: AboutOptions & { algorithm: KeyAlgorithm }) => {
      const about = aboutOf(options);
      return changeKeys(options, createStore(options), 'generate', about, (keys) =>
        generateKey(keys, about, options.algorithm),
      );
    });
}

function addImportComponents(keys: Command): void {
  withReplaceOptions(
    storeCommand(
      keys,
      'import-components',
      'Import a key from components that different people hold. Each is typed without echo, or read from a file of mode 0600.',
    ),
    USAGES,
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
  readonly algorithm: KeyAlgorithm;
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
  const about = aboutOf(options);
  await changeKeys(options, createStore(options), 'import-components', about, (keys) =>
    importComponents(keys, about, algorithm, count, source, seen),
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
  withReplaceOptions(
    storeCommand(keys, 'import-block', 'Import a key from a TR-31 / X9.143 key block, version B or D.'),
    USAGES,
  )
    .requiredOption('--partner <name>', 'scope of the kbpk key that opens the block')
    .requiredOption('--file <file>', 'the block as text')
    .action((options: AboutOptions & { partner: string; file: string; usage: KeyUsage }) => {
      const about = { ...aboutOf(options), usage: options.usage };
      return changeKeys(options, createStore(options), 'import-block', about, (keys) =>
        importBlockFile(keys, about, options),
      );
    });
}

function addImportCryptogram(keys: Command): void {
  withReplaceOptions(
    storeCommand(
      keys,
      'import-cryptogram',
      'Import a TDES key that a partner enciphered under the zone transport key. Its check value must be known (--kcv).',
    ),
    ZONE_USAGES,
  )
    .requiredOption('--partner <name>', 'scope of the zmk key that opens it')
    .requiredOption('--file <file>', 'the cryptogram as hex digits')
    .action((options: AboutOptions & { partner: string; file: string }) => {
      const about = aboutOf(options);
      const { expectedKcv } = about;
      if (expectedKcv === undefined)
        throw new KeyCommandError('--kcv is missing: only a check value finds a wrong key');
      return changeKeys(options, createStore(options), 'import-cryptogram', about, (keys) =>
        importCryptogramFile(keys, { ...about, expectedKcv }, options),
      );
    });
}

function storeCommand(keys: Command, usage: string, description: string): Command {
  return addCommand(keys, usage, description).addOption(
    new Option('--mode <mode>', 'mode of the store; as configured').choices(['test', 'live']),
  );
}

function withAboutOptions(command: Command, usages: readonly KeyUsage[]): Command {
  return command
    .requiredOption('--id <id>', 'name of the key, its own', keyId)
    .addOption(new Option('--usage <usage>', 'what it is for').choices(usages).makeOptionMandatory())
    .requiredOption(
      '--scope <text>',
      'for whom: leading KSN or PAN digits (of a pvk after its PVKI and a colon), or the whole name of a partner',
      keyScope,
    )
    .addOption(
      new Option(
        '--device-type <type>',
        'of base derivation keys: the one type of the devices of this key set, for requests that do not state it',
      ).choices([...DEVICE_PROFILES.keys()]),
    )
    .option('--label <text>', 'for people', '')
    .option('--kcv <hex>', 'check value that the key must have, six hex digits', checkValueText);
}

function withReplaceOptions(command: Command, usages: readonly KeyUsage[]): Command {
  return withAboutOptions(command, usages)
    .option('--replaces <id>', 'the key that this one replaces, as at a rotation', keyLabel)
    .option('--keep-old-hours <hours>', 'how long that key still decrypts; 0: not at all', hours, 24);
}

function aboutOf(options: AboutOptions): KeyAbout {
  const { id, usage, scope, deviceType, label, kcv, replaces, keepOldHours = 0 } = options;
  const problem = scopeProblem(usage, scope);
  if (problem !== undefined) throw new KeyCommandError(problem);
  return {
    id,
    usage,
    scope,
    label,
    ...present({ deviceType, expectedKcv: kcv?.toUpperCase() }),
    ...(replaces !== undefined && { replaces: { id: replaces, keepOldMs: keepOldHours * HOUR_MS } }),
  };
}

/** A parser for an option whose text must have one form. */
function textOf(form: RegExp, expected: string): (value: string) => string {
  return (value) => {
    if (form.test(value)) return value;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
}

/** A parser of an option that takes whole numbers between two bounds. */
function countOf(least: number, most: number, unit: string): (value: string) => number {
  return (value) => {
    if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new InvalidArgumentError(`Expected ${unit}${least} to ${most}.`);
  };
}

/** Opens a store that must be there: looking at keys makes none. */
function openStore(options: StoreOptions): SoftwareKeyStore {
  return SoftwareKeyStore.open(storeOptions(configOf(options).home, modeOf(options)));
}

/** Opens the store, or makes an empty one with a new master key. */
function createStore(options: StoreOptions): SoftwareKeyStore {
  const { home } = configOf(options);
  prepareHome(home);
  return SoftwareKeyStore.create(storeOptions(home, modeOf(options)));
}

function modeOf(options: StoreOptions): KeyMode {
  return options.mode ?? configOf(options).transport.mode;
}

/** Does work on the store or, where one is configured, on the token that has the symmetric keys. */
async function withKeys<T>(
  options: StoreOptions,
  store: SoftwareKeyStore,
  work: (keys: KeyStore) => T | Promise<T>,
): Promise<T> {
  const configured = configOf(options).token;
  if (configured === undefined) return work(store);
  const token = openToken(configured);
  try {
    return await work(new TokenKeyStore(store, new Pkcs11Keys(token, store.mode)));
  } finally {
    token.close();
  }
}

/** What an audit record states about a key, with its id. */
type AuditedKey = Pick<KeyAbout, 'id'> &
  Partial<KeyAbout> & { readonly newId?: string; readonly keepOldHours?: number };

/** Changes keys with a record of it, and prints the result. */
async function changeKeys(
  options: StoreOptions,
  store: SoftwareKeyStore,
  command: string,
  about: AuditedKey,
  work: (keys: KeyStore) => unknown,
): Promise<void> {
  printJson(await withKeys(options, store, (keys) => audited(options, command, about, () => work(keys))));
}

/** Does work on keys with a record of it in the database of the home, which is made whole first where it has none. */
async function audited<T>(
  options: StoreOptions,
  command: string,
  { id: subject, ...detail }: AuditedKey,
  work: () => T | Promise<T>,
): Promise<T> {
  const configured = configOf(options);
  const config = { ...configured, transport: { ...configured.transport, mode: modeOf(options) } };
  // That the home is made is no work on a key: the record is of the command alone.
  const { command: _, ...home } = config;
  if (!existsSync(gatewayFiles(config.home).database)) await initHome(home);
  const entry = { actor: operatorName(), action: `keys ${command}`, subject, detail };
  return withHomeStore(config, (store) =>
    withAudit({ store, clock: systemClock, random: systemRandom }, entry, work),
  );
}

function storeOptions(home: string, mode: KeyMode) {
  return keyStoreOptions(securityFiles(home), mode, systemRandom);
}
