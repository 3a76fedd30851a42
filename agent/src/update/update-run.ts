import type { AgentConfig } from '../config/config.js';
import { crashOption } from '../journal/crash-point.js';
import { UPDATE_LIMITS } from './base/limits.js';
import { UpdateError } from './base/update-error.js';
import type { UpdatePorts } from './carry-out.js';
import type { Plan, Slot } from './machine/update-machine.js';
import { readArchive } from './release-source.js';
import { asOwnerOf, isRunning, runProgram, stopService, until } from './service.js';
import { buildRecord, commandIn, type Places } from './slots/places.js';
import { unpackArchive } from './slots/unpack.js';
import type { UpdateFile } from './slots/update-file.js';
import { isOpenAt, lacks, mayStop, type StoreStanding } from './store-standing.js';

/** What an update of an installation works with. */
export interface UpdateDeps {
  readonly config: AgentConfig;
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly places: Places;
  readonly file: UpdateFile;
  /** What the agent answers; rejects where none answers. */
  readonly status: () => Promise<StoreStanding>;
  /** True: what waits for the gateway holds nothing up, and a sale under way ends the try. */
  readonly now: boolean;
  readonly tell: UpdatePorts['tell'];
}

/** The effects of an update on an installation, its home and its service. */
export function updatePorts(deps: UpdateDeps): UpdatePorts {
  const { config, env, places, file, now, tell } = deps;
  const { home, update } = config;
  const deadlineMs = performance.now() + (now ? 0 : UPDATE_LIMITS.patienceMs);
  return {
    ...crashOption(env),
    tell,
    save: (state) => file.write({ ...file.read(), state }),
    current: () => currentSlot(places),
    unpack: (plan) => unpack(deps, plan),
    rehearse: async ({ kind, slot }) => {
      await callAs(deps, kind === 'update' ? places.next : places.slot(slot), 'rehearse');
    },
    look: async () => {
      if (!(await isRunning(home))) return { before: { linked: false, ready: [] } };
      const inWindow = update.window && isOpenAt(update.window, Date.now(), config.store.timeZone);
      return mayStop(await deps.status(), now || inWindow === true);
    },
    stop: () => stopService(update.stopCommand, home),
    copy: async ({ from }) => void (await callAs(deps, places.slot(from), 'copy-journal')),
    switchTo: (to, { kind, slot, release }) => {
      if (kind === 'update' && to === slot) places.install(slot, release);
      if (!places.recordOf(to)) throw new UpdateError(`slot ${to} has no program`);
      places.switchTo(to);
    },
    start: async (_slot, before) => {
      await runProgram(update.startCommand, UPDATE_LIMITS.stopMs);
      let reason = 'no agent answers';
      const isWell = await until(update.healthySeconds * 1_000, async () => {
        const found = await deps.status().catch((error: Error) => error);
        const lack = found instanceof Error ? found.message : lacks(found, before);
        reason = lack ?? reason;
        return lack === undefined ? true : undefined;
      });
      if (isWell) return;
      throw new UpdateError(`not healthy after ${update.healthySeconds} s: ${reason}`);
    },
    waitForIdle: async () => {
      if (performance.now() >= deadlineMs) return false;
      await new Promise((resolve) => setTimeout(resolve, UPDATE_LIMITS.idleLookMs));
      return true;
    },
  };
}

/** The slot whose program the service starts. @throws UpdateError where the link is gone: it is replaced as a whole, and never missing */
export function currentSlot(places: Places): Slot {
  const slot = places.current();
  if (slot) return slot;
  throw new UpdateError(
    `${places.link} names no slot: link it to the one that ran before, then run "update" again`,
  );
}

async function unpack({ file, places }: UpdateDeps, { release, version }: Plan): Promise<void> {
  const { source } = file.read();
  if (!source)
    throw new UpdateError('it is not known where the archive of the release is: run "update FILE" again');
  await unpackArchive(readArchive(source.archive), source, places.next);
  const found = buildRecord(places.next);
  if (found?.release === release && found.version === version) return;
  throw new UpdateError(
    `the archive has version ${found?.version} of release ${found?.release}, and the release is ${release}, version ${version}`,
  );
}

/** Calls the program in a folder, as the owner of the home. @throws UpdateError with its last words */
function callAs({ config, configFile }: UpdateDeps, folder: string, word: string): Promise<string> {
  const options = configFile === undefined ? [] : ['--config', configFile];
  const words = [...asOwnerOf(config.home), commandIn(folder), 'update', word, ...options];
  return runProgram(words, UPDATE_LIMITS.programMs);
}
