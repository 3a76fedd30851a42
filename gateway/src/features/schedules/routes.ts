import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SCHEDULE_PARAMETERS } from '../../kernel/api/catalogue/job.js';
import type { Parameter } from '../../kernel/api/catalogue/rows/parameter.js';
import { SCHEDULE_PATHS } from '../../kernel/api/openapi/endpoints.js';
import type { TokenRight } from '../../kernel/api/token-rights.js';
import type { ParameterError } from '../../kernel/api/validate.js';
import { callerOf, type RightChoice } from '../../kernel/http/request/authenticate.js';
import { contentAnswer } from '../../kernel/http/request/content.js';
import {
  envelope,
  invalidParameters,
  RequestRefused,
  type RestErrorCode,
} from '../../kernel/http/request/envelope.js';
import { formOf } from '../../kernel/http/request/form.js';
import { validValues } from '../../kernel/http/request/valid-values.js';
import type { ScheduleRow } from '../../kernel/store/rows.js';
import { ScheduleError, type ScheduleErrorCode } from './schedule-error.js';
import type { ScheduleRouteDeps } from './schedule-request.js';
import { contentFault, jobOf, newSchedule, scheduleParameters } from './schedule-request.js';
import { scheduleView } from './schedule-view.js';
import { paymentOf } from './scheduled-payment.js';
import type { Rescheduled } from './service.js';

/** Code of what went well, by mode. */
const DONE = { test: '000.100.110', live: '000.000.000' } as const;
/** Code of a read. */
const FOUND = '000.000.100';
/** Payment types that answers to a change show (docs/schedules.md). */
const TYPES = { reschedule: 'RS', deschedule: 'DS' } as const;

/** Money to a card is a credit, also when it is repeated. */
const rightOf = (paymentType: string | undefined): TokenRight => (paymentType === 'CD' ? 'credit' : 'pay');
const typeSent = (request: FastifyRequest) =>
  formOf(request).parameters.find(([name]) => name === 'paymentType')?.[1];
const CREATE_RIGHT: RightChoice = {
  anyOf: ['pay', 'credit'],
  of: (request) => rightOf(typeSent(request)),
};
/** What the schedule pays decides which of the two is needed. */
const CHANGE_RIGHT: RightChoice = { anyOf: ['pay', 'credit'], of: () => undefined };
const CREATE = { config: { right: CREATE_RIGHT, throttle: 'schedules' } } as const;
const CHANGE = { config: { right: CHANGE_RIGHT, throttle: 'schedules' } } as const;
const RUN = { config: { right: 'administration', throttle: 'schedules' } } as const;
const READ = { config: { right: 'read', throttle: 'reads' } } as const;

interface WithId {
  Params: { id: string };
}
type Values = ReadonlyMap<string, string>;

/** Where the next run of a schedule is made now, in test mode. */
const SCHEDULE_RUN_PATH = '/v1/schedules/:id/run';

/** Payments that are repeated by a calendar (docs/schedules.md). */
export function scheduleRoutes(server: FastifyInstance, deps: ScheduleRouteDeps): void {
  // An addition of ours: a test does not wait for a calendar.
  if (deps.mode === 'test')
    server.post<WithId>(SCHEDULE_RUN_PATH, RUN, async (request) => {
      const values = validValues(formOf(request), SCHEDULE_PARAMETERS.one);
      const owners = await callerOf(request).readableEntities(values.get('entityId'));
      const { id } = request.params;
      const row = await refusing('not-scheduled', () => deps.schedules.findRunning(id, owners));
      if (!(await deps.scheduleLoop.take(row))) throw new RequestRefused('schedule-busy');
      return shown(deps, await deps.schedules.find(id, owners));
    });
  for (const path of SCHEDULE_PATHS) {
    server.post(path, CREATE, (request, reply) => create(deps, request, reply));
    server.get<WithId>(`${path}/:id`, READ, (request) => show(deps, request, request.params.id));
    server.post<WithId>(`${path}/:id/reschedule`, CHANGE, (request) => {
      const values = validValues(formOf(request), SCHEDULE_PARAMETERS.change);
      const wanted = rescheduled(values);
      return change(deps, request, values, TYPES.reschedule, 'not-scheduled', (owners) =>
        deps.schedules.reschedule(request.params.id, owners, wanted),
      );
    });
    const end = (rows: readonly Parameter[], unknown: RestErrorCode) => (request: FastifyRequest) => {
      const { id } = request.params as WithId['Params'];
      return change(deps, request, validValues(formOf(request), rows), TYPES.deschedule, unknown, (owners) =>
        deps.schedules.deschedule(id, owners),
      );
    };
    server.post(`${path}/:id/deschedule`, CHANGE, end(SCHEDULE_PARAMETERS.end, 'not-descheduled'));
    server.delete(`${path}/:id`, CHANGE, end(SCHEDULE_PARAMETERS.one, 'no-schedule'));
  }
}

