import { escapeHtml } from '@tillbridge/platform/http/post-page.js';
import { localText } from '@tillbridge/wire/text/local-time.js';
import type { StoreConfig } from '../receipts/store.js';
import { CARRIED_KINDS, closedTotals, type DayClose } from './day-close.js';
import { TOTAL_KINDS, type TotalKind, type TotalsBy, type TotalsGroup } from './totals.js';
import { TOTALS_LABELS } from './totals-labels.js';

/** The totals of a period. */
export interface Totals {
  /** ISO 8601 in UTC; `until` does not count. */
  readonly since: string;
  readonly until: string;
  readonly timeZone: string;
  readonly by: TotalsBy;
  readonly groups: readonly TotalsGroup[];
}

/** What stands at the acquirer; the others are shown apart. */
const COUNTED: readonly TotalKind[] = [
  'approved',
  'refunded',
  'preauthorized',
  'reversed',
  'reversedRefunds',
];

/** Parts of what is approved; shown where there are any. */
const PARTS: readonly TotalKind[] = ['tips', 'cashBack'];

const STYLE = `body{font:11pt/1.4 system-ui,sans-serif;margin:2em;color:#000;background:#fff}
table{border-collapse:collapse;margin:0 0 1.5em;min-width:24em}
th,td{padding:.15em .8em .15em 0;text-align:left}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
tr.net td{border-top:1px solid;font-weight:600}
h2{font-size:1.1em;margin:1em 0 .2em;break-after:avoid}
table{break-inside:avoid}`;

/** A page of totals to print, without scripts, in the language of the store. */
export function totalsPage(totals: Totals, store: StoreConfig, printedAtMs: number): string {
  const labels = TOTALS_LABELS[store.language];
  return printedPage(store, printedAtMs, {
    title: labels.title,
    sinceMs: Date.parse(totals.since),
    untilMs: Date.parse(totals.until),
    groups: groupTables(totals.groups, totals.by, store),
    notes: [],
  });
}

/** A page of a day close to print. */
export function dayClosePage(close: DayClose, store: StoreConfig, printedAtMs: number): string {
  const labels = TOTALS_LABELS[store.language];
  const carried = CARRIED_KINDS.filter((kind) => close.carriedOver[kind] > 0).map(
    (kind) => `${labels[kind]}: ${close.carriedOver[kind]}`,
  );
  return printedPage(store, printedAtMs, {
    title: `${labels.dayClose} ${close.number}`,
    sinceMs: close.sinceMs,
    untilMs: close.untilMs,
    groups: (['terminal', 'brand'] as const).flatMap((by) => groupTables(closedTotals(close, by), by, store)),
    notes: carried.length > 0 ? [`${labels.apart}: ${carried.join(', ')}`] : [],
  });
}

/** A table for each group. */
function groupTables(
  groups: readonly TotalsGroup[],
  by: TotalsBy,
  { language }: StoreConfig,
): readonly string[] {
  const labels = TOTALS_LABELS[language];
  return groups.map((group) => {
    const title = [`${labels[by]} ${group.key || '–'}`, by === 'currency' ? '' : group.currency];
    const row = (kind: TotalKind) =>
      `<tr><td>${labels[kind]}</td><td class="number">${group[kind].count}</td><td class="number">${group[kind].amount}</td></tr>`;
    const isThere = (kind: TotalKind) => group[kind].count !== 0;
    const [approved, ...others] = COUNTED.map(row);
    const parts = PARTS.filter(isThere).map(row);
    const apart = TOTAL_KINDS.filter((kind) => ![...COUNTED, ...PARTS].includes(kind) && isThere(kind));
    return `<h2>${escapeHtml(title.filter(Boolean).join(' · '))}</h2>
<table><thead><tr><th></th><th class="number">${labels.count}</th><th class="number">${labels.amount}</th></tr></thead>
<tbody>${[approved, ...parts, ...others].join('\n')}
<tr class="net"><td>${labels.net}</td><td></td><td class="number">${group.net}</td></tr>
${apart.length > 0 ? `<tr><th colspan="3">${labels.apart}</th></tr>\n${apart.map(row).join('\n')}` : ''}</tbody></table>`;
  });
}

/** What a page shows under its heading. */
interface Printed {
  readonly title: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly groups: readonly string[];
  /** Texts below the tables. */
  readonly notes: readonly string[];
}

function printedPage(
  store: StoreConfig,
  printedAtMs: number,
  { title, sinceMs, untilMs, groups, notes }: Printed,
): string {
  const labels = TOTALS_LABELS[store.language];
  const at = (ms: number) => escapeHtml(localText(ms, store.timeZone));
  const heading = [store.name, ...store.address].filter((line) => line !== undefined).map(escapeHtml);
  return `<!doctype html>
<html lang="${store.language}"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head>
<body><p>${heading.join('<br>')}</p>
<h1>${title}</h1>
<p>${at(sinceMs)} – ${at(untilMs)} (${escapeHtml(store.timeZone)})</p>
${groups.length > 0 ? groups.join('\n') : `<p>${labels.empty}</p>`}
${notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join('')}<p>${labels.printed}: ${at(printedAtMs)}</p></body></html>
`;
}
