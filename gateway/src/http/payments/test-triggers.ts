import type { ParameterValues } from '@tillbridge/protocol/api/catalogue/sections.js';
import { isPending } from '@tillbridge/protocol/api/result-codes/result-classes.js';
import { isResultCode } from '@tillbridge/protocol/api/result-codes/result-codes.js';
import type { ParameterError } from '@tillbridge/protocol/api/validate.js';

type Values = ParameterValues;

/** Names under which clients ask the simulator for a result (reference §5.3). */
const FORCE_NAMES = ['customParameters[forceResultCode]', 'customParameters[aci.forceResultCode]'] as const;
/** Seconds for which the outcome of a payment stays unknown. */
const SILENCE = 'customParameters[unknownForSeconds]';
/** Score that the risk check is asked to give. */
const RISK_SCORE = 'customParameters[riskScore]';
/** paymentType of the payments whose cardholder may be a code. */
const HOLDER_TYPES: ReadonlySet<string> = new Set(['PA', 'DB', 'CD', 'PA.CP']);

/** A result code that the request asks the INTERNAL simulator for; undefined when it asks for none. See gateway/docs/test-mode.md. */
export function forcedResult(values: Values): string | undefined {
  const forced = forcedBy(values)?.[1];
  if (forced !== undefined) return forced;
  const holder = values.get('card.holder') ?? '';
  const takesHolder = HOLDER_TYPES.has(values.get('paymentType') ?? '');
  return takesHolder && isResultCode(holder) && !holder.startsWith('000.') ? holder : undefined;
}

/** Does the request ask for anything of the test mode? */
export function asksForTest(values: Values): boolean {
  const named = ['testMode', ...FORCE_NAMES, SILENCE, RISK_SCORE].some((name) => values.has(name));
  return named || isResultCode(values.get('card.holder') ?? '');
}

/** How long the simulator shall keep the outcome unknown, in milliseconds; undefined when nobody asks for it. */
export function silentMs(values: Values): number | undefined {
  const seconds = values.get(SILENCE);
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** The score that the risk check shall give; undefined when nobody asks for one. */
export function forcedRiskScore(values: Values): number | undefined {
  const score = values.get(RISK_SCORE);
  return score === undefined ? undefined : Number(score);
}

/** Triggers that cannot be carried out: a code that we do not know or that leaves the payment open for ever, a number out of bounds. */
export function triggerErrors(values: Values): ParameterError[] {
  return [...silenceErrors(values), ...scoreErrors(values), ...codeErrors(values)];
}

function scoreErrors(values: Values): ParameterError[] {
  const value = values.get(RISK_SCORE);
  if (value === undefined || /^[+-]?\d{1,5}$/.test(value)) return [];
  return [{ name: RISK_SCORE, value, message: 'must be a whole number from -99999 to 99999' }];
}

function silenceErrors(values: Values): ParameterError[] {
  const value = values.get(SILENCE);
  if (value === undefined || /^(?:[1-9]|[1-9]\d|[12]\d\d|300)$/.test(value)) return [];
  return [{ name: SILENCE, value, message: 'must be a whole number of seconds from 1 to 300' }];
}

function codeErrors(values: Values): ParameterError[] {
  const [name, code] = forcedBy(values) ?? [];
  if (name === undefined || code === undefined) return [];
  if (!isResultCode(code))
    return [{ name, value: code, message: 'must be a result code of GET /v1/resultcodes' }];
  return isPending(code) ? [{ name, value: code, message: 'must not be the code of a pending payment' }] : [];
}

function forcedBy(values: Values): readonly [name: string, code: string] | undefined {
  for (const name of FORCE_NAMES) {
    const code = values.get(name);
    if (code !== undefined) return [name, code];
  }
  return undefined;
}
