import { type Places, SERVICE_NAME } from './places.js';

/** What of an installation its unit names. */
interface UnitSettings extends Pick<Places, 'scope' | 'home' | 'configFile'> {
  /** Program and first arguments. */
  readonly program: readonly string[];
}

/** Hardening that needs no rights of the manager: a user's own manager has none. */
const HARDENING = [
  'NoNewPrivileges=yes',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'RestrictSUIDSGID=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'LockPersonality=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
  'SystemCallFilter=~@privileged @resources',
];

/** What only the manager of the system can do. */
const SYSTEM_HARDENING = [
  'CapabilityBoundingSet=',
  'AmbientCapabilities=',
  'ProtectSystem=strict',
  'ProtectHome=yes',
  'PrivateTmp=yes',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectControlGroups=yes',
  'ProtectProc=invisible',
  'RemoveIPC=yes',
  '# Serial and USB-HID terminals, and no other device.',
  'DevicePolicy=closed',
  ...['char-ttyS', 'char-ttyACM', 'char-ttyUSB', 'char-ttyAMA', 'char-hidraw', 'char-usb_device'].map(
    (kind) => `DeviceAllow=${kind} rw`,
  ),
];

/** The unit of systemd that runs an installed agent. */
export function unitFile(settings: UnitSettings): string {
  const { scope, home, configFile, program } = settings;
  const isSystem = scope === 'system';
  const lines = [
    '# The agent of a store. How it is used: install.md in the docs of the agent.',
    '[Unit]',
    'Description=tillbridge agent',
    'After=network-online.target time-sync.target',
    'Wants=network-online.target',
    '# Nothing starts before it is configured.',
    `ConditionPathExists=${specifierSafe(configFile)}`,
    '',
    '[Service]',
    'Type=simple',
    ...(isSystem ? systemUser(home) : []),
    'UMask=0077',
    `Environment=${quoted(`AGENT_HOME=${home}`)}`,
    `WorkingDirectory=${specifierSafe(home)}`,
    `ExecStart=${[...program, 'run', '--config', configFile].map(quoted).join(' ')}`,
    '# A wrong configuration (2) is mended by a person, not by another start.',
    'Restart=on-failure',
    'RestartPreventExitStatus=2',
    'RestartSec=2',
    '# Longer than the agent takes to bring what runs to its end.',
    'TimeoutStopSec=90',
    'LimitNOFILE=4096',
    '',
    ...HARDENING,
    ...(isSystem ? SYSTEM_HARDENING : []),
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user' : 'default'}.target`,
  ];
  return `${lines.join('\n')}\n`;
}

function systemUser(home: string): string[] {
  const isState = home === `/var/lib/${SERVICE_NAME}`;
  return [
    `User=${SERVICE_NAME}`,
    `Group=${SERVICE_NAME}`,
    'SupplementaryGroups=dialout',
    ...(isState ? [`StateDirectory=${SERVICE_NAME}`, 'StateDirectoryMode=0700'] : [`ReadWritePaths=${home}`]),
  ];
}

/** Quoted where systemd would part or read it otherwise. */
function quoted(text: string): string {
  const safe = specifierSafe(text).replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(safe) ? `"${safe.replaceAll(/[\\"]/g, '\\$&')}"` : safe;
}

/** `%` begins a specifier. */
function specifierSafe(text: string): string {
  return text.replaceAll('%', '%%');
}
