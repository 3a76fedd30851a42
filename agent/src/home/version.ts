import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Version of this build. */
export const { version: VERSION } = manifest;

/** Name and version of this build, as Hello tells it. */
export const SOFTWARE = `tillbridge-agent/${VERSION}`;
