import { accessSync, constants, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import type { DeviceFile } from './port-advice.js';
import { userName } from './user-name.js';

const GROUPS = '/etc/group';

interface Group {
  readonly name: string;
  readonly members: readonly string[];
}

function groupOf(gid: number): Group | undefined {
  let text: string;
  try {
    text = readFileSync(GROUPS, 'utf8');
  } catch {
    return undefined;
  }
  for (const line of text.split('\n')) {
    const [name, , id, members = ''] = line.split(':');
    if (name && Number(id) === gid) return { name, members: members.split(',') };
  }
  return undefined;
}

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where packages of the system keep their rules. */
const RULE_FOLDERS = ['/usr/lib/udev/rules.d', '/lib/udev/rules.d', '/etc/udev/rules.d'];

function hasBrailleRules(): boolean {
  return RULE_FOLDERS.some((folder) => {
    try {
      return readdirSync(folder).some((name) => name.includes('brltty'));
    } catch {
      return false;
    }
  });
}

/** Looks at the file of a port; a link is followed. One in a folder of others is there, and this user may not use it. */
export function lookAtDeviceFile(path: string): DeviceFile {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    return { path, exists: true, accessible: false, inGroup: false };
  }
  if (!stats) {
    return {
      ...{ path, exists: false, accessible: false, inGroup: false },
      ...(hasBrailleRules() && { isBrailleReady: true }),
    };
  }
  const group = groupOf(stats.gid);
  const inGroup = group?.members.includes(userName()) ?? false;
  return { path, exists: true, accessible: mayUse(path), inGroup, ...(group && { group: group.name }) };
}
