import { signHello } from '@tillbridge/wire/bridge/handshake.js';
import { BRIDGE_LIMITS, BRIDGE_VERSIONS } from '@tillbridge/wire/bridge/limits.js';
import type {
  Bodies,
  BodyKind,
  Challenge,
  Envelope,
  Goodbye,
  Heartbeat,
  HeartbeatAnswer,
  Hello,
  TerminalStatus,
} from '@tillbridge/wire/bridge/messages.js';
import { GoodbyeCode, JournalVerdict } from '@tillbridge/wire/bridge/messages.js';
import { wordOfWire } from '@tillbridge/wire/bridge/wire-words.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { JournalHead } from '../journal/journal.js';
import type { HeadVerdict } from '../journal/journal-watch.js';
import type { DownReason } from './connection-machine.js';
import type { AgentIdentity } from './identity.js';

/** Who speaks: the identity, this start of the process and this copy of the journal. */
export interface Speaker {
  readonly identity: AgentIdentity;
  /** A new UUID for each start of the process. */
  readonly bootId: string;
  /** Counts restores of the journal. */
  readonly generation: number;
  /** Name and version of this build. */
  readonly software: string;
}

/** An envelope outside the streams. */
export function outsideStreams<K extends BodyKind>(id: string, kind: K, body: Bodies[K]): Envelope<K> {
  return { id, terminalId: '', sequence: 0, kind, body } as Envelope<K>;
}

/** The agent's proof over the gateway's challenge and its own fresh nonce, and the state it resumes from. */
export function helloBody(
  speaker: Speaker,
  challenge: Challenge,
  { nonce, channel }: Pick<Hello, 'nonce' | 'channel'>,
  queue: ForwardQueue,
  terminals: readonly TerminalStatus[],
): Hello {
  const { bootId, generation, software } = speaker;
  const { agentId, privateKey } = speaker.identity;
  const { min: versionMin, max: versionMax } = BRIDGE_VERSIONS;
  const proof = { agentId, bootId, generation, versionMin, versionMax, nonce, channel };
  return {
    ...proof,
    signature: signHello(challenge, proof, privateKey),
    software,
    streams: queue.positions().slice(0, BRIDGE_LIMITS.maxTerminals),
    terminals: terminals.slice(0, BRIDGE_LIMITS.maxTerminals),
  };
}

/** The state of this agent for the gateway, as it is at `nowMs`; `anchor` proves that the journal goes on from where the gateway keeps it. */
export function heartbeatBody(
  queue: ForwardQueue,
  terminals: readonly TerminalStatus[],
  nowMs: number,
  anchor?: JournalHead,
): Heartbeat {
  const oldestAtMs = queue.oldestAtMs();
  const head = queue.head();
  return {
    queueDepth: queue.depth(),
    parked: queue.parkedCount(),
    oldestAgeSeconds: oldestAtMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - oldestAtMs) / 1_000)),
    exposure: queue
      .exposure()
      .slice(0, BRIDGE_LIMITS.maxTerminals)
      .map(({ terminalId, currency, minor, count }) => ({ terminalId, sum: { minor, currency }, count })),
    terminals: terminals.slice(0, BRIDGE_LIMITS.maxTerminals),
    timeMs: Math.max(0, Math.floor(nowMs)),
    journalRow: head.row,
    journalHash: head.hash,
    ...(anchor && { anchor }),
  };
}

const verdictOf = wordOfWire(JournalVerdict, 'unknown');

/** What the gateway made of the journal's head; a verdict that this version does not know counts as `unknown`. */
export function headVerdict({ journalVerdict }: HeartbeatAnswer): HeadVerdict {
  return verdictOf(journalVerdict);
}

/** The agent leaves on purpose. */
export function goodbyeBody(reason: string): Goodbye {
  return { code: GoodbyeCode.GOING_DOWN, reason, retryAfterMs: 0 };
}

/** Returns why a Goodbye ends the session; one without a code this version knows counts as a lost connection. */
export const goodbyeReason: (code: number) => DownReason = wordOfWire(GoodbyeCode, 'connection-lost');
