#!/usr/bin/env node
import type { KeyObject } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE_NAME } from '@tillbridge/agent/update/release-source.js';
import { type Envelope, publicKeyText } from '@tillbridge/agent/update/trust/envelope.js';
import {
  type CommandSpec,
  misuse,
  type ParsedArguments,
  runCommand,
  wholeNumber,
} from '../../command-line/command-line.js';
import { ROOT } from '../../stack/layout.js';
import { StartFailure } from '../../stack/start-failure.js';
import { type BuildIdentity, buildIdentity } from '../build-identity.js';
import { containerEntries } from '../containers/container-files.js';
import { debianPackage } from '../debian-package.js';
import { gatherIngredients } from '../gather-ingredients.js';
import { readLockFile } from '../lock-file.js';
import { npmTarballs } from '../npm-tarballs.js';
import { PackageFailure } from '../package-failure.js';
import { programContents } from '../program-contents.js';
import { drillUpdates, type Packed } from '../release/long-drill.js';
import { type ReleaseTerms, releaseOf, signedRelease } from '../release/make-release.js';
import { readRoots, trustedRootOf } from '../release/roots.js';
import {
  PUBLIC_KEY_FILE,
  readSigningKey,
  SIGNATURE_FILE,
  SUMS_FILE,
  sumsOf,
  writeSums,
} from '../signed-sums.js';
import { NODE_VERSION, PROGRAMS, type Program, TARGETS, type Target } from '../targets.js';
import { tarGz } from '../write-archive.js';
import { tryPackages } from './try-packages.js';

const KEY_VARIABLE = 'TILLBRIDGE_PACKAGE_KEY_FILE';
/** Below the folder that no commit takes. */
const OUTPUT = join(ROOT, '.local', 'packages');
const CACHE = join(ROOT, '.local', 'package-cache');

/** How long a release can be installed, in days; see `--days`. */
const RELEASE_DAYS = 365;
const MAX_RELEASE = 1_000_000_000;

const COMMAND: CommandSpec = {
  call: 'npm run package --',
  forms: [
    '[PROGRAM…] [--arch x64|arm64] [--key FILE] [--to FOLDER] [--try]',
    '--drill',
    '[PROGRAM…] --release N --roots FOLDER --key FILE [--comes-from N] [--days N] [--version TEXT] …',
  ],
  summary:
    'Makes archives for Linux with Node.js inside, packages for Debian and tarballs for npm, of agent, gateway and simulator.',
  operands: {
    title: 'Programs',
    rows: [...PROGRAMS.map(({ name, summary }) => [name, summary] as const), ['(none)', 'all of them']],
  },
  options: {
    '--arch': { value: 'ARCH', help: 'for one kind of machine: x64 or arm64; without it for both' },
    '--key': { value: 'FILE', help: `signs with this Ed25519 key, PEM (or ${KEY_VARIABLE})` },
    '--to': { value: 'FOLDER', help: 'where they are written; without it .local/packages' },
    '--release': {
      value: 'N',
      help: `makes ${RELEASE_NAME}, by which agents update themselves: the number of the release, which only grows`,
    },
    '--roots': {
      value: 'FOLDER',
      help: 'of a release: where its root documents are; see test/docs/releases.md',
    },
    '--comes-from': {
      value: 'N',
      help: 'of a release: the lowest one that may be updated to it (default 0)',
    },
    '--days': { value: 'N', help: `of a release: how long it can be installed (default ${RELEASE_DAYS})` },
    '--version': { value: 'TEXT', help: 'another version than that of the commit, for drills' },
    '--drill': {
      help: 'instead: updates a packed agent at a packed gateway from N−1 to N and back while a till sells, with a kill at every step',
    },
    '--try': { help: 'then sells with what was made, away from the repository; see test/docs/packages.md' },
  },
  notes: [
    `Node.js ${NODE_VERSION} and what has to be compiled are kept in .local/package-cache. The same commit, compiler and Node.js give the same bytes.`,
    'What cannot be made is reported with the reason, and the exit code is 1; all else is made.',
  ],
};

