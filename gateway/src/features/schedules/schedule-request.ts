import { present } from '@tillbridge/wire/present.js';
import type { PaymentRouteDeps } from '../../core/payment-api/payment-deps.js';
import { INSTRUMENTS } from '../../core/payment-api/reference.js';
import { common, meaningOf } from '../../core/payment-api/requests.js';
import { standingOf } from '../../core/payment-api/standing-instruction.js';
import { triggerErrors } from '../../core/payment-api/test-triggers.js';
import type { PaymentType } from '../../core/payments/rules/requests.js';
import { SCHEDULE_PARAMETERS } from '../../kernel/api/catalogue/job.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import { checkRequest, rowsOf } from '../../kernel/api/check/check-request.js';
import { type ContentError, contentErrors } from '../../kernel/api/content.js';
import type { ParameterError, Validated } from '../../kernel/api/validate.js';
import { invalidParameters } from '../../kernel/http/request/envelope.js';
import type { Form } from '../../kernel/http/request/form.js';
import type { ScheduleRow } from '../../kernel/store/rows.js';
import type { ClaimLoop } from '../../kernel/workers/claim-loop.js';
import type { NewSchedule, Schedules } from './service.js';
import type { InstrumentName } from './stored-instrument.js';

/** What the routes of schedules work with. */
export interface ScheduleRouteDeps extends PaymentRouteDeps {
  readonly schedules: Schedules;
  /** Makes a run at once, in test mode. */
  readonly scheduleLoop: Pick<ClaimLoop<ScheduleRow>, 'take'>;
}

const ROWS = [...rowsOf('schedule'), ...SCHEDULE_PARAMETERS.creation];
const JOB_PREFIX = 'job.';
/** What names the card of a schedule; one of them is sent. */
const NAMES = ['registrationId', 'registration.id', 'referenceUuid'] as const;
/** A run is the merchant's, and repeats (docs/card-on-file.md). */
const RUNS_ARE = [
  ['standingInstruction.mode', 'REPEATED'],
  ['standingInstruction.source', 'MIT'],
] as const;
/** A schedule's own type: its runs are debits (docs/schedules.md). */
const SCHEDULE_TYPE = 'SD';

/** Valid parameters of a new schedule. @throws RequestRefused naming every fault */
export function scheduleParameters(form: Form): Validated {
  const { compatibility } = form;
  const validated = checkRequest(
    form.parameters,
    { operation: 'schedule', ...present({ compatibility }) },
    ROWS,
  );
  const errors = [
    ...form.errors,
    ...validated.errors,
    ...nameErrors(validated),
    ...instrumentErrors(validated),
    ...authenticationErrors(validated),
    ...standingErrors(validated.values),
    ...triggerErrors(validated.values),
  ];
  if (errors.length > 0) throw invalidParameters(errors);
  return validated;
}

/** The value that means nothing, such as a currency that does not exist; undefined where all mean something. */
export function contentFault(deps: ScheduleRouteDeps, validated: Validated): ContentError | undefined {
  return contentErrors(validated, deps.clock.nowMs())[0];
}

/** What valid parameters without content errors ask for. */
export function newSchedule(deps: ScheduleRouteDeps, validated: Validated): NewSchedule {
  const { values } = validated;
  const { amount, verdict } = meaningOf(deps, validated);
  if (!amount) throw new Error('a schedule without an amount has passed its check');
  const sentType = values.get('paymentType') ?? SCHEDULE_TYPE;
  const { brand, reference, testMode, echo } = common(deps, validated);
  return {
    instrument: instrumentOf(values),
    payment: {
      sentType,
      // The rule of the operation lists the types.
      type: (sentType === SCHEDULE_TYPE ? 'DB' : sentType) as PaymentType,
      amount,
      echo,
      ...present({ brand, reference, testMode, verdict, standing: standingOf(values) }),
    },
    job: jobOf(values),
  };
}

/** `job.*` without the prefix. */
export function jobOf(values: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...values]
      .filter(([name]) => name.startsWith(JOB_PREFIX))
      .map(([name, value]) => [name.slice(JOB_PREFIX.length), value]),
  );
}

function instrumentOf(values: ReadonlyMap<string, string>): InstrumentName {
  const registrationId = values.get('registrationId') ?? values.get('registration.id');
  if (registrationId !== undefined) return { by: 'registration', registrationId };
  return { by: 'payment', paymentId: values.get('referenceUuid') ?? '' };
}

function nameErrors({ sent }: Validated): ParameterError[] {
  const [named, ...others] = NAMES.filter((name) => sent.has(name));
  const error = (name: string, message: string): ParameterError => ({ name, value: null, message });
  if (named === undefined)
    return [error('registrationId', 'may not be empty, unless referenceUuid names an earlier payment')];
  return others.map((name) => error(name, `must not be sent together with ${named}`));
}

function instrumentErrors({ sent }: Validated): ParameterError[] {
  const message = 'must not be sent: the runs pay with what registrationId or referenceUuid names';
  return [...sent]
    .filter((name) => INSTRUMENTS.some((prefix) => name.startsWith(prefix)))
    .map((name) => ({ name, value: null, message }));
}

/** A run without a cardholder would show the proof of another payment, and its issuer would get none. */
function authenticationErrors({ sent }: Validated): ParameterError[] {
  const message = 'must not be sent: a run is the merchant’s own, no cardholder is there to be authenticated';
  return [...sent]
    .filter((name) => name.startsWith('threeDSecure.'))
    .map((name) => ({ name, value: null, message }));
}

function standingErrors(values: ParameterValues): ParameterError[] {
  return RUNS_ARE.flatMap(([name, is]) => {
    const value = values.get(name);
    if (value === undefined || value === is) return [];
    return [{ name, value, message: `must be ${is}: the merchant repeats what the cardholder began` }];
  });
}
