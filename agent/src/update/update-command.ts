import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentConfig } from '../config/config.js';
import { EXIT_CODES } from '../errors/error-table.js';
import { JOURNAL_SPAN } from '../journal/sqlite-schema.js';
import { copyBeforeUpdate } from './base/journal-copy.js';
import { UpdateUsageError } from './base/update-error.js';
import { carryOut, takeUp } from './carry-out.js';
import {
  isReplaceable,
  isUnderWay,
  nextState,
  type Plan,
  type UpdateState,
} from './machine/update-machine.js';
import { findRelease } from './release-source.js';
import { copyIntoFirstSlot } from './slots/copy-program.js';
import { lockUpdates } from './slots/lock-updates.js';
import { commandIn, OTHER, Places, programFolder, ROOT_NAME } from './slots/places.js';
import { UpdateFile, type UpdateRecord } from './slots/update-file.js';
import { judgeRelease, readFirstRoot, type Verdict } from './trust/judge-release.js';
import { currentSlot, type UpdateDeps, updatePorts } from './update-run.js';

/** Options of `update`. */
export interface UpdateOptions {
  readonly config?: string;
  readonly check?: boolean;
  readonly now?: boolean;
  readonly json?: boolean;
}

/** Where the commands write to. */
interface Output {
  readonly out: (text: string) => void;
  readonly note: (text: string) => void;
}

/** What the commands of an update work with. */
export interface UpdateCommandDeps extends Pick<UpdateDeps, 'config' | 'env' | 'status'> {
  readonly output: Output;
}

/** Exit code of a command that has done what it was called for. */
const OK = 0;

/**
 * Updates the agent to the release of a place, or goes on with an update that was interrupted; resolves with the exit code.
 * @throws UpdateUsageError, UpdateError; nothing was changed then
 */
export async function updateAgent(
  place: string | undefined,
  options: UpdateOptions,
  deps: UpdateCommandDeps,
): Promise<number> {
  const places = placesOfProgram();
  if (options.check) return checkRelease(place, places, options, deps);
  return withUpdateLock(places, async () => {
    const file = new UpdateFile(places.folder);
    const ports = updatePorts({
      ...deps,
      ...portOptions(places, file, options, deps),
      now: options.now ?? false,
    });
    const left = file.read().state;
    if (place === undefined) {
      if (isUnderWay(left)) return ended(await takeUp(left, ports), options, deps.output);
      return showUpdate(options, deps.output);
    }
    // What has begun to touch the store is brought to its end first.
    if (!isReplaceable(left)) {
      const state = await takeUp(left, ports);
      deps.output.note('an interrupted update came first');
      return ended(state, options, deps.output);
    }
    const found = await findRelease(place);
    const verdict = judge(found.bytes, places, file.read(), deps);
    if (!verdict.accepted) return refused(verdict.reason, options, deps.output);
    const { release, file: archive, trust } = verdict;
    const from = currentSlot(places);
    const plan: Plan = {
      kind: 'update',
      release: release.release,
      version: release.version,
      slot: OTHER[from],
      from,
    };
    const state = nextState(left, { kind: 'begin', plan });
    const source = {
      archive: resolved(found.placeOf(archive.name)),
      bytes: archive.bytes,
      sha256: archive.sha256,
    };
    file.write({ state, source, ...trust, latestMs: latestMs(file.read()) });
    return ended(await carryOut(state, ports), options, deps.output);
  });
}

/** Goes back to the program of before; resolves with the exit code. @throws UpdateUsageError, UpdateError */
export async function rollBackAgent(options: UpdateOptions, deps: UpdateCommandDeps): Promise<number> {
  const places = placesOfProgram();
  return withUpdateLock(places, async () => {
    const file = new UpdateFile(places.folder);
    const ports = updatePorts({
      ...deps,
      ...portOptions(places, file, options, deps),
      now: options.now ?? false,
    });
    const left = file.read().state;
    if (!isReplaceable(left)) return ended(await takeUp(left, ports), options, deps.output);
    const from = currentSlot(places);
    const slot = OTHER[from];
    const record = places.recordOf(slot);
    if (!record) throw new UpdateUsageError(`slot ${slot} has no program: there is nothing to go back to`);
    const plan: Plan = { kind: 'rollback', ...record, slot, from };
    const state = nextState(left, { kind: 'begin', plan });
    file.write({ ...file.read(), state });
    return ended(await carryOut(state, ports), options, deps.output);
  });
}

