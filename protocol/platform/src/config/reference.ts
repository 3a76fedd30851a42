import type { TSchema } from '../schema/type.js';
import { insideOf, type Node, rootOf, type Setting, settingsOf } from './settings.js';

/** The part of `--help` about the environment. */
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
    cell(defaultText(node, needOf(root, path))),
    cell(description),
  ];
}

function defaultText({ default: preset, fallback }: Node, need: string | undefined): string {
  if (fallback !== undefined) return fallback;
  if (preset === undefined) return need ?? '–';
  return `\`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;
}

/** `required`, perhaps only within a part that may be left out; undefined where the key itself may be. */
function needOf(root: Node, path: readonly string[]): string | undefined {
  let at: Node = root;
  let optionalPart: readonly string[] = [];
  for (const [index, step] of path.entries()) {
    const { items, properties, additionalProperties, required } = insideOf(at);
    if (properties && !required?.includes(step)) optionalPart = path.slice(0, index + 1);
    at = (step === '[]' ? items : properties?.[step]) ?? (additionalProperties || {});
  }
  if (optionalPart.length === path.length) return undefined;
  return `required${optionalPart.length > 0 ? ` with \`${keyText(optionalPart)}\`` : ''}`;
}

/** `terminals[].id`. */
function keyText(path: readonly string[]): string {
  return path.join('.').replaceAll('.[]', '[]');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