type Files = [name: string, bytes: Uint8Array][];

async function main(args: ParsedArguments): Promise<number> {
  const { options, operands } = args;
  const programs = chosen(operands, PROGRAMS, ({ name }) => name, 'program');
  const arch = options.get('--arch');
  const targets = chosen(arch === undefined ? [] : [arch], TARGETS, (target) => target.arch, '--arch');
  const keyFile = options.get('--key') ?? process.env[KEY_VARIABLE];
  const key = keyFile === undefined ? undefined : readSigningKey(keyFile);
  const folder = options.get('--to') ?? OUTPUT;
  const identity = namedIdentity(options.get('--version'));
  const terms = releaseTerms(args, key);
  note(`version ${identity.version}, commit ${identity.commit.slice(0, 12)}`);
  if (identity.isChanged) note('the checkout differs from its commit: others cannot make the same bytes');
  if (options.has('--drill')) {
    await drillUpdates(await packedFor(identity), note);
    return 0;
  }
  const { files, missing } = await makeAll(programs, targets, identity, terms);
  // Other holders of keys may sign it later: it is not among the digests.
  const released = terms && key ? [releaseFile(files, identity, terms, key)] : [];
  writeAll(folder, [...files, ...released]);
  writeSums(folder, sumsOf(files), key);
  note(`${join(folder, SUMS_FILE)}: ${files.length} files`);
  note(
    key === undefined
      ? `unsigned: name an Ed25519 key with --key or ${KEY_VARIABLE}`
      : `signed: ${SIGNATURE_FILE}; ${PUBLIC_KEY_FILE} checks it`,
  );
  for (const text of missing) note(`MISSING ${text}`);
  if (options.has('--try')) await tryPackages(folder, identity, note);
  return missing.length === 0 ? 0 : 1;
}

function chosen<T>(
  names: readonly string[],
  all: readonly T[],
  nameOf: (each: T) => string,
  what: string,
): readonly T[] {
  const known = all.map(nameOf);
  const wrong = names.find((name) => !known.includes(name));
  if (wrong !== undefined) throw misuse(COMMAND, `${what} is one of ${known.join(', ')}; it is "${wrong}"`);
  return names.length === 0 ? all : all.filter((each) => names.includes(nameOf(each)));
}

async function makeAll(
  programs: readonly Program[],
  targets: readonly Target[],
  identity: BuildIdentity,
  terms: SignedTerms | undefined,
): Promise<{ files: Files; missing: string[] }> {
  const files: Files = [];
  const missing: string[] = [];
  for (const target of targets) {
    try {
      for (const made of await makeTarget(programs, target, identity, terms)) files.push(made);
    } catch (error) {
      if (!(error instanceof PackageFailure)) throw error;
      missing.push(`linux-${target.arch}: ${error.message}`);
    }
  }
  const containers = `tillbridge-containers-${identity.version}`;
  const entries = containerEntries(programs);
  files.push(
    shown(`${containers}.tar.gz`, await tarGz(entries, { time: identity.time, prefix: `${containers}/` })),
  );
  for (const [name, bytes] of await npmTarballs(programs, identity.time)) files.push(shown(name, bytes));
  note(
    'npm applies the overrides of our package.json to no one who installs a tarball; the programs have them in their bundles',
  );
  return { files, missing };
}

async function makeTarget(
  programs: readonly Program[],
  target: Target,
  identity: BuildIdentity,
  terms: SignedTerms | undefined,
): Promise<Files> {
  const files: Files = [];
  const gathered = await gatherIngredients(programs, target, {
    lock: readLockFile(),
    identity,
    cache: CACHE,
    note,
  });
  for (const program of programs) {
    const contents = programContents(program, target, {
      ...gathered,
      ...(terms && { release: builtWith(terms) }),
    });
    const name = `tillbridge-${program.name}-${identity.version}-linux-${target.arch}`;
    files.push(
      shown(`${name}.tar.gz`, await tarGz(contents.entries, { time: identity.time, prefix: `${name}/` })),
    );
    if (!program.debian) continue;
    const debian = `${program.command}_${identity.debianVersion}_${target.debian}.deb`;
    files.push(shown(debian, await debianPackage(program, target, contents, identity)));
  }
  return files;
}

