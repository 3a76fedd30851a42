import { join } from 'node:path';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import { createLog } from '@tillbridge/platform/log/log.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES, lockAgentHome } from '../home/home-files.js';
import { SOFTWARE } from '../home/version.js';
import { InterruptedRestore, isPlacePending } from '../journal/copy/take-place.js';
import { type ChainReport, type Damage, JournalUnavailable } from '../journal/journal.js';
import { type FileReport, JournalFile, NoJournalError } from '../journal/verify-file.js';
import { askGateway } from '../uplink/ask-gateway.js';
import { fileTrust } from '../uplink/gateway-trust.js';
import { FIRST_GENERATION, readGeneration } from '../uplink/generation.js';
import { IdentityError, loadIdentity } from '../uplink/identity.js';
import { tlsOptions } from '../uplink/tls-trust.js';
import { websocketConnector } from '../uplink/websocket-connector.js';
import { findAgent } from './agent-address.js';
import { AgentClient } from './agent-client.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `verify`. */
export interface VerifyOptions {
  readonly json?: boolean;
  readonly url?: string;
  readonly token?: string;
  /** False: no comparison with the gateway. */
  readonly gateway?: boolean;
}

/** How the journal stands to the head that the gateway keeps of it. */
interface GatewayComparison {
  readonly verdict: 'continues' | 'behind' | 'forked' | 'refused' | 'not-compared';
  readonly row?: number;
  readonly detail?: string;
}

/** How long the gateway may take to answer. */
const GATEWAY_TIMEOUT_MS = 8_000;
/** Rows between two words about the progress. */
const PROGRESS_ROWS = 50_000;

const DAMAGES: Readonly<Record<Damage, string>> = {
  'missing-row': 'a row is missing',
  'changed-row': 'a row was changed, or put in',
  'changed-blob': 'sealed data of a row were changed',
  'missing-blob': 'sealed data of a waiting message are gone',
  'changed-kept': 'what compaction kept was changed',
  unreadable: 'the file cannot be read there',
};

/**
 * Verifies the journal of a home, whether or not its agent runs, and compares it with the head that the gateway keeps.
 * Resolves with the exit code: 0 sound, 1 damaged or at odds with the gateway.
 * @throws CommandError 2: there is no journal; 3: it cannot be read now
 */
