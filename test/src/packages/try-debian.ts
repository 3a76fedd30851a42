import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../stack/layout.js';
import type { BuildIdentity } from './build-identity.js';
import { PackageFailure } from './package-failure.js';
import { PROGRAMS, type Target } from './targets.js';

const run = promisify(execFile);
/** How long the installation may take on a busy machine, in milliseconds. */
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Run by a shell with mounts of its own: makes a copy of this system that lives in memory, without the checkout ($2), and goes there.
 * $1 is an empty folder; the rest are a shell and what it runs in the copy.
 */
const COPY_SYSTEM = `
set -e
place=$1 checkout=$2
shift 2
mount -t tmpfs none "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
mkdir -p "$place/root/packages"
for file in "$@"; do cp "$file" "$place/root/packages/"; done
mount -t tmpfs none "$place/root$checkout"
mount --rbind /dev "$place/root/dev"
mount --rbind /proc "$place/root/proc"
exec chroot "$place/root" sh -ec "$INSIDE"
`;

/** Run in the copy: installs, runs each program as its own user, installs again as an upgrade does, removes, purges. */
const INSIDE = `
dpkg -i /packages/*.deb
as() { setpriv --reuid "$1" --regid "$1" --init-groups env -i PATH=/usr/bin:/bin "$2" --version; }
as tillbridge-agent tillbridge-agent
as tillbridge tillbridge-gateway
test -d /usr/lib/tillbridge-agent/agent/dist/bundle/code
test -d /usr/lib/tillbridge-gateway/gateway/dist/bundle/code
id -nG tillbridge-agent | grep -w dialout > /dev/null
stat -c '%U %a %n' /var/lib/tillbridge-agent /var/lib/tillbridge
test "$(stat -c '%U %a' /var/lib/tillbridge-agent)" = 'tillbridge-agent 700'
test "$(stat -c '%U %a' /var/lib/tillbridge)" = 'tillbridge 700'
systemd-analyze verify --man=no tillbridge-agent.service tillbridge-gateway@a.service
touch /var/lib/tillbridge-agent/journal.db
dpkg -i /packages/*.deb > /dev/null
dpkg -r tillbridge-agent tillbridge-gateway > /dev/null
test ! -e /usr/bin/tillbridge-agent
test ! -e /usr/lib/tillbridge-agent
dpkg -P tillbridge-agent tillbridge-gateway
test -e /var/lib/tillbridge-agent/journal.db
`;

/**
 * Installs the packages for Debian into a copy of this system, upgrades and removes them. This system stays as it is.
 * @throws PackageFailure where something of it fails
 */
export async function tryDebian(
  folder: string,
  { debianVersion }: BuildIdentity,
  { debian }: Target,
  note: (text: string) => void,
): Promise<void> {
  if (process.getuid?.() !== 0) return note('try: packages for Debian are not tried: that needs root');
  const files = PROGRAMS.filter((program) => program.debian).map(({ command }) =>
    join(folder, `${command}_${debianVersion}_${debian}.deb`),
  );
  const place = mkdtempSync(join(tmpdir(), 'tillbridge-debian-'));
  try {
    const words = ['--mount', 'sh', '-c', COPY_SYSTEM, 'sh', place, ROOT, ...files];
    const env = { ...process.env, INSIDE };
    const { stdout } = await run('unshare', words, { env, timeout: INSTALL_TIMEOUT_MS });
    for (const line of stdout.trim().split('\n')) note(`try: ${line}`);
    note('try: packages for Debian install, upgrade and go; the journal stays');
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { readonly stderr?: string; readonly stdout?: string };
    throw new PackageFailure(
      `the packages for Debian do not install\n${stdout}${stderr || String(error)}`.trim(),
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
