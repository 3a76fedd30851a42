import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { readIfThere } from '@tillbridge/platform/read-file.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { syncPath } from '@tillbridge/platform/write-file.js';
import { UpdateUsageError } from '../base/update-error.js';
import type { Slot } from '../machine/update-machine.js';

/** Folder of the slots, in the folder of an installation. */
const SLOTS = 'slots';
/** The link to the slot whose program the service starts. */
const CURRENT = 'current';

/** The command of the program in a folder. */
export function commandIn(folder: string): string {
  return join(folder, 'bin', 'tillbridge-agent');
}

/** Name of the root document in the folder of a program: by it the next release is trusted. */
export const ROOT_NAME = 'update-root.json';

/** The slot that a release goes to. */
export const OTHER: Readonly<Record<Slot, Slot>> = { a: 'b', b: 'a' };

/** What a packed program knows of itself. */
export interface BuildRecord {
  readonly version: string;
  readonly release: number;
}

/**
 * The folder of the packed program that a module belongs to; undefined in a checkout or a folder of npm.
 * @param module `import.meta.url` of the module
 */
export function programFolder(module: string): string | undefined {
  const folder = dirname(fileURLToPath(packageFolder(module)));
  return buildRecord(folder) && folder;
}

/** Undefined where no whole program is. */
export function buildRecord(folder: string): BuildRecord | undefined {
  const content = readIfThere(join(folder, 'BUILD.json'));
  if (!content) return undefined;
  const { version, release = 0 } = parsed(Buffer.from(content).toString('utf8'));
  return version === undefined ? undefined : { version, release };
}

function parsed(text: string): Partial<BuildRecord> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<BuildRecord>;
  } catch {
    return {};
  }
}

/** The places of an installation: two slots, and a link that names one of them. */
export class Places {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** The installation of a program in a slot; undefined where it is in none. */
  static around(program: string): Places | undefined {
    const isSlot = basename(dirname(program)) === SLOTS && ['a', 'b'].includes(basename(program));
    return isSlot ? new Places(dirname(dirname(program))) : undefined;
  }

  get slots(): string {
    return join(this.folder, SLOTS);
  }

  slot(slot: Slot): string {
    return join(this.slots, slot);
  }

  /** Where a release is unpacked and rehearsed: the program of before stays in its slot until the new one takes its place. */
  get next(): string {
    return join(this.slots, 'next');
  }

  /** Moves the unpacked release into a slot that the link does not name; nothing where that was done before. */
  install(slot: Slot, release: number): void {
    if (buildRecord(this.next)?.release !== release) return;
    rmSync(this.slot(slot), { recursive: true, force: true });
    renameSync(this.next, this.slot(slot));
    syncPath(this.slots);
  }

  /** What the service starts. */
  get link(): string {
    return join(this.folder, CURRENT);
  }

  /** The slot that the link names; undefined where there is none. @throws UpdateUsageError where something else is in its place */
  current(): Slot | undefined {
    try {
      const slot = basename(readlinkSync(this.link));
      return slot === 'a' || slot === 'b' ? slot : undefined;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      if (!['EINVAL', 'ENOTDIR'].includes(systemCode(error))) throw error;
      throw new UpdateUsageError(`${this.link} is no link to a slot: move ${this.folder} away`);
    }
  }

  /** Lets the link name a slot: after a power cut it names the old one or the new one. */
  switchTo(slot: Slot): void {
    const next = join(this.folder, `.${CURRENT}.new`);
    rmSync(next, { force: true });
    symlinkSync(join(SLOTS, slot), next);
    renameSync(next, this.link);
    syncPath(this.folder);
  }

  /** What is in a slot; undefined where no whole program is. */
  recordOf(slot: Slot): BuildRecord | undefined {
    return buildRecord(this.slot(slot));
  }
}
