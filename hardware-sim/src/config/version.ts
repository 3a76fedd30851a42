import { programBuild, versionText } from '@tillbridge/platform/program-version.js';

/** Step of the schema of the acquirer host's ledger, the one database of the simulator. */
const LEDGER_SCHEMA = 1;

/** Of this build. */
const BUILD = programBuild(import.meta.url);

/** Version of this build. */
export const VERSION = BUILD.version;

/** What `--version` prints. */
export const VERSION_TEXT = versionText('tillbridge-sim', BUILD, `ledger ${LEDGER_SCHEMA}`);