/** Shows what is in the slots and how the last update came out; resolves with the exit code. */
export function showUpdate(options: Pick<UpdateOptions, 'json'>, output: Output): number {
  const places = placesOfProgram();
  const current = currentSlot(places);
  const { state, newest, root } = new UpdateFile(places.folder).read();
  const trusted = trustedRoot(root, undefined);
  const shown = {
    folder: places.folder,
    current: { slot: current, ...places.recordOf(current) },
    other: { slot: OTHER[current], ...places.recordOf(OTHER[current]) },
    state,
    ...(newest && { newestRelease: newest.release }),
    ...(trusted && { root: { version: trusted.version, expires: trusted.expires } }),
  };
  output.out(options.json ? JSON.stringify(shown, null, 2) : statusText(shown));
  return OK;
}

/** Puts a copy of the running program into the first slot of a new installation; resolves with the exit code. @throws UpdateUsageError */
export async function adoptProgram(folder: string, output: Output): Promise<number> {
  const program = programFolder(import.meta.url);
  if (!program) throw notPacked();
  const places = new Places(folder);
  if (places.current())
    throw new UpdateUsageError(`${places.folder} has slots already: run ${commandIn(places.link)}`);
  await copyIntoFirstSlot(program, places);
  output.out(`${places.slot('a')} has the program: let the service start ${commandIn(places.link)}`);
  return OK;
}

/** Shows that this program can take a home over; resolves with the exit code. @throws UpdateError */
export async function rehearseUpdate(config: AgentConfig): Promise<number> {
  const { rehearse } = await import('./rehearsal/rehearse.js');
  await rehearse(config);
  return OK;
}

/** Copies the journal of a home whose agent has ended; resolves with the exit code. @throws UpdateError */
export async function copyJournalForUpdate(config: AgentConfig): Promise<number> {
  await copyBeforeUpdate(config.home);
  return OK;
}

function placesOfProgram(): Places {
  const program = programFolder(import.meta.url);
  if (!program) throw notPacked();
  const places = Places.around(program);
  if (places) return places;
  throw new UpdateUsageError(
    `${program} is no slot: "tillbridge-agent update adopt FOLDER" puts this program into one; what dpkg or npm has installed they bring up to date`,
  );
}

function notPacked(): UpdateUsageError {
  return new UpdateUsageError(
    'this program is no package of "npm run package": it cannot be updated by itself',
  );
}