export async function verifyHome(
  config: AgentConfig,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  const file = await openFile(join(config.home, HOME_FILES.journal));
  try {
    const report = await file.verify(progressTo(output)).catch(cannotRead);
    const compared = options.gateway === false ? SKIPPED : await compare(file, config, options, env);
    const isSound = report.chain.ok && report.file === 'ok' && !isAtOdds(compared);
    output.out(options.json ? JSON.stringify(asJson(report, compared, isSound)) : asText(report, compared));
    return isSound ? EXIT.ok : EXIT.declined;
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<JournalFile> {
  try {
    return await JournalFile.open(path);
  } catch (error) {
    if (isPlacePending(path)) throw new CommandError(EXIT.usage, new InterruptedRestore(path).message);
    if (error instanceof NoJournalError)
      throw new CommandError(EXIT.usage, `${error.message}: give --home or --config`);
    return cannotRead(error);
  }
}

function cannotRead(error: unknown): never {
  if (error instanceof JournalUnavailable) throw new CommandError(EXIT.unknown, error.message);
  throw error;
}

function progressTo(output: Output): (row: number, of: number) => void {
  let next = PROGRESS_ROWS;
  return (row, of) => {
    if (row < next) return;
    next = row + PROGRESS_ROWS;
    output.note(`verified up to row ${row} of ${of}`);
  };
}

const SKIPPED: GatewayComparison = { verdict: 'not-compared', detail: 'not requested' };
/** A look at a restored journal, perhaps for an exercise, must not end the agent that it was copied from. */
const NOT_WELCOMED: GatewayComparison = {
  verdict: 'not-compared',
  detail:
    'it was restored, and asking would have the gateway refuse every older one from then on: start the agent',
};

/** Requests from the running agent what the gateway keeps; without one, from the gateway under the identity of the home. */
async function compare(
  file: JournalFile,
  config: AgentConfig,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
): Promise<GatewayComparison> {
  try {
    const lock = await lockAgentHome(config.home);
    try {
      return (await file.standing()) === 'unconfirmed' ? NOT_WELCOMED : await askAs(file, config);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (error instanceof HomeInUseError) return askAgent(options, env);
    if (error instanceof IdentityError) return { verdict: 'not-compared', detail: error.message };
    throw error;
  }
}

async function askAs(file: JournalFile, config: AgentConfig): Promise<GatewayComparison> {
  const trust = fileTrust(config.home);
  const word = await askGateway({
    identity: loadIdentity(config.home),
    generation: readGeneration(config.home) ?? FIRST_GENERATION,
    software: SOFTWARE,
    connect: websocketConnector(config.bridgeUrl, () => tlsOptions(trust.pins)),
    trust,
    timeoutMs: GATEWAY_TIMEOUT_MS,
    clock: systemClock,
    random: systemRandom,
    log: createLog('tillbridge-agent', { level: 'silent', target: 'stderr' }),
  });
  if (word.kind === 'unreachable') return { verdict: 'not-compared', detail: word.reason };
  if (word.kind === 'refused') return { verdict: 'refused', detail: word.reason };
  if (!word.kept) return { verdict: 'not-compared', detail: 'the gateway keeps no head of this journal yet' };
  const { row } = word.kept;
  const verdict = await file.compare(word.kept);
  if (verdict !== 'removed') return { verdict, row };
  return { verdict: 'not-compared', row, detail: 'the row that the gateway keeps was removed by compaction' };
}

async function askAgent(options: VerifyOptions, env: NodeJS.ProcessEnv): Promise<GatewayComparison> {
  try {
    const { journal } = await new AgentClient(findAgent(options, env)).status();
    const { standing, standingDetail, gatewayRow } = journal;
    const row = gatewayRow === undefined ? {} : { row: gatewayRow };
    if (standing === 'behind' || standing === 'forked')
      return { verdict: standing, ...row, ...(standingDetail && { detail: standingDetail }) };
    if (standing === 'fenced')
      return { verdict: 'refused', ...(standingDetail && { detail: standingDetail }) };
    if (gatewayRow !== undefined)
      return { verdict: 'continues', ...row, detail: 'at the last contact of the running agent' };
    return { verdict: 'not-compared', detail: 'the running agent has not received it yet' };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { verdict: 'not-compared', detail: `the agent runs, and ${error.message}` };
  }
}

function isAtOdds({ verdict }: GatewayComparison): boolean {
  return verdict === 'behind' || verdict === 'forked' || verdict === 'refused';
}

function asJson(
  { chain, file }: FileReport,
  gateway: GatewayComparison,
  ok: boolean,
): Readonly<Record<string, unknown>> {
  const found = chain.ok
    ? { rows: chain.rows, removedTo: chain.removedTo, head: toHex(chain.head) }
    : { badRow: chain.badRow, damage: chain.damage, problem: chain.problem };
  return { ok, ...found, file, gateway };
}

function asText({ chain, file }: FileReport, gateway: GatewayComparison): string {
  const lines = [chainText(chain)];
  if (file !== 'ok') lines.push(`file      damaged: ${file}`);
  lines.push(`gateway   ${gatewayText(gateway)}`);
  return lines.join('\n');
}

function chainText(chain: ChainReport): string {
  if (!chain.ok) {
    const place =
      chain.damage === 'changed-kept' ? `entry ${chain.badRow} of what was kept` : `row ${chain.badRow}`;
    return `journal   DAMAGED at ${place}: ${DAMAGES[chain.damage]} (${chain.problem})`;
  }
  const removed = chain.removedTo > 0 ? `, rows up to ${chain.removedTo} are a checkpoint` : '';
  return `journal   sound, ${chain.rows} rows${removed}, head ${toHex(chain.head).slice(0, 16)}…`;
}

const GATEWAY_TEXTS: Readonly<Record<GatewayComparison['verdict'], string>> = {
  continues: 'agrees',
  behind: 'KNOWS LATER ROWS: rows were lost, or this is an old copy',
  forked: 'KNOWS OTHER ROWS: this journal was changed, or two copies are in use',
  refused: 'REFUSES this journal',
  'not-compared': 'not compared',
};

function gatewayText({ verdict, row, detail }: GatewayComparison): string {
  const at = row === undefined ? '' : ` (it keeps row ${row})`;
  return `${GATEWAY_TEXTS[verdict]}${at}${detail ? `: ${detail}` : ''}`;
}
