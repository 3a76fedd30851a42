import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultKsns } from '@tillbridge/hardware-sim/config/config.js';
import { ROOT } from '../stack/layout.js';
import { PackageFailure } from './package-failure.js';

const run = promisify(execFile);
const SYSTEMD = '/lib/systemd/systemd';
/** How long systemd may take, the trial with it, in milliseconds. */
const BOOT_TIMEOUT_MS = 600_000;
const AGENT_ID = 'tried-store';
const TERMINALS = [
  { id: '1001', deviceType: 'GERTEC_PPC930', serial: 'G0001001', defaultCard: 'visa-credit-online' },
  { id: '1002', deviceType: 'MAGTEK_DYNAFLEX', serial: 'B0001005', defaultCard: 'visa-credit-online' },
] as const;

/** What the trial sells from, as paths in a folder: unpacked programs, and the folders of two releases of the agent. */
export interface SystemdTrial {
  readonly folder: string;
  readonly gateway: string;
  readonly simulator: string;
  readonly first: string;
  readonly next: string;
}

/**
 * Run by a shell with mounts, processes and control groups of its own: systemd as the first process of a copy of this system that lives in memory.
 * $1 is an empty folder, $2 the checkout, $3 the folder of the programs. What the trial prints goes to "result" of that folder.
 */
const BOOT = `
set -e
place=$1 checkout=$2 programs=$3
mount --make-rprivate /
mkdir "$place/memory" "$place/out"
mount -t tmpfs none "$place/memory"
mkdir "$place/memory/upper" "$place/memory/work" "$place/memory/root"
root=$place/memory/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/memory/upper,workdir=$place/memory/work" "$root"
mkdir -p "$root/trial" "$root/programs"
mount --bind "$programs" "$root/programs"
mount --bind "$place" "$root/trial"
mount -t tmpfs none "$root$checkout"
mount -t tmpfs none "$root/run"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then mount -t cgroup2 none "$root/sys/fs/cgroup"; else
  mount -t tmpfs none "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd" "$root/sys/fs/cgroup/devices"
  mount -t cgroup -o devices cgroup "$root/sys/fs/cgroup/devices"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
mount --rbind /dev "$root/dev"
# Nothing of this system is started there but what the trial needs.
rm -rf "$root"/etc/systemd/system/*.wants
for unit in systemd-udevd systemd-timesyncd systemd-logind systemd-networkd systemd-binfmt systemd-sysctl; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit.service"
done
cat > "$root/etc/systemd/system/trial.service" <<UNIT
[Unit]
After=basic.target dbus.service
Wants=dbus.service
[Service]
Type=oneshot
ExecStart=/bin/sh -e /trial/inside.sh
StandardOutput=file:/trial/out/result
StandardError=file:/trial/out/result
ExecStopPost=/bin/systemctl --no-block exit
UNIT
printf '%s' "$INSIDE" > "$place/inside.sh"
cd "$root"
exec chroot . env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin ${SYSTEMD} --system --unit=trial.service --show-status=no
`;

