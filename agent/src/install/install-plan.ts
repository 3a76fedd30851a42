import type { Scope } from './places.js';

/** What an installation does, in this order. */
export const INSTALL_STEPS = [
  'program',
  'machine',
  'user',
  'home',
  'udev',
  'enrol',
  'terminals',
  'unit',
  'doctor',
  'trial-sale',
  'start',
] as const;

/** A step of an installation. */
export type InstallStepId = (typeof INSTALL_STEPS)[number];

/** What was found on the machine before the first step. */
export interface InstallFacts {
  readonly scope: Scope;
  /** The process runs as root. */
  readonly isRoot: boolean;
  /**
   * What brought the program. Of an archive: the version in the slot that the service starts, undefined where none is used yet; and the version
   * that was started, where it is not the program of the slot.
   */
  readonly program:
    | { readonly from: 'archive'; readonly version?: string; readonly started?: string }
    | { readonly from: 'package' }
    | { readonly from: 'elsewhere' };
  /** The folder of the program, where the service may not read it: below a home or a folder for temporary files. */
  readonly hiddenProgram?: string;
  /** The system's user of the service, and groups that exist and it is not in yet. Absent for a user's own installation. */
  readonly account?: { readonly exists: boolean; readonly missingGroups: readonly string[] };
  /** `foreign`: it is there and belongs to somebody else. */
  readonly home: 'missing' | 'ready' | 'of-root' | 'foreign';
  /** `package`: a package of the system brought it. */
  readonly udev: 'missing' | 'differs' | 'current' | 'package' | 'not-allowed';
  readonly unit: 'missing' | 'differs' | 'current' | 'package';
  /** The agent of the home; absent where it is not enrolled. */
  readonly agentId?: string;
  /** What was given to enrol with. */
  readonly code?: { readonly isNewAgent: boolean; readonly hasAddress: boolean };
  /** Terminals of the configuration; undefined without one. */
  readonly configured?: number;
  /** The configuration is not as install wrote it. */
  readonly isConfigChanged: boolean;
  readonly mode: 'test' | 'live';
  /** A manager of services runs that can start one. */
  readonly hasManager: boolean;
  readonly isRunning: boolean;
}

/** One step as planned. `done`: it is as it should be; `skip`: not here, and why; `do`: what will be done. */
export interface PlannedStep<Id extends string = InstallStepId> {
  readonly id: Id;
  readonly state: 'do' | 'done' | 'skip';
  readonly text: string;
}

/** What an installation will do, or why it cannot begin: what is wrong and what to do. Pure. */
export type InstallPlan =
  | { readonly kind: 'steps'; readonly steps: readonly PlannedStep[] }
  | { readonly kind: 'refused'; readonly reason: string };

type Planned = Pick<PlannedStep, 'state' | 'text'>;
type Rule = (facts: InstallFacts) => Planned;

const todo = (text: string): Planned => ({ state: 'do', text });
const done = (text: string): Planned => ({ state: 'done', text });
const skip = (text: string): Planned => ({ state: 'skip', text });

const RULES: Readonly<Record<InstallStepId, Rule>> = {
  program: ({ program }) => {
    if (program.from === 'package') return done('a package brought the program, and updates it');
    if (program.from === 'elsewhere') return skip('the program stays where npm or a checkout has it');
    if (program.version === undefined)
      return todo('put the program into a slot, from which it can be updated');
    return done(`version ${program.version} is in its slot; "tillbridge-agent update" brings another`);
  },
  machine: () => todo('check Node.js, disk, and the gateway: address, certificate and clock'),
  user: ({ account }) => {
    if (!account) return skip('the agent runs as you');
    if (!account.exists) return todo('make the user of the service, in the groups of ports');
    if (account.missingGroups.length === 0) return done('the user of the service is there');
    return todo(`put the user of the service into ${account.missingGroups.join(', ')}`);
  },
  home: ({ home }) => {
    if (home === 'ready') return done('the home is there');
    return todo(home === 'missing' ? 'make the home' : 'give the kept home to the user of the service');
  },
  udev: ({ udev }) => {
    if (udev === 'not-allowed') return skip('only root may write rules of udev');
    if (udev === 'package') return done('a package brought the rules of udev');
    if (udev === 'current') return done('the rules of udev are there');
    return todo('write the rules of udev for terminals, and have them applied');
  },
  enrol: ({ agentId }) =>
    agentId === undefined ? todo('enrol with the code') : done(`the home is agent ${agentId}`),
  terminals: ({ configured, isConfigChanged }) => {
    if (configured === undefined) return todo('find the terminals, and write the configuration');
    if (isConfigChanged) return done('the configuration was changed by a person, and stays');
    return configured > 0
      ? done(`${configured} terminal(s) configured`)
      : todo('find the terminals, and add them to the configuration');
  },
  unit: ({ unit }) => {
    if (unit === 'package') return done('a package brought the unit of systemd');
    return unit === 'current' ? done('the unit of systemd is there') : todo('write the unit of systemd');
  },
  doctor: () => todo('examine gateway, ports and terminals'),
  'trial-sale': ({ mode }) =>
    mode === 'test'
      ? todo('sell on a simulated terminal, and reverse the sale')
      : skip('in live mode there is no simulated terminal'),
  start: ({ hasManager, isRunning }) => {
    if (isRunning) return done('the agent runs');
    return hasManager
      ? todo('start the agent, now and at each boot')
      : skip('no manager of services runs here');
  },
};

/** Plans an installation, or goes on with one: what is as it should be is left alone. */
export function planInstall(facts: InstallFacts): InstallPlan {
  const reason = refusalOf(facts);
  if (reason !== undefined) return { kind: 'refused', reason };
  return { kind: 'steps', steps: INSTALL_STEPS.map((id) => ({ id, ...RULES[id](facts) })) };
}

function refusalOf(facts: InstallFacts): string | undefined {
  const { scope, isRoot, hiddenProgram, program, home, agentId, code } = facts;
  if (scope === 'system' && !isRoot)
    return 'only root installs for the whole machine: use sudo, or leave --system out';
  if (scope === 'system' && hiddenProgram !== undefined)
    return `the service may not read ${hiddenProgram}: unpack the archive below /opt, and install from there`;
  if (program.from === 'archive' && isOther(program))
    return `version ${program.version} is installed, and this archive has ${program.started}: run install by the installed program, bring another version by its "update", or uninstall first`;
  if (home === 'foreign') return 'the home belongs to another user: install as that user, or move it away';
  if (agentId !== undefined) return undefined;
  if (!code)
    return 'the home is not enrolled yet: give the code that "tillbridge-gateway agents enrol-code" printed';
  if (!code.isNewAgent)
    return 'the code is for an agent that exists: install takes one of "tillbridge-gateway agents enrol-code"';
  if (!code.hasAddress)
    return 'the code carries no address of the gateway: give --bridge-url, or have one issued with --bridge-url or by a gateway that has publicUrl';
  return undefined;
}

/** Whether an archive was started that has another version than the slot. */
function isOther({ version, started }: { readonly version?: string; readonly started?: string }): boolean {
  return version !== undefined && started !== undefined && version !== started;
}
