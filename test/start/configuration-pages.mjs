// Writes the reference page of each program's configuration from its schema. With --check it compares instead and exits 1 when a page is
// out of date. Needs the built packages.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './prepare.mjs';

const { referencePage } = await import(join(ROOT, 'protocol/dist/platform/config/reference.js'));

/** Program, its package, and the schema's place in it. */
const PROGRAMS = [
  ['tillbridge-agent', 'agent', 'config/schema.js', 'AGENT_SETTINGS'],
  ['tillbridge-gateway', 'gateway', 'config/schema.js', 'GATEWAY_SETTINGS'],
  ['tillbridge-sim', 'hardware-sim', 'config/schema.js', 'SIMULATOR_SETTINGS'],
];

for (const [program, folder, file, name] of PROGRAMS) {
  const { [name]: schema } = await import(join(ROOT, folder, 'dist', file));
  const page = join(ROOT, folder, 'docs', 'configuration.md');
  const text = referencePage(program, schema);
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, text);
  } else if (readOr(page) !== text) {
    console.error(`${folder}/docs/configuration.md is out of date. Run: npm run configuration`);
    process.exitCode = 1;
  }
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
