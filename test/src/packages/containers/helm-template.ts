/** A part of a template that this small renderer does not know: the chart uses few. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

type Values = Readonly<Record<string, unknown>>;

/** What a template is rendered with. */
export interface TemplateScope {
  readonly Values: Values;
  readonly Release: { readonly Name: string };
}

const BLOCK = /^\s*\{\{-?\s*(?<word>if|range|end)\b\s*(?<rest>.*?)\s*-?\}\}\s*$/;

/**
 * Renders a template of our chart as Helm does, for the few forms that it has: values, `quote`, `printf`, `toYaml | nindent`, and `if gt` and
 * `range` on lines of their own. Pure.
 * @throws TemplateError for any other form, and for a value that is not there
 */
export function renderTemplate(source: string, scope: TemplateScope): string {
  const lines = source.split('\n');
  const [text, rest] = renderLines(lines, scope, {});
  if (rest.length > 0) throw new TemplateError('an end without a beginning');
  return text.join('\n');
}

function renderLines(
  lines: readonly string[],
  scope: TemplateScope,
  variables: Values,
): readonly [rendered: string[], rest: readonly string[]] {
  const rendered: string[] = [];
  let left = lines;
  for (let [line, ...after] = left; line !== undefined; [line, ...after] = left) {
    const { word, rest = '' } = BLOCK.exec(line)?.groups ?? {};
    if (word === 'end') return [rendered, left];
    if (word === undefined) {
      rendered.push(renderLine(line, scope, variables));
      left = after;
      continue;
    }
    const rounds = word === 'if' ? ifRounds(rest, scope) : rangeRounds(rest, scope);
    // Also what is left out has to be a template.
    const [, behind] = renderLines(after, scope, rounds.probe);
    for (const round of rounds.taken)
      rendered.push(...renderLines(after, scope, { ...variables, ...round })[0]);
    if (behind.length === 0) throw new TemplateError(`${line.trim()} has no end`);
    left = behind.slice(1);
  }
  return [rendered, []];
}

interface Rounds {
  readonly taken: readonly Values[];
  readonly probe: Values;
}

function ifRounds(condition: string, scope: TemplateScope): Rounds {
  const [, path = '', least = ''] = /^gt \(int (\.[\w.]+)\) (\d+)$/.exec(condition) ?? [];
  if (path === '') throw new TemplateError(`if ${condition}`);
  return { taken: Number(valueAt(path, scope)) > Number(least) ? [{}] : [], probe: {} };
}

function rangeRounds(range: string, scope: TemplateScope): Rounds {
  const [, key = '', value = '', path = ''] = /^\$(\w+), \$(\w+) := (\.[\w.]+)$/.exec(range) ?? [];
  if (path === '') throw new TemplateError(`range ${range}`);
  const entries = Object.entries(valueAt(path, scope) as Values);
  return {
    taken: entries.map(([name, each]) => ({ [key]: name, [value]: each })),
    probe: { [key]: '', [value]: '' },
  };
}

function renderLine(line: string, scope: TemplateScope, variables: Values): string {
  const indented = /^\s*\{\{- toYaml (\.[\w.]+) \| nindent (\d+) \}\}$/.exec(line);
  if (indented) return yamlOf(valueAt(indented[1] ?? '', scope), Number(indented[2]));
  return line.replace(/\{\{-? (.*?) -?\}\}/g, (_all, form: string) => {
    const [expression = '', filter] = form.split(' | ');
    const text = textOf(expression, scope, variables);
    if (filter === undefined) return text;
    if (filter === 'quote') return JSON.stringify(text);
    throw new TemplateError(form);
  });
}

function textOf(expression: string, scope: TemplateScope, variables: Values): string {
  const [, format, args] = /^printf "([^"]*)" (.*)$/.exec(expression) ?? [];
  if (format !== undefined) {
    const values = (args ?? '').split(' ').map((path) => String(valueAt(path, scope)));
    return format.replace(/%s/g, () => values.shift() ?? '');
  }
  if (expression.startsWith('$')) return String(variables[expression.slice(1)]);
  return String(valueAt(expression, scope));
}

function valueAt(path: string, scope: TemplateScope): unknown {
  let at: unknown = scope;
  for (const step of path.split('.').slice(1)) {
    if (typeof at !== 'object' || at === null || !(step in at))
      throw new TemplateError(`${path} is not there`);
    at = (at as Values)[step];
  }
  return at;
}

/** Small mappings of texts. */
function yamlOf(value: unknown, indent: number): string {
  if (typeof value !== 'object' || value === null) return `${' '.repeat(indent)}${JSON.stringify(value)}`;
  return Object.entries(value)
    .map(([key, each]) =>
      typeof each === 'object'
        ? `${' '.repeat(indent)}${key}:\n${yamlOf(each, indent + 2)}`
        : `${' '.repeat(indent)}${key}: ${JSON.stringify(each)}`,
    )
    .join('\n');
}
