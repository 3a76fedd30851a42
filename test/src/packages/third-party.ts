import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/layout.js';
import { type LockFile, nameAt } from './lock-file.js';
import { PackageFailure } from './package-failure.js';
import { LEGAL_FILE } from './production-modules.js';

/** A work of others that an archive has inside. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier or expression. */
  readonly license: string;
  /** A package URL, by which lists of vulnerabilities name it. */
  readonly purl: string;
  /** Of the registry's file, in the form of the lock file. */
  readonly integrity?: string;
  /** Texts that go with it, by the names of their files. */
  readonly texts: readonly (readonly [file: string, text: string])[];
}

/** Licences of works that may be handed on inside of an archive; of a choice one has to be here. */
const PERMITTED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['Python-2.0', 'Unlicense', 'X11'],
]);
/** Whether works of a licence may go with an archive. Pure. @param license an SPDX expression, of choices alone */
export function isPermitted(license: string): boolean {
  const choices = license.replaceAll(/[()]/g, '').split(/ or /i);
  return choices.some((choice) => choice.split(/ and /i).every((id) => PERMITTED.has(id.trim())));
}

/**
 * Packages of the registry as third parties.
 * @param folderOf where the files of a place are
 * @throws PackageFailure where one has no licence, or one that forbids to hand it on
 */
export function packagesOf(
  packages: LockFile,
  places: readonly string[],
  folderOf: (place: string) => string = (place) => join(ROOT, place),
): ThirdParty[] {
  return places.map((place) => {
    const folder = folderOf(place);
    const { version = '', integrity, license = manifestLicense(folder) } = packages[place] ?? {};
    const name = nameAt(place);
    if (license === undefined || !isPermitted(license))
      throw new PackageFailure(
        `${name}@${version} has the licence ${license ?? '(none)'}: see PERMITTED in test/src/packages/third-party.ts`,
      );
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { name, version, license, purl, ...(integrity && { integrity }), texts: legalTexts(folder) };
  });
}

function manifestLicense(folder: string): string | undefined {
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: string };
  return license;
}

function legalTexts(folder: string): (readonly [string, string])[] {
  // Libraries in a folder of a package are third parties of their own.
  return readdirSync(folder)
    .filter((file) => LEGAL_FILE.test(file))
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
}

/** One of each work, in the order of their names: a package may lie at several places. Pure. */
export function distinctParties(parties: readonly ThirdParty[]): ThirdParty[] {
  const byUrl = new Map(parties.map((party) => [party.purl, party]));
  return [...byUrl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

const RULE = '='.repeat(100);

/** The file that goes with an archive: every work inside, its licence, and its texts. Pure. */
export function thirdPartyText(program: string, parties: readonly ThirdParty[]): string {
  const list = parties.map(({ name, version, license }) => `${name} ${version}: ${license}`);
  const texts = parties.map(({ name, version, license, texts: own }) => {
    const body =
      own.length > 0
        ? own.map(([file, text]) => `--- ${file}\n\n${text.trim()}`)
        : [`Its package has no file with the text of its licence; it states: ${license}`];
    return [RULE, `${name} ${version}`, `Licence: ${license}`, '', ...body].join('\n');
  });
  const head = `${program} contains works of others. This file lists them, then gives what their licences demand to go with them.`;
  return `${[head, '', ...list, '', ...texts].join('\n')}\n`;
}
