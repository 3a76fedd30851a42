import { programVersion } from '@tillbridge/platform/program-version.js';

/** Version of this build. */
export const VERSION = programVersion(import.meta.url);

/** Name and version of this build, as Hello has it. */
export const SOFTWARE = `tillbridge-agent/${VERSION}`;
