import { EFFECT_WORDS, EVENT_WORDS, PHASE_WORDS, TIMER_WORDS } from './descriptions.js';
import { REACTION_TEXTS } from './reaction-texts.js';
import type { SalePhase } from './state/answer.js';
import type { SaleEvent } from './state/events.js';

const PHASES = Object.keys(REACTION_TEXTS) as SalePhase[];

/** The machine as Markdown: diagram, timers, words, and the table phase × event. Made from the same data that decides. */
export function machineSection(): string {
  return [
    diagram(),
    '### Timers',
    table(['timer', 'after', 'key', 'what happens'], timerRows()),
    details('Phases', table(['phase', ''], entriesOf(PHASE_WORDS))),
    details('Events', table(['event', ''], entriesOf(EVENT_WORDS))),
    details('Effects', table(['effect', ''], entriesOf(EFFECT_WORDS))),
    '### What each event means in each phase',
    ...PHASES.map((phase) => details(phaseTitle(phase), phaseTable(phase))),
  ].join('\n\n');
}

function diagram(): string {
  const edges = PHASES.flatMap((from) =>
    PHASES.flatMap((to) => {
      const events = eventsOf(from).filter((kind) => REACTION_TEXTS[from][kind].to.includes(to));
      return events.length > 0 ? [`  ${stateId(from)} --> ${stateId(to)}: ${events.join(', ')}`] : [];
    }),
  );
  const names = PHASES.map((phase) => `  state "${phase}" as ${stateId(phase)}`);
  const lines = ['stateDiagram-v2', ...names, `  [*] --> ${stateId('accepted')}`, ...edges];
  return ['```mermaid', ...lines, `  ${stateId('done')} --> [*]`, '```'].join('\n');
}

/** Mermaid takes letters and underscores for the name of a state. */
function stateId(phase: SalePhase): string {
  return phase.replaceAll('-', '_');
}

function eventsOf(phase: SalePhase): SaleEvent['kind'][] {
  return Object.keys(REACTION_TEXTS[phase]) as SaleEvent['kind'][];
}

function timerRows(): string[][] {
  return TIMER_WORDS.map(({ timer, delaysMs, key, text }) => [
    code(timer),
    delaysMs.map(duration).join(', '),
    key ? code(key) : '',
    text,
  ]);
}

function duration(ms: number): string {
  if (ms >= 3_600_000) return `${ms / 3_600_000} h`;
  return ms >= 1_000 || ms === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

function phaseTitle(phase: SalePhase): string {
  return `<code>${phase}</code>: ${PHASE_WORDS[phase]}`;
}

/** What is dealt with as a table, what means nothing as a list: both with their reasons. */
function phaseTable(phase: SalePhase): string {
  const texts = REACTION_TEXTS[phase];
  const dealt = eventsOf(phase).filter((kind) => texts[kind].isHandled);
  const ignored = eventsOf(phase).filter((kind) => !texts[kind].isHandled);
  const rows = dealt.map((kind) => [code(kind), texts[kind].text, texts[kind].to.map(code).join(', ')]);
  const nothing = ignored.map((kind) => `${code(kind)} (${texts[kind].text})`).join('; ');
  return `${table(['event', 'what happens', 'may lead to'], rows)}\n\nNothing happens on ${nothing}.`;
}

function entriesOf(words: Readonly<Record<string, string>>): string[][] {
  return Object.entries(words).map(([name, text]) => [code(name), text]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function details(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function code(text: string): string {
  return `\`${text}\``;
}
