import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { replaceFile } from '@tillbridge/platform/write-file.js';
import { EnrolmentPurpose } from '@tillbridge/wire/bridge/messages.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES, IDENTITY_FILES, lockAgentHome, SECRET_FILES } from '../home/home-files.js';
import { BlobCipher } from '../journal/blob-cipher.js';
import { CopyCipher } from '../journal/copy/copy-cipher.js';
import { createCopyKey, readCopyKey } from '../journal/copy/copy-key.js';
import type { HomeRecord } from '../journal/copy/copy-records.js';
import { copySource, readCopiedHome } from '../journal/copy/copy-source.js';
import type { CopyTarget } from '../journal/copy/copy-target.js';
import { DamagedJournal } from '../journal/copy/damaged-source.js';
import {
  builtGeneration,
  type Restored,
  type RestoreSource,
  restoreJournal,
} from '../journal/copy/restore.js';
import { isPlacePending, refusePending, takePlace } from '../journal/copy/take-place.js';
import { crashOption, dieAt } from '../journal/crash-point.js';
import { JournalUnavailable, RESTORED_ROW } from '../journal/journal.js';
import { loadOrCreateKey } from '../journal/key-file.js';
import { SqliteJournal } from '../journal/sqlite-journal.js';
import { noteCommand } from '../log/note-command.js';
import { openCopyToRead } from '../replica/open-replica.js';
import { judgeRestored } from '../sale/records/restored-sale.js';
import { FIRST_GENERATION, readGeneration, writeGeneration } from '../uplink/generation.js';
import { completeHome, type EnrolledAt, redeemCode } from './enrol-command.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `restore`. */
export interface RestoreOptions {
  /** A folder, a file of it that was put aside, or the address of a replica. */
  readonly from?: string;
  readonly keyFile?: string;
  /** Of a replica: whose copy, the shared secret, and perhaps the certificate. */
  readonly agent?: string;
  readonly secretFile?: string;
  readonly caFile?: string;
  /** Moves a journal that is in the home aside. */
  readonly replace?: boolean;
  readonly asIs?: boolean;
  /** Restores the rows before a damage. */
  readonly salvage?: boolean;
  /** Another machine than the lost one: the gateway's code for it. */
  readonly code?: string;
  readonly json?: boolean;
}

/**
 * Restores a journal from its copy, or declares the one in the home good as it is. Both begin a new generation. From the next connection
 * on the gateway fences every older generation. Resolves with the exit code.
 * @throws CommandError, or an error of COMMAND_ERRORS, naming the reason; nothing was changed then
 */
export async function restoreHome(
  config: AgentConfig,
  options: RestoreOptions,
  output: Output,
): Promise<number> {
  const ways = [options.from !== undefined, options.asIs === true, options.salvage === true];
  if (ways.filter(Boolean).length !== 1)
    throw new CommandError(EXIT.usage, 'give one of --from COPY with --key-file FILE, --salvage, --as-is');
  if (options.code !== undefined && options.salvage === true)
    throw new CommandError(EXIT.usage, '--code belongs to --from or --as-is');
  const lock = await lockAgentHome(config.home);
  try {
    if (options.from !== undefined) await fromCopy(config, options.from, options, output);
    else if (options.salvage) await salvage(config, options, output);
    else await declareGood(config, options, output);
    const { asIs, salvage: isSalvage, replace } = options;
    noteCommand(config, 'restore', { from: options.from, asIs, salvage: isSalvage, replace });
  } finally {
    await lock.release();
  }
  return EXIT.ok;
}

/** Makes the key of a copy. @throws CopyKeyError */
export function makeCopyKey(path: string, output: Output): number {
  createCopyKey(path, systemRandom);
  output.out(
    `wrote ${path}; keep it a second time, apart from this machine and from the copy: without it the copy cannot be opened`,
  );
  return EXIT.ok;
}

