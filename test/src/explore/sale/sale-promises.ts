import type { SaleReason } from '@tillbridge/agent/sale/machine/state/facts.js';
import { standing } from '../gateway/acquirer.js';
import { AGENT } from '../gateway/gateway-program.js';
import { getRow } from '../gateway/stored-rows.js';
import { projectionOf, saleState } from './agent-run.js';
import type { SaleWorld } from './sale-world.js';

/** Why a sale that was shown as approved may be none later: tills and staff see the reason. */
const SHOWN: ReadonlySet<SaleReason | undefined> = new Set<SaleReason>([
  'reversed-by-till',
  'declined-later',
  'expired-offline',
  'manually-resolved',
]);

/** Approvals that a card has taken: it gave a TC. */
const BY_CARD: ReadonlySet<SaleReason | undefined> = new Set<SaleReason>(['approved', 'approved-offline']);

/** The promise that a world breaks, in words. */
export function brokenPromise(world: SaleWorld): string | undefined {
  return (
    twice(world) ?? unsaved(world) ?? outOfOrder(world) ?? early(world) ?? forgotten(world) ?? atEnd(world)
  );
}

function twice({ acquirer, agent }: SaleWorld): string | undefined {
  if (agent.requests > 1) return 'P2: an online request is sent again';
  return standing(acquirer.ledger).length > 1
    ? 'P2: two authorizations of one reference stand at the acquirer'
    : undefined;
}

function unsaved({ agent }: SaleWorld): string | undefined {
  const state = saleState(agent.rows);
  if (!agent.isUp || agent.shown === null || !state) return undefined;
  if (
    agent.shown === 'approved' &&
    state.outcome !== 'approved' &&
    !SHOWN.has(state.reason) &&
    state.phase !== 'parked'
  )
    return 'P1: a sale that was shown as approved is none, and no till shows why';
  if (agent.shown === 'approved' && BY_CARD.has(state.reason) && !agent.gaveTc)
    return 'P2: a sale is shown as approved, and its card has refused';
  if (agent.shown === 'cancelled' && state.outcome === 'approved')
    return 'P1: a sale that was shown as cancelled is approved';
  return undefined;
}

/** P4: a message of a stream has the place that its row has. */
function outOfOrder({ wire, agent }: SaleWorld): string | undefined {
  for (const { id, sequence } of wire.up) {
    const row = agent.rows.find(({ messageId }) => messageId === id);
    if (row && row.sequence !== sequence) return `P4: ${id} goes out under the number of another message`;
  }
  return undefined;
}

/** P5: what the gateway has answered is committed. */
function early({ wire, rows }: SaleWorld): string | undefined {
  for (const message of wire.down)
    if (message.kind === 'authorizationAnswer' || message.kind === 'acknowledgement')
      if (!getRow(rows, 'inbox', [AGENT, message.body.messageId]))
        return `P5: the gateway has answered ${message.body.messageId} before its commit`;
  return undefined;
}

/** P5: what the agent has forgotten was acknowledged by the gateway. */
function forgotten({ agent, rows }: SaleWorld): string | undefined {
  for (const { kind, statusOf } of agent.rows)
    if (kind === 'acknowledged' && statusOf !== undefined && !getRow(rows, 'inbox', [AGENT, statusOf]))
      return `P5: the agent has forgotten ${statusOf}, which the gateway has not acknowledged`;
  return undefined;
}

/** Whether nothing is under way any more. */
function isQuiet({ agent, wire, gateway, acquirer }: SaleWorld): boolean {
  const isWaiting = wire.up.length + wire.down.length + acquirer.late.length > 0;
  return (
    agent.isUp &&
    gateway.isUp &&
    !isWaiting &&
    agent.sent === undefined &&
    agent.terminal.at === 'idle' &&
    gateway.process.running.length === 0 &&
    projectionOf(agent.rows).depth() === 0
  );
}

/** When all is quiet, the sale has ended as the acquirer has it. */
function atEnd(world: SaleWorld): string | undefined {
  const { agent, acquirer } = world;
  const state = saleState(agent.rows);
  if (state?.phase !== 'done' || !isQuiet(world)) return undefined;
  const stands = standing(acquirer.ledger).length;
  if (state.outcome === 'approved' && stands === 0)
    return 'P2: the sale is approved, and no money stands for it';
  if (state.outcome !== 'approved' && stands > 0)
    return `P2: the sale is ${state.outcome}, and money stands for it`;
  return undefined;
}

/** Whether the sale has its true end (P3): it is over, or parked for staff, and nothing is under way. */
export function hasEnded(world: SaleWorld): boolean {
  const state = saleState(world.agent.rows);
  return (state?.phase === 'done' || state?.phase === 'parked') && isQuiet(world);
}
