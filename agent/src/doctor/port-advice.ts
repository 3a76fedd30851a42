import { type Discovery, type FoundPort, MAKERS } from '../ports/discovery.js';
import { type Finding, ok, problem } from './finding.js';

/** What is known of the file of a serial port or HID device. */
export interface DeviceFile {
  readonly path: string;
  readonly exists: boolean;
  /** The agent's user may read and write it. */
  readonly accessible: boolean;
  /** Group that owns it; undefined where it has no name. */
  readonly group?: string;
  /** The user is in that group, though perhaps not in this session. */
  readonly inGroup: boolean;
  /** The system hands adapters for serial lines to braille displays (brltty), which takes their port away. */
  readonly isBrailleReady?: boolean;
}

/** A rule of udev (Linux). */
interface UdevRule {
  /** What its file is named by: a rule for another device has another file, and the same rule again the same. */
  readonly name: string;
  readonly line: string;
}

/** Groups of a system that give more than the use of a port: no user joins one for a terminal. */
const PRIVILEGED_GROUPS: ReadonlySet<string> = new Set([
  ...[
    'root',
    'wheel',
    'sudo',
    'admin',
    'adm',
    'daemon',
    'bin',
    'sys',
    'disk',
    'kmem',
    'shadow',
    'tty',
    'docker',
  ],
]);
/** Groups for serial lines and for USB devices, as Debian names them. */
const SERIAL_GROUP = 'dialout';
const USB_GROUP = 'plugdev';

/** Lets a group use the HID devices of a vendor. */
export function hidRule(vendorId: string): UdevRule {
  return {
    name: `hid-${vendorId}`,
    line: `SUBSYSTEM=="hidraw", ATTRS{idVendor}=="${vendorId}", MODE="0660", GROUP="${USB_GROUP}"`,
  };
}

/** Serial ports that udev names (Linux). */
const LINUX_PORT = /^\/dev\/tty[A-Z]\w*$/;

/** Gives a serial port a name which stays, and to a group; undefined for a port that is no USB device, or of another system. */
export function serialRule(
  { path, vendorId, productId, serial }: FoundPort,
  name: string,
): UdevRule | undefined {
  if (vendorId === undefined || productId === undefined || !LINUX_PORT.test(path)) return undefined;
  const which = [`ATTRS{idVendor}=="${vendorId}"`, `ATTRS{idProduct}=="${productId}"`];
  // The serial number comes from the device and goes into a line that a user pastes into a shell.
  const safe = serial !== undefined && /^[\w.-]+$/.test(serial) ? serial : undefined;
  if (safe !== undefined) which.push(`ATTRS{serial}=="${safe}"`);
  return {
    name: ['serial', vendorId, productId, ...(safe === undefined ? [] : [safe])].join('-'),
    line: `SUBSYSTEM=="tty", ${which.join(', ')}, SYMLINK+="${name}", GROUP="${SERIAL_GROUP}", MODE="0660", ${NO_MODEM}`,
  };
}

/** Keeps ModemManager from sending its commands to a terminal. */
const NO_MODEM = 'ENV{ID_MM_DEVICE_IGNORE}="1", ENV{ID_MM_PORT_IGNORE}="1"';

/** The file that `doctor --udev` prints. */
export const UDEV_FILE = '/etc/udev/rules.d/70-tillbridge.rules';

/** One file for all makers, a section each: written again for a second maker's terminal, it loses nothing. */
export function udevFile(): string {
  const sections = Object.entries(MAKERS).map(([vendorId, maker]) =>
    [
      `# ${maker}`,
      hidRule(vendorId).line,
      `SUBSYSTEM=="tty", ATTRS{idVendor}=="${vendorId}", GROUP="${SERIAL_GROUP}", MODE="0660", ${NO_MODEM}`,
    ].join('\n'),
  );
  return ['# Card terminals of tillbridge: tillbridge-agent doctor --udev', ...sections, NO_BRLTTY].join(
    '\n\n',
  );
}

/** What no rule of a device can prevent: brltty has its own rules for adapters, and begins a service. */
const NO_BRLTTY = [
  '# brltty takes adapters of serial lines (FTDI, CP210x, CH340) for braille displays, and their ports away. Where none is used:',
  '#   sudo systemctl mask --now brltty-udev.service brltty.service',
  '#   sudo ln -s /dev/null /etc/udev/rules.d/85-brltty.rules',
].join('\n');

const RELOAD = 'sudo udevadm control --reload && sudo udevadm trigger';

