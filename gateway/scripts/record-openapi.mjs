// Records the OpenAPI document that the parameter catalogue makes, so that a change can be compared with it.
// With --check it compares instead: exits 1 on a change that would break a client, or when the record is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiBreaks } from '../dist/kernel/api/openapi/breaks.js';
import { openApiDocument } from '../dist/kernel/api/openapi/document.js';

const RECORD = join(dirname(fileURLToPath(import.meta.url)), '..', 'generated', 'openapi.json');
const RERECORD = 'npm run record-openapi -w gateway';

const document = openApiDocument({ version: '1', serverUrl: '/' });
const text = `${JSON.stringify(document, null, 1)}\n`;

if (process.argv.includes('--check')) {
  const recorded = readFileSync(RECORD, 'utf8');
  const breaks = openApiBreaks(JSON.parse(recorded), document);
  for (const line of breaks) console.error(`breaks clients: ${line}`);
  if (breaks.length === 0 && recorded !== text) {
    console.error(`generated/openapi.json is out of date, nothing breaks: ${RERECORD}`);
  }
  process.exitCode = recorded === text ? 0 : 1;
} else {
  writeFileSync(RECORD, text);
}
