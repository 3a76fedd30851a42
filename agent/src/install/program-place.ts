import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK_FILE } from '@tillbridge/platform/home-lock.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { copyIntoFirstSlot } from '../update/slots/copy-program.js';
import { commandIn, programFolder, Places as Slots } from '../update/slots/places.js';
import { UPDATE_FILE } from '../update/slots/update-file.js';
import { makeOpenFolder } from './open-file.js';
import { onDisk, type Places } from './places.js';

/** Folders that a service with `ProtectHome` and `PrivateTmp` does not see. */
const HIDDEN_FOLDERS = ['/home/', '/root/', '/run/user/', '/tmp/', '/var/tmp/'];

/** Where the program that runs is, and what the service of the installation starts. */
export type ProgramPlace =
  /** Of an archive that was unpacked: it goes into a slot, from which it can be updated. */
  | { readonly kind: 'archive'; readonly folder: string; readonly slots: Slots; readonly words: Words }
  /** In a slot. */
  | { readonly kind: 'slot'; readonly slots: Slots; readonly words: Words }
  /** A package of the system brought it. */
  | { readonly kind: 'package'; readonly words: Words }
  /** Of npm, or a checkout. */
  | { readonly kind: 'elsewhere'; readonly words: Words };

/** Program and first arguments, as the installed system has them. */
type Words = readonly string[];

/** The place of the program that runs, for an installation. */
export function programPlace(places: Places): ProgramPlace {
  const folder = programFolder(import.meta.url);
  if (folder === undefined) return { kind: 'elsewhere', words: scriptWords() };
  if (
    folder === places.packagedProgram ||
    places.packagedUnits.some((path) => existsSync(onDisk(places, path)))
  )
    return { kind: 'package', words: [commandIn(folder)] };
  const own = new Slots(onDisk(places, places.programFolder));
  const around = Slots.around(folder);
  if (around && !isSame(around.folder, own.folder))
    return { kind: 'slot', slots: around, words: [commandIn(around.link)] };
  const words = [commandIn(new Slots(places.programFolder).link)];
  return around ? { kind: 'slot', slots: own, words } : { kind: 'archive', folder, slots: own, words };
}

/** The folder of a program that a service may not read; undefined where it may. */
export function hiddenFolder({ kind, words }: ProgramPlace): string | undefined {
  // Of an archive a copy is started.
  if (kind === 'archive') return undefined;
  const hidden = words.find((path) => HIDDEN_FOLDERS.some((folder) => path.startsWith(folder)));
  return hidden === undefined ? undefined : dirname(hidden);
}

/** The version in the slot that the link names; undefined where no slot is used yet. */
export function slotVersion(slots: Slots): string | undefined {
  const current = slots.current();
  return current && slots.recordOf(current)?.version;
}

/**
 * Puts the program into the first slot, and gives it a name in the search path where that is free.
 * @throws as {@link copyIntoFirstSlot}
 */
export async function putIntoSlot(
  { folder, slots }: ProgramPlace & { kind: 'archive' },
  places: Places,
): Promise<void> {
  makeOpenFolder(dirname(slots.folder));
  await copyIntoFirstSlot(folder, slots);
  const link = onDisk(places, places.commandLink);
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  makeOpenFolder(dirname(link));
  symlinkSync(commandOf(places), link);
}

/** Removes the slots, and the name in the search path where that is theirs. What a person has put next to the slots stays. */
export function removeProgram(places: Places): void {
  const link = onDisk(places, places.commandLink);
  if (linkTarget(link) === commandOf(places)) rmSync(link);
  const slots = new Slots(onDisk(places, places.programFolder));
  // First: what it names is gone next.
  rmSync(slots.link, { force: true });
  rmSync(slots.slots, { recursive: true, force: true });
  if (!existsSync(slots.folder)) return;
  for (const name of readdirSync(slots.folder)) if (isOwn(name)) rmSync(join(slots.folder, name));
  if (readdirSync(slots.folder).length === 0) rmdirSync(slots.folder);
}

/** A file that an update writes, or one that did not get its name because the process ended. */
function isOwn(name: string): boolean {
  return [UPDATE_FILE, LOCK_FILE, `${LOCK_FILE}-journal`].includes(name) || /^\..+\.new$/.test(name);
}

function commandOf({ programFolder: folder }: Places): string {
  return commandIn(new Slots(folder).link);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (['ENOENT', 'EINVAL'].includes(systemCode(error))) return undefined;
    throw error;
  }
}

function isSame(one: string, other: string): boolean {
  return one === other || (existsSync(other) && realpathSync(one) === realpathSync(other));
}

/** This Node.js and the script that it runs. */
function scriptWords(): Words {
  const script = process.argv[1];
  return script === undefined ? [process.execPath] : [process.execPath, realpathSync(script)];
}
