import { RESULT_GROUPS, type ResultGroup } from './result-classes.js';
import { RESULT_CODE_TABLE } from './result-code-table.js';
import { MEANING_BY_CODE, MEANING_BY_GROUP, type ResultMeaning, resultMeaning } from './result-meanings.js';

/** The text of each meaning, in the order of the page. */
const MEANINGS: readonly (readonly [ResultMeaning, string])[] = [
  ['paid', 'The request was carried out: the money is reserved, collected, refunded or released. Deliver.'],
  [
    'pending',
    'The end is open. Do not deliver, do not charge again; wait for the webhook or look the status up.',
  ],
  ['refused', 'No money moved. The same request gets the same answer; change what the code names.'],
  ['try again', 'The way was blocked, not the payment. Send it again as the row states.'],
  ['charged back', 'Money that was paid has been taken back.'],
];

/** Page of all result codes and their meaning for a shop, in Markdown. */
export function resultCodePage(): string {
  return `# Result codes

<!-- Generated from protocol/wire/src/payment/result-codes/ by \`npm run errors\`; do not edit. -->

\`result.code\` decides; the HTTP status does not. A shop needs one question answered: **paid, pending, refused, or try again?**

${table(
  ['Meaning', 'What it states', 'Codes'],
  MEANINGS.map(([meaning, text]) => [`**${meaning}**`, text, `${countOf(meaning)}`]),
)}
An answer without a code, such as a cut connection, means nothing yet. Query by \`merchantTransactionId\`, or send the request again with the
same \`Idempotency-Key\`: the gateway then gives the first answer and charges once. A query that finds nothing
[is final after a minute](rest-api.md#after-no-answer). See [Payments](payments.md).

## By pattern

Clients of this API family copy these patterns. Codes that a bank adds later fall into the same groups. Read them from top to bottom; a code
of the table below may have its own meaning.

${table(['Group', 'Pattern', 'Meaning', 'What to do'], RESULT_GROUPS.map(groupRow))}
## All codes

\`GET /v1/resultcodes\` gives codes and descriptions as JSON, without a token.

${table(
  ['Code', 'Meaning', 'Description'],
  Object.entries(RESULT_CODE_TABLE).map(([code, text]) => [
    `\`${code}\``,
    resultMeaning(code).meaning,
    cell(text),
  ]),
)}
## Codes with their own meaning

${table(['Code', 'Meaning', 'What to do'], ownMeanings())}`;
}

function groupRow([group, pattern]: readonly [ResultGroup, RegExp]): readonly string[] {
  const { meaning, action } = MEANING_BY_GROUP[group];
  return [group, `\`${cell(pattern.source)}\``, meaning, action];
}

function ownMeanings(): readonly (readonly string[])[] {
  return [...MEANING_BY_CODE].map(([code, { meaning, action }]) => [`\`${code}\``, meaning, action]);
}

function countOf(meaning: ResultMeaning): number {
  return Object.keys(RESULT_CODE_TABLE).filter((code) => resultMeaning(code).meaning === meaning).length;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
