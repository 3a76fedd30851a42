import { join, resolve } from 'node:path';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { systemCode } from '@tillbridge/platform/system-code.js';
import { createFile } from '@tillbridge/platform/write-file.js';
import { cardDataPlaces, encodeIncident, INCIDENT_LIMITS } from '@tillbridge/wire/incident/incident-file.js';
import { findingTexts, maskFindings } from '@tillbridge/wire/incident/mask-findings.js';
import type { StorePolicy } from '@tillbridge/wire/payment/store-policy.js';
import type { AgentConfig } from '../config/config.js';
import { HOME_FILES } from '../home/home-files.js';
import { SOFTWARE } from '../home/version.js';
import { JournalExtract } from '../journal/journal-extract.js';
import { instantOf } from '../till/store-time.js';
import { fileTrust } from '../uplink/gateway-trust.js';
import { readGeneration } from '../uplink/generation.js';
import { loadIdentity } from '../uplink/identity.js';
import { filePolicy, StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { type AgentIncident, agentIncident, LEFT_OUT } from './agent-incident.js';
import { IncidentCardDataError, NoIncidentError } from './incident-errors.js';
import { traceFrames } from './trace-frames.js';

/** An incident file that was written. */
interface WrittenIncident {
  readonly path: string;
  readonly sales: number;
  readonly rows: number;
  /** What looked like card data and was masked, in sentences. */
  readonly masked: readonly string[];
}

/** What is exported, and where to. */
interface IncidentRequest {
  /** ISO 8601 with zone, or a date or local time of the store, or `today`. */
  readonly since: string;
  /** Default: a name after the time. */
  readonly output?: string;
  /** False: without the traces of terminals. */
  readonly frames?: boolean;
}

/**
 * Writes what the journal of a home recorded since a time into a new file, of mode 0600, whether or not the agent of the home runs.
 * @throws NoIncidentError, IncidentCardDataError, IdentityError, JournalUnavailable
 */
export async function writeIncident(
  config: AgentConfig,
  { since, output, frames = true }: IncidentRequest,
): Promise<WrittenIncident> {
  const nowMs = systemClock.nowMs();
  const sinceMs = instantOf(since, config.store.timeZone, nowMs);
  if (sinceMs === undefined)
    throw new NoIncidentError(
      `--since must be ISO 8601 with zone, or a date or local time of the store, such as 2026-11-23; not ${JSON.stringify(since)}`,
    );
  const { content, findings } = maskFindings(await readIncident(config, sinceMs, frames));
  const masked = findingTexts(findings);
  const text = encodeIncident(
    {
      kind: 'agent',
      writtenBy: SOFTWARE,
      node: process.version,
      writtenAtMs: nowMs,
      leftOut: [...LEFT_OUT, ...masked],
    },
    content,
  );
  checkText(text);
  const path = resolve(output ?? `tillbridge-incident-${stamp(nowMs)}.json`);
  try {
    createFile(path, text);
  } catch (error) {
    throw new NoIncidentError(`${path} cannot be written (${systemCode(error)}): give another --output`);
  }
  const rows = content.sales.reduce((sum, sale) => sum + sale.rows.length, content.others.length);
  return { path, sales: content.sales.length, rows, masked };
}

async function readIncident(config: AgentConfig, sinceMs: number, frames: boolean): Promise<AgentIncident> {
  const { agentId } = loadIdentity(config.home);
  const journal = join(config.home, HOME_FILES.journal);
  const file = await JournalExtract.open(journal);
  if (!file) throw new NoIncidentError(`there is no journal at ${journal}: give --home or --config`);
  try {
    const extracted = await file.since(sinceMs, INCIDENT_LIMITS.maxRows);
    if (!extracted)
      throw new NoIncidentError(
        `there are more than ${INCIDENT_LIMITS.maxRows} rows since then: give a later --since`,
      );
    return agentIncident(extracted, {
      agentId,
      generation: readGeneration(config.home) ?? null,
      sinceMs,
      policy: config.policy,
      storePolicy: storePolicyOf(config.home, agentId),
      frames: frames ? traceFrames(config.terminals) : [],
    });
  } finally {
    await file.close();
  }
}

/** The policy of the store as the agent would apply it now; null: not known. */
function storePolicyOf(home: string, agentId: string): StorePolicy | null {
  const { pins } = fileTrust(home);
  const log = { info: () => undefined, error: () => undefined };
  const keeper = new StorePolicyKeeper({ agentId, pins: () => pins, storage: filePolicy(home), log });
  return keeper.policy ?? null;
}

/** @throws IncidentCardDataError, NoIncidentError */
function checkText(text: string): void {
  if (text.length > INCIDENT_LIMITS.maxCharacters)
    throw new NoIncidentError(
      `the file would have more than ${INCIDENT_LIMITS.maxCharacters} characters: give a later --since, or --no-frames`,
    );
  const places = cardDataPlaces(text);
  if (places !== undefined)
    throw new IncidentCardDataError(`not written, as it would carry card data:\n  ${places}`);
}

function stamp(atMs: number): string {
  return new Date(atMs).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}
