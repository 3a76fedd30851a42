import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_SETTINGS } from '@tillbridge/agent/config/schema.js';
import { GATEWAY_SETTINGS } from '@tillbridge/gateway/app/configuration/schema.js';
import { ALERT_TABLE } from '@tillbridge/gateway/kernel/alerts/alert-table.js';
import { ALL_PARAMETERS } from '@tillbridge/gateway/kernel/api/catalogue/sections.js';
import { SIMULATOR_SETTINGS } from '@tillbridge/hardware-sim/config/schema.js';
import { rootOf, settingsOf } from '@tillbridge/platform/config/settings.js';
import { parse } from 'yaml';
import { ROOT } from '../stack/layout.js';
import { codeOf, overPages, proseOf } from './markdown.js';
import { repositoryFiles } from './repository-files.js';

const PACKAGES = ['agent', 'gateway', 'hardware-sim', 'protocol', 'test'];
/** The folder of a package, at the beginning of a path: `gateway`, `protocol/wire`. */
const PACKAGE_FOLDER = /^(?:protocol\/(?!docs\/))?[^/]+/;
/** The source files of the packages, tests among them, from the root of the repository. */
const FILES = repositoryFiles(ROOT).filter(
  (path) =>
    PACKAGES.some((name) => path.startsWith(`${name}/`)) &&
    !path.includes('/docs/') &&
    /\.(?:c|css|js|json|mjs|proto|tsx?|ya?ml)$/.test(path),
);
/** The source of a package as one text: what a page names stands somewhere in it. */
const SOURCES: ReadonlyMap<string, string> = new Map(
  PACKAGES.map((name) => {
    const own = FILES.filter((path) => path.startsWith(`${name}/`) && !path.startsWith('test/src/docs/'));
    return [name, own.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')];
  }),
);
const ALL_SOURCE = [readFileSync(join(ROOT, 'package.json'), 'utf8'), ...SOURCES.values()].join('\n');
const inSource = (text: string): boolean => ALL_SOURCE.includes(text);
const WORDS: ReadonlySet<string> = new Set(ALL_SOURCE.match(/[A-Za-z_$][\w$]*/g));

const OWN_SETTINGS = [AGENT_SETTINGS, GATEWAY_SETTINGS, SIMULATOR_SETTINGS].flatMap((schema) =>
  settingsOf(rootOf(schema)),
);
const VARIABLES: ReadonlySet<string> = new Set(OWN_SETTINGS.flatMap(({ node }) => node.env ?? []));
/** Keys and sections of the three configurations; of lists and mappings without `[]`. */
const SETTINGS: ReadonlySet<string> = new Set(
  OWN_SETTINGS.flatMap(({ path }) =>
    path.map((_step, index) =>
      path
        .slice(0, index + 1)
        .filter((step) => step !== '[]')
        .join('.'),
    ),
  ),
);
/** Each setting as a pattern, from the top or from below one section on. */
const SETTING_PATTERNS: readonly RegExp[] = [...SETTINGS].map((key) => {
  const inner = key.replaceAll('.', '\\.').replaceAll('NAME', '[^.]+');
  const [section = '', ...rest] = inner.split('\\.');
  return new RegExp(rest.length === 0 ? `^${section}$` : `^(?:${section}\\.)?${rest.join('\\.')}$`);
});
/** Settings that are described as a whole: what is inside has names of the operator's own. */
const OPEN_SETTINGS = [...SETTINGS].filter(
  (key) => ![...SETTINGS].some((other) => other.startsWith(`${key}.`)),
);

function isSetting(key: string): boolean {
  return (
    SETTING_PATTERNS.some((pattern) => pattern.test(key)) ||
    OPEN_SETTINGS.some((open) => key.startsWith(`${open}.`))
  );
}

const SECTION_NAMES: ReadonlySet<string> = new Set(
  [...SETTINGS].filter((key) => key.includes('.')).map((key) => key.split('.', 1)[0] ?? ''),
);
const PARAMETER_SECTIONS: ReadonlySet<string> = new Set(
  ALL_PARAMETERS.map(({ name }) => name.split(/[.[]/, 1)[0] ?? ''),
);

/** Members of answers and of a store's policy that pages write with a dot, as a key of a configuration is written. */
const OTHER_MEMBERS: ReadonlySet<string> = new Set([
  'gateway.state',
  'journal.compactionHeldBy',
  'journal.standing',
  'journal.state',
  'offline.maxAgeHours',
  'offline.reasons',
]);
/** Names of others: of browsers, of libraries, of pages that older clients wrote. */
const FOREIGN_NAMES: ReadonlySet<string> = new Set([
  'LocalNetworkAccessAllowedForUrls',
  'brandDetectionType',
  'enableSAQACompliance',
  'sslmode',
]);
const FILE_NAME =
  /\.(?:bin|c|cfg|css|csv|db|html|json|jsonl|log|md|mjs|out|pem|proto|sqlite|svg|tr31|ts|tsx|txt|xml|ya?ml)$/;

const matchesOf = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([all]) => all);

/** Environment variables of ours that no program reads. */
export const absentVariables = overPages(({ text }) =>
  matchesOf(text, /\b(?:GATEWAY|AGENT|SIM|HOST|NEXO|TILLBRIDGE)_[A-Z0-9_]*[A-Z0-9]\b/g).filter(
    (name) => !VARIABLES.has(name) && !inSource(name) && !new RegExp(`\\b${name}=`).test(text),
  ),
);

/** Dotted keys below a section of a configuration that no configuration has; a page of a section may write them from there on. */
export const absentSettings = overPages(({ text }) =>
  codeOf(text).filter((code) => {
    const [, section = ''] = /^([A-Za-z0-9]+)(?:\.[A-Za-z0-9]+)+$/.exec(code) ?? [];
    if (!SECTION_NAMES.has(section) || PARAMETER_SECTIONS.has(section)) return false;
    if (FILE_NAME.test(code) || OTHER_MEMBERS.has(code)) return false;
    return ![...SETTINGS].some((key) => key === code || key.endsWith(`.${code}`));
  }),
);

/** Keys of YAML examples that no configuration has; an example of a section begins there. */
export const absentExampleKeys = overPages(({ text }) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .flatMap(([, example = '']) => keysOf(parse(example), ''))
    .filter((key) => !isSetting(key)),
);

/** `terminals.id` for each key of an example; of lists without a number. */
function keysOf(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, path));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, each]) => keysOf(each, path === '' ? key : `${path}.${key}`));
}

