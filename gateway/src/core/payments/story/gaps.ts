import type { AgentSessionRow, NodeEndRow } from '../../../kernel/store/rows.js';
import type { LatestReport } from './agent-entries.js';
import type { EntrySource } from './entry.js';
import { type StorySources, salesOf } from './sources.js';

/** What a story cannot show, and why. */
export interface StoryGap {
  readonly source: EntrySource;
  /** Milliseconds since 1970, by the gateway's clock; absent: not a matter of time. */
  readonly fromMs?: number;
  /** Absent: it lasts. */
  readonly toMs?: number;
  readonly text: string;
}

/** How long events and their deliveries are kept (kernel/events/event-changes.ts), in days. */
const EVENTS_KEPT_MS = 90 * 86_400_000;

const time = (ms: number): string => new Date(ms).toISOString();

/** Times at which no agent or no gateway was there, and what no source has any more. Pure. */
export function gapsOf(
  sources: StorySources,
  reports: readonly LatestReport[],
  nowMs: number,
): readonly StoryGap[] {
  const agents = [...new Set(salesOf([...sources.payments, ...sources.intents]).map(([agentId]) => agentId))];
  const gaps = [
    ...sources.nodeEnds.flatMap(nodeGap),
    ...agents.flatMap((agentId) => sessionGaps(agentId, sources)),
    ...reportGaps(sources, reports),
    ...forgotten(sources, nowMs),
  ];
  return gaps.sort(
    (one, other) => (one.fromMs ?? 0) - (other.fromMs ?? 0) || (one.text < other.text ? -1 : 1),
  );
}

function nodeGap({ id, renewedAtMs, createdAtMs, ending }: NodeEndRow): readonly StoryGap[] {
  if (ending === 'stopped') return [];
  return [
    {
      source: 'gateway',
      fromMs: renewedAtMs,
      toMs: createdAtMs,
      text: `gateway process ${id.slice(0, 8)} ended without a word: last renewed ${time(renewedAtMs)}, found gone ${time(createdAtMs)}`,
    },
  ];
}

/** When a session ended as far as that is known: of a process of the gateway that was lost, with its last renewal. */
function endOf(
  { endedAtMs, nodeId }: AgentSessionRow,
  { nodeEnds }: StorySources,
): { readonly atMs: number; readonly how: 'link' | 'gateway' } | undefined {
  if (endedAtMs !== null) return { atMs: endedAtMs, how: 'link' };
  const node = nodeEnds.find(({ id }) => id === nodeId);
  if (!node) return undefined;
  return { atMs: node.ending === 'stopped' ? node.createdAtMs : node.renewedAtMs, how: 'gateway' };
}

function sessionGaps(agentId: string, sources: StorySources): readonly StoryGap[] {
  const sessions = sources.sessions.filter((session) => session.agentId === agentId);
  return sessions.flatMap((session, at): readonly StoryGap[] => {
    const next = sessions[at + 1];
    const end = endOf(session, sources);
    if (!next)
      return end
        ? [
            {
              source: 'agent',
              fromMs: end.atMs,
              text: `store not reached since ${time(end.atMs)} (agent ${agentId})`,
            },
          ]
        : [];
    const fromMs = Math.min(end?.atMs ?? next.createdAtMs, next.createdAtMs);
    // The next session of the same process takes over without a gap.
    if (end === undefined && next.bootId === session.bootId) return [];
    const why =
      next.bootId !== session.bootId
        ? `agent ${agentId} ended ${end ? time(end.atMs) : 'at a time that is not known'}, back ${time(next.createdAtMs)} as another process`
        : `store not reached from ${time(fromMs)} to ${time(next.createdAtMs)} (agent ${agentId}${end?.how === 'gateway' ? ', as the gateway was gone' : ''})`;
    return [{ source: 'agent', fromMs, toMs: next.createdAtMs, text: why }];
  });
}

function reportGaps(sources: StorySources, reports: readonly LatestReport[]): readonly StoryGap[] {
  return salesOf([...sources.payments, ...sources.intents]).flatMap(
    ([agentId, reference]): readonly StoryGap[] => {
      const found = reports.find((each) => each.agentId === agentId && each.reference === reference);
      if (!found)
        return [
          {
            source: 'agent',
            text: `the journal of agent ${agentId} was not read: send it the command "status" with the reference ${reference}; till and terminal are in it alone`,
          },
        ];
      const { report, atMs } = found;
      return [
        ...(report.incomplete
          ? [
              {
                source: 'agent',
                text: `agent ${agentId} reported a part of the sale: the rest is in its journal`,
              } as const,
            ]
          : []),
        ...(report.lineIsRecorded
          ? []
          : [
              {
                source: 'terminal',
                text: `the line to the terminal is not recorded: set "trace" of the terminal at agent ${agentId}`,
              } as const,
            ]),
        {
          source: 'till',
          fromMs: atMs,
          text: `agent ${agentId} reported the sale ${time(atMs)}: what came later is not shown; what the till did by itself is in no record`,
        },
      ];
    },
  );
}

function forgotten({ payments, events }: StorySources, nowMs: number): readonly StoryGap[] {
  const first = payments[0];
  if (!first || events.length > 0 || nowMs - first.createdAtMs <= EVENTS_KEPT_MS) return [];
  return [
    { source: 'webhook', text: 'events and deliveries are kept for 90 days: those of this payment are gone' },
  ];
}
