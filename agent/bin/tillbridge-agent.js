#!/usr/bin/env node
// npm links this file at the install, when nothing is built yet: a link to the built file would be left out.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write(
    'tillbridge-agent is not built yet: run npm start, or npx tsc -b, in the folder of the repository\n',
  );
  process.exitCode = 2;
}
