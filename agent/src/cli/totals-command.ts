import { writeFileSync } from 'node:fs';
import { PLAIN, type Style } from '@tillbridge/platform/command-line/style.js';
import { textTable } from '@tillbridge/platform/command-line/text-table.js';
import { TOTAL_KINDS } from '../sale/totals/totals.js';
import type { Totals } from '../sale/totals/totals-page.js';
import type { AgentClient } from './agent-client.js';
import { EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `totals` as commander gives them. */
export interface TotalsOptions {
  readonly since?: string;
  readonly until?: string;
  readonly by?: string;
  readonly terminal?: string;
  readonly html?: string;
  readonly json?: boolean;
}

/** Prints what a period comes to, or writes the page of it. @throws CommandError */
export async function showTotals(
  client: AgentClient,
  options: TotalsOptions,
  output: Output,
): Promise<number> {
  const { since, until, by, terminal: terminalId, html } = options;
  const given = Object.entries({ since, until, by, terminalId }).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given) as Readonly<Record<string, string>>;
  if (html !== undefined) {
    writeFileSync(html, await client.file(`/v1/totals?${new URLSearchParams({ ...query, format: 'html' })}`));
    output.note(`the page is in ${html}`);
    return EXIT.ok;
  }
  const totals = await client.totals(query);
  output.out(options.json ? JSON.stringify(totals, null, 2) : describeTotals(totals, output.style));
  return EXIT.ok;
}

/** Totals as text: a row for each kind that has any, a column for each group. */
function describeTotals({ since, until, timeZone, by, groups }: Totals, style: Style = PLAIN): string {
  const lines = [`${since} to ${until}, store in ${timeZone}`, ''];
  if (groups.length === 0) return [...lines, 'no payment in this period'].join('\n');
  const rows = groups.flatMap((group) => [
    ...TOTAL_KINDS.filter((kind) => group[kind].count > 0).map((kind) => [
      group.key || '-',
      KIND_TEXTS[kind] ?? kind,
      String(group[kind].count),
      `${group[kind].amount} ${group.currency}`,
    ]),
    [group.key || '-', 'net', '', `${group.net} ${group.currency}`],
  ]);
  return [
    ...lines,
    textTable([by.toUpperCase(), 'WHAT', 'COUNT', 'AMOUNT'], rows, {
      numbers: ['COUNT', 'AMOUNT'],
      style,
    }),
  ].join('\n');
}

/** Words of two where the kind is one. */
const KIND_TEXTS: Readonly<Record<string, string>> = {
  reversedRefunds: 'reversed refunds',
  lateDeclined: 'declined later',
};
