import type { StoryEntry } from './entry.js';
import type { StoryGap } from './gaps.js';
import type { Story } from './story.js';

/** What a timeline shows: times as ISO 8601 in UTC. */
export type StoryView = ReturnType<typeof storyView>;

/** @param diagnostics whether what only a person who looks for faults needs is shown, too */
export function storyView(
  { paymentId: id, money, trees, entries, gaps, clocks }: Story,
  diagnostics: boolean,
) {
  const shown = entries.filter(({ isDiagnostic }) => diagnostics || !isDiagnostic);
  const hidden = entries.length - shown.length;
  return {
    id,
    money,
    linked: trees,
    gaps: [...gaps.map(gapView), ...(hidden > 0 ? [hiddenGap(hidden)] : [])],
    clocks: [...clocks].map(([clock, aheadMs]) => ({ clock, aheadMs })),
    timeline: shown.map((entry) => entryView(entry, id)),
  };
}

function entryView(
  { key: _, after: _after, isDiagnostic: _diagnostic, atMs, paymentId, ...entry }: StoryEntry,
  ofPayment: string,
) {
  return {
    at: new Date(atMs).toISOString(),
    ...entry,
    ...(paymentId !== undefined && paymentId !== ofPayment && { paymentId }),
  };
}

function gapView({ source, fromMs, toMs, text }: StoryGap) {
  return {
    source,
    ...(fromMs !== undefined && { from: new Date(fromMs).toISOString() }),
    ...(toMs !== undefined && { to: new Date(toMs).toISOString() }),
    text,
  };
}

function hiddenGap(hidden: number) {
  return {
    source: 'terminal' as const,
    text: `${hidden} entries are shown with the right diagnostics alone`,
  };
}

/** The story for a terminal: money, tree, timeline, gaps. */
export function storyLines(story: StoryView): readonly string[] {
  const { id, money, linked, timeline, gaps, clocks } = story;
  const { authorized, captured, refunded, chargedBack, reversed, currency, next } = money;
  return [
    `Payment ${id}`,
    `  authorized ${authorized} ${currency}, captured ${captured}, refunded ${refunded}, charged back ${chargedBack}, reversed ${reversed}`,
    ...next.map(({ followUp, allowed, upTo, code, description }) =>
      allowed
        ? `  ${followUp}: possible${upTo === undefined ? '' : `, up to ${upTo} ${currency}`}`
        : `  ${followUp}: no (${code} ${description})`,
    ),
    '',
    'Linked',
    ...linked.flatMap((tree) => treeLines(tree, '  ')),
    '',
    'What happened',
    ...timeline.map(entryLine),
    ...(clocks.length === 0 ? [] : ['', 'Clocks']),
    ...clocks.map(({ clock, aheadMs }) => `  ${clock} was ${aheadMs} ms ahead of the gateway`),
    ...(gaps.length === 0 ? [] : ['', 'What is missing']),
    ...gaps.map(({ source, text }) => `  ${source}: ${text}`),
  ];
}

function treeLines(
  { id, paymentType, amount, currency, state, code, followedBy }: Story['trees'][number],
  indent: string,
): readonly string[] {
  return [
    `${indent}${paymentType} ${amount} ${currency} ${state} ${code} ${id}`,
    ...followedBy.flatMap((tree) => treeLines(tree, `${indent}  `)),
  ];
}

function entryLine(entry: StoryView['timeline'][number]): string {
  const { at, clock, source, step, by, rule, code, detail, durationMs, ids } = entry;
  const parts = [
    `${step} by ${by}`,
    rule === undefined ? '' : `rule ${rule}`,
    code ?? '',
    detail ?? '',
    durationMs === undefined ? '' : `took ${durationMs} ms`,
    ids === undefined
      ? ''
      : `[${Object.entries(ids)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')}]`,
  ];
  const when = clock === 'gateway' ? at : `${at} (${clock})`;
  return `  ${when}  ${source.padEnd(15)} ${parts.filter((part) => part !== '').join(', ')}`;
}
