import { BRIDGE_LIMITS } from '@tillbridge/wire/bridge/limits.js';
import type { SaleReport, SaleReportEmv, SaleReportRow } from '@tillbridge/wire/bridge/messages.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { TerminalConfig } from '../config/terminals.js';
import type { Journal, JournalRow } from '../journal/journal.js';
import type { AnswerEmv } from '../sale/machine/state/answer.js';
import type { Fact } from '../sale/machine/state/facts.js';
import { timelineEntry } from '../sale/machine/state/timeline.js';
import { rowToFact } from '../sale/records/fact-rows.js';
import { lineFrames } from './line-frames.js';

/** Limits of a report, so that it fits into one message of the bridge. */
export const REPORT_LIMITS = {
  /** Rows: the first half and the last half of more. */
  rows: 128,
  /** Frames: the last of more. */
  frames: 200,
  /** Characters of a description. */
  description: 200,
  /** Before the first row and after the last one: frames of this time count as those of the sale, in milliseconds. */
  aroundMs: 1_000,
} as const;

/** What a report is made of. */
interface ReportDeps {
  readonly journal: Pick<Journal, 'rowsOf' | 'kept'>;
  readonly terminals: readonly Pick<TerminalConfig, 'id' | 'trace'>[];
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * What the journal has of a sale, and what passed on the line to its terminal meanwhile; nothing that identifies a card or opens a door.
 * @returns undefined where there is no sale under the reference
 * @throws JournalUnavailable
 */
export async function reportSale(deps: ReportDeps, reference: string): Promise<SaleReport | undefined> {
  const { journal, terminals, clock } = deps;
  const [stored, kept] = await Promise.all([journal.rowsOf(reference), journal.kept(reference)]);
  if (stored.length === 0 && !kept) return undefined;
  const rows = stored.flatMap(reportRow);
  const ids = new Set(rows.map(({ terminalId }) => terminalId));
  const recorded = terminals.filter(({ id, trace }) => ids.has(id) && trace !== undefined);
  const [first, last] = [rows.at(0), rows.at(-1)];
  const frames =
    first && last
      ? recorded.flatMap(({ id, trace = '' }) =>
          lineFrames(trace, id, first.atMs - REPORT_LIMITS.aroundMs, last.atMs + REPORT_LIMITS.aroundMs),
        )
      : [];
  return shortened({
    timeMs: clock.nowMs(),
    rows,
    frames,
    lineIsRecorded: recorded.length > 0,
    incomplete: kept !== undefined,
  });
}

/** The report within its limits. Pure. */
export function shortened(report: SaleReport): SaleReport {
  const { rows, frames } = report;
  const half = REPORT_LIMITS.rows / 2;
  const isLong = rows.length > REPORT_LIMITS.rows || frames.length > REPORT_LIMITS.frames;
  return {
    ...report,
    rows: rows.length > REPORT_LIMITS.rows ? [...rows.slice(0, half), ...rows.slice(-half)] : rows,
    frames: frames.slice(-REPORT_LIMITS.frames),
    incomplete: report.incomplete || isLong,
  };
}

function reportRow(row: JournalRow): readonly SaleReportRow[] {
  const fact = rowToFact(row);
  if (!fact) return [];
  const { step, detail = '', by } = timelineEntry(fact, row.atMs);
  const emv = emvOf(fact);
  return [
    {
      row: row.row,
      atMs: row.atMs,
      terminalId: row.terminalId,
      step,
      description: maskText(detail).slice(0, REPORT_LIMITS.description),
      till: (fact.kind === 'accepted' ? fact.sale.till : by)?.slice(0, BRIDGE_LIMITS.maxTextLength) ?? '',
      messageId: row.messageId ?? row.statusOf ?? '',
      sequence: row.sequence,
      ...(emv && { emv: reportEmv(emv) }),
    },
  ];
}

function emvOf(fact: Fact): AnswerEmv | undefined {
  return 'emv' in fact ? fact.emv : undefined;
}

function reportEmv({ aid, tvr, tsi, acType, cvm, arc }: AnswerEmv): SaleReportEmv {
  return {
    aid: aid ?? '',
    tvr: tvr ?? '',
    tsi: tsi ?? '',
    acType: acType ?? '',
    cvm: cvm ?? '',
    arc: arc ?? '',
  };
}
