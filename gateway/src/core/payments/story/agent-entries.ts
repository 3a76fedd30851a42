import { fromHex } from '@tillbridge/wire/bytes.js';
import { describeValue } from '@tillbridge/wire/emv/describe.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import { present } from '@tillbridge/wire/present.js';
import { keyOf, type StoryEntry } from './entry.js';
import type { ClockOffsets } from './order.js';
import { type StoredSaleReport, saleReportOf } from './sale-report.js';
import { type StorySources, salesOf } from './sources.js';

/** The newest report of a sale, and whose it is. */
export interface LatestReport {
  readonly agentId: string;
  readonly reference: string;
  readonly report: StoredSaleReport;
  /** When the gateway stored it. */
  readonly atMs: number;
}

/** What agents have reported of the sales, the newest of each. Pure. */
export function latestReports({ commands, payments, intents }: StorySources): readonly LatestReport[] {
  return salesOf([...payments, ...intents]).flatMap(([agentId, reference]) => {
    const reported = commands
      .filter((row) => row.agentId === agentId && row.reference === reference)
      .flatMap((row) => {
        const report = saleReportOf(row);
        return report ? [{ agentId, reference, report, atMs: row.endedAtMs ?? row.createdAtMs }] : [];
      })
      .sort((one, other) => other.atMs - one.atMs);
    return reported.slice(0, 1);
  });
}

/** How far each agent's clock was ahead when it reported. Pure. */
export function clocksOf(reports: readonly LatestReport[]): ClockOffsets {
  return new Map(reports.map(({ agentId, report, atMs }) => [clockOf(agentId), report.timeMs - atMs]));
}

function clockOf(agentId: string): string {
  return `agent ${agentId}`;
}

/**
 * What happened in the store: rows of the journal and frames of the terminal's line as they were reported; of messages without a report that the
 * agent made them, and when, as their ids say. A record each. Pure.
 */
export function agentEntries(sources: StorySources, reports: readonly LatestReport[]): readonly StoryEntry[] {
  const rows = reports.flatMap((each) => [...journalEntries(each, sources), ...frameEntries(each)]);
  const known = new Set(rows.map(({ key }) => key));
  return [...rows, ...messageEntries(sources).filter(({ key }) => !known.has(key))];
}

function journalEntries({ agentId, report }: LatestReport, sources: StorySources): readonly StoryEntry[] {
  const made = new Set<string>();
  let previous: string | undefined;
  let asked = '';
  return report.rows.map((row) => {
    const { messageId, step, sequence } = row;
    // The first row of a message brings it into being; later ones record what became of it.
    const isNew = messageId !== '' && !made.has(messageId);
    made.add(messageId);
    const key = isNew ? keyOf('message', agentId, messageId) : keyOf('rows', agentId, row.row);
    const answered = isNew ? '' : messageId !== '' ? messageId : step.startsWith('answered') ? asked : '';
    if (isNew && step === 'authorizing') asked = messageId;
    const entry: StoryEntry = {
      key,
      after: [
        ...(previous === undefined ? [] : [previous]),
        ...(answered === '' ? [] : [keyOf('inbox', agentId, answered)]),
      ],
      atMs: row.atMs,
      clock: clockOf(agentId),
      source: step === 'accepted' ? 'till' : row.emv ? 'terminal' : 'agent',
      step,
      by: row.till === '' ? (step === 'accepted' ? 'till' : 'agent') : row.till,
      ...present({ detail: detailOf(row) }),
      ids: {
        agentId,
        journalRow: String(row.row),
        ...present({
          messageId: messageId === '' ? undefined : messageId,
          sequence: sequence > 0 ? String(sequence) : undefined,
        }),
      },
      ...present({ paymentId: paymentOf(sources, agentId, messageId) }),
    };
    previous = key;
    return entry;
  });
}

/** What became true, and what card and terminal decided, in words. */
function detailOf({ description, emv, terminalId }: StoredSaleReport['rows'][number]): string | undefined {
  const parts = [
    description === '' ? '' : maskText(description),
    terminalId === '' ? '' : `terminal ${terminalId}`,
    ...(emv
      ? [
          emv.acType === '' ? '' : `card gave ${emv.acType}`,
          emv.arc === '' ? '' : `response code ${emv.arc}`,
          meaningOf('9F34', emv.cvm),
          meaningOf('95', emv.tvr),
          meaningOf('9B', emv.tsi),
        ]
      : []),
  ];
  const text = parts.filter((part) => part !== '').join('; ');
  return text === '' ? undefined : text;
}

function meaningOf(tag: string, hex: string): string {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return '';
  const { meaning, name } = describeValue(tag, fromHex(hex));
  return meaning.length === 0 ? '' : `${name}: ${meaning.join(', ')}`;
}

function frameEntries({ agentId, reference, report }: LatestReport): readonly StoryEntry[] {
  const first = report.rows[0];
  return report.frames.map(({ atMs, terminalId, from, length, head }, at) => ({
    key: keyOf('frames', agentId, reference, at),
    after: at > 0 ? [keyOf('frames', agentId, reference, at - 1)] : [],
    atMs: Math.max(atMs, first?.atMs ?? atMs),
    clock: clockOf(agentId),
    source: 'terminal',
    step: length > 0 ? 'frame' : `line ${from}`,
    by: from === 'host' ? 'agent' : 'terminal',
    ...present({ detail: length > 0 ? `${length} bytes, ${head.toUpperCase()}…` : undefined }),
    ids: { agentId, terminalId },
    isDiagnostic: true,
  }));
}

/** A message id of version 7 has the time when the agent made it. */
const MESSAGE_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

function messageEntries(sources: StorySources): readonly StoryEntry[] {
  const messages = new Map<string, StoryEntry>();
  for (const { agentId, messageId, kind, paymentId } of sources.intents) {
    if (agentId === null || messageId === null) continue;
    const [, high, low] = MESSAGE_ID.exec(messageId) ?? [];
    if (high === undefined || low === undefined) continue;
    const key = keyOf('message', agentId, messageId);
    messages.set(key, {
      key,
      after: [],
      atMs: Number.parseInt(high + low, 16),
      clock: clockOf(agentId),
      source: 'agent',
      step: 'message made',
      by: 'agent',
      detail: kind,
      ids: { agentId, messageId },
      paymentId,
    });
  }
  return [...messages.values()];
}

function paymentOf(
  { intents, payments }: StorySources,
  agentId: string,
  messageId: string,
): string | undefined {
  const of = (row: { agentId: string | null; messageId: string | null }): boolean =>
    row.agentId === agentId && row.messageId === messageId;
  return payments.find(of)?.id ?? intents.find(of)?.paymentId;
}
