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
import { AgentRun, saleState } from './agent-run.js';
import type { AgentRules, AgentState, TerminalStage } from './agent-state.js';
import { AAC_DATA, CARD, TC_CARD, TC_DATA } from './card.js';
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
  const { sent: _, ...agent } = world.agent;
  return spent(
    {
      ...world,
      agent: {
        ...agent,
        isUp: false,
        live: REPLAYED_LIVE,
        isReading: false,
        timers: [],
        sender: { ...INITIAL_SENDER },
        terminal: { at: 'idle' },
      },
      wire: { ...world.wire, isUp: false, up: [], down: [] },
    },
    'faults',
  );
}

/** What tills, staff, cardholders, deadlines and the agent's own process do. */
export function agentActions(world: SaleWorld, rules: AgentRules): SaleAction[] {
  const { agent, budget } = world;
  if (!agent.isUp) return [{ name: 'the agent starts again', to: () => started(world, rules) }];
  const found: SaleAction[] = [];
  if (agent.rows.length === 0)
    found.push({ name: 'the till requests a sale', to: () => stepped(world, rules, (run) => run.accept()) });
  if (agent.sent !== undefined)
    found.push({
      name: agent.sent ? 'the request was handed to the socket' : 'no byte of the request may leave',
      to: () => dealtWithSent(world, rules, agent.sent === true),
    });
  found.push(...byTerminal(world, rules), ...byPeople(world, rules));
  for (const timer of agent.timers) found.push(...deadline(world, rules, timer));
  found.push(...expiry(world, rules));
  if (budget.faults > 0)
    found.push({ name: 'the agent ends without a word', isFault: true, to: () => agentEnded(world) });
  return found;
}

/** A deadline is over: early, while something is under way that it waits for, or when nothing is. */
function deadline(world: SaleWorld, rules: AgentRules, timer: SaleTimer): SaleAction[] {
  const { wire, gateway, acquirer, agent, budget } = world;
  const isFirst = timer === 'resolve' && agent.live.statusRequests === 0;
  const mayCome = wire.up.length + wire.down.length + acquirer.late.length + gateway.process.open.length > 0;
  const event = { kind: 'timer', timer } as const;
  if (!mayCome || isFirst) return events(world, rules, `time is over: ${timer}`, event, timer === 'overdue');
  return budget.faults > 0
    ? events(spent(world, 'faults'), rules, `time is over too early: ${timer}`, event, true)
    : [];
}

/** An offline record that waits is too old; that stands on disk before it is sent. */
function expiry(world: SaleWorld, rules: AgentRules): SaleAction[] {
  const { agent, budget } = world;
  const state = saleState(agent.rows);
  const record = state && offlineRecordOf(state);
  if (record?.deliveryStatus !== 'queued' || record.expired || budget.faults === 0) return [];
  return events(spent(world, 'faults'), rules, 'the offline record is too old', { kind: 'expire' }, true);
}

/** An event for the sale: as it comes, and with an end of the process as soon as its rows are on disk. */
export function events(
  world: SaleWorld,
  rules: AgentRules,
  name: string,
  event: SaleEvent,
  isFault = false,
): SaleAction[] {
  const fired = event.kind === 'timer' ? withFired(world, event.timer) : world;
  const take = (ends: boolean) => () => stepped(fired, rules, (run) => run.post(event), ends);
  const found: SaleAction[] = [{ name, isFault, to: take(false) }];
  if (world.budget.faults > 0)
    found.push({ name: `${name}; the agent ends when that is on disk`, isFault: true, to: take(true) });
  return found;
}

function withFired(world: SaleWorld, timer: AgentState['timers'][number]): SaleWorld {
  const { agent } = world;
  return { ...world, agent: { ...agent, timers: agent.timers.filter((name) => name !== timer) } };
}

function dealtWithSent(world: SaleWorld, rules: AgentRules, handedOver: boolean): Promise<SaleWorld> {
  const { sent: _, ...agent } = world.agent;
  return stepped({ ...world, agent }, rules, (run) => run.post({ kind: 'sent', handedOver }));
}

