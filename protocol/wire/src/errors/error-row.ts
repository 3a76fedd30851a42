/** One error: what is wrong, what to do, the HTTP status (from 100) or exit code where it has one, and the result code of the payment API. */
type ErrorRow = readonly [text: string, action: string, answer?: number, resultCode?: string];

/** Errors by code. A code is never given a second meaning. */
export type ErrorGroup = Readonly<Record<string, ErrorRow>>;

/** All errors of a package, by the class or type that carries the code. */
export type ErrorTable = Readonly<Record<string, ErrorGroup>>;

/** The reference page of a package's errors, in Markdown. */
export function errorPage(name: string, table: ErrorTable): string {
  const groups = Object.entries(table).map(([carrier, group]) => `## ${carrier}\n\n${groupTable(group)}`);
  return `# Errors of ${name}

<!-- Generated from ${name}/src/errors/error-table.ts by \`npm run errors\`; do not edit. -->

A heading names the class or type that carries the code; a class without codes is a row itself. A code keeps its meaning: one that is given
up is never used again.

${groups.join('\n')}`;
}

function groupTable(group: ErrorGroup): string {
  const rows = Object.entries(group);
  const heads = ['Code', ...columns('Answer', 'Result code', rows[0]?.[1]), 'What is wrong', 'What to do'];
  const lines = rows.map(([code, row]) => {
    const [text, action, answer = 0, resultCode] = row;
    const given = `${answer < 100 ? 'exit code' : 'HTTP'} ${answer}`;
    return [`\`${code}\``, ...columns(given, `\`${resultCode}\``, row), sentence(text), sentence(action)];
  });
  return `${[heads, heads.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** The two optional columns, as far as the row has them; all rows of a group are alike. */
function columns(answer: string, resultCode: string, row: ErrorRow | undefined): readonly string[] {
  return [answer, resultCode].slice(0, Math.max(0, (row?.length ?? 0) - 2));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replaceAll('|', '\\|');
}

/** The part of `--help` on the exit codes of a program. */
export function exitCodeHelp(codes: ErrorGroup): string {
  const lines = Object.values(codes).map(([text, , code]) => `  ${code} ${text}`);
  return `\nExit codes: 0 done\n${lines.join('\n')}`;
}
