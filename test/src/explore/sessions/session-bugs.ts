import { type SessionEvent, sessionStep } from '@tillbridge/gateway/core/bridge/session-machine.js';
import { NOW_MS } from '../gateway/replayed-process.js';
import type { SessionSeams } from './sessions-state.js';

type Step = typeof sessionStep;
type Read = Extract<SessionEvent, { kind: 'agent-read' }>;

const COMMITTED = { kind: 'committed', streams: [], nowMs: NOW_MS } as const;

/** The session machine with another view of what was read of the agent. */
function reading(change: (read: Read, generation: number) => Read): Step {
  return (state, event, limits) =>
    event.kind === 'agent-read' && state.phase === 'reading-agent'
      ? sessionStep(state, change(event, state.hello.generation), limits)
      : sessionStep(state, event, limits);
}

/** Bugs of sessions and handshakes. */
export const SESSION_BUGS = {
  'a session that lost the race for its epoch begins all the same': {
    session: (state, event, limits) =>
      sessionStep(state, event.kind === 'lost-race' ? COMMITTED : event, limits),
  },
  'a Welcome leaves before the epoch of its session is on disk': {
    session: (state, event, limits) => {
      const step = sessionStep(state, event, limits);
      if (step.state.phase !== 'committing' || event.kind !== 'agent-read') return step;
      const early = sessionStep(step.state, COMMITTED, limits);
      return { state: early.state, effects: [...step.effects, ...early.effects] };
    },
  },
  'an older copy of a journal begins a session after a newer one': {
    session: reading((read, generation) =>
      read.agent && read.agent.generation > generation
        ? { ...read, agent: { ...read.agent, generation } }
        : read,
    ),
  },
  'a restored copy of a journal begins a session without its operator': {
    session: reading((read, generation) =>
      read.agent
        ? { ...read, agent: { ...read.agent, allowedGeneration: generation, allowedUntilMs: NOW_MS + 1 } }
        : read,
    ),
  },
  'an older session takes the place of a newer one': { takesPlaceOf: () => true },
  'a Welcome of a connection that was given up counts': { acceptsGivenUp: true },
} as const satisfies Readonly<Record<string, SessionSeams>>;
