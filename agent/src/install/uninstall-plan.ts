import type { PlannedStep } from './install-plan.js';

/** What an uninstallation does, in this order. */
export const UNINSTALL_STEPS = ['stop', 'unit', 'udev', 'config', 'home', 'user', 'program'] as const;

/** A step of an uninstallation. */
export type UninstallStepId = (typeof UNINSTALL_STEPS)[number];

/** What was found before the first step. */
export interface UninstallFacts {
  /** What install made, by the names of its record. */
  readonly made: readonly string[];
  readonly hasManager: boolean;
  /** An agent runs on the home. */
  readonly isRunning: boolean;
  /** Messages that the gateway has not taken, and sales without a true end; undefined: the journal cannot be read. */
  readonly owed: { readonly messages: number; readonly sales: readonly string[] } | undefined;
  /** Why the journal cannot be read. */
  readonly unreadable?: string;
  readonly agentId?: string;
  readonly hasHome: boolean;
  /** The home that the configuration names, where a person has moved it. */
  readonly movedTo?: string;
  /** What was typed after `--purge`. */
  readonly purge?: string;
}

/** What an uninstallation will do, or why it may not. Pure. */
export type UninstallPlan =
  | { readonly kind: 'steps'; readonly steps: readonly PlannedStep<UninstallStepId>[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Most references that a refusal names. */
const MAX_NAMED = 5;

type Planned = Pick<PlannedStep, 'state' | 'text'>;

const remove = (isMade: boolean, what: string): Planned =>
  isMade
    ? { state: 'do', text: `remove ${what}` }
    : { state: 'done', text: `${what} was not made by install` };

const RULES: Readonly<Record<UninstallStepId, (facts: UninstallFacts) => Planned>> = {
  stop: ({ isRunning }) =>
    isRunning ? { state: 'do', text: 'stop the agent' } : { state: 'done', text: 'no agent runs' },
  unit: ({ made }) => remove(made.includes('unit'), 'unit of systemd'),
  udev: ({ made }) => remove(made.includes('udev'), 'rules of udev'),
  config: ({ made }) => remove(made.includes('config'), 'configuration'),
  home: ({ hasHome, purge }) => {
    if (!hasHome) return { state: 'done', text: 'there is no home' };
    if (purge === undefined) return { state: 'skip', text: 'the home with journal and keys stays' };
    return { state: 'do', text: 'delete the home with journal and keys' };
  },
  user: ({ made }) => remove(made.includes('user'), 'user of the service'),
  program: ({ made }) => remove(made.includes('program'), 'program with its slots'),
};

/** Plans an uninstallation: none while money is owed, and none of another store's home. */
export function planUninstall(facts: UninstallFacts): UninstallPlan {
  const reason = refusalOf(facts);
  if (reason !== undefined) return { kind: 'refused', reason };
  return { kind: 'steps', steps: UNINSTALL_STEPS.map((id) => ({ id, ...RULES[id](facts) })) };
}

function refusalOf(facts: UninstallFacts): string | undefined {
  const { owed, unreadable = '', purge, agentId, hasHome, movedTo, isRunning, hasManager } = facts;
  if (movedTo !== undefined)
    return `the configuration names the home ${movedTo}, which install did not make: whether money is owed there is not known. Let the agent run until "tillbridge-agent queue" is empty, end it, move the configuration away, then uninstall`;
  if (owed === undefined)
    return `whether money is owed is not known: ${unreadable}. Mend or restore the journal first`;
  if (owed.messages > 0 || owed.sales.length > 0) return owedText(owed);
  if (isRunning && !hasManager)
    return 'the agent runs, and no manager of services that could stop it: end its process, then uninstall';
  if (purge === undefined || !hasHome) return undefined;
  if (agentId === undefined) return 'the home has no agent id that could be typed: delete it by hand';
  return purge === agentId
    ? undefined
    : `--purge deletes the journal, which proves the sales of years: type the agent id of this store after it, ${agentId}`;
}

function owedText({
  messages,
  sales,
}: {
  readonly messages: number;
  readonly sales: readonly string[];
}): string {
  const named = sales.slice(0, MAX_NAMED).join(', ');
  const more = sales.length > MAX_NAMED ? ` and ${sales.length - MAX_NAMED} more` : '';
  return [
    `money is owed: ${messages} message(s) wait for the gateway or a person, ${sales.length} sale(s) have no end yet`,
    sales.length > 0 ? ` (${named}${more})` : '',
    '. Let the agent run until "tillbridge-agent queue" is empty, resolve parked sales, then uninstall',
  ].join('');
}
