import type { CronField, Examples, Format } from '../catalogue/rows/format.js';
import type { Operation, Parameter } from '../catalogue/rows/parameter.js';
import { MAX_INDEX } from '../names.js';
import type { RequestContext } from '../rules/rule.js';
import { checkRequest, rowsOf } from './check-request.js';

/** One request of the generated conformance test: it differs from a right one in one parameter at most. */
export interface ConformanceCase {
  /** Name pattern of the row. */
  readonly row: string;
  /** Name of the parameter that is tried. */
  readonly name: string;
  readonly value: string;
  /** A refused one must be answered by an error about exactly {@link name}. */
  readonly accepted: boolean;
  readonly operation: Operation;
  /** The whole request, the parameter included. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A value that fills a parameter which another one requires. */
const COMPANIONS: ReadonlyMap<string, string> = new Map([
  ['entityId', '8a8294174b7ecb28014b9699220015ca'],
  // No part of it is too much.
  ['amount', '9999999999.99'],
  ['currency', 'EUR'],
  ['paymentType', 'DB'],
  ['paymentBrand', 'VISA'],
  ['card.number', '4200000000000000'],
  ['card.expiryMonth', '12'],
  ['card.expiryYear', '2099'],
  ['bankAccount.iban', 'DE23100000001234567890'],
  ['bankAccount.bankCode', '10000000'],
]);
/** Rounds in which what is missing is added; rules ask for each other's parameters in few steps. */
const MAX_ROUNDS = 5;

/** Every row that an operation takes, with values at the edges of its format and names at the edges of its brackets. */
export function* conformanceCases(operation: Operation): Generator<ConformanceCase> {
  for (const row of rowsOf(operation)) {
    const names = samplesOfName(row);
    const { valid, invalid } = samplesOfFormat(row.format);
    const [name = row.name] = names.valid;
    const [value = ''] = valid;
    for (const accepted of valid) yield caseOf(row, name, accepted, true, operation);
    for (const refused of invalid) yield caseOf(row, name, refused, false, operation);
    for (const other of names.valid.slice(1)) yield caseOf(row, other, value, true, operation);
    for (const other of names.invalid) yield caseOf(row, other, value, false, operation);
  }
}

function caseOf(
  row: Parameter,
  name: string,
  value: string,
  accepted: boolean,
  operation: Operation,
): ConformanceCase {
  const parameters = completed(name, value, { operation });
  return { row: row.name, name, value, accepted, operation, parameters };
}

/** The parameter with all that it requires. */
function completed(name: string, value: string, context: RequestContext): [string, string][] {
  const parameters = new Map([[name, value]]);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { errors, sent } = checkRequest([...parameters], context);
    const missing = errors.filter((error) => error.name !== name && !sent.has(error.name));
    if (missing.length === 0) break;
    for (const error of missing) parameters.set(error.name, companion(error.name, context.operation));
  }
  return [...parameters];
}

function companion(name: string, operation: Operation): string {
  const written = name.replace(/\[\d+\]/g, '[n]');
  const row = rowsOf(operation).find((candidate) => candidate.name === written);
  return COMPANIONS.get(name) ?? (row && samplesOfFormat(row.format).valid[0]) ?? '';
}

/** Names at the edges of a row's brackets. */
export function samplesOfName(row: Parameter): Examples {
  if (row.key) {
    const filled = (key: string) => row.name.replace('[key]', `[${key}]`);
    const keys = samplesOfFormat(row.key);
    return { valid: keys.valid.map(filled), invalid: keys.invalid.map(filled) };
  }
  if (row.name.includes('[n]')) {
    const filled = (index: string | number) => row.name.replaceAll('[n]', `[${index}]`);
    return { valid: [0, MAX_INDEX].map(filled), invalid: [MAX_INDEX + 1, '00', '-1', 'x', ''].map(filled) };
  }
  return { valid: [row.name.replace('<scheme>', 'VISA')], invalid: [] };
}

/** Values at the edges of a format. Whether such a value means something (a currency that exists) is another question. */
export function samplesOfFormat(format: Format): Examples {
  switch (format.kind) {
    case 'text':
      return textSamples(format.min, format.max);
    case 'characters':
      return characterSamples(format);
    case 'pattern':
      return format.examples ?? { valid: [], invalid: [] };
    case 'one-of':
      return { valid: format.values, invalid: foreign(format.values) };
    case 'list-of':
      return listSamples(format.values);
    case 'integer':
      return {
        valid: [format.min, format.max].map(String),
        invalid: [`${format.min - 1}`, `${format.max + 1}`, `${format.min}.0`, '1e2', '-1', 'x'],
      };
    case 'date':
      return DATES;
    case 'timestamp':
      return TIMESTAMPS;
    case 'url':
      return urlSamples(format.min, format.max);
    case 'cron':
      return CRON[format.field];
  }
}

