import type { SaleReason } from '@tillbridge/agent/sale/machine/state/facts.js';
import { standing } from '../gateway/acquirer.js';
import { AGENT } from '../gateway/gateway-program.js';
import { getRow } from '../gateway/stored-rows.js';
import { placeOf, projectionOf, saleState } from './agent-run.js';
import type { SaleAtPlace } from './agent-state.js';
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
  for (const [at, sale] of world.agent.sales.entries()) {
    const broken = twice(world, at, sale) ?? unsaved(world, at, sale) ?? atEnd(world, at);
    if (broken !== undefined) return broken;
  }
  return outOfOrder(world) ?? early(world) ?? forgotten(world);
}

/** How many authorizations of the sale stand at the acquirer. */
function standingOf({ acquirer }: SaleWorld, at: number): number {
  const isOfSale = (reference: string) => {
    const { messageId } = acquirer.ledger[reference] ?? {};
    return messageId !== undefined && placeOf(messageId) === at;
  };
  return standing(acquirer.ledger).filter(isOfSale).length;
}

function twice(world: SaleWorld, at: number, { requests }: SaleAtPlace): string | undefined {
  if (requests > 1) return 'P2: an online request is sent again';
  return standingOf(world, at) > 1
    ? 'P2: two authorizations of one reference stand at the acquirer'
    : undefined;
}

function unsaved({ agent }: SaleWorld, at: number, { shown, gaveTc }: SaleAtPlace): string | undefined {
  const state = saleState(agent.rows, at);
  if (!agent.isUp || shown === null || !state) return undefined;
  if (
    shown === 'approved' &&
    state.outcome !== 'approved' &&
    !SHOWN.has(state.reason) &&
    state.phase !== 'parked'
  )
    return 'P1: a sale that was shown as approved is none, and no till shows why';
  if (shown === 'approved' && BY_CARD.has(state.reason) && !gaveTc)
    return 'P2: a sale is shown as approved, and its card has refused';
  if (shown === 'cancelled' && state.outcome === 'approved')
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
    agent.sales.every(({ sent, terminal }) => sent === undefined && terminal.at === 'idle') &&
    gateway.process.running.length === 0 &&
    projectionOf(agent.rows).depth() === 0
  );
}

/** When all is quiet, a sale has ended as the acquirer has it. */
function atEnd(world: SaleWorld, at: number): string | undefined {
  const state = saleState(world.agent.rows, at);
  if (state?.phase !== 'done' || !isQuiet(world)) return undefined;
  const stands = standingOf(world, at);
  if (state.outcome === 'approved' && stands === 0)
    return 'P2: the sale is approved, and no money stands for it';
  if (state.outcome !== 'approved' && stands > 0)
    return `P2: the sale is ${state.outcome}, and money stands for it`;
  return undefined;
}

/** Whether each sale has its true end (P3): it is over, or parked for staff, and nothing is under way. */
export function hasEnded(world: SaleWorld): boolean {
  const { rows, sales } = world.agent;
  const phases = [...sales.keys()].map((at) => saleState(rows, at)?.phase);
  return phases.every((phase) => phase === 'done' || phase === 'parked') && isQuiet(world);
}
