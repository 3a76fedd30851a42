import { programBuild, versionText } from '@tillbridge/platform/program-version.js';
import { JOURNAL_SCHEMA } from '../journal/tables.js';

/** Of this build. */
export const BUILD = programBuild(import.meta.url);

/** Version of this build. */
export const VERSION = BUILD.version;

/** What `--version` prints. */
export const VERSION_TEXT = versionText('tillbridge-agent', BUILD, `journal ${JOURNAL_SCHEMA}`);

/** Name and version of this build, as Hello has it. */
export const SOFTWARE = `tillbridge-agent/${VERSION}`;