/** Packs agent and gateway for this machine. */
async function packedFor(identity: BuildIdentity): Promise<Packed> {
  const target = TARGETS.find(({ arch }) => arch === process.arch);
  if (!target) throw new PackageFailure(`nothing is made for ${process.arch}: nothing can be drilled`);
  const programs = PROGRAMS.filter(({ name }) => name !== 'simulator');
  const gathered = await gatherIngredients(programs, target, {
    lock: readLockFile(),
    identity,
    cache: CACHE,
    note,
  });
  return (name, version, release) => {
    const program = programs.find((each) => each.name === name);
    if (!program) throw new PackageFailure(`${name} is not packed`);
    return programContents(program, target, { ...gathered, identity: { ...identity, version }, release })
      .entries;
  };
}

/** A release, and the root documents that lead to its keys. */
interface SignedTerms extends ReleaseTerms {
  readonly roots: readonly Envelope[];
}

function builtWith({ release, roots }: SignedTerms) {
  return { number: release, root: Buffer.from(`${JSON.stringify(roots.at(-1), null, 2)}\n`) };
}

/** Undefined where no release is made. @throws UsageError where it cannot be signed so that agents trust it */
function releaseTerms(args: ParsedArguments, key: KeyObject | undefined): SignedTerms | undefined {
  const { options } = args;
  const folder = options.get('--roots');
  if (!options.has('--release') && folder === undefined) return undefined;
  if (!options.has('--release') || folder === undefined || !key)
    throw misuse(COMMAND, 'a release needs --release N, --roots FOLDER and --key FILE');
  const { release, version } = trustedRootOf(folder);
  if (!release.keys.includes(publicKeyText(key)))
    throw misuse(COMMAND, `the key is none of those that root document ${version} names for releases`);
  if (release.threshold > 1)
    note(
      `${release.threshold} keys have to sign the release: "npm run package-root -- sign" adds the others`,
    );
  const number = (name: string, min: number, preset: number) =>
    wholeNumber(COMMAND, args, name, { min, max: MAX_RELEASE, preset });
  return {
    release: number('--release', 1, 1),
    comesFrom: number('--comes-from', 0, 0),
    days: number('--days', 1, RELEASE_DAYS),
    roots: readRoots(folder),
  };
}

function releaseFile(
  files: Files,
  identity: BuildIdentity,
  terms: SignedTerms,
  key: KeyObject,
): Files[number] {
  const release = releaseOf(files, identity, terms);
  note(`release ${release.release}, version ${release.version}, can be installed until ${release.expires}`);
  return [RELEASE_NAME, signedRelease(release, terms.roots, [key])];
}

/** @throws UsageError for a text that is no version */
function namedIdentity(version: string | undefined): BuildIdentity {
  const identity = buildIdentity();
  if (version === undefined) return identity;
  if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version))
    throw misuse(COMMAND, `--version is a version such as 0.2.0 or 0.2.0-drill; it is "${version}"`);
  return { ...identity, version, debianVersion: version.replace('-', '~') };
}

function shown(name: string, bytes: Uint8Array): [string, Uint8Array] {
  note(`${name}: ${(bytes.length / 1_048_576).toFixed(1)} MiB`);
  return [name, bytes];
}

/** Ends of the names that this command writes: what an earlier call left is removed. */
const OURS = /^(tillbridge-.*\.(tar\.gz|tgz|deb)|SHA256SUMS.*|release\.json)$/;

function writeAll(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (OURS.test(name)) rmSync(join(folder, name));
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
}

function note(text: string): void {
  process.stdout.write(`package: ${text}\n`);
}

await runCommand(COMMAND, async (args) => {
  try {
    return await main(args);
  } catch (error) {
    if (!(error instanceof PackageFailure || error instanceof StartFailure)) throw error;
    process.stderr.write(`package: ${error.message}\n`);
    return 1;
  }
});