async function create(
  deps: ScheduleRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const validated = scheduleParameters(formOf(request));
  const owners = await callerOf(request).readableEntities(validated.values.get('entityId'));
  const wrong = contentFault(deps, validated);
  if (wrong) {
    reply.code(400);
    return contentAnswer(deps, wrong);
  }
  const row = await refusing('no-registration', () =>
    deps.schedules.create(newSchedule(deps, validated), owners),
  );
  return shown(deps, row);
}

/** A schedule by its own id, or the schedules of a registration, of which the newest is shown. */
async function show(deps: ScheduleRouteDeps, request: FastifyRequest, id: string): Promise<object> {
  const values = validValues(formOf(request), SCHEDULE_PARAMETERS.one);
  const owners = await callerOf(request).readableEntities(values.get('entityId'));
  const ofCard = await deps.schedules.ofRegistration(id, owners);
  const newest = ofCard.find(({ state }) => state === 'active') ?? ofCard[0];
  const row = newest ?? (await refusing('no-schedule', () => deps.schedules.find(id, owners)));
  const nowMs = deps.clock.nowMs();
  return {
    ...scheduleView(row, nowMs, await deps.schedules.lastRuns(row.id)),
    ...(newest && { schedules: ofCard.map((each) => scheduleView(each, nowMs)) }),
    ...envelope(deps, FOUND),
  };
}

async function change(
  deps: ScheduleRouteDeps,
  request: FastifyRequest,
  values: Values,
  paymentType: string,
  unknown: RestErrorCode,
  work: (owners: readonly string[]) => Promise<ScheduleRow>,
): Promise<object> {
  const caller = callerOf(request);
  const owners = await caller.readableEntities(values.get('entityId'));
  const { id } = request.params as WithId['Params'];
  const row = await refusing(unknown, async () => {
    const { sentType } = paymentOf(await deps.schedules.find(id, owners));
    const right = rightOf(sentType);
    if (!caller.has(right)) throw caller.lacks(right);
    return work(owners);
  });
  return { ...(await shown(deps, row)), paymentType };
}

async function shown(deps: ScheduleRouteDeps, row: ScheduleRow): Promise<object> {
  const runs = await deps.schedules.lastRuns(row.id);
  return { ...scheduleView(row, deps.clock.nowMs(), runs), ...envelope(deps, DONE[deps.mode]) };
}

/** What a schedule is to be. An amount and its currency come together. @throws RequestRefused */
function rescheduled(values: Values): Rescheduled {
  const [amount, currency] = [values.get('amount'), values.get('currency')];
  const lacking = amount === undefined ? 'amount' : 'currency';
  if ((amount === undefined) !== (currency === undefined))
    throw invalidParameters([
      { name: lacking, value: null, message: 'must be sent: amount and currency belong together' },
    ]);
  const reference = values.get('merchantTransactionId');
  const payment = {
    ...(amount !== undefined && currency !== undefined && { amount: moneyOf(amount, currency) }),
    ...present({ reference }),
  };
  return { job: jobOf(values), payment };
}

/** @throws RequestRefused naming the amount */
function moneyOf(amount: string, currency: string) {
  try {
    const money = parseAmount(amount, currency);
    if (money.minor > 0) return money;
  } catch {
    // Refused below: an amount that the currency does not have, or no currency.
  }
  throw invalidParameters([
    { name: 'amount', value: amount, message: `must be more than 0, and an amount of ${currency}` },
  ]);
}

/** What a registration without an agreement lacks. */
const NOT_BEGUN: ParameterError = {
  name: 'standingInstruction.initialTransactionId',
  value: null,
  message:
    'must be sent: the registration holds no agreement. It has one after standingInstruction.mode=INITIAL with the registration or with an ' +
    'approved payment by it, or after recurringMigration',
};

/** The work's result. @param unknown the refusal of an id that names nothing of the caller's @throws RequestRefused */
async function refusing<T>(unknown: RestErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    const { fault, code } = error;
    if (code === 'without-agreement') throw new RequestRefused('no-initial-payment', [NOT_BEGUN]);
    if (!fault) throw new RequestRefused(refusalOf(code, unknown));
    const { parameter, message } = fault;
    throw new RequestRefused(fault.code, [{ name: `job.${parameter}`, value: null, message }]);
  }
}

function refusalOf(code: ScheduleErrorCode, unknown: RestErrorCode): RestErrorCode {
  if (code === 'too-many') return 'too-many-schedules';
  if (code === 'busy') return 'schedule-busy';
  return unknown;
}
