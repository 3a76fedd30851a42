import { readIfThere } from '@tillbridge/platform/read-file.js';
import type { TerminalConfig } from '../config/terminals.js';
import type { IncidentFrames } from './agent-incident.js';

/** Lines of one trace that are exported, in addition to its head: the newest. */
const MAX_LINES = 2_000;

/** What the traces of the terminals hold, of those that are configured to have one; a trace is masked as it is written. */
export function traceFrames(terminals: readonly TerminalConfig[]): readonly IncidentFrames[] {
  return terminals.flatMap(({ id, trace }) => {
    const text = trace === undefined ? undefined : readIfThere(trace);
    if (!text) return [];
    const [head = '', ...events] = Buffer.from(text).toString('utf8').trimEnd().split('\n');
    return [{ terminalId: id, lines: [head, ...events.slice(-MAX_LINES)] }];
  });
}
