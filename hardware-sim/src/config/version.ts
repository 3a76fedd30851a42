import { programVersion } from '@tillbridge/platform/program-version.js';

/** Version of this build. */
export const VERSION = programVersion(import.meta.url);
