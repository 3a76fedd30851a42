import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { billOfMaterials } from './sbom.js';

const PROGRAM = {
  name: 'tillbridge-agent',
  version: '0.1.0',
  platform: 'linux-x64',
  time: new Date('2026-11-29T07:00:00Z'),
};
const PARTIES = [
  {
    name: '@fastify/send',
    version: '4.1.0',
    license: 'MIT',
    purl: 'pkg:npm/%40fastify/send@4.1.0',
    integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
    texts: [],
  },
  { name: 'sqlite', version: '3.52.0', license: 'blessing', purl: 'pkg:generic/sqlite@3.52.0', texts: [] },
  { name: 'node-hid', version: '3.4.0', license: '(MIT OR X11)', purl: 'pkg:npm/node-hid@3.4.0', texts: [] },
];

/** The schemas that the library ships. */
function schema(name: string): object {
  const folder = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'));
  return JSON.parse(
    readFileSync(join(folder, 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8'),
  ) as object;
}

it('writes a bill of materials that CycloneDX 1.6 accepts', () => {
  // Formats are not known to it; the fields that have one are made by the library.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(schema('bom-1.6'));
  const bill = JSON.parse(billOfMaterials(PROGRAM, PARTIES)) as { components: { hashes?: unknown }[] };
  expect(validate(bill), JSON.stringify(validate.errors)).toBe(true);
  expect(bill).toMatchObject({ specVersion: '1.6', metadata: { timestamp: '2026-11-29T07:00:00.000Z' } });
  expect(bill.components).toHaveLength(PARTIES.length);
  expect(bill.components.filter(({ hashes }) => hashes)).toMatchObject([
    { name: 'send', group: '@fastify', hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }] },
  ]);
});

it('gives the same bytes for the same works, and another serial number for others', () => {
  const text = billOfMaterials(PROGRAM, PARTIES);
  expect(billOfMaterials(PROGRAM, PARTIES.toReversed())).toBe(text);
  const serial = (bill: string) => (JSON.parse(bill) as { serialNumber: string }).serialNumber;
  expect(serial(billOfMaterials(PROGRAM, PARTIES.slice(1)))).not.toBe(serial(text));
});
