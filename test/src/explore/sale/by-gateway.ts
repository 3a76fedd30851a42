import {
  type BacklogEffect,
  type BacklogEvent,
  backlogStep,
  initialBacklog,
} from '@tillbridge/gateway/core/bridge/backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from '@tillbridge/gateway/core/bridge/limits/bridge-limits.js';
import type { StreamResult } from '@tillbridge/gateway/core/bridge/message-handler.js';
import type { OpenSession } from '@tillbridge/gateway/core/bridge/session-machine.js';
import { type CallOutcome, lateOutcomes, type Outside, outcomesOf } from '../gateway/call-outcomes.js';
import { IDLE, type ProcessHost, sentRequests } from '../gateway/gateway-host.js';
import { AGENT, ENTITY, type GatewayWork } from '../gateway/gateway-program.js';
import { NOW_MS, type OpenCall, type Reply } from '../gateway/replayed-process.js';
import { findRows } from '../gateway/stored-rows.js';
import type { UpMessage } from './agent-state.js';
import { PLACES } from './card.js';
import { type DownMessage, type SaleAction, type SaleWorld, spent } from './sale-world.js';
import { staleBreach } from './stale-sessions.js';

export type Host = ProcessHost<GatewayWork>;

const SESSIONS = new Map<number, OpenSession>();

/** The session of an epoch: one object, as a gateway has one for each session. */
function sessionOf(epoch: number): OpenSession {
  const session = SESSIONS.get(epoch) ?? {
    agentId: AGENT,
    entityId: ENTITY,
    terminals: PLACES.map(({ terminalId }) => terminalId),
    epoch,
    provenAtMs: NOW_MS,
  };
  SESSIONS.set(epoch, session);
  return session;
}

/** What gateway and acquirer do. @param parks whether a message may block its stream for as long as it is let */
export function gatewayActions(world: SaleWorld, host: Host, parks: boolean): SaleAction[] {
  const { gateway, budget } = world;
  const found = byAcquirer(world);
  if (!gateway.isUp)
    return [
      ...found,
      { name: 'the gateway starts again', to: () => ({ ...world, gateway: { ...gateway, isUp: true } }) },
    ];
  for (const call of gateway.process.open) found.push(...replies(world, host, call));
  for (const terminalId of postponedAt(world))
    found.push({
      name: `the gateway tries the message of terminal ${terminalId} again`,
      to: () => backlog(world, host, { kind: 'resumed', terminalId }),
    });
  for (const terminalId of parks ? postponedAt(world) : [])
    found.push({
      name: `the message of terminal ${terminalId} has blocked its stream for as long as it may`,
      to: () => backlog(world, host, { kind: 'resumed', terminalId }, true),
    });
  const isIdle = gateway.process.running.length === 0;
  if (isIdle && findRows(world.rows, 'intents', 'state', ['open']).length > 0)
    found.push({
      name: 'the gateway looks for what was left open',
      to: () => work(world, host, { kind: 'resolve' }),
    });
  if (budget.faults > 0)
    found.push({ name: 'the gateway ends without a word', isFault: true, to: () => gatewayEnded(world) });
  return found;
}

/** The message that the gateway's session receives. */
export function received(world: SaleWorld, host: Host, message: UpMessage): Promise<SaleWorld> {
  if (message.kind === 'authorizationRequest' || message.kind === 'statusRequest')
    return work(world, host, { kind: 'live', envelope: message, session: sessionOf(world.wire.epoch) });
  return backlog(world, host, { kind: 'arrived', envelope: message });
}

/** The world without the gateway's memory: what it had sent to the acquirer may still come there. */
function gatewayEnded(world: SaleWorld): SaleWorld {
  const { gateway, acquirer } = world;
  const late = [...acquirer.late, ...sentRequests(gateway.process)];
  return spent(
    {
      ...world,
      gateway: { isUp: false, process: IDLE, backlog: initialBacklog([]) },
      acquirer: { ...acquirer, late },
      wire: { ...world.wire, isUp: false, up: [], down: [] },
    },
    'faults',
  );
}

/** Terminals whose stream waits until its message can be tried again. */
export function postponedAt({ gateway, wire }: SaleWorld): readonly string[] {
  if (!wire.isUp) return [];
  return [...gateway.backlog.streams].flatMap(([id, { stage }]) => (stage === 'postponed' ? [id] : []));
}

async function backlog(
  world: SaleWorld,
  host: Host,
  event: BacklogEvent,
  isOverdue = false,
): Promise<SaleWorld> {
  const { state, effects } = backlogStep(world.gateway.backlog, event, DEFAULT_BRIDGE_LIMITS);
  let after: SaleWorld = { ...world, gateway: { ...world.gateway, backlog: state } };
  for (const effect of effects) after = await handled(after, host, effect, isOverdue);
  return after;
}

