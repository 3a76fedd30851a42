// Writes the reference page of each program's configuration from its schema. With --check it compares instead and exits 1 when a page is
// out of date. Needs the built packages.
import { join } from 'node:path';
import { keepPage } from './generated-page.mjs';
import { ROOT } from './prepare.mjs';

const { referencePage } = await import(join(ROOT, 'protocol/platform/dist/config/reference.js'));

/** Program, its package, and the schema's place in it. */
const PROGRAMS = [
  ['tillbridge-agent', 'agent', 'config/schema.js', 'AGENT_SETTINGS'],
  ['tillbridge-gateway', 'gateway', 'app/configuration/schema.js', 'GATEWAY_SETTINGS'],
  ['tillbridge-sim', 'hardware-sim', 'config/schema.js', 'SIMULATOR_SETTINGS'],
];

for (const [program, folder, file, name] of PROGRAMS) {
  const { [name]: schema } = await import(join(ROOT, folder, 'dist', file));
  keepPage(join(folder, 'docs', 'configuration.md'), referencePage(program, schema), 'npm run configuration');
}
