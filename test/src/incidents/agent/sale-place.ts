import { PHASE_WORDS } from '@tillbridge/agent/sale/machine/descriptions.js';
import { type Live, REPLAYED_LIVE, type Sale } from '@tillbridge/agent/sale/machine/state/events.js';
import { evolve } from '@tillbridge/agent/sale/machine/state/evolve.js';
import { type Fact, isDurable } from '@tillbridge/agent/sale/machine/state/facts.js';
import type { SaleState } from '@tillbridge/agent/sale/machine/state/sale-state.js';
import { toHex } from '@tillbridge/wire/bytes.js';
import { factOf, type SaleRow } from './sale-rows.js';

/** A sale in the middle of its rows: what the disk has, and what the process has in memory. */
export interface SalePlace {
  /** Rows that an event has led to. */
  readonly at: number;
  /** By the rows alone, as a restart would read them. */
  readonly onDisk: SaleState;
  readonly sale: Sale;
  /** Facts that the disk has refused, and gets with the next write. */
  readonly owed: readonly Fact[];
  /** The record of an approval that the disk has kept and reported as lost. */
  readonly denied?: string;
}

/** The same place after a restart: nothing but the rows. */
export function afterRestart({ at, onDisk }: SalePlace): SalePlace {
  return { at, onDisk, sale: { state: onDisk, live: REPLAYED_LIVE }, owed: [] };
}

/** The state after facts that are not on disk, as the agent has it in memory. */
export function withFacts(state: SaleState, facts: readonly Fact[], atMs: number): SaleState {
  const { reference, terminalId } = state;
  return facts.reduce((now, fact) => evolve(now, fact, { reference, terminalId, row: 0, atMs }), state);
}

/** The state after rows of the journal. */
export function withRows(state: SaleState, rows: readonly SaleRow[]): SaleState {
  return rows.reduce((now, row) => evolve(now, factOf(row), row), state);
}

/** The facts of a step that are on no disk. */
export function fleeting(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact) => !isDurable(fact));
}

const CARDS = new WeakMap<NonNullable<Live['card']>, string>();

/** Two places of one key go on in the same ways. */
export function keyOf({ at, sale, onDisk, owed, denied }: SalePlace): string {
  const { card, ...live } = sale.live;
  // Without a fault of the disk the state follows from the rows, but for a phase that is not journaled.
  const differs = sale.state === onDisk ? '' : plain(sale.state) + plain(onDisk);
  return JSON.stringify([at, sale.state.phase, live, card && cardText(card), owed, denied, differs]);
}

/** A state without the times of what happened. */
export function plain(state: SaleState): string {
  return JSON.stringify({ ...state, timeline: [] });
}

function cardText(card: NonNullable<Live['card']>): string {
  const known = CARDS.get(card) ?? JSON.stringify([card.facts, toHex(card.iccData)]);
  CARDS.set(card, known);
  return known;
}

/** Where a sale stands, in words. */
export function placeText({ sale: { state, live }, owed }: SalePlace): string {
  const { phase, outcome, mode } = state;
  const words = [`${phase} (${PHASE_WORDS[phase]})`];
  if (outcome !== null) words.push(`${outcome}${mode === null ? '' : `, ${mode}`}`);
  if (live.cancelRequested) words.push('cancelled by the till');
  if (live.decidingOffline) words.push('its card decides without the gateway');
  for (const { kind, messageId, deliveryStatus } of state.messages)
    words.push(`${kind} ${messageId}: ${deliveryStatus}`);
  if (owed.length > 0) words.push(`owes the disk ${owed.map(({ kind }) => kind).join(', ')}`);
  return words.join('; ');
}
