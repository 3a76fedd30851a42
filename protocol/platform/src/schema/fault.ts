import { maskText } from '@tillbridge/wire/mask/mask.js';
import { nearMatch } from '@tillbridge/wire/text/near-match.js';
import { pathOf, type RuleFault } from './rule.js';

/** What a schema has against a value: fields of Ajv's errors with `verbose`, as Fastify hands them on. */
export interface SchemaError {
  /** JSON pointer to the place. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: SchemaWords | undefined;
  /** The value there; it may be a secret. */
  readonly data?: unknown;
  /** Of a fault in the name of a key. */
  readonly propertyName?: string | undefined;
}

/** Texts of a schema for people. */
interface SchemaWords {
  readonly expected?: string;
  readonly properties?: Readonly<Record<string, SchemaWords>>;
  /** Names under which others send a key. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** One fault in words. */
interface Fault {
  readonly path: readonly string[];
  /** The rule that is broken, completes "PLACE …"; without the value. */
  readonly problem: string;
  /** `; did you mean …?`, or nothing. */
  readonly likely: string;
  /** The value is wrong as a whole, and may be shown unless it is secret. */
  readonly isValue: boolean;
}

/** Keywords whose own error only repeats those of the schemas inside. */
const OUTER = ['if', 'propertyNames'];

/**
 * The fault for the person who wrote the value: place, rule and likely intent; undefined for one that another error reports. The value is
 * never in it: it may be a PIN. Pure.
 * @param noun what a name is called: `key` of a configuration, `field` of a body
 */
export function faultOf(error: SchemaError, noun: string): Fault | undefined {
  const { instancePath, keyword, params, parentSchema = {}, data, propertyName } = error;
  const path = [...pathOf(instancePath), ...(propertyName === undefined ? [] : [propertyName])];
  const fault = (problem: string, likely?: string, isValue = false): Fault => ({
    path,
    problem,
    likely: likely === undefined ? '' : `; did you mean ${likely}?`,
    isValue,
  });
  if (OUTER.includes(keyword)) return undefined;
  if (keyword === 'additionalProperties')
    return unknownKey(fault, String(params.additionalProperty), error, noun);
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    const { expected } = parentSchema.properties?.[name] ?? {};
    return {
      ...fault(`is missing${expected === undefined ? '' : `: expected ${expected}`}`),
      path: [...path, name],
    };
  }
  if (keyword === 'rule') {
    const { at, problem, likely } = params as RuleFault;
    const found = fault(problem ?? `must be ${parentSchema.expected}`, likely, problem === undefined);
    return at === undefined ? found : { ...found, path: [...path, at] };
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const allowed = params.allowedValues.map(String);
    const expected = parentSchema.expected ?? `one of ${allowed.join(', ')}`;
    return fault(
      `must be ${expected}`,
      typeof data === 'string' ? nearMatch(data, allowed) : undefined,
      true,
    );
  }
  const { expected } = parentSchema;
  return fault(
    expected === undefined ? (error.message ?? 'is wrong') : `must be ${expected}`,
    undefined,
    true,
  );
}

function unknownKey(
  fault: (problem: string, likely?: string) => Fault,
  name: string,
  { parentSchema: { properties = {}, aliases = {} } = {} }: SchemaError,
  noun: string,
): Fault {
  const known = Object.keys(properties);
  const meant = Object.hasOwn(aliases, name) ? aliases[name] : nearMatch(name, known);
  const expected = known.length > 0 ? `; expected ${known.join(', ')}` : ': none belongs here';
  const found = fault(`is no known ${noun}${meant === undefined ? expected : ''}`, meant);
  return { ...found, path: [...found.path, name] };
}

/** `terminals[0].id`; empty for the whole. */
export function placeText(path: readonly string[]): string {
  const steps = path.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}

/** Longest name of a field that is repeated. */
const MAX_NAME_LENGTH = 64;

/** What is wrong with the body of a request, in one sentence without the value; `field` is absent where it is the body as a whole. */
export function bodyFault(errors: readonly SchemaError[]): {
  readonly field?: string;
  readonly message: string;
} {
  // A name that is wrong is often why another one is missing.
  const first = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  const fault = first && faultOf(first, 'field');
  if (!fault) return { message: 'the request cannot be read' };
  const field = maskText(placeText(fault.path).slice(0, MAX_NAME_LENGTH));
  const text = `${fault.problem}${fault.likely}`;
  return field === '' ? { message: `the body ${text}` } : { field, message: `${field} ${text}` };
}
