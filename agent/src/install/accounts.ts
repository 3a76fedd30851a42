import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user of the system, and its groups by number. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** Groups that own serial lines and USB devices, as Debian names them. */
const PORT_GROUPS = ['dialout', 'plugdev'];

interface Group {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/**
 * A user by its name; undefined where there is none.
 * @param root what stands for the root of the system; empty: the system itself
 */
export function readAccount(root: string, name: string): Account | undefined {
  const fields = linesOf(root, 'passwd').find(([user]) => user === name);
  if (!fields) return undefined;
  const [uid, gid] = [Number(fields[2]), Number(fields[3])];
  const further = groupsOf(root).filter(({ members }) => members.includes(name));
  return { name, uid, gid, groups: [gid, ...further.map((group) => group.gid)] };
}

/** Groups of ports that the system has and the user is not in. */
export function missingGroups(root: string, name: string): readonly string[] {
  return groupsOf(root)
    .filter((group) => PORT_GROUPS.includes(group.name) && !group.members.includes(name))
    .map((group) => group.name);
}

function groupsOf(root: string): readonly Group[] {
  return linesOf(root, 'group').map(([name = '', , gid, members = '']) => ({
    name,
    gid: Number(gid),
    members: members.split(','),
  }));
}

function linesOf(root: string, file: string): readonly (readonly string[])[] {
  try {
    const text = readFileSync(join(root || '/', 'etc', file), 'utf8');
    return text.split('\n').map((line) => line.split(':'));
  } catch {
    return [];
  }
}

/**
 * Does work of root as another user: what it makes belongs to that user, and it may use what that user may. Nothing else runs meanwhile.
 * @param account undefined: the work is done as it is
 */
export async function asAccount<T>(account: Account | undefined, work: () => Promise<T>): Promise<T> {
  const { getgroups, setgroups, setegid, seteuid } = process;
  // Work within such work is done as that user already.
  const isRoot = process.geteuid?.() === 0;
  if (!account || !isRoot || !getgroups || !setgroups || !setegid || !seteuid) return work();
  const before = getgroups();
  setgroups([...account.groups]);
  setegid(account.gid);
  seteuid(account.uid);
  try {
    return await work();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(before);
  }
}
