import type { TSchema } from 'typebox';
import { insideOf, type Node, rootOf, type Setting, settingsOf } from './settings.js';

/** What `--help` says of the environment. */
export function environmentHelp(schema: TSchema): string {
  const root = rootOf(schema);
  const lines = settingsOf(root).flatMap(({ node, path }) =>
    node.env === undefined ? [] : [`  ${node.env} (${keyText(path)}): ${node.expected}`],
  );
  const others = Object.entries(root.variables ?? {}).map(([name, meaning]) => `  ${name}: ${meaning}`);
  return `Environment, over the file:\n${[...lines, ...others].join('\n')}`;
}

/** The reference page of a program's configuration, in Markdown. */
export function referencePage(program: string, schema: TSchema): string {
  const root = rootOf(schema);
  const rows = settingsOf(root).map((setting) => `| ${cells(setting, root).join(' | ')} |`);
  const others = Object.entries(root.variables ?? {}).map(
    ([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`,
  );
  return `# Configuration of ${program}

<!-- Generated from the schema by \`npm run configuration\`; do not edit. -->

\`${program} … --config FILE\` reads a YAML file; environment variables override it. \`a.b\` is the key \`b\` in the mapping \`a\`,
\`[]\` each entry of a list, \`NAME\` each key of a mapping. Everything is checked at the start: a wrong key or value is named, with what was
expected and what was probably meant, and the program ends with exit code 2.

| Key | Variable | Value | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
${others.length > 0 ? `\nVariables without a key:\n\n| Variable | Meaning |\n|---|---|\n${others.join('\n')}\n` : ''}`;
}

function cells({ path, node }: Setting, root: Node): readonly string[] {
  const { env, expected = '', description = '' } = node;
  return [
    `\`${keyText(path)}\``,
    env === undefined ? '' : `\`${env}\``,
    cell(expected),
    cell(defaultText(node, isRequired(root, path))),
    cell(description),
  ];
}

function defaultText({ default: preset, fallback }: Node, required: boolean): string {
  if (fallback !== undefined) return fallback;
  if (preset === undefined) return required ? '**required**' : '–';
  return `\`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;
}

function isRequired(root: Node, path: readonly string[]): boolean {
  let at: Node = root;
  for (const step of path.slice(0, -1)) {
    const { items, properties, additionalProperties } = insideOf(at);
    at = (step === '[]' ? items : properties?.[step]) ?? (additionalProperties || {});
  }
  return insideOf(at).required?.includes(path.at(-1) ?? '') ?? false;
}

/** `terminals[].id`. */
function keyText(path: readonly string[]): string {
  return path.join('.').replaceAll('.[]', '[]');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
