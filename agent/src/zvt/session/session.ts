import { encodeApdu } from '../messages/apdu.js';
import type { Command, Received, Registration } from '../messages/commands.js';
import type { Outgoing } from '../messages/outgoing.js';
import { RESULT, type ResultCode } from '../messages/result-codes.js';

/** The request of a till that is worked on. */
interface Work {
  readonly id: number;
  /** `deciding`: not answered yet. `running`: accepted. `reporting`: its messages are on their way. */
  readonly phase: 'deciding' | 'running' | 'reporting';
  /** Money was approved: a till that cannot issue its goods has it reversed. */
  readonly canWithhold: boolean;
  readonly repeatsLeft: number;
  /** How long the till may take to answer how money ended: it issues its goods before. */
  readonly issueMs: number;
}

/** The conversation with one till on one connection. */
export interface Session {
  readonly registration?: Registration;
  readonly work?: Work;
  /** The first one is under way. */
  readonly outbox: readonly Outgoing[];
  /** The till wants the first one once more, after a pause. */
  readonly repeats: boolean;
  readonly nextWork: number;
}

export const NEW_SESSION: Session = { outbox: [], repeats: false, nextWork: 1 };

/** Times of the conversation, milliseconds. */
export const SESSION_TIMES = {
  /** How long a till may take to acknowledge a message. */
  acknowledge: 10_000,
  /** The pause before a result that the till wants once more. */
  repeat: 2_000,
} as const;

/** How long the session waits for the till, milliseconds; undefined: for the till to begin. */
export function waitMs({ outbox, repeats, work }: Session): number | undefined {
  const [head] = outbox;
  if (!head) return undefined;
  if (repeats) return SESSION_TIMES.repeat;
  const issuesGoods = head.role === 'outcome' && work?.canWithhold === true;
  return issuesGoods ? Math.max(work.issueMs, SESSION_TIMES.acknowledge) : SESSION_TIMES.acknowledge;
}

/** What happened. `work`: that of a request which the session has given up is passed over. */
export type SessionEvent =
  | { readonly kind: 'received'; readonly received: Received }
  /** What the till sent cannot be read. */
  | { readonly kind: 'unreadable'; readonly code: ResultCode }
  | { readonly kind: 'registered'; readonly work: number; readonly registration: Registration }
  | { readonly kind: 'accepted'; readonly work: number }
  | { readonly kind: 'declined-to-begin'; readonly work: number; readonly code: ResultCode }
  | { readonly kind: 'progress'; readonly work: number; readonly status: number }
  | {
      readonly kind: 'ended';
      readonly work: number;
      readonly messages: readonly Outgoing[];
      readonly canWithhold: boolean;
    }
  /** The till has not acknowledged in time, or the time before a repeat is over. */
  | { readonly kind: 'time-over' };

/** What the owner carries out, in this order. */
export type SessionEffect =
  | { readonly kind: 'send'; readonly bytes: Uint8Array }
  | { readonly kind: 'begin'; readonly work: number; readonly command: Command }
  | { readonly kind: 'cancel'; readonly work: number }
  /** The till cannot issue its goods: what was approved is reversed, and reported anew. */
  | { readonly kind: 'withhold'; readonly work: number }
  /** The till knows how it ended. */
  | { readonly kind: 'acknowledge'; readonly work: number }
  | { readonly kind: 'hang-up' };

/** The next state, and what to do. */
export interface SessionStep {
  readonly session: Session;
  readonly effects: readonly SessionEffect[];
}

/** Most messages of progress that wait for the till. */
const MAX_PROGRESS = 2;
/** The till cannot issue its goods. */
const NOT_ISSUED = 0x66;
/** What a till may send before it has registered. */
const WITHOUT_REGISTRATION: ReadonlySet<Command['kind']> = new Set([
  'registration',
  'status-enquiry',
  'abort',
  'log-off',
  'unknown',
]);

/** The conversation as a function of what happened: it has no clock and no line. */
export function step(session: Session, event: SessionEvent): SessionStep {
  switch (event.kind) {
    case 'received':
      return received(session, event.received);
    case 'unreadable':
      return still(session, [refusal(event.code)]);
    case 'time-over':
      return timeOver(session);
    default:
      return event.work === session.work?.id ? ofWork(session, session.work, event) : still(session);
  }
}

function ofWork(
  session: Session,
  work: Work,
  event: Extract<SessionEvent, { readonly work: number }>,
): SessionStep {
  switch (event.kind) {
    case 'registered':
      return still({ ...session, registration: event.registration });
    case 'accepted':
      return still({ ...session, work: { ...work, phase: 'running' } }, [ACKNOWLEDGEMENT]);
    case 'declined-to-begin':
      return still(withoutWork(session), [refusal(event.code)]);
    case 'progress':
      return progress(session, work, event.status);
    case 'ended':
      return ended(session, work, event);
  }
}

