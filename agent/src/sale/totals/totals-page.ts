import { escapeHtml } from '@tillbridge/platform/http/post-page.js';
import { localText } from '@tillbridge/wire/text/local-time.js';
import type { StoreConfig } from '../receipts/store.js';
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
  const at = (text: string) => escapeHtml(localText(Date.parse(text), store.timeZone));
  const groups = totals.groups.map((group) => {
    const title = [
      `${labels[totals.by]} ${group.key || '–'}`,
      totals.by === 'currency' ? '' : group.currency,
    ];
    const row = (kind: TotalKind) =>
      `<tr><td>${labels[kind]}</td><td class="number">${group[kind].count}</td><td class="number">${group[kind].amount}</td></tr>`;
    const apart = TOTAL_KINDS.filter((kind) => !COUNTED.includes(kind) && group[kind].count > 0);
    return `<h2>${escapeHtml(title.filter(Boolean).join(' · '))}</h2>
<table><thead><tr><th></th><th class="number">${labels.count}</th><th class="number">${labels.amount}</th></tr></thead>
<tbody>${COUNTED.map(row).join('\n')}
<tr class="net"><td>${labels.net}</td><td></td><td class="number">${group.net}</td></tr>
${apart.length > 0 ? `<tr><th colspan="3">${labels.apart}</th></tr>\n${apart.map(row).join('\n')}` : ''}</tbody></table>`;
  });
  const heading = [store.name, ...store.address].filter((line) => line !== undefined).map(escapeHtml);
  return `<!doctype html>
<html lang="${store.language}"><head><meta charset="utf-8"><title>${labels.title}</title><style>${STYLE}</style></head>
<body><p>${heading.join('<br>')}</p>
<h1>${labels.title}</h1>
<p>${at(totals.since)} – ${at(totals.until)} (${escapeHtml(store.timeZone)})</p>
${groups.length > 0 ? groups.join('\n') : `<p>${labels.empty}</p>`}
<p>${labels.printed}: ${escapeHtml(localText(printedAtMs, store.timeZone))}</p></body></html>
`;
}