async function fromCopy(
  config: AgentConfig,
  from: string,
  options: RestoreOptions,
  output: Output,
): Promise<void> {
  const { home, journal } = config;
  const keyFile = options.keyFile ?? journal.copy?.keyFile;
  if (keyFile === undefined) throw new CommandError(EXIT.usage, '--key-file: the key of the copy is needed');
  const cipher = new CopyCipher(readCopyKey(keyFile), systemRandom);
  const path = join(home, HOME_FILES.journal);
  if (existsSync(path) && options.replace !== true)
    throw new CommandError(
      EXIT.usage,
      `${home} has a journal: restore into another home (--home), or set it aside with --replace`,
    );
  const source = await openSource(from, options);
  try {
    const copied = await readCopiedHome(source, cipher);
    checkIdentity(home, copied);
    const from = await copySource(source, cipher, copied);
    const next = Math.max(readGeneration(home) ?? 0, from.generation) + 1;
    const enrolled = await replacement(config, options, copied.agentId, next);
    const restored = await rebuild(home, from, enrolled?.generation ?? next, output);
    place(home, restored.generation, () => {
      writeSecrets(home, copied, enrolled);
    });
    const { agentId } = copied;
    output.out(
      options.json
        ? JSON.stringify(summary(agentId, restored))
        : restoredText(agentId, restored, home, enrolled),
    );
  } finally {
    await source.close();
  }
}

/** Where a code is given: takes the place of the lost machine at the gateway, in the generation that the gateway allows. */
async function replacement(
  config: AgentConfig,
  { code }: RestoreOptions,
  agentId: string | undefined,
  lowest: number,
): Promise<EnrolledAt | undefined> {
  if (code === undefined) return undefined;
  const enrolled = await redeemCode(config, code, EnrolmentPurpose.REPLACEMENT, agentId);
  if (enrolled.generation >= lowest) return enrolled;
  throw new CommandError(
    EXIT.usage,
    `the code is for generation ${enrolled.generation}, and this journal needs ${lowest} or a later one: tillbridge-gateway agents replace ${enrolled.agentId} --generation ${lowest}`,
  );
}

/** Builds the journal file in the folder of the one that it will replace. */
function rebuild(home: string, source: RestoreSource, generation: number, output: Output): Promise<Restored> {
  return restoreJournal({
    source,
    path: join(home, HOME_FILES.journal),
    nowMs: systemClock.nowMs(),
    generation,
    judge: judgeRestored,
    progress: (row, of) => {
      if (row % 50_000 === 0) output.note(`restored up to row ${row} of ${of}`);
    },
    ...crashOption(process.env),
  });
}

/** Restores the rows before the damage, for a journal without a copy. The damaged file is renamed and kept. */
async function salvage({ home }: AgentConfig, options: RestoreOptions, output: Output): Promise<void> {
  const path = join(home, HOME_FILES.journal);
  if (isPlacePending(path)) return finish(home, path, options, output);
  if (!existsSync(path)) throw new CommandError(EXIT.usage, `there is no journal at ${path}`);
  const damaged = await DamagedJournal.open(path, readGeneration(home) ?? FIRST_GENERATION);
  try {
    const next = Math.max(readGeneration(home) ?? 0, damaged.generation) + 1;
    const restored = await rebuild(home, damaged, next, output);
    await damaged.close();
    place(home, restored.generation);
    const { from, rows, openSales, inDoubt, generation } = restored;
    const end = damaged.ended ?? 'nothing was wrong with it';
    const text = `brought over ${rows} rows up to row ${from.row}, ${openSales} open sale(s); it ends there: ${end}. What was behind it is in the file that was set aside, and is not forwarded. Generation ${generation}; ${nextStep()}${doubtText(inDoubt)}`;
    output.out(
      options.json ? JSON.stringify({ generation, fromRow: from.row, rows, openSales, inDoubt, end }) : text,
    );
  } finally {
    await damaged.close();
  }
}