/** Lines that put a udev rule to work, ready to paste. */
export function installRule({ name, line }: UdevRule): readonly string[] {
  return [`echo '${line}' | sudo tee /etc/udev/rules.d/70-tillbridge-${name}.rules`, RELOAD];
}

/** Lines that let the group of USB devices use the HID devices of a vendor: the file of all makers, or a rule for another vendor. */
export function installHidRule(vendorId: string): readonly string[] {
  if (MAKERS[vendorId] === undefined) return installRule(hidRule(vendorId));
  return [`tillbridge-agent doctor --udev | sudo tee ${UDEV_FILE}`, RELOAD];
}

/** A serial port of Windows: no file, and the system lists those that are there. */
const WINDOWS_PORT = /^(?:\\\\\.\\)?(COM\d{1,3})$/i;

/** Whether a port of Windows is plugged in; undefined for any other path, or where ports could not be listed. */
export function windowsPortFinding(path: string, { ports, problems }: Discovery): Finding | undefined {
  const [, name] = WINDOWS_PORT.exec(path) ?? [];
  if (name === undefined) return undefined;
  const serial = ports.filter(({ transport }) => transport === 'serial').map((port) => port.path);
  if (serial.some((each) => each.toUpperCase() === name.toUpperCase()))
    return ok(`port ${path} is plugged in`);
  if (problems.length > 0) return undefined;
  return problem(
    `port ${path} does not exist; ${pluggedText(serial)}`,
    'Plug the terminal in and switch it on, or set the path of its configuration: the Device Manager shows the number under "Ports (COM & LPT)".',
  );
}

function pluggedText(serial: readonly string[]): string {
  return serial.length > 0 ? `plugged in are ${serial.join(', ')}` : 'no serial port is plugged in';
}

/** The first name of a serial port that no path of the configuration has, such as `terminal-2`. */
export function freePortName(usedPaths: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = `terminal-${number}`;
    if (!usedPaths.includes(`/dev/${name}`)) return name;
  }
}

/** What the state of a device file means, and what to do about it. */
export function deviceFileFinding(file: DeviceFile, user: string, found: readonly FoundPort[]): Finding {
  if (!file.exists) {
    const others = found.filter(({ transport }) => transport === 'serial').map(({ path }) => path);
    return problem(
      `port ${file.path} does not exist; ${pluggedText(others)}`,
      'Plug the terminal in and switch it on, or set the path of its configuration.',
      ...(file.isBrailleReady
        ? [
            'If it shows up and goes away at once, brltty takes it for a braille display: sudo systemctl mask --now brltty-udev.service',
          ]
        : []),
    );
  }
  if (file.accessible) return ok(`port ${file.path} is there and may be used`);
  if (file.inGroup) {
    return problem(
      `port ${file.path} may not be used yet: ${user} is in group ${file.group}, but this session began before`,
      'Log in again, or restart the service.',
    );
  }
  if (file.group !== undefined && !PRIVILEGED_GROUPS.has(file.group)) {
    return problem(
      `port ${file.path} belongs to group ${file.group}`,
      `sudo usermod -aG ${file.group} ${user}`,
      'Then log in again.',
    );
  }
  const group = HIDRAW.test(file.path) ? USB_GROUP : SERIAL_GROUP;
  return problem(
    `port ${file.path} may not be used by ${user}: its group ${file.group ?? 'has no name'}${file.group ? ' is not one for ports' : ''}`,
    `Give it to group ${group}:`,
    ...new Set(rulesFor(file.path, found)),
    `sudo usermod -aG ${group} ${user}`,
    'Then log in again.',
  );
}

const HIDRAW = /^\/dev\/hidraw/;

/** Rules that give a device file to a group of ports. Never all of hidraw: a keyboard is one, too. */
function rulesFor(path: string, found: readonly FoundPort[]): readonly string[] {
  if (HIDRAW.test(path)) {
    const vendors = found.flatMap(({ transport, vendorId }) =>
      transport === 'hid' && vendorId !== undefined ? [vendorId] : [],
    );
    return [...new Set(vendors)].flatMap(installHidRule);
  }
  const port = found.find((each) => each.transport === 'serial' && each.path === path);
  const named = port && serialRule(port, freePortName([]));
  if (named) return installRule(named);
  const [kernelName] = /(?<=^\/dev\/)\w+$/.exec(path) ?? [];
  if (kernelName === undefined) return [];
  const line = `SUBSYSTEM=="tty", KERNEL=="${kernelName}", GROUP="${SERIAL_GROUP}", MODE="0660", ${NO_MODEM}`;
  return installRule({ name: kernelName, line });
}