function started(world: SaleWorld, rules: AgentRules): Promise<SaleWorld> {
  const state = saleState(world.agent.rows);
  const up = { ...world, agent: { ...world.agent, isUp: true } };
  return stepped(up, rules, (run) => {
    if (state && staysOpen(state)) run.post({ kind: 'restarted' });
  });
}

function byTerminal(world: SaleWorld, rules: AgentRules): SaleAction[] {
  const { terminal } = world.agent;
  switch (terminal.at) {
    case 'idle':
      return [];
    case 'reading':
      return readings(terminal, rules).flatMap(([name, outcome]) =>
        events(withTc(idle(world), outcome.kind === 'approved-offline'), rules, name, {
          kind: 'card-read',
          outcome,
        }),
      );
    case 'completing':
      return completions(terminal).flatMap(([name, outcome]) => {
        const reported = rules.seams.completes?.(outcome, terminal) ?? outcome;
        const after = withTc(idle(world), outcome.kind === 'approved');
        return events(after, rules, name, { kind: 'card-completed', outcome: reported });
      });
  }
}

const idle = (world: SaleWorld): SaleWorld => ({
  ...world,
  agent: { ...world.agent, terminal: { at: 'idle' } },
});

function withTc(world: SaleWorld, gaveTc: boolean): SaleWorld {
  return gaveTc ? { ...world, agent: { ...world.agent, gaveTc } } : world;
}

type Named<T> = readonly (readonly [name: string, outcome: T])[];

function readings(
  terminal: Extract<TerminalStage, { at: 'reading' }>,
  { policy }: AgentRules,
): Named<StartOutcome> {
  const offline: Named<StartOutcome> = policy.offline.enabled
    ? [
        ['the card approves offline', { kind: 'approved-offline', card: TC_CARD }],
        ['the card declines offline', { kind: 'declined-offline', card: CARD }],
      ]
    : [];
  return [
    ['the card wants to go online', { kind: 'online-required', card: CARD }],
    ...offline,
    ['the cardholder cancels', { kind: 'cancelled', by: 'cardholder' }],
    ...(terminal.cancelled ? ([['the terminal cancels', { kind: 'cancelled', by: 'till' }]] as const) : []),
    ['the terminal fails', BROKEN],
  ];
}

function completions({ with: answer }: Extract<TerminalStage, { at: 'completing' }>): Named<CompleteOutcome> {
  return [
    ...(answer === 'declined'
      ? []
      : ([['the card gives a TC', { kind: 'approved', iccData: TC_DATA }]] as const)),
    ['the card gives an AAC', { kind: 'declined', iccData: AAC_DATA }],
    ['the card is pulled', BROKEN],
  ];
}

function byPeople(world: SaleWorld, rules: AgentRules): SaleAction[] {
  const { agent, budget } = world;
  const state = saleState(agent.rows);
  if (!state) return [];
  const found: SaleAction[] = [];
  // A till may cancel a sale that has just ended, too.
  if (budget.people > 0 && state.phase !== 'parked')
    found.push(
      ...events(spent(world, 'people'), rules, 'the till cancels', { kind: 'cancel' }).map((action) =>
        rules.seams.showsCancelled
          ? { ...action, to: async () => shownCancelled(await action.to()) }
          : action,
      ),
    );
  if (budget.people > 0 && reversalRefusal(state) === undefined)
    found.push(...events(spent(world, 'people'), rules, 'the till reverses the sale', { kind: 'reverse' }));
  if (budget.people > 0 && state.phase === 'parked')
    for (const outcome of RESOLUTIONS)
      if (resolutionRefusal(state, outcome) === undefined)
        found.push(
          ...events(spent(world, 'people'), rules, `staff resolve the sale as ${outcome}`, {
            kind: 'resolve-manually',
            outcome,
            note: 'as the acquirer says',
          }),
        );
  return found;
}

function shownCancelled(world: SaleWorld): SaleWorld {
  return { ...world, agent: { ...world.agent, shown: 'cancelled' } };
}