function textSamples(min: number, max: number): Examples {
  const shortest = Math.max(min, 1);
  return {
    valid: ['a'.repeat(shortest), 'a'.repeat(max), '𝕏'.repeat(max)],
    invalid: [
      'a'.repeat(max + 1),
      `${'a'.repeat(shortest - 1)}\u0007`,
      ...(min > 1 ? ['a'.repeat(min - 1)] : []),
    ],
  };
}

function characterSamples({ set, min, max }: Extract<Format, { kind: 'characters' }>): Examples {
  const allowed = new RegExp(`^[${set}]$`, 'u');
  const letter = ['a', 'A', '7'].find((candidate) => allowed.test(candidate)) ?? '';
  const shortest = Math.max(min, 1);
  const foreignLetters = ['!', ' ', 'a', '7', '٣'].filter((candidate) => !allowed.test(candidate));
  return {
    valid: [letter.repeat(shortest), letter.repeat(max)],
    invalid: [
      letter.repeat(max + 1),
      ...(min > 1 ? [letter.repeat(min - 1)] : []),
      ...foreignLetters.map((other) => letter.repeat(shortest - 1) + other),
    ],
  };
}

function foreign(values: readonly string[]): string[] {
  const [first = ''] = values;
  return ['?', `${first} `, `${first}X`, first.toLowerCase()].filter((value) => !values.includes(value));
}

function listSamples(values: readonly string[]): Examples {
  const [first = '', second = ''] = values;
  return {
    valid: [first, values.join(',')],
    invalid: ['??', `${first},`, `${first};${second}`, `${first}, ${second}`, first.toLowerCase()],
  };
}

function urlSamples(min: number, max: number): Examples {
  const long = 'https://shop.example/';
  return {
    // No address of the web is as short as six characters.
    valid: [min > 3 ? 'http://a' : 'a:b', long, long.padEnd(max, 'x')],
    invalid: [
      long.padEnd(max + 1, 'x'),
      ...(min > 3 ? ['a:b'] : []),
      'shop.example/result',
      '/result',
      'https://shop.example/a b',
      'javascript:alert(1)',
      'data:text/html,hello',
    ],
  };
}

const DATES: Examples = {
  valid: ['1900-01-01', '2099-12-31', '2024-02-29'],
  invalid: [
    '1899-12-31',
    '2100-01-01',
    '2023-02-29',
    '2024-00-10',
    '2024-13-01',
    '2024-1-1',
    '01.02.2024',
    '20240101',
  ],
};

const TIMESTAMPS: Examples = {
  valid: ['1900-01-01 00:00:00', '2099-12-31 23:59:59'],
  invalid: [
    '2024-01-01',
    '2024-01-01 24:00:00',
    '2024-01-01 00:60:00',
    '2024-01-01 00:00:60',
    '2024-01-01T00:00:00',
    '2023-02-29 00:00:00',
    '2100-01-01 00:00:00',
    '2024-01-01 0:00:00',
  ],
};

const CRON: Readonly<Record<CronField | 'expression', Examples>> = {
  second: { valid: ['0', '59', '*', '*/5', '0,30', '10-20'], invalid: ['60', '-1', 'x', '?', '5-1'] },
  minute: { valid: ['0', '59', '*', '*/5', '0,30', '10-20'], invalid: ['60', '-1', 'x', '?', '5-1'] },
  hour: { valid: ['0', '23', '*', '8-18/2'], invalid: ['24', 'x', '?', '1,,2'] },
  dayOfMonth: { valid: ['1', '31', '*', '?', 'L', '15W'], invalid: ['0', '32', 'W', '1,?'] },
  month: { valid: ['1', '12', '*', '1-12/3'], invalid: ['0', '13', '?', 'L'] },
  dayOfWeek: { valid: ['1', '7', 'SUN', 'MON-FRI', '?', '6L', '6#3'], invalid: ['0', '8', 'DAY', '6#6'] },
  year: { valid: ['1970', '2099', '*', '2026-2030'], invalid: ['1969', '2100', '?', '26'] },
  expression: {
    valid: ['0 0 12 1 * ?', '0 0 12 ? * MON-FRI 2030'],
    invalid: ['0 0 12 1 *', '0 0 25 1 * ?', '0 0 12 1 * ? 2030 1', 'daily', `0 0 12 1 * ?${' '.repeat(250)}`],
  },
};
