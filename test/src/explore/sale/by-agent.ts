import type { CompleteOutcome, StartOutcome } from '@tillbridge/agent/drivers/core/driver.js';
import type { ManualOutcome } from '@tillbridge/agent/sale/machine/state/answer.js';
import {
  REPLAYED_LIVE,
  type SaleEvent,
  type SaleTimer,
} from '@tillbridge/agent/sale/machine/state/events.js';
import { offlineRecordOf } from '@tillbridge/agent/sale/machine/state/messages.js';
import { reversalRefusal } from '@tillbridge/agent/sale/machine/steps/after-decision.js';
import { staysOpen } from '@tillbridge/agent/sale/machine/steps/late-decline.js';
import { resolutionRefusal } from '@tillbridge/agent/sale/machine/steps/manual-resolution.js';
import { INITIAL_SENDER } from '@tillbridge/agent/uplink/stream-sender.js';
import { AgentRun, saleState, withSale } from './agent-run.js';
import type { AgentRules, Place, SaleAtPlace, TerminalStage } from './agent-state.js';
import { PLACES } from './card.js';
import { type SaleAction, type SaleWorld, spent } from './sale-world.js';

const RESOLUTIONS: readonly ManualOutcome[] = ['approved', 'reversed'];
const BROKEN = { kind: 'failed', failure: 'card-removed', detail: 'card is gone' } as const;

/** A step of the agent as the world has it then: what it gave to the socket is on its way. */
export async function stepped(
  world: SaleWorld,
  rules: AgentRules,
  step: (run: AgentRun) => void,
  endsAfterCommit = false,
): Promise<SaleWorld> {
  const run = new AgentRun(world.agent, rules, endsAfterCommit);
  step(run);
  await run.pump();
  const { wire } = world;
  const up = wire.isUp ? [...wire.up, ...run.up] : wire.up;
  const after = { ...world, agent: run.state, wire: { ...wire, up } };
  return endsAfterCommit ? agentEnded(after) : after;
}

/** The world without the agent's memory, and without its link. */
export function agentEnded(world: SaleWorld): SaleWorld {
  const { agent } = world;
  const sales = agent.sales.map(
    ({ sent: _, ...sale }): SaleAtPlace => ({
      ...sale,
      live: REPLAYED_LIVE,
      isReading: false,
      timers: [],
      terminal: { at: 'idle' },
    }),
  );
  return spent(
    {
      ...world,
      agent: { ...agent, isUp: false, sender: { ...INITIAL_SENDER }, sales },
      wire: { ...world.wire, isUp: false, up: [], down: [] },
    },
    'faults',
  );
}

/** What tills, staff, cardholders, deadlines and the agent's own process do. */
export function agentActions(world: SaleWorld, rules: AgentRules): SaleAction[] {
  const { agent, budget } = world;
  if (!agent.isUp) return [{ name: 'the agent starts again', to: () => started(world, rules) }];
  const found = agent.sales.flatMap((sale, at) => atPlace(world, rules, at, sale));
  if (budget.faults > 0)
    found.push({ name: 'the agent ends without a word', isFault: true, to: () => agentEnded(world) });
  return found;
}

/** What may happen to one of the sales; where there are two, the actions of the second name its terminal. */
function atPlace(world: SaleWorld, rules: AgentRules, at: number, sale: SaleAtPlace): SaleAction[] {
  const found: SaleAction[] = [];
  if (saleState(world.agent.rows, at) === undefined)
    found.push({
      name: 'the till requests a sale',
      to: () => stepped(world, rules, (run) => run.accept(at)),
    });
  if (sale.sent !== undefined)
    found.push({
      name: sale.sent ? 'the request was handed to the socket' : 'no byte of the request may leave',
      to: () => dealtWithSent(world, rules, at, sale),
    });
  found.push(...byTerminal(world, rules, at, sale), ...byPeople(world, rules, at));
  for (const timer of sale.timers) found.push(...deadline(world, rules, at, sale, timer));
  found.push(...expiry(world, rules, at));
  if (at === 0) return found;
  return found.map((action) => ({ ...action, name: `terminal ${at + 1}: ${action.name}` }));
}

/** A deadline is over: early, while something is under way that it waits for, or when nothing is. */
function deadline(
  world: SaleWorld,
  rules: AgentRules,
  at: number,
  { live }: SaleAtPlace,
  timer: SaleTimer,
): SaleAction[] {
  const { wire, gateway, acquirer, budget } = world;
  const isFirst = timer === 'resolve' && live.statusRequests === 0;
  const mayCome = wire.up.length + wire.down.length + acquirer.late.length + gateway.process.open.length > 0;
  const event = { kind: 'timer', timer } as const;
  if (!mayCome || isFirst)
    return events(world, rules, at, `time is over: ${timer}`, event, timer === 'overdue');
  return budget.faults > 0
    ? events(spent(world, 'faults'), rules, at, `time is over too early: ${timer}`, event, true)
    : [];
}

/** An offline record that waits is too old; that stands on disk before it is sent. */
function expiry(world: SaleWorld, rules: AgentRules, at: number): SaleAction[] {
  const { agent, budget } = world;
  const state = saleState(agent.rows, at);
  const record = state && offlineRecordOf(state);
  if (record?.deliveryStatus !== 'queued' || record.expired || budget.faults === 0) return [];
  return events(spent(world, 'faults'), rules, at, 'the offline record is too old', { kind: 'expire' }, true);
}

