import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readYamlFile } from '@tillbridge/platform/config/yaml-file.js';
import { NamedError } from '@tillbridge/wire/errors/coded-error.js';
import { HOME_FILES } from '../home/home-files.js';
import { JournalUnavailable } from '../journal/journal.js';
import { JournalFile, NoJournalError } from '../journal/verify-file.js';
import { scopeOf } from './install-agent.js';
import { Installation } from './installation.js';
import { onDisk } from './places.js';
import { removeProgram } from './program-place.js';
import { runSteps, type StepsDeps } from './run-steps.js';
import {
  InstallError,
  ownAll,
  removeUdevRules,
  removeUnit,
  removeUser,
  type StepResult,
  startService,
  stopService,
} from './system-steps.js';
import { planUninstall, type UninstallFacts, type UninstallStepId } from './uninstall-plan.js';

/** Nothing was removed; the message has the reason. */
export class InstallRefusedError extends NamedError {}

/** Options of `uninstall` as commander gives them. */
export interface UninstallOptions {
  readonly system?: boolean;
  readonly user?: boolean;
  readonly root?: string;
  readonly keepHome?: boolean;
  readonly purge?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Removes what install made; the home stays unless `--purge` names its agent. Resolves with the exit code.
 * @throws InstallRefusedError while money is owed or may be, or the name is another one
 */
export async function uninstallAgent(
  options: UninstallOptions,
  deps: StepsDeps & { readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  if (options.keepHome && options.purge !== undefined)
    throw new InstallError('give one of --keep-home, --purge');
  const scope = scopeOf(options);
  if (scope === 'system' && process.getuid?.() !== 0)
    throw new InstallError('only root removes the installation of the machine: use sudo');
  const installation = new Installation(
    scope,
    deps.env,
    options.root === undefined ? '' : resolve(options.root),
  );
  const facts = await factsOf(installation, options.purge);
  const plan = planUninstall(facts);
  if (plan.kind === 'refused') throw new InstallRefusedError(plan.reason);
  const { steps, exitCode } = await runSteps(plan.steps, workOf(installation, options), options, deps);
  // Of a home that stays the record has the terminal ids: an installation that comes back needs no other code.
  if (exitCode === 0 && !options.dryRun && !existsSync(installation.path('home')))
    rmSync(installation.path('recordFile'), { force: true });
  const { home } = installation.places;
  if (options.json) deps.output.out(JSON.stringify({ home, steps }, undefined, 2));
  return exitCode;
}

async function factsOf(installation: Installation, purge: string | undefined): Promise<UninstallFacts> {
  const hasHome = existsSync(installation.path('home'));
  const movedTo = movedHome(installation);
  const agentId = hasHome ? await installation.agentId() : undefined;
  return {
    made: installation.record.made,
    hasManager: installation.hasManager,
    isRunning: hasHome && (await installation.isRunning()),
    ...(await debtOf(installation)),
    ...(agentId !== undefined && { agentId }),
    hasHome,
    ...(movedTo !== undefined && { movedTo }),
    ...(purge !== undefined && { purge }),
  };
}

/** The home of the configuration, where that is another one. @throws ConfigError for a file that cannot be read */
function movedHome({ places }: Installation): string | undefined {
  const path = onDisk(places, places.configFile);
  const settings = existsSync(path) ? (readYamlFile(path) as { readonly home?: unknown } | null) : null;
  const home = settings?.home;
  return typeof home === 'string' && resolve(home) !== places.home ? home : undefined;
}

/** What the journal of the home owes; a home without one owes nothing. */
async function debtOf(installation: Installation): Promise<Pick<UninstallFacts, 'owed' | 'unreadable'>> {
  const path = join(installation.path('home'), HOME_FILES.journal);
  try {
    const { messages, sales } = await installation.asService(async () => {
      const file = await JournalFile.open(path);
      try {
        return await file.owed();
      } finally {
        await file.close();
      }
    });
    return { owed: { messages: messages.length, sales } };
  } catch (error) {
    if (error instanceof NoJournalError) return { owed: { messages: 0, sales: [] } };
    if (error instanceof JournalUnavailable) return { owed: undefined, unreadable: error.message };
    throw error;
  }
}

function workOf(
  installation: Installation,
  { purge }: UninstallOptions,
): Readonly<Record<UninstallStepId, () => Promise<StepResult>>> {
  const home = installation.path('home');
  const gone = (name: string, work: () => Promise<StepResult> | StepResult) => async () => {
    const result = await work();
    installation.noteGone(name);
    return result;
  };
  return {
    stop: () => stopWithoutDebt(installation),
    unit: gone('unit', () => removeUnit(installation)),
    udev: gone('udev', () => removeUdevRules(installation)),
    config: gone('config', () => removeConfig(installation)),
    home: async () => {
      rmSync(home, { recursive: true, force: true });
      return { text: `${installation.places.home} of agent ${purge}` };
    },
    user: gone('user', () => {
      // Another user may get its number later, and must not get the keys with it.
      if (existsSync(home)) ownAll(home, 0, 0);
      return removeUser(installation);
    }),
    // Last: it may be this very program.
    program: gone('program', () => {
      removeProgram(installation.places);
      return { text: installation.places.programFolder };
    }),
  };
}

function removeConfig(installation: Installation): StepResult {
  const { configFile } = installation.places;
  // What a person wrote is not ours to delete.
  if (installation.isConfigChanged()) return { text: `${configFile} was changed by a person, and stays` };
  rmSync(installation.path('configFile'), { force: true });
  return { text: configFile };
}

/** Stops the agent, and starts it again where it owes money in the end: a sale may have run until then. */
async function stopWithoutDebt(installation: Installation): Promise<StepResult> {
  const result = await stopService(installation);
  const { owed, unreadable } = await debtOf(installation);
  if (owed && owed.messages === 0 && owed.sales.length === 0) return result;
  await startService(installation);
  throw new InstallRefusedError(
    unreadable ?? 'a sale ran until the agent was stopped, and money is owed: it runs again; uninstall later',
  );
}
