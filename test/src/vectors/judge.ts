import { isDeepStrictEqual } from 'node:util';
import { CryptoError } from '@tillbridge/wire/crypto/ciphers/errors.js';
import { TlvError } from '@tillbridge/wire/emv/tlv.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import { Inputs } from './ops/inputs.js';
import { TOPICS } from './topics.js';
import type { Vector } from './vector-file.js';

/** Runs a vector; `undefined` when it passes, else what is wrong. */
export function judge(topic: string, vector: Vector): string | undefined {
  const op = TOPICS[topic]?.[vector.inputs.op];
  if (op === undefined) return `no operation ${vector.inputs.op}`;
  let actual: Readonly<Record<string, unknown>>;
  try {
    actual = op(new Inputs(vector.inputs));
  } catch (error) {
    return judgeRefusal(vector, error);
  }
  if (vector.expected.error !== undefined)
    return `was accepted, expected the refusal ${vector.expected.error}`;
  return Object.entries(vector.expected)
    .map(([field, expected]) => difference(actual, field, expected))
    .find((text) => text !== undefined);
}

function judgeRefusal(vector: Vector, error: unknown): string | undefined {
  const code = refusalCode(error);
  if (code === undefined) return `failed: ${error instanceof Error ? error.message : String(error)}`;
  if (code === vector.expected.error) return undefined;
  return `was refused as ${code}, expected ${vector.expected.error ?? 'a result'}`;
}

/** The code of a typed refusal; `undefined` for a fault. */
function refusalCode(error: unknown): string | undefined {
  if (error instanceof CryptoError) return error.rule;
  if (error instanceof TlvError || error instanceof Iso8583Error) return error.code;
  return undefined;
}

/** Fields named so give only the beginning of another field, the rest being random. */
const PREFIX_FIELD = /^(.+)StartsWith$/;

function difference(
  actual: Readonly<Record<string, unknown>>,
  field: string,
  expected: unknown,
): string | undefined {
  const whole = PREFIX_FIELD.exec(field)?.[1];
  if (whole !== undefined) {
    const value = actual[whole];
    const begins = typeof value === 'string' && typeof expected === 'string' && value.startsWith(expected);
    return begins ? undefined : `${whole} does not begin as expected`;
  }
  if (isDeepStrictEqual(actual[field], expected)) return undefined;
  return `${field} is ${JSON.stringify(actual[field])}, expected ${JSON.stringify(expected)}`;
}