function openSource(from: string, { agent, secretFile, caFile }: RestoreOptions): Promise<CopyTarget> {
  if (!/^https?:/.test(from)) return openCopyToRead({ kind: 'folder', path: resolve(from) }, '');
  if (agent === undefined || secretFile === undefined)
    throw new CommandError(EXIT.usage, 'a copy at a replica needs --agent ID and --secret-file FILE');
  const { protocol, hostname } = new URL(from);
  if (protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
    throw new CommandError(EXIT.usage, '--from http: would carry the secret in clear: use https:');
  const ca = caFile === undefined ? {} : { caFile };
  return openCopyToRead({ kind: 'replica', url: from, secretFile, ...ca }, agent);
}

/** Refuses a home that belongs to another agent. */
function checkIdentity(home: string, { agentId }: HomeRecord): void {
  const [idFile] = SECRET_FILES;
  const path = join(home, idFile);
  const present = existsSync(path) ? readFileSync(path, 'utf8').trim() : agentId;
  if (present !== agentId)
    throw new CommandError(
      EXIT.usage,
      `${home} belongs to agent ${present}, the copy to ${agentId}: choose another home`,
    );
}

/** Finishes an earlier run that has built the new journal and renamed the damaged one. */
async function finish(home: string, path: string, options: RestoreOptions, output: Output): Promise<void> {
  if (!existsSync(join(home, HOME_FILES.blobKey)))
    throw new CommandError(
      EXIT.usage,
      `${home} waits for the rest of a restore from a copy: run it again with --from`,
    );
  const generation = await builtGeneration(path);
  place(home, generation);
  const text = `finished what an earlier run had begun: generation ${generation}; ${nextStep()}`;
  output.out(options.json ? JSON.stringify({ generation }) : text);
}

/** Writes the generation last: a start before that reads it in the journal. */
function place(home: string, generation: number, before: () => void = () => undefined): void {
  const { crashAt } = crashOption(process.env);
  takePlace(join(home, HOME_FILES.journal), crashAt, before);
  dieAt(crashAt, 'restore-generation', 'before');
  writeGeneration(home, generation);
  dieAt(crashAt, 'restore-generation', 'after');
}

/** The copy may be older than the identity: a home that has one keeps it, and a replacement has its own. */
function writeSecrets(home: string, { files }: HomeRecord, enrolled: EnrolledAt | undefined): void {
  const hasIdentity = enrolled !== undefined || IDENTITY_FILES.every((name) => existsSync(join(home, name)));
  const isKept = (name: string): boolean => hasIdentity && IDENTITY_FILES.some((own) => own === name);
  for (const name of SECRET_FILES) {
    const content = files.get(name);
    if (content && !isKept(name)) replaceFile(join(home, name), content);
  }
  if (enrolled) completeHome(home, enrolled);
}

/** Begins a new generation with the journal of the home as it is. Rows that it lost stay lost: the operator accepts that. */
async function declareGood(config: AgentConfig, options: RestoreOptions, output: Output): Promise<void> {
  const { home } = config;
  refusePending(join(home, HOME_FILES.journal));
  const cipher = new BlobCipher(loadOrCreateKey(join(home, HOME_FILES.blobKey), systemRandom), systemRandom);
  const journal = await SqliteJournal.open({
    path: join(home, HOME_FILES.journal),
    cipher,
    clock: systemClock,
    ...crashOption(process.env),
  });
  try {
    if (journal.state.kind === 'unavailable')
      throw new JournalUnavailable(journal.state.reason, journal.state.detail);
    const fromGeneration = readGeneration(home) ?? FIRST_GENERATION;
    const enrolled = await replacement(config, options, undefined, fromGeneration + 1);
    const generation = enrolled?.generation ?? fromGeneration + 1;
    const data = { generation, fromGeneration, fromRow: journal.head.row };
    const row = { kind: RESTORED_ROW, reference: '', terminalId: '', data };
    await journal.append({ atMs: systemClock.nowMs(), rows: [row] });
    writeGeneration(home, generation);
    if (enrolled) completeHome(home, enrolled);
    const text = `the journal of ${home} is generation ${generation} from row ${journal.head.row} on; ${nextStep(enrolled)}`;
    output.out(options.json ? JSON.stringify(data) : text);
  } finally {
    await journal.close();
  }
}

function summary(agentId: string, { generation, from, rows, keptSales, openSales, inDoubt }: Restored) {
  return { agentId, generation, fromRow: from.row, rows, keptSales, openSales, inDoubt };
}

/** Sales that were running at the end of the copy. Staff must find out how they ended. */
function doubtText(inDoubt: readonly string[]): string {
  if (inDoubt.length === 0) return '';
  return `\nunder way at the end, and parked until a person resolves them: ${inDoubt.join(', ')}`;
}

/** The gateway takes the new generation by an operator's word, or by the code that was used. */
function nextStep(enrolled?: EnrolledAt, agentId = 'AGENT'): string {
  const start = 'start the agent with a link to the gateway: new sales begin when it was welcomed';
  return enrolled
    ? start
    : `have it allowed: tillbridge-gateway agents allow-generation ${agentId}; then ${start}`;
}

function restoredText(
  agentId: string,
  { generation, from, rows, openSales, inDoubt }: Restored,
  folder: string,
  enrolled: EnrolledAt | undefined,
): string {
  return [
    `restored into ${folder}: ${rows} rows up to row ${from.row}, ${openSales} open sale(s)`,
    `generation ${generation}: when this agent has reached the gateway, the old one is refused for ever`,
    `${nextStep(enrolled, agentId)}${doubtText(inDoubt)}`,
  ].join('\n');
}
