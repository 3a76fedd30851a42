#!/usr/bin/env node
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Envelope } from '@tillbridge/agent/update/trust/envelope.js';
import {
  type CommandSpec,
  misuse,
  type ParsedArguments,
  runCommand,
  wholeNumber,
} from '../../command-line/command-line.js';
import { readSigningKey } from '../signed-sums.js';
import {
  publicKeyOf,
  readRoots,
  rootName,
  trustedRootOf,
  unsignedRoot,
  withSignature,
  writeEnvelope,
} from './roots.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 730;
const MAX_DAYS = 3_650;
const MAX_KEYS = 32;

const COMMAND: CommandSpec = {
  call: 'npm run package-root --',
  forms: [
    'make FOLDER --root-keys FILES --release-keys FILES [--root-threshold N] [--release-threshold N] [--days N]',
    'sign FILE KEY',
    'show FOLDER',
  ],
  summary:
    'Root documents: who may sign releases, and the next root document. Each holder of a key signs apart, offline.',
  operands: {
    title: 'Work',
    rows: [
      ['make FOLDER', 'writes the next root document, without a signature'],
      [
        'sign FILE KEY',
        'adds a signature to a root document, or to a release.json, with an Ed25519 key, PEM',
      ],
      ['show FOLDER', 'verifies the root documents, and shows the newest'],
    ],
  },
  options: {
    '--root-keys': { value: 'FILES', help: 'public keys, PEM, parted by commas, that sign root documents' },
    '--release-keys': { value: 'FILES', help: 'the same of those that sign releases' },
    '--root-threshold': { value: 'N', help: 'how many of the root keys have to sign (default 2)' },
    '--release-threshold': { value: 'N', help: 'how many of the release keys have to sign (default 1)' },
    '--days': { value: 'N', help: `how long it is valid (default ${DEFAULT_DAYS})` },
  },
  notes: [
    'The root keys of the document before have to sign as well as those of the new one. See test/docs/releases.md.',
  ],
};

function main(args: ParsedArguments): number {
  const [work, place, key, more] = args.operands;
  if (place === undefined || more !== undefined) throw misuse(COMMAND, 'a work and its place are needed');
  if (work === 'make') return make(place, args);
  if (work === 'sign' && key !== undefined) return sign(place, key);
  if (work === 'show') return show(place);
  throw misuse(
    COMMAND,
    `the work is make FOLDER, sign FILE KEY or show FOLDER; it is "${args.operands.join(' ')}"`,
  );
}

function make(folder: string, args: ParsedArguments): number {
  mkdirSync(folder, { recursive: true });
  const version = readRoots(folder).length + 1;
  if (version > 1) trustedRootOf(folder);
  const days = wholeNumber(COMMAND, args, '--days', { min: 1, max: MAX_DAYS, preset: DEFAULT_DAYS });
  const file = join(folder, rootName(version));
  const root = {
    version,
    expires: `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`,
    root: roleOf(args, 'root', 2),
    release: roleOf(args, 'release', 1),
  };
  writeEnvelope(file, unsignedRoot(root));
  process.stdout.write(`${file}: now ${root.root.threshold} holders of root keys sign it\n`);
  return 0;
}

function roleOf(args: ParsedArguments, role: 'root' | 'release', preset: number) {
  const files = args.options.get(`--${role}-keys`)?.split(',') ?? [];
  if (files.length === 0) throw misuse(COMMAND, `--${role}-keys is missing`);
  const bounds = { min: 1, max: Math.min(files.length, MAX_KEYS), preset: Math.min(preset, files.length) };
  return {
    threshold: wholeNumber(COMMAND, args, `--${role}-threshold`, bounds),
    keys: files.map(publicKeyOf),
  };
}

function sign(file: string, keyFile: string): number {
  const key = readSigningKey(keyFile);
  const content = JSON.parse(readFileSync(file, 'utf8')) as Envelope | { readonly release: Envelope };
  const signed =
    'release' in content
      ? { ...content, release: withSignature(content.release, key) }
      : withSignature(content, key);
  writeEnvelope(file, signed);
  const { signatures } = 'release' in signed ? signed.release : signed;
  process.stdout.write(`${basename(file)} in ${dirname(file)}: ${signatures.length} signature(s)\n`);
  return 0;
}

function show(folder: string): number {
  process.stdout.write(`${JSON.stringify(trustedRootOf(folder), null, 2)}\n`);
  return 0;
}

await runCommand(COMMAND, main);
