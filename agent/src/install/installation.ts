import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { udevFile } from '../doctor/port-advice.js';
import { lockAgentHome } from '../home/home-files.js';
import { knownAgentId } from '../uplink/identity.js';
import { type Account, asAccount, missingGroups, readAccount } from './accounts.js';
import type { InstallFacts } from './install-plan.js';
import { type InstallRecord, readInstallRecord, writeInstallRecord } from './install-record.js';
import { onDisk, type Places, placesOf, type Scope, SERVICE_NAME } from './places.js';
import { unitFile } from './unit-file.js';

/** Folders that a service with `ProtectHome` and `PrivateTmp` does not see. */
const HIDDEN_FOLDERS = ['/home/', '/root/', '/run/user/', '/tmp/', '/var/tmp/'];

/** An installation as it is on this machine: where it is, what install has made, and whose it is. */
export class Installation {
  readonly places: Places;
  /** Program and first arguments of a service. */
  readonly program: readonly string[];
  #record: InstallRecord;

  /** @throws InstallRecordError */
  constructor(scope: Scope, env: NodeJS.ProcessEnv, root = '') {
    this.places = placesOf(scope, env, root);
    this.program = programOf();
    this.#record = readInstallRecord(this.path('recordFile'));
  }

  /** A place of the installation on disk. */
  path(name: 'home' | 'configFile' | 'recordFile' | 'unitFile'): string {
    return onDisk(this.places, this.places[name]);
  }

  get record(): InstallRecord {
    return this.#record;
  }

  /** The user of the service; undefined for a user's own installation, and before it was made. */
  get account(): Account | undefined {
    return this.places.scope === 'system' ? readAccount(this.places.root, SERVICE_NAME) : undefined;
  }

  /** The unit as it has to be. */
  get unit(): string {
    return unitFile({ ...this.places, program: this.program });
  }

  /** Whether a manager of services runs that starts and stops the agent. */
  get hasManager(): boolean {
    const { scope, root } = this.places;
    if (root !== '') return false;
    const runtime = process.env.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.()}`;
    return existsSync(scope === 'system' ? '/run/systemd/system' : join(runtime, 'systemd'));
  }

  /** Changes the record, on disk when it returns. */
  note(change: (record: InstallRecord) => InstallRecord): void {
    this.#record = change(this.#record);
    writeInstallRecord(this.path('recordFile'), this.#record);
  }

  /** Notes that something was made, for uninstall. */
  noteMade(name: string): void {
    if (!this.#record.made.includes(name))
      this.note((record) => ({ ...record, made: [...record.made, name] }));
  }

  /** Notes that something is gone again. */
  noteGone(name: string): void {
    this.note((record) => ({ ...record, made: record.made.filter((each) => each !== name) }));
  }

  /** Whether the configuration is there and not as install wrote it. */
  isConfigChanged(): boolean {
    const content = readIfThere(this.path('configFile'));
    return content !== undefined && digestOf(content) !== this.#record.configDigest;
  }

  /** Does work with the home as the user of the service. */
  asService<T>(work: () => Promise<T>): Promise<T> {
    return asAccount(this.account, work);
  }

  /** The agent of the home; undefined where it is not enrolled. @throws IdentityError */
  agentId(): Promise<string | undefined> {
    return this.asService(async () => knownAgentId(this.path('home')));
  }

  /** Whether an agent runs on the home. @throws HomeUnusableError */
  async isRunning(): Promise<boolean> {
    const home = this.path('home');
    if (!existsSync(home)) return false;
    try {
      await this.asService(async () => (await lockAgentHome(home)).release());
      return false;
    } catch (error) {
      if (error instanceof HomeInUseError) return true;
      throw error;
    }
  }

  /** What of the machine a plan of an installation is made of. */
  async machineFacts(): Promise<Omit<InstallFacts, 'code' | 'configured' | 'mode'>> {
    const { scope } = this.places;
    const home = this.homeState();
    const isReady = home === 'ready';
    const agentId = isReady ? await this.agentId() : undefined;
    const hiddenProgram = this.program.find((path) =>
      HIDDEN_FOLDERS.some((folder) => path.startsWith(folder)),
    );
    return {
      scope,
      isRoot: process.getuid?.() === 0,
      ...(hiddenProgram !== undefined && { hiddenProgram: dirname(hiddenProgram) }),
      ...(scope === 'system' && { account: this.accountFacts() }),
      home,
      udev: this.udevState(),
      unit: this.unitState(),
      ...(agentId !== undefined && { agentId }),
      isConfigChanged: this.isConfigChanged(),
      hasManager: this.hasManager,
      isRunning: isReady && (await this.isRunning()),
    };
  }

  private accountFacts(): NonNullable<InstallFacts['account']> {
    const exists = this.account !== undefined;
    return { exists, missingGroups: missingGroups(this.places.root, SERVICE_NAME) };
  }

  private homeState(): InstallFacts['home'] {
    const owner = statSync(this.path('home'), { throwIfNoEntry: false })?.uid;
    if (owner === undefined) return 'missing';
    const own = this.places.scope === 'system' ? this.account?.uid : process.getuid?.();
    if (owner === own) return 'ready';
    return owner === 0 && this.places.scope === 'system' ? 'of-root' : 'foreign';
  }

  private unitState(): InstallFacts['unit'] {
    if (this.places.packagedUnits.some((path) => existsSync(onDisk(this.places, path)))) return 'package';
    return stateOf(this.path('unitFile'), this.unit);
  }

  private udevState(): InstallFacts['udev'] {
    const { places } = this;
    if (places.packagedUdevFiles.some((path) => existsSync(onDisk(places, path)))) return 'package';
    if (places.udevFile === undefined) return 'not-allowed';
    return stateOf(onDisk(places, places.udevFile), `${udevFile()}\n`);
  }
}

/** The digest by which a configuration is recognised as written by install. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function stateOf(path: string, content: string): 'missing' | 'differs' | 'current' {
  const found = readIfThere(path)?.toString('utf8');
  if (found === undefined) return 'missing';
  return found === content ? 'current' : 'differs';
}

/** The launcher of an archive or package, which has its own Node.js; else this Node.js and the script that it runs. */
function programOf(): readonly string[] {
  const launcher = join(dirname(dirname(process.execPath)), 'bin', SERVICE_NAME);
  if (process.execPath.endsWith('/runtime/node') && existsSync(launcher)) return [launcher];
  const script = process.argv[1];
  return script === undefined ? [process.execPath] : [process.execPath, realpathSync(script)];
}