function handled(
  world: SaleWorld,
  host: Host,
  effect: BacklogEffect,
  isOverdue: boolean,
): Promise<SaleWorld> | SaleWorld {
  if (effect.kind === 'handle')
    return work(world, host, {
      kind: 'stream',
      envelope: effect.envelope,
      session: sessionOf(world.wire.epoch),
      ...(isOverdue && { isOverdue }),
    });
  // A message is missing that will come, or the session has to begin again.
  return effect.kind === 'violation' ? cut(world) : world;
}

/** The session ends; the agent learns of it from its own side of the wire. */
function cut(world: SaleWorld): SaleWorld {
  return { ...world, wire: { ...world.wire, isUp: false, up: [], down: [] } };
}

async function work(world: SaleWorld, host: Host, begun: GatewayWork): Promise<SaleWorld> {
  const stepped = await host.step(world.gateway.process, { what: 'start', work: begun }, world.rows);
  return ended(world, host, stepped);
}

async function replied(world: SaleWorld, host: Host, call: number, reply: Reply): Promise<SaleWorld> {
  const stepped = await host.step(world.gateway.process, { what: 'reply', call, reply }, world.rows);
  return ended(world, host, stepped);
}

async function ended(
  world: SaleWorld,
  host: Host,
  stepped: Awaited<ReturnType<Host['step']>>,
): Promise<SaleWorld> {
  let after: SaleWorld = { ...world, gateway: { ...world.gateway, process: stepped.process } };
  for (const { work: done, result } of stepped.ended) after = await answered(after, host, done, result);
  return after;
}

/** What a session does with a result; that of an earlier session says nothing any more. */
async function answered(
  world: SaleWorld,
  host: Host,
  done: GatewayWork,
  result: unknown,
): Promise<SaleWorld> {
  if (done.kind !== 'live' && done.kind !== 'stream') return world;
  const { wire } = world;
  if (!wire.isUp || done.session.epoch !== wire.epoch) return world;
  if (done.kind === 'live') {
    const answer = result as DownMessage | { readonly kind: 'none' | 'stale' };
    if ('body' in answer) return say(world, answer);
    return answer.kind === 'stale' ? cut(world) : world;
  }
  const outcome = result as StreamResult;
  const { id, terminalId } = done.envelope;
  switch (outcome.kind) {
    case 'later':
      return backlog(world, host, { kind: 'postponed', terminalId });
    case 'stale':
      return cut(world);
    case 'acknowledgement': {
      const said = say(world, { kind: 'acknowledgement', body: { messageId: id, outcome: outcome.outcome } });
      return backlog(said, host, { kind: 'finished', terminalId });
    }
    case 'parked': {
      const { reasonCode, reason } = outcome;
      const said = say(world, { kind: 'parked', body: { messageId: id, reasonCode, reason } });
      return backlog(said, host, { kind: 'finished', terminalId });
    }
  }
}

function say(world: SaleWorld, message: DownMessage): SaleWorld {
  return { ...world, wire: { ...world.wire, down: [...world.wire.down, message] } };
}

/** What may become of a call that the gateway waits for. */
function replies(world: SaleWorld, host: Host, open: OpenCall): SaleAction[] {
  const answer = world.gateway.process.answers[open.call];
  return outcomesOf(open, outsideOf(world), answer).flatMap(({ name, isFault, isStored, ...outcome }) => {
    if (isFault && world.budget.faults === 0) return [];
    const before = isFault ? spent(world, 'faults') : world;
    const breach = isStored && open.kind === 'commit' ? staleBreach(world, open.changes) : undefined;
    const after = { ...before, ...changed(outcome.outside), ...(breach && { breach }) };
    const found: SaleAction[] = [
      { name, isFault: isFault === true, to: () => called(after, host, open.call, outcome) },
    ];
    if (isStored && world.budget.faults > 0)
      found.push({ name: `${name}, and ends`, isFault: true, to: () => gatewayEnded(after) });
    return found;
  });
}

function called(
  world: SaleWorld,
  host: Host,
  call: number,
  { reply, answer }: Pick<CallOutcome, 'reply' | 'answer'>,
): Promise<SaleWorld> | SaleWorld {
  if (reply) return replied(world, host, call, reply);
  const { process } = world.gateway;
  const answers = answer ? { ...process.answers, [call]: answer } : process.answers;
  return { ...world, gateway: { ...world.gateway, process: { ...process, answers } } };
}

function outsideOf({ rows, acquirer }: SaleWorld): Outside {
  return { rows, ...acquirer };
}

function changed({ rows, ...acquirer }: Outside): Pick<SaleWorld, 'rows' | 'acquirer'> {
  return { rows, acquirer };
}

/** Requests that were late come now, or never. */
function byAcquirer(world: SaleWorld): SaleAction[] {
  return lateOutcomes(outsideOf(world)).map(({ name, outside }) => ({
    name,
    to: () => ({ ...world, ...changed(outside) }),
  }));
}
