import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../stack/layout.js';
import { PackageFailure } from '../package-failure.js';
import { PROGRAMS, type Program, type Target } from '../targets.js';
import { containerfileOf } from './container-files.js';
import { healthCommand, type Instruction, instructionsOf, lastOf, wordsOf } from './containerfile.js';

const run = promisify(execFile);
/** How long the steps of one file may take, in milliseconds. */
const BUILD_TIMEOUT_MS = 300_000;
/** How often the health check runs, once a second, until the program listens. */
const HEALTH_TRIES = 60;

/** What a program of an image is started with in a trial, and what goes before it. */
const TRIALS: Readonly<
  Record<Program['name'], { readonly before: string; readonly env: string; readonly args: string }>
> = {
  gateway: { before: 'init', env: 'GATEWAY_PORT=18080', args: 'serve' },
  simulator: { before: '', env: 'SIM_PORT=18095 SIM_AUTO=1', args: 'run' },
  // An agent without its gateway does not begin.
  agent: { before: '', env: '', args: '' },
};

/**
 * Run by a shell with mounts and processes of its own: a copy of this system in memory stands for the base image. $1 is an empty folder, $2 the
 * checkout, $3 the folder of the packages.
 */
const BUILD = `
set -e
place=$1 checkout=$2 packages=$3
mount -t tmpfs none "$place"
for stage in 0 1; do
  mkdir -p "$place/upper$stage" "$place/work$stage" "$place/root$stage"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper$stage,workdir=$place/work$stage" "$place/root$stage"
  mount -t tmpfs none "$place/root$stage$checkout"
  mount --rbind /dev "$place/root$stage/dev"
done
eval "$STEPS"
mount --bind "$place/root1$HOME_FOLDER" "$place/root1$HOME_FOLDER"
mount -t tmpfs none "$place/root1/tmp"
mount -t proc proc "$place/root1/proc"
mount -o remount,bind,ro "$place/root1" 2>/dev/null || mount -o remount,ro "$place/root1"
eval "$TRIAL"
`;

/**
 * Carries out the steps of each Containerfile in a copy of this system, then runs gateway and simulator from there, as the user of the image with a
 * read-only root, until the health check of the image is content. No daemon is needed.
 * @throws PackageFailure where something of it fails
 */
export async function tryContainers(
  folder: string,
  target: Target,
  note: (text: string) => void,
): Promise<void> {
  if (process.getuid?.() !== 0) return note('try: containers are not tried: that needs root, or a daemon');
  for (const program of PROGRAMS) {
    const place = mkdtempSync(join(tmpdir(), 'tillbridge-container-'));
    try {
      const instructions = instructionsOf(readFileSync(containerfileOf(program), 'utf8'));
      const [home = ''] = wordsOf(lastOf(instructions, 'VOLUME') ?? { line: 0, name: 'VOLUME', text: '[]' });
      const words = ['--mount', '--pid', '--fork', 'sh', '-c', BUILD, 'sh', place, ROOT, folder];
      const STEPS = stepsOf(instructions, target).join('\n');
      const TRIAL = trialOf(program, instructions);
      const env = { ...process.env, STEPS, TRIAL, HOME_FOLDER: home };
      const { stdout } = await run('unshare', words, { env, timeout: BUILD_TIMEOUT_MS });
      note(`try: the container of ${program.name}: ${stdout.trim().split('\n').at(-1)}`);
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { readonly stderr?: string; readonly stdout?: string };
      throw new PackageFailure(
        `the container of ${program.name} does not work\n${stdout}${stderr || String(error)}`.trim(),
      );
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
}

/** The steps as commands of a shell; `$place/root0` is the first stage, `root1` the image. */
function stepsOf(instructions: readonly Instruction[], { debian }: Target): string[] {
  let stage = -1;
  return instructions.flatMap(({ name, text }) => {
    if (name === 'FROM') stage += 1;
    if (name === 'COPY') return [copyStep(text, stage)];
    // Each command is part of "and" or ends the step: as in an image, the step fails with it.
    if (name === 'RUN') return [`TARGETARCH=${debian} chroot "$place/root${stage}" sh -ec ${quoted(text)}`];
    return [];
  });
}

function copyStep(text: string, stage: number): string {
  const [, from, source = '', to = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
  const root = `$place/root${stage}`;
  if (from !== undefined) return `mkdir -p "${root}${to}" && cp -a "$place/root0${source}/." "${root}${to}"`;
  return `mkdir -p "${root}${to}" && cp "$packages"/${source} "${root}${to}"`;
}

/** Runs the program as the image does, and asks its health check. */
function trialOf(program: Program, instructions: readonly Instruction[]): string {
  const text = (name: string): string => lastOf(instructions, name)?.text ?? '';
  const [user, group] = text('USER').split(':');
  const [entry = ''] = wordsOf(
    lastOf(instructions, 'ENTRYPOINT') ?? { line: 0, name: 'ENTRYPOINT', text: '[]' },
  );
  const { before, env, args } = TRIALS[program.name];
  const inside = `setpriv --reuid ${user} --regid ${group} --clear-groups --no-new-privs env -i PATH=/usr/bin:/bin ${text('ENV')} ${env}`;
  const chroot = `chroot --userspec=0:0 "$place/root1" ${inside}`;
  const health = healthCommand(instructions).map(quoted).join(' ');
  if (args === '') return `${chroot} ${entry} --version | head -1`;
  return [
    before && `${chroot} ${entry} ${before} > /dev/null`,
    `${chroot} sh -c 'touch /written 2>/dev/null' && { echo "the root can be written" >&2; exit 1; }`,
    `${chroot} ${entry} ${args} > "$place/out" 2>&1 & pid=$!`,
    `for try in $(seq 1 ${HEALTH_TRIES}); do`,
    `  ${chroot} ${health} && { echo "runs as user ${user} with a read-only root; its health check is content after $try tries"; kill $pid; wait $pid || true; exit 0; }`,
    '  sleep 1',
    'done',
    'cat "$place/out" >&2; exit 1',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
