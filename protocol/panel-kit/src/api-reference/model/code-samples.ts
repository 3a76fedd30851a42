import type { RequestExample } from './example.js';

/** Languages of the code samples. */
export const LANGUAGES = ['curl', 'node', 'python', 'php'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Their names on the tabs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
};

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/**
 * A program that sends a request and prints the answer. It takes the token from the environment variable `TOKEN`, and needs nothing but
 * what comes with the language.
 * @param origin scheme and host of the server
 */
export function codeSample(language: Language, origin: string, request: RequestExample): string {
  return WRITERS[language](`${origin}${request.target}`, request);
}

type Writer = (url: string, request: RequestExample) => string;

const WRITERS: Readonly<Record<Language, Writer>> = { curl, node, python, php };

function curl(url: string, { method, headers, form, json, token }: RequestExample): string {
  const options = [
    ...(method === 'GET' || (method === 'POST' && (form || json !== undefined)) ? [] : [`-X ${method}`]),
    ...(token ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...Object.entries(form ?? {}).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`),
    ...(json === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `--data ${inShell(JSON.stringify(json, null, 2).replaceAll('\n', '\n  '))}`,
        ]),
  ];
  return [`curl ${inShell(url)}`, ...options].join(' \\\n  ');
}

function node(url: string, { method, headers, form, json, token }: RequestExample): string {
  const head = [
    ...(token ? ["authorization: 'Bearer ' + process.env.TOKEN"] : []),
    ...(json === undefined ? [] : [`'content-type': 'application/json'`]),
    ...Object.entries(headers).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(head.length > 0 ? [`  headers: {\n${head.map((line) => `    ${line},\n`).join('')}  },`] : []),
    ...(form ? [`  body: new URLSearchParams(${literal(form, SCRIPT, '  ')}),`] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${literal(json as Value, SCRIPT, '  ')}),`]),
  ];
  const more = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return `const answer = await fetch(${quoted(url)}${more});
console.log(answer.status, await answer.text());`;
}

function python(url: string, { method, headers, form, json, token }: RequestExample): string {
  const head = [
    ...(token ? [`"Authorization": "Bearer " + os.environ["TOKEN"]`] : []),
    ...(json === undefined ? [] : [`"Content-Type": "application/json"`]),
    ...Object.entries(headers).map(([name, value]) => `${text(name)}: ${text(value)}`),
  ];
  const imports = [
    ...(json === undefined ? [] : ['json']),
    ...(token ? ['os'] : []),
    ...(form ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  const options = [
    `    ${text(url)},`,
    `    method="${method}",`,
    ...(head.length > 0 ? [`    headers={\n${head.map((line) => `        ${line},\n`).join('')}    },`] : []),
    ...(form ? [`    data=urllib.parse.urlencode(${literal(form, PYTHON, '    ')}).encode(),`] : []),
    ...(json === undefined
      ? []
      : [`    data=json.dumps(${literal(json as Value, PYTHON, '    ')}).encode(),`]),
  ];
  return `import ${imports.join(', ')}

request = urllib.request.Request(
${options.join('\n')}
)
with urllib.request.urlopen(request) as answer:
    print(answer.status, answer.read().decode())`;
}

function php(url: string, { method, headers, form, json, token }: RequestExample): string {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const head = [
    ...(token ? [`'Authorization: Bearer ' . getenv('TOKEN')`] : []),
    ...(form || json !== undefined ? [`'Content-Type: ${type}'`] : []),
    ...Object.entries(headers).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
  const options = [
    `    'method' => '${method}',`,
    ...(head.length > 0
      ? [`    'header' => [\n${head.map((line) => `        ${line},\n`).join('')}    ],`]
      : []),
    ...(form ? [`    'content' => http_build_query(${literal(form, PHP, '    ')}),`] : []),
    ...(json === undefined ? [] : [`    'content' => json_encode(${literal(json as Value, PHP, '    ')}),`]),
    `    'ignore_errors' => true,`,
  ];
  return `<?php
$context = stream_context_create(['http' => [
${options.join('\n')}
]]);
echo file_get_contents(${quoted(url)}, false, $context), PHP_EOL;`;
}

/** How a language writes values. */
interface Notation {
  readonly text: (value: string) => string;
  readonly words: readonly [yes: string, no: string, none: string];
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, arrow: string, close: string];
  readonly isName?: RegExp;
  /** What a member is indented by. */
  readonly step: string;
}

const SCRIPT: Notation = {
  text: quoted,
  words: ['true', 'false', 'null'],
  list: ['[', ']'],
  map: ['{', ': ', '}'],
  isName: /^[A-Za-z_]\w*$/,
  step: '  ',
};
const PYTHON: Notation = {
  text,
  words: ['True', 'False', 'None'],
  list: ['[', ']'],
  map: ['{', ': ', '}'],
  step: '    ',
};
const PHP: Notation = {
  text: quoted,
  words: ['true', 'false', 'null'],
  list: ['[', ']'],
  map: ['[', ' => ', ']'],
  step: '    ',
};

function literal(value: Value, notation: Notation, indent: string): string {
  const { words, list, map, isName, step } = notation;
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return words[value ? 0 : 1];
  if (value === null) return words[2];
  if (Array.isArray(value))
    return `${list[0]}${value.map((each) => literal(each, notation, indent)).join(', ')}${list[1]}`;
  const members = Object.entries(value).map(([name, member]) => {
    const key = isName?.test(name) ? name : notation.text(name);
    return `${indent}${step}${key}${map[1]}${literal(member, notation, indent + step)},\n`;
  });
  return members.length === 0 ? `${map[0]}${map[2]}` : `${map[0]}\n${members.join('')}${indent}${map[2]}`;
}

/** A text in single quotes, for JavaScript and PHP. */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A text in double quotes, for Python: JSON has the same escapes. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** A word of a POSIX shell. */
function inShell(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}