function received(session: Session, from: Received): SessionStep {
  const [head] = session.outbox;
  switch (from.kind) {
    case 'acknowledged':
      return head ? acknowledged(session, head) : still(session);
    case 'refused':
      return head ? refused(session, head, from.code) : still(session);
    case 'command':
      return command(session, from.command);
  }
}

function command(session: Session, request: Command): SessionStep {
  const { work, registration } = session;
  if (request.kind === 'abort')
    return still(session, [ACKNOWLEDGEMENT, ...(work ? [{ kind: 'cancel', work: work.id } as const] : [])]);
  // A till that goes on without an acknowledgement of the last message has given the former request up.
  const isLast = session.outbox.length === 1 && session.outbox[0]?.role === 'end';
  if (work && !isLast) return still(session, [refusal(RESULT.busy)]);
  const free = work ? withoutWork(session) : session;
  if (!registration && !WITHOUT_REGISTRATION.has(request.kind))
    return still(free, [refusal(RESULT.notRegistered)]);
  if (request.kind === 'unknown') return still(free, [refusal(RESULT.notPossible)]);
  if (request.kind === 'log-off') {
    const { registration: _ended, ...rest } = free;
    return still(rest, [ACKNOWLEDGEMENT]);
  }
  const id = free.nextWork;
  const repeatsLeft = 'maxRepeats' in request ? request.maxRepeats : 0;
  const issueMs = 'issueSeconds' in request ? request.issueSeconds * 1_000 : SESSION_TIMES.acknowledge;
  const begun: Work = { id, phase: 'deciding', canWithhold: false, repeatsLeft, issueMs };
  return still({ ...free, work: begun, nextWork: id + 1 }, [{ kind: 'begin', work: id, command: request }]);
}

function progress(session: Session, work: Work, status: number): SessionStep {
  const isWanted = session.registration?.wantsIntermediate === true && work.phase === 'running';
  if (!isWanted || session.outbox.length >= MAX_PROGRESS) return still(session);
  return queued(session, [
    { role: 'progress', bytes: encodeApdu({ control: 0x04ff, data: Buffer.of(status) }) },
  ]);
}

function ended(
  session: Session,
  work: Work,
  { messages, canWithhold }: Extract<SessionEvent, { readonly kind: 'ended' }>,
): SessionStep {
  // A request that is done when it is acknowledged: the till has its turn already.
  if (messages.length === 0) return still(withoutWork(session));
  return queued({ ...session, work: { ...work, phase: 'reporting', canWithhold } }, messages);
}

function acknowledged(session: Session, head: Outgoing): SessionStep {
  if (head.role === 'end' && session.work)
    return still(withoutWork(session), [{ kind: 'acknowledge', work: session.work.id }]);
  return next(session);
}

function refused(session: Session, head: Outgoing, code: number): SessionStep {
  const { work } = session;
  if (!work) return next(session);
  if (head.role === 'outcome' && code === RESULT.wait && work.repeatsLeft > 0) {
    return still({ ...session, repeats: true, work: { ...work, repeatsLeft: work.repeatsLeft - 1 } });
  }
  const isWithheld = code === NOT_ISSUED || code === RESULT.wait;
  if (head.role === 'outcome' && work.canWithhold && isWithheld)
    return still(
      { ...session, outbox: [], repeats: false, work: { ...work, phase: 'running', canWithhold: false } },
      [{ kind: 'withhold', work: work.id }],
    );
  // The till has the last message, and does not accept it: it does not count as acknowledged.
  return head.role === 'end' ? still(withoutWork(session)) : next(session);
}

/** A till that does not answer is hung up: it comes back, and repeats its request. */
function timeOver(session: Session): SessionStep {
  const [head] = session.outbox;
  if (!head) return still(session);
  if (session.repeats) return still({ ...session, repeats: false }, [{ kind: 'send', bytes: head.bytes }]);
  return still(withoutWork(session), [{ kind: 'hang-up' }]);
}

function next(session: Session): SessionStep {
  const outbox = session.outbox.slice(1);
  return still(
    { ...session, outbox, repeats: false },
    outbox[0] ? [{ kind: 'send', bytes: outbox[0].bytes }] : [],
  );
}

function queued(session: Session, messages: readonly Outgoing[]): SessionStep {
  const isIdle = session.outbox.length === 0;
  const outbox = [...session.outbox, ...messages];
  return still({ ...session, outbox }, isIdle && outbox[0] ? [{ kind: 'send', bytes: outbox[0].bytes }] : []);
}

function withoutWork({ work: _work, ...session }: Session): Session {
  return { ...session, outbox: [], repeats: false };
}

const ACKNOWLEDGEMENT: SessionEffect = {
  kind: 'send',
  bytes: encodeApdu({ control: 0x8000, data: Buffer.alloc(0) }),
};

function refusal(code: ResultCode): SessionEffect {
  return { kind: 'send', bytes: encodeApdu({ control: 0x8400 | code, data: Buffer.alloc(0) }) };
}

function still(session: Session, effects: readonly SessionEffect[] = []): SessionStep {
  return { session, effects };
}
