import { NEW_TYPES } from '@tillbridge/wire/payment/lifecycle.js';
import { isPending } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import { isResultCode } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import type { ParameterError } from '../../kernel/api/validate.js';

/** Names under which clients ask the simulator for a result (docs/test-mode.md). */
const FORCE_NAMES = ['customParameters[forceResultCode]', 'customParameters[aci.forceResultCode]'] as const;
/** Seconds for which the outcome of a payment stays unknown. */
const SILENCE = 'customParameters[unknownForSeconds]';
/** Score that the risk check shall give. */
const RISK_SCORE = 'customParameters[riskScore]';
const NUMBERS = [
  {
    name: SILENCE,
    form: /^(?:[1-9]|[1-9]\d|[12]\d\d|300)$/,
    message: 'must be a whole number of seconds from 1 to 300',
  },
  {
    name: RISK_SCORE,
    form: /^[+-]?\d{1,5}$/,
    message: 'must be a whole number from -99999 to 99999',
  },
];

/** A result code that the request requires of the INTERNAL simulator; undefined when it requires none. See gateway/docs/test-mode.md. */
export function forcedResult(values: ParameterValues): string | undefined {
  const forced = forcedBy(values)?.[1];
  if (forced !== undefined) return forced;
  const holder = values.get('card.holder') ?? '';
  const takesHolder = NEW_TYPES.some((type) => type === values.get('paymentType'));
  return takesHolder && isResultCode(holder) && !holder.startsWith('000.') ? holder : undefined;
}

/** Whether the request uses anything of the test mode. */
export function requestsTest(values: ParameterValues): boolean {
  const named = ['testMode', ...FORCE_NAMES, SILENCE, RISK_SCORE].some((name) => values.has(name));
  return named || isResultCode(values.get('card.holder') ?? '');
}

/** How long the simulator shall keep the outcome unknown, in milliseconds; undefined unless requested. */
export function silentMs(values: ParameterValues): number | undefined {
  const seconds = values.get(SILENCE);
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** The score that the risk check shall give; undefined unless requested. */
export function forcedRiskScore(values: ParameterValues): number | undefined {
  const score = values.get(RISK_SCORE);
  return score === undefined ? undefined : Number(score);
}

/** Errors for triggers that cannot be carried out: an unknown code, the code of a pending payment, a number out of bounds. */
export function triggerErrors(values: ParameterValues): ParameterError[] {
  const wrong = NUMBERS.filter(({ name, form }) => !form.test(values.get(name) ?? '1'));
  const errors = wrong.map(({ name, message }) => ({ name, value: values.get(name) ?? null, message }));
  return [...errors, ...codeErrors(values)];
}

function codeErrors(values: ParameterValues): ParameterError[] {
  const [name, code] = forcedBy(values) ?? [];
  if (name === undefined || code === undefined) return [];
  if (!isResultCode(code))
    return [{ name, value: code, message: 'must be a result code of GET /v1/resultcodes' }];
  return isPending(code) ? [{ name, value: code, message: 'must not be the code of a pending payment' }] : [];
}

function forcedBy(values: ParameterValues): readonly [name: string, code: string] | undefined {
  const name = FORCE_NAMES.find((each) => values.has(each));
  return name && [name, values.get(name) ?? ''];
}
