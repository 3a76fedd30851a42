import { programBuild, versionText } from '@tillbridge/platform/program-version.js';
import { STORE_MIGRATIONS } from '../store/migrations.js';

/** Of this build. */
export const BUILD = programBuild(import.meta.url);

/** Version of this build. */
export const VERSION = BUILD.version;

/** The step of the store's schema that this build writes; 1 is the first one. */
export const STORE_SCHEMA = STORE_MIGRATIONS.at(-1)?.id ?? 1;

/** What `--version` prints. */
export const VERSION_TEXT = versionText('tillbridge-gateway', BUILD, `store ${STORE_SCHEMA}`);
