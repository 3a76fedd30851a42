import type { Parameter } from '../../../kernel/api/catalogue/rows/parameter.js';
import { rowsOf } from '../../../kernel/api/check/check-request.js';
import { indexNames, lookUpName, type NameIndex } from '../../../kernel/api/names.js';
import { ENDPOINTS } from '../../../kernel/api/openapi/endpoints.js';
import type { ParameterError } from '../../../kernel/api/validate.js';
import { maskedText } from './mask-text.js';

/** A parameter of the log: null where its value is never kept. */
export type LoggedParameter = readonly [name: string, value: string | null];

/** Parameters as they are kept. */
export interface LoggedParameters {
  readonly parameters: readonly LoggedParameter[];
  /** Parameters that there was no room for. */
  readonly leftOut: number;
}

/** Errors of one request that are kept. */
const MAX_ERRORS = 20;
/** Characters of an unknown name that are kept. */
const MAX_NAME = 80;
/** Bytes of a parameter in JSON in addition to its name and value. */
const AROUND = 8;
/** Names of values that are secret, of parameters whose names merchants choose. */
const SECRET_KEY = /cv[vc]|csc|pin|pan|card|number|track|token|secret|pass|key|auth|sign|iban|account/i;
/** Our parameters begin so; nothing else that a client may send does. */
const NAME = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+|\[[A-Za-z0-9._-]*\])*$/;

let names: NameIndex | undefined;

/** Every parameter of the API by its name; where one is sensitive anywhere, it is everywhere. */
function knownNames(): NameIndex {
  if (names) return names;
  const rows = ENDPOINTS.flatMap(({ operation, rows: own = [] }): readonly Parameter[] => [
    ...(operation ? rowsOf(operation) : []),
    ...own,
  ]);
  names = indexNames([...rows, ...rows.filter(({ sensitive }) => sensitive)]);
  return names;
}

/**
 * The parameters of a request as they may be kept. A value is kept where its name is one of the API’s and not sensitive; of these card numbers, IBANs and
 * tokens in the wrong place are hidden. The value of an unknown name is never kept: it may be a card number under a misspelled one.
 * @param room bytes of UTF-8 that all of them have
 */
export function loggedParameters(
  sent: readonly (readonly [name: string, value: string])[],
  room: number,
): LoggedParameters {
  const parameters: LoggedParameter[] = [];
  let left = room;
  for (const [name, value] of sent) {
    const logged: LoggedParameter = [loggedName(name), loggedValue(name, value)];
    left -= Buffer.byteLength(logged[0]) + (logged[1] === null ? 0 : Buffer.byteLength(logged[1])) + AROUND;
    if (left < 0) return { parameters, leftOut: sent.length - parameters.length };
    parameters.push(logged);
  }
  return { parameters, leftOut: 0 };
}

/** What was wrong with the parameters, as it may be kept: what an answer shows has been shortened before. */
export function loggedErrors(errors: readonly ParameterError[]): readonly ParameterError[] {
  return errors.slice(0, MAX_ERRORS).map(({ name, value, message }) => ({
    name: loggedName(name),
    value: value === null ? null : loggedValue(name, value),
    message: maskedText(message),
  }));
}

function loggedValue(name: string, value: string): string | null {
  const found = lookUpName(name, knownNames(), false);
  if (!found.found || found.row.sensitive) return null;
  if (found.key !== undefined && SECRET_KEY.test(found.key)) return null;
  return maskedText(value);
}

/** An unknown name may be anything, such as a value in the place of its name. */
function loggedName(name: string): string {
  const found = lookUpName(name, knownNames(), false);
  if (found.found && found.key === undefined) return name;
  if (name.length > MAX_NAME || !NAME.test(name)) return '***';
  return maskedText(name.replace(/\d{3,}/g, '***'));
}