/** Run there as root. Its last line is printed by the trial alone. */
const inside = ({ gateway, simulator, first, next }: SystemdTrial): string => `
export GATEWAY_HOME=/srv/gateway GATEWAY_PORT=18080
gateway() { /programs/${gateway} "$@"; }
field() { sed -n "s/.*\\"$1\\": *\\"\\([^\\"]*\\)\\".*/\\1/p" | head -1; }
entity=$(gateway seed --json | field entityId)
gateway serve > /srv/gateway.out 2>&1 &
printf '%s' '${JSON.stringify({ home: '/srv/simulator', port: 0, auto: true, autoDelayMs: 0, terminals: TERMINALS })}' > /srv/simulator.yaml
/programs/${simulator} run --config /srv/simulator.yaml > /srv/simulator.out 2>&1 &
for try in $(seq 1 600); do
  grep -q ^listening /srv/gateway.out && grep -q ^listening /srv/simulator.out && break
  sleep 0.1
done
# A serial line of the simulator is that of its process; the service is another user.
line=$(readlink -f /srv/simulator/ports/1001)
chmod 755 /srv/simulator /srv/simulator/ports
chmod 666 "$line" /srv/simulator/ports/1002.hid
address=ws://127.0.0.1:$GATEWAY_PORT/bridge
code=$(gateway agents enrol-code --entity "$entity" --agent ${AGENT_ID} --terminal 1001 1002 --bridge-url "$address" | field code)
# The user of the service may not read it there.
mkdir -m 700 /root/unpacked
tar -xzf /programs/${first}/*.tar.gz -C /root/unpacked --strip-components=1
/root/unpacked/bin/tillbridge-agent install "$code" --port "1001=$line" --port 1002=unix:/srv/simulator/ports/1002.hid || test $? = 1
printf '%s' '${JSON.stringify(DEVICES)}' > /srv/devices.yaml
gateway seed --json --devices /srv/devices.yaml > /dev/null
tillbridge-agent install
systemctl is-active tillbridge-agent
systemctl cat tillbridge-agent | grep '^ExecStart=/opt/tillbridge-agent/current/bin/tillbridge-agent run'
export AGENT_URL=http://127.0.0.1:8090 AGENT_TOKEN=$(cat /var/lib/tillbridge-agent/till-token)
sell() { for id in 1001 1002; do tillbridge-agent sale --amount 12.34 --currency EUR --terminal $id; done; }
sell
tillbridge-agent update /programs/${next} --config /etc/tillbridge/agent.yaml
sell
tillbridge-agent update rollback --config /etc/tillbridge/agent.yaml
sell
rating=$(systemd-analyze security --no-pager --threshold=30 tillbridge-agent.service | sed -n 's/.*exposure level for .*: \\([0-9.]*\\) .*/\\1/p')
tillbridge-agent uninstall --purge ${AGENT_ID}
test "$(systemctl is-active tillbridge-agent)" = inactive
test ! -e /opt/tillbridge-agent && test ! -e /usr/local/bin/tillbridge-agent && test ! -e /var/lib/tillbridge-agent
test ! -e /etc/systemd/system/tillbridge-agent.service && ! getent passwd tillbridge-agent
gateway check
echo "rated $rating"
`;

const DEVICES = TERMINALS.map(({ id, deviceType, serial }) => {
  const { ksnData, ksnPin } = defaultKsns(deviceType, serial);
  return { serial, deviceType, accountKsn: ksnData, pinKsn: ksnPin, agentId: AGENT_ID, terminalId: id };
});

/**
 * Installs the agent as root by the real systemd, sells on both terminals, updates, goes back and uninstalls. systemd is the first process of a copy of
 * this system; this system stays as it is.
 * @throws PackageFailure where something does not work
 */
export async function trySystemd(trial: SystemdTrial, note: (text: string) => void): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync(SYSTEMD))
    return note('systemd is not tried: that needs root, and systemd on this machine');
  const place = mkdtempSync(join(tmpdir(), 'tillbridge-systemd-'));
  const result = join(place, 'out', 'result');
  try {
    const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--cgroup', '--fork'];
    const words = [...namespaces, 'sh', '-c', BOOT, 'sh', place, ROOT, trial.folder];
    const env = { ...process.env, INSIDE: inside(trial) };
    const { stderr } = await run('unshare', words, { env, timeout: BOOT_TIMEOUT_MS });
    const printed = existsSync(result) ? readFileSync(result, 'utf8') : stderr;
    const [, rating] = /\nrated (\S+)\n$/.exec(printed) ?? [];
    if (rating === undefined) throw new PackageFailure(printed);
    note(`root installs by systemd, sells, updates, goes back and uninstalls; the unit is rated ${rating}`);
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    throw new PackageFailure(`the agent cannot be installed by systemd\n${stderr || message}`.trim());
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
