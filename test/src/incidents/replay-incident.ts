import { replayAgent } from './agent/replay-agent.js';
import type { Divergence, IncidentReport } from './core/verdict.js';
import { type Incident, readIncident } from './file/read-incident.js';
import { replayGateway } from './gateway/replay-gateway.js';

/** Sentences on what cannot be replayed that are printed; the rest is counted. */
const MOST_SENTENCES = 40;
/** Events that were tried, in the text of a divergence. */
const MOST_TRIED = 30;

/** A replayed file: its report, and whether every row is reachable. */
export interface ReplayedIncident {
  readonly isReachable: boolean;
  /** For people. */
  readonly lines: readonly string[];
}

/** Replays the text of an incident file. @throws IncidentFileError */
export function replayIncident(text: string): ReplayedIncident {
  const incident = readIncident(text);
  const report = reportOf(incident);
  const diverged = report.verdicts.flatMap(({ divergence }) => divergence ?? []);
  return {
    isReachable: diverged.length === 0,
    lines: [
      `written by ${incident.writtenBy} with Node.js ${incident.node} at ${new Date(incident.writtenAtMs).toISOString()}`,
      report.title,
      '',
      ...diverged.flatMap(reportLines),
      'not replayed:',
      ...listed([...report.notReplayed, ...report.verdicts.flatMap(({ notReplayed }) => notReplayed)]),
      'not in the file:',
      ...listed(incident.leftOut),
      '',
      totalsOf(report),
    ],
  };
}

/** The report on an incident that was read. */
function reportOf(incident: Incident): IncidentReport {
  return incident.kind === 'agent' ? replayAgent(incident.content) : replayGateway(incident.content);
}

/** A line for a report: how many rows an event leads to. */
function totalsOf({ verdicts }: IncidentReport): string {
  const rows = verdicts.reduce((sum, verdict) => sum + verdict.rows, 0);
  const reached = verdicts.filter(({ divergence }) => divergence === undefined).length;
  return `incident: ${reached}/${verdicts.length} replayed, ${rows} rows reached`;
}

/** A divergence, as lines for people. */
export function reportLines({ subject, row, state, tried, because }: Divergence): readonly string[] {
  const more = tried.length > MOST_TRIED ? [`    and ${tried.length - MOST_TRIED} more`] : [];
  return [
    `DIVERGENCE in ${subject}`,
    `  row:   ${row}`,
    `  state: ${state}`,
    ...(because === undefined ? [] : [`  rule:  ${because}`]),
    '  no event leads there; tried:',
    ...tried.slice(0, MOST_TRIED).map((name) => `    ${name}`),
    ...more,
    '',
  ];
}

function listed(sentences: readonly string[]): readonly string[] {
  const shown = sentences.slice(0, MOST_SENTENCES).map((sentence) => `  - ${sentence}`);
  const rest = sentences.length - shown.length;
  return rest > 0 ? [...shown, `  - and ${rest} more`] : shown;
}