/** An event for the sale: as it comes, and with an end of the process as soon as its rows are on disk. */
export function events(
  world: SaleWorld,
  rules: AgentRules,
  at: number,
  name: string,
  event: SaleEvent,
  isFault = false,
): SaleAction[] {
  const fired = event.kind === 'timer' ? withFired(world, at, event.timer) : world;
  const take = (ends: boolean) => () => stepped(fired, rules, (run) => run.post(at, event), ends);
  const found: SaleAction[] = [{ name, isFault, to: take(false) }];
  if (world.budget.faults > 0)
    found.push({ name: `${name}; the agent ends when that is on disk`, isFault: true, to: take(true) });
  return found;
}

function withFired(world: SaleWorld, at: number, timer: SaleTimer): SaleWorld {
  const timers = world.agent.sales[at]?.timers.filter((name) => name !== timer) ?? [];
  return changed(world, at, { timers });
}

/** The world whose sale at a place has changed. */
function changed(world: SaleWorld, at: number, change: Partial<SaleAtPlace>): SaleWorld {
  return { ...world, agent: withSale(world.agent, at, change) };
}

function dealtWithSent(
  world: SaleWorld,
  rules: AgentRules,
  at: number,
  { sent, ...sale }: SaleAtPlace,
): Promise<SaleWorld> {
  const { agent } = world;
  const after = { ...world, agent: { ...agent, sales: agent.sales.with(at, sale) } };
  return stepped(after, rules, (run) => run.post(at, { kind: 'sent', handedOver: sent === true }));
}

function started(world: SaleWorld, rules: AgentRules): Promise<SaleWorld> {
  const { rows, sales } = world.agent;
  const up = { ...world, agent: { ...world.agent, isUp: true } };
  return stepped(up, rules, (run) => {
    for (const at of sales.keys()) {
      const state = saleState(rows, at);
      if (state && staysOpen(state)) run.post(at, { kind: 'restarted' });
    }
  });
}

function byTerminal(
  world: SaleWorld,
  rules: AgentRules,
  at: number,
  { terminal }: SaleAtPlace,
): SaleAction[] {
  const place = PLACES[at];
  if (!place) return [];
  switch (terminal.at) {
    case 'idle':
      return [];
    case 'reading':
      return readings(terminal, place, rules).flatMap(([name, outcome]) =>
        events(idle(world, at, outcome.kind === 'approved-offline'), rules, at, name, {
          kind: 'card-read',
          outcome,
        }),
      );
    case 'completing':
      return completions(terminal, place, rules).flatMap(([name, outcome]) => {
        const reported = rules.seams.completes?.(outcome, terminal) ?? outcome;
        const after = idle(world, at, outcome.kind === 'approved');
        return events(after, rules, at, name, { kind: 'card-completed', outcome: reported });
      });
  }
}

/** The terminal has done its work; the card may have given a TC. */
function idle(world: SaleWorld, at: number, gaveTc: boolean): SaleWorld {
  return changed(world, at, { terminal: { at: 'idle' }, ...(gaveTc && { gaveTc }) });
}

type Named<T> = readonly (readonly [name: string, outcome: T])[];

function readings(
  terminal: Extract<TerminalStage, { at: 'reading' }>,
  { card, tcData }: Place,
  { policy, cards }: AgentRules,
): Named<StartOutcome> {
  const online: Named<StartOutcome> = [['the card wants to go online', { kind: 'online-required', card }]];
  if (cards === 'willing') return online;
  const offline: Named<StartOutcome> = policy.offline.enabled
    ? [
        ['the card approves offline', { kind: 'approved-offline', card: { ...card, iccData: tcData } }],
        ['the card declines offline', { kind: 'declined-offline', card }],
      ]
    : [];
  return [
    ...online,
    ...offline,
    ['the cardholder cancels', { kind: 'cancelled', by: 'cardholder' }],
    ...(terminal.cancelled ? ([['the terminal cancels', { kind: 'cancelled', by: 'till' }]] as const) : []),
    ['the terminal fails', BROKEN],
  ];
}

function completions(
  { with: answer }: Extract<TerminalStage, { at: 'completing' }>,
  { tcData, aacData }: Place,
  { cards }: AgentRules,
): Named<CompleteOutcome> {
  const tc: Named<CompleteOutcome> = [['the card gives a TC', { kind: 'approved', iccData: tcData }]];
  if (cards === 'willing' && answer === 'approved') return tc;
  return [
    ...(answer === 'declined' ? [] : tc),
    ['the card gives an AAC', { kind: 'declined', iccData: aacData }],
    ['the card is pulled', BROKEN],
  ];
}

function byPeople(world: SaleWorld, rules: AgentRules, at: number): SaleAction[] {
  const { agent, budget } = world;
  const state = saleState(agent.rows, at);
  if (!state) return [];
  const found: SaleAction[] = [];
  // A till may cancel a sale that has just ended, too.
  if (budget.people > 0 && state.phase !== 'parked')
    found.push(
      ...events(spent(world, 'people'), rules, at, 'the till cancels', { kind: 'cancel' }).map((action) =>
        rules.seams.showsCancelled
          ? { ...action, to: async () => changed(await action.to(), at, { shown: 'cancelled' }) }
          : action,
      ),
    );
  if (budget.people > 0 && reversalRefusal(state) === undefined)
    found.push(
      ...events(spent(world, 'people'), rules, at, 'the till reverses the sale', { kind: 'reverse' }),
    );
  if (budget.people > 0 && state.phase === 'parked')
    for (const outcome of RESOLUTIONS)
      if (resolutionRefusal(state, outcome) === undefined)
        found.push(
          ...events(spent(world, 'people'), rules, at, `staff resolve the sale as ${outcome}`, {
            kind: 'resolve-manually',
            outcome,
            note: 'as the acquirer says',
          }),
        );
  return found;
}
