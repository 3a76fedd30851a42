import { join } from 'node:path';
import { UDEV_FILE } from '../doctor/port-advice.js';

/** Whose installation it is: the machine's, made by root, or a user's own. */
export type Scope = 'system' | 'user';

/** The user and the service that an installation has. */
export const SERVICE_NAME = 'tillbridge-agent';

/** Where an installation keeps what. Paths are those of the installed system; `root` stands in front of them on disk. */
export interface Places {
  readonly scope: Scope;
  /** A folder that stands for the root of the system; empty: the system itself. */
  readonly root: string;
  readonly home: string;
  readonly configFile: string;
  /** Where the slots of the program are, of which the service starts one; `update` replaces the other. */
  readonly programFolder: string;
  /** The name of the program in the search path. */
  readonly commandLink: string;
  /** Where a package of the system has the program; an installation leaves it alone. */
  readonly packagedProgram: string;
  /** What install has made, for install and uninstall. */
  readonly recordFile: string;
  readonly unitFile: string;
  /** Where a package of the system has its unit; an installation leaves it alone. */
  readonly packagedUnits: readonly string[];
  /** Absent for a user, who may not write rules. */
  readonly udevFile?: string;
  readonly packagedUdevFiles: readonly string[];
}

const PACKAGED_PROGRAM = `/usr/lib/${SERVICE_NAME}`;
const PACKAGED_UDEV = '/usr/lib/udev/rules.d/70-tillbridge.rules';

/**
 * The places of an installation.
 * @param env `HOME` and the `XDG_…` variables of a user
 */
export function placesOf(scope: Scope, env: NodeJS.ProcessEnv, root = ''): Places {
  if (scope === 'system')
    return {
      scope,
      root,
      home: `/var/lib/${SERVICE_NAME}`,
      programFolder: `/opt/${SERVICE_NAME}`,
      commandLink: `/usr/local/bin/${SERVICE_NAME}`,
      packagedProgram: PACKAGED_PROGRAM,
      configFile: '/etc/tillbridge/agent.yaml',
      recordFile: '/etc/tillbridge/install.json',
      unitFile: `/etc/systemd/system/${SERVICE_NAME}.service`,
      packagedUnits: [
        `/usr/lib/systemd/system/${SERVICE_NAME}.service`,
        `/lib/systemd/system/${SERVICE_NAME}.service`,
      ],
      udevFile: UDEV_FILE,
      packagedUdevFiles: [PACKAGED_UDEV, `/lib/udev/rules.d/70-tillbridge.rules`],
    };
  const own = env.HOME || '/';
  const state = env.XDG_STATE_HOME || join(own, '.local', 'state');
  const configuration = env.XDG_CONFIG_HOME || join(own, '.config');
  return {
    scope,
    root,
    home: join(state, SERVICE_NAME),
    programFolder: join(env.XDG_DATA_HOME || join(own, '.local', 'share'), SERVICE_NAME),
    commandLink: join(own, '.local', 'bin', SERVICE_NAME),
    packagedProgram: PACKAGED_PROGRAM,
    configFile: join(configuration, 'tillbridge', 'agent.yaml'),
    recordFile: join(configuration, 'tillbridge', 'install.json'),
    unitFile: join(configuration, 'systemd', 'user', `${SERVICE_NAME}.service`),
    packagedUnits: [],
    packagedUdevFiles: [PACKAGED_UDEV, UDEV_FILE],
  };
}

/** A path of the installed system as it is on disk now. */
export function onDisk({ root }: Pick<Places, 'root'>, path: string): string {
  return root === '' ? path : join(root, path);
}
