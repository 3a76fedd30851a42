import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { udevFile } from '../doctor/port-advice.js';
import { lockAgentHome } from '../home/home-files.js';
import { buildRecord } from '../update/slots/places.js';
import { knownAgentId } from '../uplink/identity.js';
import { type Account, asAccount, missingGroups, readAccount } from './accounts.js';
import type { InstallFacts } from './install-plan.js';
import { type InstallRecord, readInstallRecord, writeInstallRecord } from './install-record.js';
import { onDisk, type Places, placesOf, type Scope, SERVICE_NAME } from './places.js';
import { hiddenFolder, type ProgramPlace, programPlace, slotVersion } from './program-place.js';
import { unitFile } from './unit-file.js';

/** An installation as it is on this machine: where it is, what install has made, and whose it is. */
export class Installation {
  readonly places: Places;
  /** The program that runs, and what the service starts. */
  readonly program: ProgramPlace;
  #record: InstallRecord;

  /** @throws InstallRecordError */
  constructor(scope: Scope, env: NodeJS.ProcessEnv, root = '') {
    this.places = placesOf(scope, env, root);
    this.program = programPlace(this.places);
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
    return unitFile({ ...this.places, program: this.program.words });
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
    const hiddenProgram = hiddenFolder(this.program);
    return {
      scope,
      isRoot: process.getuid?.() === 0,
      ...(hiddenProgram !== undefined && { hiddenProgram }),
      program: this.programState(),
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

  private programState(): InstallFacts['program'] {
    const { program } = this;
    if (program.kind === 'package' || program.kind === 'elsewhere') return { from: program.kind };
    const version = slotVersion(program.slots);
    const started = program.kind === 'archive' ? buildRecord(program.folder)?.version : undefined;
    return {
      from: 'archive',
      ...(version !== undefined && { version }),
      ...(started !== undefined && { started }),
    };
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
