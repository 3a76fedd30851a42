import { randomUUID } from 'node:crypto';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { ForwardQueue } from '../journal/forward-queue.js';
import type { JournalHead } from '../journal/journal.js';
import type { AgentLog } from '../log/log.js';
import type { ConnectBridge } from './bridge-socket.js';
import { BridgeUplink } from './bridge-uplink.js';
import type { GatewayTrust } from './gateway-trust.js';
import type { AgentIdentity } from './identity.js';

/** The gateway's reply to an agent that connects for one question. */
type GatewayReply =
  | { readonly kind: 'welcomed'; readonly kept?: JournalHead }
  /** It answered, and refuses this agent. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** What asking takes. */
interface AskDeps extends Seams {
  readonly identity: AgentIdentity;
  readonly generation: number;
  readonly software: string;
  readonly connect: ConnectBridge;
  readonly trust: GatewayTrust;
  readonly timeoutMs: number;
  readonly log: AgentLog;
}

/** Reasons of a refusal that another attempt would not change. */
const REFUSALS: ReadonlySet<string> = new Set([
  'unauthenticated',
  'gateway-unproven',
  'generation-not-allowed',
  'version-mismatch',
  'fenced',
]);

/**
 * Opens one session, returns what the gateway keeps of the journal, and ends it. Nothing is forwarded. The caller holds the home's
 * lock: the session of a running agent would be superseded.
 */
export async function askGateway(deps: AskDeps): Promise<GatewayReply> {
  const { identity, generation, software, timeoutMs, clock } = deps;
  let reply: (answer: GatewayReply) => void = () => undefined;
  const replied = new Promise<GatewayReply>((resolve) => {
    reply = resolve;
  });
  const uplink: BridgeUplink = new BridgeUplink({
    ...deps,
    speaker: { identity, bootId: randomUUID(), generation, software },
    queue: EMPTY_QUEUE,
    terminals: () => [],
    journal: {
      welcomed: async (_streams, kept) => reply({ kind: 'welcomed', ...(kept && { kept }) }),
      judged: () => undefined,
      fenced: (reason) => reply({ kind: 'refused', reason }),
      anchor: () => undefined,
    },
  });
  uplink.onState(() => {
    const { reason, detail = '' } = uplink.detail();
    if (reason === undefined) return;
    reply({ kind: REFUSALS.has(reason) ? 'refused' : 'unreachable', reason: `${reason}, ${detail}` });
  });
  const timer = clock.setTimer(timeoutMs, () =>
    reply({ kind: 'unreachable', reason: `no answer within ${timeoutMs} ms` }),
  );
  uplink.start();
  const word = await replied;
  timer.cancel();
  await uplink.close();
  return word;
}

/** The queue of an agent that only compares: it forwards nothing and gives no journal head. */
const EMPTY_QUEUE: ForwardQueue = {
  terminals: () => [],
  next: async () => undefined,
  acknowledged: async () => undefined,
  parked: async () => undefined,
  onWork: () => () => undefined,
  positions: () => [],
  depth: () => 0,
  parkedCount: () => 0,
  oldestAtMs: () => undefined,
  exposure: () => [],
  items: () => [],
  head: () => ({ row: 0, hash: new Uint8Array() }),
};