async function withUpdateLock(places: Places, work: () => Promise<number>): Promise<number> {
  const lock = await lockUpdates(places.folder);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

function portOptions(
  places: Places,
  file: UpdateFile,
  { config: configFile, json }: UpdateOptions,
  deps: UpdateCommandDeps,
) {
  const { output } = deps;
  return {
    configFile: configFile === undefined ? undefined : resolve(configFile),
    places,
    file,
    tell: (state: UpdateState, notYet?: string) => {
      if (!json) output.note(notYet === undefined ? phaseText(state) : `waiting: ${notYet}`);
    },
  };
}

async function checkRelease(
  place: string | undefined,
  places: Places,
  options: UpdateOptions,
  deps: UpdateCommandDeps,
): Promise<number> {
  if (place === undefined) throw new UpdateUsageError('--check needs FILE or URL');
  const { bytes } = await findRelease(place);
  const verdict = judge(bytes, places, new UpdateFile(places.folder).read(), deps);
  if (!verdict.accepted) return refused(verdict.reason, options, deps.output);
  const { release, version, expires } = verdict.release;
  const shown = { accepted: true, release, version, expires, archive: verdict.file.name };
  deps.output.out(
    options.json
      ? JSON.stringify(shown, null, 2)
      : `release ${release}, version ${version}, can be installed until ${expires}: ${verdict.file.name}`,
  );
  return OK;
}

function refused(reason: string, { json }: UpdateOptions, output: Output): number {
  if (json) output.out(JSON.stringify({ accepted: false, reason }, null, 2));
  else output.note(`refused: ${reason}`);
  return EXIT_CODES.declined[2];
}

function judge(
  bytes: Uint8Array,
  places: Places,
  record: UpdateRecord,
  { config }: UpdateCommandDeps,
): Verdict {
  const { root, newest } = record;
  const trusted = trustedRoot(root, config.update.rootFile);
  if (!trusted)
    throw new UpdateUsageError(
      'this program came without a root document, so no release can be trusted: name one with update.rootFile',
    );
  const release = places.recordOf(currentSlot(places))?.release ?? 0;
  const target = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';
  const installed = { program: 'agent', target, release, journal: JOURNAL_SPAN.number } as const;
  return judgeRelease(bytes, { root: trusted, ...(newest && { newest }) }, installed, latestMs(record));
}

/** The newer of what was followed before and what came with the program, or is configured. */
function trustedRoot(followed: UpdateRecord['root'], configured: string | undefined): UpdateRecord['root'] {
  const path = configured ?? join(programFolder(import.meta.url) ?? '', ROOT_NAME);
  if (configured === undefined && !existsSync(path)) return followed;
  try {
    const first = readFirstRoot(readFileSync(path));
    return followed && followed.version >= first.version ? followed : first;
  } catch (error) {
    throw new UpdateUsageError(`${path} is no root document: ${(error as Error).message}`);
  }
}

/** A clock that was set back makes no release valid again. */
function latestMs({ latestMs: before }: UpdateRecord): number {
  return Math.max(Date.now(), before);
}

function resolved(place: string): string {
  return /^https?:/.test(place) ? place : resolve(place);
}

function ended(state: UpdateState, { json }: UpdateOptions, output: Output): number {
  if (json) output.out(JSON.stringify(state, null, 2));
  if (isUnderWay(state)) return EXIT_CODES.unknown[2];
  return state.phase === 'updated' ? OK : EXIT_CODES.declined[2];
}

const TEXTS: Readonly<Record<UpdateState['phase'], string>> = {
  idle: 'no update was begun',
  unpacking: 'the release is verified and unpacked',
  rehearsing: 'the program opens a copy of the journal and sells on a simulated terminal',
  waiting: 'the store is looked at: the agent is stopped while it is idle',
  stopping: 'the agent is stopped',
  copying: 'the journal is verified and copied',
  switching: 'the link is switched',
  starting: 'the program is started, and is looked at until it is healthy',
  resuming: 'the program of before is started: nothing was switched',
  'going-back': 'the program is stopped: it is not healthy',
  'switching-back': 'the link is switched back',
  restarting: 'the program of before is started',
  updated: 'done',
  refused: 'REFUSED, and nothing was changed',
  'rolled-back': 'ROLLED BACK to the program of before',
  stuck:
    'STUCK: the program of before is not healthy either; see its log, then run "tillbridge-agent doctor"',
};

function phaseText(state: UpdateState): string {
  const text = TEXTS[state.phase];
  if (state.phase === 'idle') return text;
  const { plan, reason } = state;
  return `${plan.kind} to ${plan.version} (release ${plan.release}): ${text}${reason === undefined ? '' : `: ${reason}`}`;
}

interface Shown {
  readonly current: { readonly slot: string; readonly version?: string; readonly release?: number };
  readonly other: Shown['current'];
  readonly state: UpdateState;
  readonly newestRelease?: number;
  readonly root?: { readonly version: number; readonly expires: string };
}

function statusText({ current, other, state, newestRelease, root }: Shown): string {
  const slotText = ({ slot, version, release }: Shown['current']) =>
    version === undefined ? `slot ${slot}, empty` : `slot ${slot}, version ${version}, release ${release}`;
  return [
    `current   ${slotText(current)}`,
    `other     ${slotText(other)}`,
    `update    ${phaseText(state)}`,
    `newest    ${newestRelease === undefined ? 'no release was accepted yet' : `release ${newestRelease} was accepted`}`,
    `root      ${root ? `document ${root.version}, until ${root.expires}` : 'none: no release can be trusted'}`,
  ].join('\n');
}
