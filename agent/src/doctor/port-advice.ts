import type { FoundPort } from '../ports/discovery.js';
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
}

/** A udev rule that lets a group use the HID devices of a vendor, ready to paste (Linux). */
export function hidRule(vendorId: string, group = 'plugdev'): string {
  return `SUBSYSTEM=="hidraw", ATTRS{idVendor}=="${vendorId}", MODE="0660", GROUP="${group}"`;
}

/** A udev rule that gives a serial port a name which stays, ready to paste (Linux). */
export function serialRule({ vendorId, productId, serial }: FoundPort, name: string): string | undefined {
  if (vendorId === undefined || productId === undefined) return undefined;
  const which = [`ATTRS{idVendor}=="${vendorId}"`, `ATTRS{idProduct}=="${productId}"`];
  // What a device says of itself goes into a line that somebody pastes into a shell.
  if (serial !== undefined && /^[\w.-]+$/.test(serial)) which.push(`ATTRS{serial}=="${serial}"`);
  return `SUBSYSTEM=="tty", ${which.join(', ')}, SYMLINK+="${name}", GROUP="dialout", MODE="0660"`;
}

/** Lines that put a udev rule to work. */
export function installRule(rule: string): readonly string[] {
  return [
    `echo '${rule}' | sudo tee /etc/udev/rules.d/70-tillbridge.rules`,
    'sudo udevadm control --reload && sudo udevadm trigger',
  ];
}

/** What the state of a device file means, and what to do about it. */
export function deviceFileFinding(file: DeviceFile, user: string, found: readonly FoundPort[]): Finding {
  if (!file.exists) {
    const others = found.filter(({ transport }) => transport === 'serial').map(({ path }) => path);
    const plugged =
      others.length > 0 ? `plugged in are ${others.join(', ')}` : 'no serial port is plugged in';
    return problem(
      `port ${file.path} does not exist; ${plugged}`,
      'Plug the terminal in and switch it on, or set the path of its configuration.',
    );
  }
  if (file.accessible) return ok(`port ${file.path} is there and may be used`);
  if (file.inGroup) {
    return problem(
      `port ${file.path} may not be used yet: ${user} is in group ${file.group}, but this session began before`,
      'Log in again, or restart the service.',
    );
  }
  if (file.group !== undefined) {
    return problem(
      `port ${file.path} belongs to group ${file.group}`,
      `sudo usermod -aG ${file.group} ${user}`,
      'Then log in again.',
    );
  }
  return problem(`port ${file.path} may not be used by ${user}`, 'Give the file to a group of the user.');
}
