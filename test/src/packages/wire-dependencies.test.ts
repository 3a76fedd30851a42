import { expect, it } from 'vitest';
import { nameAt, placeOf, readLockFile } from './lock-file.js';

/** The package, what it names, and what these need. One more is a decision: each user of the codecs installs it. */
const WIRE_BRINGS = [
  ...['@peculiar/asn1-cms', '@peculiar/asn1-schema', '@peculiar/asn1-x509', '@peculiar/asn1-x509-attr'],
  ...['@peculiar/utils', 'asn1js', 'iso-3166', 'jose', 'long', 'protobufjs', 'protocol/wire'],
  ...['pvtsutils', 'pvutils', 'temporal-polyfill', 'temporal-spec', 'temporal-utils', 'tslib'],
];

const packages = readLockFile();

/** Places of all that an install of a package brings, itself among them. */
function installOf(place: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(place)) return found;
  found.add(place);
  const { dependencies, optionalDependencies } = packages[place] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    installOf(placeOf(packages, name, place), found);
  return found;
}

const namesOf = (places: Iterable<string>) => [...places].map(nameAt).sort();
const compiled = (places: Iterable<string>) =>
  namesOf([...places].filter((place) => packages[place]?.hasInstallScript));

it('wire brings these packages alone, and none that compiles', () => {
  const brought = installOf('protocol/wire');
  expect(namesOf(brought)).toEqual(WIRE_BRINGS);
  expect(compiled(brought)).toEqual([]);
});

it('platform brings SQLite, which compiles', () => {
  const brought = installOf('protocol/platform');
  expect(compiled(brought)).toContain('sqlite3');
  expect(brought).toContain('protocol/wire');
});

it('panel-kit brings Preact alone', () => {
  expect(namesOf(installOf('protocol/panel-kit'))).toEqual(['preact', 'protocol/panel-kit']);
});
