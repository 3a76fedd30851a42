import type { Format, Parameter } from './catalogue/parameter.js';

/** One entry of result.parameterErrors (reference §4). */
export interface ParameterError {
  readonly name: string;
  /** The value as sent; null when absent or sensitive. */
  readonly value: string | null;
  readonly message: string;
}

/** Parameters by name, and everything that is wrong with them. */
export interface Validated {
  /** Values that were sent and keep their format; an empty value counts as absent. */
  readonly values: ReadonlyMap<string, string>;
  readonly errors: readonly ParameterError[];
}

/** Parameters that one request may carry. */
export const MAX_PARAMETERS = 2_000;
/** Longest value shown in an error. */
const MAX_SHOWN_VALUE = 255;

/**
 * Checks names, formats and repetitions against rows of the catalogue; all errors at once. Whether what is required is there is
 * asked separately, with {@link missingParameters}, because it depends on the endpoint.
 */
export function validateParameters(
  sent: readonly (readonly [name: string, value: string])[],
  rows: readonly Parameter[],
): Validated {
  if (sent.length > MAX_PARAMETERS) {
    const message = `more than ${MAX_PARAMETERS} parameters`;
    return { values: new Map(), errors: [{ name: '', value: null, message }] };
  }
  const byName = new Map(rows.map((row) => [row.name, row]));
  const values = new Map<string, string>();
  const errors: ParameterError[] = [];
  const seen = new Set<string>();
  for (const [name, value] of sent) {
    const row = byName.get(name) ?? byName.get(name.replace(/\[[^\][]*\]$/, '[key]'));
    if (!row) {
      errors.push({ name: shorten(name), value: null, message: notAllowed(name, [...byName.keys()]) });
    } else if (seen.has(name)) {
      errors.push({ name, value: null, message: 'must not be given more than once' });
    } else if (value !== '') {
      seen.add(name);
      const message = formatError(value, row.format);
      if (message === undefined) values.set(name, value);
      else errors.push({ name, value: row.sensitive ? null : shorten(value), message });
    }
  }
  return { values, errors };
}

/** An error for every named parameter that was not sent (one sent in a wrong format has its error already). */
export function missingParameters(
  required: readonly string[],
  { values, errors }: Validated,
): ParameterError[] {
  return required
    .filter((name) => !values.has(name) && !errors.some((error) => error.name === name))
    .map((name) => ({ name, value: null, message: 'may not be empty' }));
}

/** Names of the required rows. */
export function requiredNames(rows: readonly Parameter[]): string[] {
  return rows.filter((row) => row.required === 'R').map((row) => row.name);
}

/** Which rule a value breaks; undefined when none. */
export function formatError(value: string, format: Format): string | undefined {
  switch (format.kind) {
    case 'text':
      return textError(value, format.min, format.max);
    case 'pattern':
      return new RegExp(format.pattern, 'u').test(value) ? undefined : `must match ${format.pattern}`;
    case 'one-of':
      return format.values.includes(value) ? undefined : `must be one of [${format.values.join(', ')}]`;
    case 'integer':
      return /^\d{1,15}$/.test(value) && Number(value) >= format.min && Number(value) <= format.max
        ? undefined
        : `must be a whole number from ${format.min} to ${format.max}`;
  }
}

function textError(value: string, min: number, max: number): string | undefined {
  const length = [...value].length;
  const bounds = min === max ? `exactly ${max}` : `${min} to ${max}`;
  if (length < min || length > max) return `must have ${bounds} characters, has ${length}`;
  return /\p{Cc}/u.test(value) ? 'must not contain control characters' : undefined;
}

function notAllowed(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined
    ? 'is not an allowed parameter'
    : `is not an allowed parameter; did you mean ${near}?`;
}

/** The known name that differs in case alone or by at most two letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  const lower = name.toLowerCase();
  const same = known.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined) return same;
  const scored = known
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  const allowed = name.length < 6 ? 1 : 2;
  return scored !== undefined && scored.distance <= allowed ? scored.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

function shorten(value: string): string {
  return value.length <= MAX_SHOWN_VALUE ? value : `${value.slice(0, MAX_SHOWN_VALUE)}…`;
}
