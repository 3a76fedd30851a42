import type { SchemaError } from './fault.js';
import { ANNOTATIONS, pathOf, type Rule } from './rule.js';
import type { Static, TSchema } from './type.js';

/** Says whether a value fits a schema, and fills in what the schema has by itself. */
export interface Validator<T = unknown> {
  (value: unknown): value is T;
  /** Everything that is wrong with the value of the last call; absent where it fits. */
  errors?: readonly SchemaError[] | undefined;
}

/** What a schema says of one value, or of all of one kind. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly rule?: Rule;
  readonly default?: unknown;
}

type Mapping = Record<string, unknown>;

/** Keywords of JSON Schema (draft 7) that are obeyed. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'default', 'rule'],
  ...['properties', 'required', 'propertyNames', 'additionalProperties'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems', 'if', 'then', 'else'],
]);
/** Words that tell people something, and say nothing about a value. */
const SAYINGS: ReadonlySet<string> = new Set([...ANNOTATIONS, 'description', 'title', 'examples', '$id']);

/**
 * Makes a validator of a schema of our own. It walks through the schema with each value: a validator that compiles a schema is quicker with
 * the thousandth value, and takes a tenth of the start of a program for the first one. Its errors are those of Ajv with `verbose` and `allErrors`.
 * @throws TypeError for a keyword that it does not know, when it is made
 */
export function validatorOf<S extends TSchema>(schema: S): Validator<Static<S>> {
  expectKnown(schema);
  const validate: Validator = (value): value is unknown => {
    const walk = new Walk();
    walk.check(schema as Schema, value, '');
    validate.errors = walk.errors.length > 0 ? walk.errors : undefined;
    return walk.errors.length === 0;
  };
  return validate as Validator<Static<S>>;
}

function expectKnown(schema: Schema): void {
  const unknown = Object.keys(schema).find((word) => !KEYWORDS.has(word) && !SAYINGS.has(word));
  if (unknown !== undefined) throw new TypeError(`the keyword ${unknown} of a schema is not obeyed`);
  const { properties = {}, propertyNames, additionalProperties, items } = schema;
  const inner = [propertyNames, additionalProperties, items, schema.if, schema.then, schema.else];
  for (const each of [...Object.values(properties), ...inner]) if (isSchema(each)) expectKnown(each);
}

function isSchema(schema: boolean | Schema | undefined): schema is Schema {
  return typeof schema === 'object';
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isMapping,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Patterns by their source; schemas are constants. */
const patterns = new Map<string, RegExp>();

function patternOf(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, pattern);
  return pattern;
}

/** One value on its way through its schema. */
class Walk {
  errors: SchemaError[] = [];

  check(schema: Schema, value: unknown, at: string): void {
    const tell = this.#teller(schema, value, at);
    const types = schema.type === undefined ? [] : [schema.type].flat();
    if (types.length > 0 && !types.some((type) => TYPES[type]?.(value))) {
      tell('type', { type: schema.type }, `must be ${types.join(',')}`);
      return;
    }
    if (typeof value === 'number') checkNumber(schema, value, tell);
    else if (typeof value === 'string') checkText(schema, value, tell);
    if (schema.enum && !schema.enum.includes(value))
      tell('enum', { allowedValues: schema.enum }, 'must be equal to one of the allowed values');
    const fault = schema.rule?.(value, pathOf(at));
    if (fault) tell('rule', { ...fault });
    if (schema.if) this.#checkBranch(schema, schema.if, value, at, tell);
    if (Array.isArray(value)) this.#checkList(schema, value, at, tell);
    else if (isMapping(value)) this.#checkMapping(schema, value, at, tell);
  }

  #teller(schema: Schema, data: unknown, instancePath: string): Tell {
    return (keyword, params, message) => {
      this.errors.push({ instancePath, keyword, params, message, parentSchema: schema as object, data });
    };
  }

  #checkBranch(schema: Schema, condition: Schema, value: unknown, at: string, tell: Tell): void {
    const before = this.errors;
    this.errors = [];
    this.check(condition, value, at);
    const failingKeyword = this.errors.length === 0 ? 'then' : 'else';
    this.errors = before;
    const { length } = before;
    const branch = schema[failingKeyword];
    if (branch) this.check(branch, value, at);
    if (before.length > length) tell('if', { failingKeyword }, `must match "${failingKeyword}" schema`);
  }

  #checkList(schema: Schema, list: readonly unknown[], at: string, tell: Tell): void {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (list.length < minItems)
      tell('minItems', { limit: minItems }, `must NOT have fewer than ${minItems} items`);
    if (list.length > maxItems)
      tell('maxItems', { limit: maxItems }, `must NOT have more than ${maxItems} items`);
    if (schema.uniqueItems && new Set(list.map((each) => JSON.stringify(each))).size < list.length)
      tell('uniqueItems', {}, 'must NOT have duplicate items');
    if (items) for (const [index, each] of list.entries()) this.check(items, each, `${at}/${index}`);
  }

  #checkMapping(schema: Schema, mapping: Mapping, at: string, tell: Tell): void {
    const { properties = {}, required = [], propertyNames, additionalProperties = true } = schema;
    for (const [name, each] of Object.entries(properties))
      if (mapping[name] === undefined && each.default !== undefined)
        mapping[name] = structuredClone(each.default);
    for (const missingProperty of required)
      if (mapping[missingProperty] === undefined)
        tell('required', { missingProperty }, `must have required property '${missingProperty}'`);
    if (propertyNames) this.#checkNames(propertyNames, mapping, at, tell);
    for (const name of Object.keys(mapping)) {
      if (Object.hasOwn(properties, name)) continue;
      if (additionalProperties === false)
        tell('additionalProperties', { additionalProperty: name }, 'must NOT have additional properties');
      else if (isSchema(additionalProperties))
        this.check(additionalProperties, mapping[name], `${at}/${stepOf(name)}`);
    }
    for (const [name, each] of Object.entries(properties))
      if (mapping[name] !== undefined) this.check(each, mapping[name], `${at}/${stepOf(name)}`);
  }

  #checkNames(schema: Schema, mapping: Mapping, at: string, tell: Tell): void {
    for (const propertyName of Object.keys(mapping)) {
      const { length } = this.errors;
      this.check(schema, propertyName, at);
      if (this.errors.length === length) continue;
      const found = this.errors.splice(length).map((error) => ({ ...error, propertyName }));
      this.errors.push(...found);
      tell('propertyNames', { propertyName }, 'property name must be valid');
    }
  }
}

type Tell = (keyword: string, params: Readonly<Record<string, unknown>>, message?: string) => void;

function checkNumber({ minimum, maximum }: Schema, value: number, tell: Tell): void {
  if (maximum !== undefined && value > maximum)
    tell('maximum', { comparison: '<=', limit: maximum }, `must be <= ${maximum}`);
  if (minimum !== undefined && value < minimum)
    tell('minimum', { comparison: '>=', limit: minimum }, `must be >= ${minimum}`);
}

function checkText({ minLength, maxLength, pattern }: Schema, value: string, tell: Tell): void {
  // Characters, not their halves in UTF-16.
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  if (maxLength !== undefined && length > maxLength)
    tell('maxLength', { limit: maxLength }, `must NOT have more than ${maxLength} characters`);
  if (minLength !== undefined && length < minLength)
    tell('minLength', { limit: minLength }, `must NOT have fewer than ${minLength} characters`);
  if (pattern !== undefined && !patternOf(pattern).test(value))
    tell('pattern', { pattern }, `must match pattern "${pattern}"`);
}

/** A step of a JSON pointer (RFC 6901). */
function stepOf(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
