import { chownSync, existsSync, lchownSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '@tillbridge/platform/make-folder.js';
import { udevFile } from '../doctor/port-advice.js';
import { missingGroups } from './accounts.js';
import type { Installation } from './installation.js';
import { makeOpenFolder, writeOpenFile } from './open-file.js';
import { onDisk, SERVICE_NAME } from './places.js';
import { runProgram } from './run-program.js';

/** A step came to nothing; the message has the remedy. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
}

/** What a step did, and what is left to do. */
export interface StepResult {
  readonly text: string;
  readonly todo?: readonly string[];
  /** Something stands in the way of a sale. */
  readonly isBad?: true;
}

/** Highest exposure of a unit, in tenths, by `systemd-analyze security`. */
export const UNIT_EXPOSURE_TENTHS = 30;

/** Makes the user of the service, and puts it into the groups of ports. */
export async function makeUser(installation: Installation): Promise<StepResult> {
  const { places } = installation;
  const prefix = places.root === '' ? [] : ['--prefix', places.root];
  if (!installation.account) {
    const own = ['--system', '--user-group', '--home-dir', places.home, '--no-create-home'];
    await must('useradd', [...prefix, ...own, '--shell', '/usr/sbin/nologin', SERVICE_NAME]);
    installation.noteMade('user');
  }
  const groups = missingGroups(places.root, SERVICE_NAME);
  if (groups.length > 0)
    await must('usermod', [...prefix, '--append', '--groups', groups.join(','), SERVICE_NAME]);
  return { text: `user ${SERVICE_NAME}${groups.length > 0 ? `, in ${groups.join(' and ')}` : ''}` };
}

/** Makes the home, or gives one that was kept to the user of the service. */
export async function makeHome(installation: Installation): Promise<StepResult> {
  const home = installation.path('home');
  if (installation.places.scope === 'system') makeOpenFolder(dirname(home));
  makeFolder(home);
  const { account } = installation;
  // A home that is the user's already may have links that lead root elsewhere while it walks; one that was kept is root's.
  if (account && statSync(home).uid !== account.uid) ownAll(home, account.uid, account.gid);
  return { text: `${installation.places.home}, readable by its owner alone` };
}

/** Gives a folder and all in it to an owner; links are not followed. */
export function ownAll(folder: string, uid: number, gid: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  chownSync(folder, uid, gid);
}

/** Writes the rules of udev, and has them applied where udev runs. */
export async function writeUdevRules(installation: Installation): Promise<StepResult> {
  const { places } = installation;
  const { udevFile: path = '' } = places;
  writeOpenFile(onDisk(places, path), `${udevFile()}\n`);
  installation.noteMade('udev');
  const isApplied = await reloadUdev(installation);
  return isApplied
    ? { text: `${path}, applied` }
    : { text: path, todo: ['Plug the terminals in again, or restart: the rules of udev apply then.'] };
}

async function reloadUdev({ places }: Installation): Promise<boolean> {
  if (places.root !== '' || !existsSync('/run/udev')) return false;
  const reloaded = await runProgram('udevadm', ['control', '--reload']);
  return reloaded.exitCode === 0 && (await runProgram('udevadm', ['trigger'])).exitCode === 0;
}

/** Writes the unit of systemd, and has systemd rate that of a system. */
export async function writeUnit(installation: Installation): Promise<StepResult> {
  const { places } = installation;
  const path = installation.path('unitFile');
  writeOpenFile(path, installation.unit);
  installation.noteMade('unit');
  if (installation.hasManager) await systemctl(installation, 'daemon-reload');
  const rating = places.scope === 'system' ? await rateUnit(path) : undefined;
  return { text: `${places.unitFile}${rating === undefined ? '' : `, ${rating.text}`}` };
}

/** How far a unit is open, by `systemd-analyze`, as text; whether it is within the limit. */
export async function rateUnit(
  path: string,
): Promise<{ readonly text: string; readonly isWithin?: boolean }> {
  const limit = `--threshold=${UNIT_EXPOSURE_TENTHS}`;
  const { exitCode, text } = await runProgram('systemd-analyze', [
    'security',
    '--no-pager',
    '--offline=true',
    limit,
    path,
  ]);
  const exposure = /exposure level for \S+ (\d+\.\d+)/.exec(text)?.[1];
  if (exposure === undefined) return { text: 'not rated: systemd-analyze is not here, or too old' };
  return { text: `exposure ${exposure} by systemd-analyze`, isWithin: exitCode === 0 };
}

/** Has the manager of services start the agent, now and at each boot. @throws InstallError where it does not run then */
export async function startService(installation: Installation): Promise<StepResult> {
  await systemctl(installation, 'enable', '--now', SERVICE_NAME);
  const { exitCode, text } = await systemctlEnd(installation, 'is-active', SERVICE_NAME);
  if (exitCode !== 0) throw new InstallError(`the service is ${text}: see journalctl -u ${SERVICE_NAME}`);
  return { text: 'it runs, and starts at each boot' };
}

/** Has the manager of services stop the agent. @throws InstallError */
export async function stopService(installation: Installation): Promise<StepResult> {
  await systemctl(installation, 'stop', SERVICE_NAME);
  return { text: 'the agent has ended' };
}

/** Removes the unit. */
export async function removeUnit(installation: Installation): Promise<StepResult> {
  if (installation.hasManager) await systemctl(installation, 'disable', SERVICE_NAME);
  rmSync(installation.path('unitFile'), { force: true });
  if (installation.hasManager) await systemctl(installation, 'daemon-reload');
  return { text: installation.places.unitFile };
}

/** Removes the rules of udev. */
export async function removeUdevRules(installation: Installation): Promise<StepResult> {
  const { places } = installation;
  const { udevFile: path = '' } = places;
  rmSync(onDisk(places, path), { force: true });
  await reloadUdev(installation);
  return { text: path };
}

/** Removes the user of the service. A home that stays belongs to root then: another user may get its number. */
export async function removeUser(installation: Installation): Promise<StepResult> {
  const { root } = installation.places;
  await must('userdel', [...(root === '' ? [] : ['--prefix', root]), SERVICE_NAME]);
  return { text: SERVICE_NAME };
}

function systemctlEnd({ places }: Installation, ...args: readonly string[]) {
  return runProgram('systemctl', [...(places.scope === 'user' ? ['--user'] : []), ...args]);
}

async function systemctl(installation: Installation, ...args: readonly string[]): Promise<void> {
  const { exitCode, text } = await systemctlEnd(installation, ...args);
  if (exitCode !== 0) throw new InstallError(`systemctl ${args.join(' ')} failed: ${text}`);
}

async function must(program: string, args: readonly string[]): Promise<void> {
  const { exitCode, text } = await runProgram(program, args);
  if (exitCode !== 0) throw new InstallError(`${program} failed (${exitCode}): ${text}`);
}
