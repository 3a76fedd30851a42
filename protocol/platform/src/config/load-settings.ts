import { Ajv } from 'ajv';
import { faultOf, type SchemaError } from '../schema/fault.js';
import { addRules, OWN_SCHEMAS, pathOf } from '../schema/rule.js';
import type { Static, TSchema } from '../schema/type.js';
import { narrowSchema } from './narrow-schema.js';
import { Problems } from './problems.js';
import { refuseOpenSecrets, secretOf } from './secret-settings.js';
import {
  fillDefaults,
  isMapping,
  type Mapping,
  rootOf,
  settingsOf,
  tidy,
  valueOfVariable,
} from './settings.js';
import { readYamlFile } from './yaml-file.js';

/** Where the settings come from. */
interface SettingsSource {
  /** YAML; none when undefined. */
  readonly file: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

const VALIDATOR = addRules(new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, strictTypes: false }));

/** Longest value that a message shows. */
const MAX_SHOWN = 80;

/**
 * Reads the settings of a program: the YAML file if one is named, then the environment over it, then what the schema has by itself.
 * @param finish makes the configuration out of settings that fit the schema, and notes what is wrong between them; what does not fit is left out
 * @throws ConfigError naming every wrong key and value, what was expected, and the near match
 */
export function loadSettings<S extends TSchema, C>(
  schema: S,
  { file, env }: SettingsSource,
  finish: (settings: Static<S>, problems: Problems) => C,
): C {
  const root = rootOf(schema);
  const written = file === undefined ? {} : (tidy(root, readYamlFile(file)) ?? {});
  const variables = new Map<string, readonly string[]>();
  const problems = new Problems(file, variables);
  if (isMapping(written)) {
    if (file !== undefined) refuseOpenSecrets(file, root, written, problems);
    for (const { node, path } of settingsOf(root)) {
      const text = node.env === undefined ? '' : (env[node.env] ?? secretOf(node, env, problems));
      if (node.env === undefined || !text || !setAt(written, path, valueOfVariable(node, text))) continue;
      variables.set(node.env, path);
    }
  }
  // What is left out gets defaults, which need no check: a test of all programs checks them.
  const narrow = narrowSchema(root, [written]);
  const validate = VALIDATOR.compile(narrow);
  VALIDATOR.removeSchema(narrow);
  fillDefaults(root, written);
  // Wrong values are reported in the first round and left out, so that the rest can be checked as well.
  for (let round = 0; !validate(written); round++) {
    const errors = (validate.errors ?? []) as readonly SchemaError[];
    if (round === 0) for (const error of errors) tell(error, problems);
    if (!leaveOut(written, errors)) break;
    fillDefaults(root, written);
  }
  if (validate.errors) problems.throwIfAny();
  const config = finish(written as Static<S>, problems);
  problems.throwIfAny();
  return config;
}

/** False where something else than a mapping stands in the way. */
function setAt(root: Mapping, path: readonly string[], value: unknown): boolean {
  let at = root;
  for (const step of path.slice(0, -1)) {
    at[step] ??= {};
    const next = at[step];
    if (!isMapping(next)) return false;
    at = next;
  }
  at[path.at(-1) ?? ''] = value;
  return true;
}

function tell(error: SchemaError, problems: Problems): void {
  const fault = faultOf(error, 'key');
  if (!fault) return;
  const { secret } = (error.parentSchema ?? {}) as { readonly secret?: boolean };
  const value = fault.isValue && !secret ? `, not ${shown(error.data)}` : '';
  problems.at(fault.path, `${fault.problem}${value}${fault.likely}`);
}

/** A value for a message: short, without user and password of an address. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)?.replace(/\/\/[^/@]*@/g, '//…@') ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Removes every wrong value; false when nothing is left to remove. */
function leaveOut(root: unknown, errors: readonly SchemaError[]): boolean {
  const paths = errors.map(({ instancePath, params, propertyName }) => [
    ...pathOf(instancePath),
    ...[params.additionalProperty, propertyName].filter((name) => typeof name === 'string'),
  ]);
  // Later entries of a list first: removing one moves those behind it.
  const removed = paths
    .toSorted((a, b) => b.join('/').localeCompare(a.join('/'), 'en', { numeric: true }))
    .map((path) => removeAt(root, path));
  return removed.includes(true);
}

function removeAt(root: unknown, path: readonly string[]): boolean {
  let at = root;
  for (const step of path.slice(0, -1)) at = (at as Mapping | undefined)?.[step];
  const last = path.at(-1);
  if (last === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, last)) return false;
  if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete (at as Mapping)[last];
  return true;
}