/** Metrics that nothing counts. */
export const absentMetrics = overPages(({ text }) =>
  matchesOf(text, /\btillbridge_[a-z_]+[a-z]\b/g).filter((name) => !isMetric(name)),
);

/** A metric's name stands whole in the code, or is made of a name between fixed parts. */
function isMetric(name: string): boolean {
  return (
    inSource(`'${name}'`) ||
    METRIC_FRAMES.some(
      ([before, after]) =>
        name.startsWith(before) &&
        name.endsWith(after) &&
        WORDS.has(name.slice(before.length, name.length - after.length)),
    )
  );
}

const METRIC_FRAMES: readonly (readonly [before: string, after: string])[] = [
  ...ALL_SOURCE.matchAll(/`(tillbridge_[a-z_]+_)\$\{[^}]*\}([a-z_]*)`/g),
].map(([, before = '', after = '']) => [before, after]);

/** Files and folders of the repository, whole or below the page's package, that are not there. The maker `acme` is made up. */
export const absentPaths = overPages(({ path, text }) => {
  const [own] = PACKAGE_FOLDER.exec(path) ?? [path];
  return codeOf(text)
    .map((code) => code.replace(/\/$/, ''))
    .filter((code) => /^[\w.-]+(?:\/[\w.-]+)*$/.test(code) && !/(?:^|\/)acme(?:\/|$)/.test(code))
    .filter((code) => {
      const [first = ''] = code.split('/', 1);
      const known = (each: string) => existsSync(join(ROOT, each));
      const below = code.replace(PACKAGE_FOLDER, '');
      if (PACKAGES.includes(first) && /^\/(?:src|docs|panel|widget|console|start|vectors|data)\//.test(below))
        return !known(code);
      if (/^(?:src|panel|widget|console|start)\//.test(code))
        return !known(`${own}/${code}`) && !inFiles(code);
      return /\.tsx?$/.test(code) && !/^x\./.test(code) && !inFiles(code);
    });
});

function inFiles(path: string): boolean {
  return FILES.some((file) => file.endsWith(`/${path}`));
}

/** Result codes that the product gives: those that stand in its code outside the catalogue of all codes. */
const GIVEN_CODES: ReadonlySet<string> = new Set(
  FILES.filter(
    (path) => /^(?:gateway|protocol\/wire)\/src\//.test(path) && !/\.test\.|result-code-table/.test(path),
  ).flatMap((path) => matchesOf(readFileSync(join(ROOT, path), 'utf8'), /\b\d{3}\.\d{3}\.\d{3}\b/g)),
);
/** Pages of all codes there are, those that no code of ours gives among them. */
const CATALOGUES = /\/docs\/(?:errors|result-codes|payment-methods)\.md$/;

/** Result codes that a page promises and no code gives. */
export const absentCodes = overPages(({ path, text }) =>
  CATALOGUES.test(path)
    ? []
    : matchesOf(text, /(?<![\d.])\d{3}\.\d{3}\.\d{3}(?!\.?\d)/g).filter((code) => !GIVEN_CODES.has(code)),
);

/** Alerts that are never raised: a code behind the word “alert”. */
export const absentAlerts = overPages(({ text }) =>
  [...proseOf(text).matchAll(/\balerts?\]?(?:\([^)]*\))?\s\(?`([a-z-]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => !Object.hasOwn(ALERT_TABLE, code)),
);

const SCRIPTS: ReadonlySet<string> = new Set(
  ['package.json', ...FILES.filter((path) => path.endsWith('/package.json'))].flatMap((path) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    return Object.keys(scripts);
  }),
);

/** Scripts of npm that no package has. */
export const absentScripts = overPages(({ text }) =>
  [...text.matchAll(/npm run (?:--silent )?([a-z][\w-]*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !SCRIPTS.has(name)),
);

/** Names in camel case that stand nowhere in the code. */
export const absentNames = overPages(({ text }) =>
  codeOf(text).filter(
    (code) =>
      /^[A-Za-z]+[a-z][A-Z][A-Za-z0-9]*$/.test(code) &&
      !WORDS.has(code) &&
      !WORDS.has(`${code}1`) &&
      !FOREIGN_NAMES.has(code) &&
      !isHook(code),
  ),
);

/** `onBeforeSubmitDirectDebit`: the form makes the name of the hook of the kind of form. */
function isHook(name: string): boolean {
  return /^onBeforeSubmit/.test(name) && inSource('onBeforeSubmit$');
}

const shapeOf = (path: string) => path.replace(/[?#].*$/, '').replaceAll(/\{\w+\}|:\w+/g, '{}');

/** Where the pages of a package find their routes. */
const ROUTE_PACKAGES = ['agent', 'hardware-sim'];

/** Routes of agent and simulator that no source of theirs serves. Where the source makes the last part of a name, that name stands there. */
export const absentRoutes = overPages(({ path, text }) => {
  const own = ROUTE_PACKAGES.find((name) => path.startsWith(`${name}/`));
  if (own === undefined) return [];
  const source = SOURCES.get(own) ?? '';
  const paths = new Set(
    [...source.matchAll(/['`](\/[\w/:{}.-]*)['`?$]/g)].map(([, each = '']) => shapeOf(each)),
  );
  const isServed = (route: string) => {
    const end = route.lastIndexOf('/') + 1;
    return (
      paths.has(shapeOf(route)) ||
      (paths.has(shapeOf(route.slice(0, end))) && source.includes(`'${route.slice(end)}'`))
    );
  };
  return codeOf(text)
    .map((code) => /^(?:GET|POST|PUT|DELETE) (\/[\w/{}-]+)/.exec(code)?.[1])
    .filter((route) => route !== undefined)
    .filter((route) => !isServed(route) && !isForeign(route));
});

/** Routes of the gateway, and of a parent part of ours, that these pages name. */
function isForeign(route: string): boolean {
  return inSource(`'${route}'`);
}
