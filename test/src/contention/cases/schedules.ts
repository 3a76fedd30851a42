import { SCHEDULE_LIMITS } from '@tillbridge/gateway/features/schedules/service.js';
import { CARD, PURCHASE } from '../../tenants/stranger.js';
import type { ContentionTable, Stage } from './contention-case.js';
import { after, amountAt, post, remove } from './requests.js';

/** Schedules of a card that may still be made when the requests go out. */
const MORE_SCHEDULES = 5;
const MONTHLY = { amount: '9.99', currency: 'EUR', paymentType: 'DB', 'job.month': '*' } as const;

const scheduleId = ({ own }: Stage) => own.schedule('DB');

/** The routes under a path. */
const schedules = (path: string): ContentionTable => ({
  [`POST ${path}`]: {
    equal: [
      {
        what: 'the last that may run of a card',
        requests: async (stage) => {
          const referenceUuid = await stage.own.pay();
          const schedule = post(stage, path, { ...MONTHLY, referenceUuid });
          for (let running = MORE_SCHEDULES; running < SCHEDULE_LIMITS.perCard; running += 1)
            await stage.send(schedule);
          return () => schedule;
        },
        refused: [400, 409],
        accepted: [1, MORE_SCHEDULES],
        rows: { schedules: [1, MORE_SCHEDULES] },
      },
    ],
    conflicting: [
      {
        what: 'of a registration, racing its removal',
        requests: async (stage) => {
          const { registrationId } = await stage.send(
            post(stage, '/v1/payments', {
              ...PURCHASE,
              ...CARD,
              createRegistration: 'true',
              'standingInstruction.mode': 'INITIAL',
              'standingInstruction.source': 'CIT',
              'standingInstruction.type': 'RECURRING',
            }),
          );
          return (at) =>
            at === Math.floor(stage.atOnce / 2)
              ? remove(stage, `/v1/registrations/${registrationId}`)
              : post(stage, path, {
                  ...MONTHLY,
                  amount: amountAt(at),
                  registrationId: String(registrationId),
                });
        },
        refused: [400, 409],
        accepted: [1, SCHEDULE_LIMITS.perCard + 1],
        rows: { schedules: [0, SCHEDULE_LIMITS.perCard] },
      },
    ],
  },
  [`POST ${path}/{id}/reschedule`]: {
    equal: [
      {
        what: 'another month',
        requests: after(scheduleId, (stage, id) =>
          post(stage, `${path}/${id}/reschedule`, { 'job.month': '1' }),
        ),
        refused: [409],
        different: { id: 1 },
      },
    ],
    conflicting: [
      {
        what: 'other months, racing the end of it',
        requests: after(scheduleId, (stage, id, at) =>
          at === 0
            ? post(stage, `${path}/${id}/deschedule`)
            : post(stage, `${path}/${id}/reschedule`, { 'job.month': String(1 + (at % 12)) }),
        ),
        refused: [400, 409],
      },
    ],
  },
  ...Object.fromEntries(
    [
      [`POST ${path}/{id}/deschedule`, (stage: Stage, id: string) => post(stage, `${path}/${id}/deschedule`)],
      [`DELETE ${path}/{id}`, (stage: Stage, id: string) => remove(stage, `${path}/${id}`)],
    ].map(([name, end]) => [name, ended(path, end as (stage: Stage, id: string) => ReturnType<typeof post>)]),
  ),
});

/** Of a route that ends a schedule. */
function ended(path: string, end: (stage: Stage, id: string) => ReturnType<typeof post>) {
  return {
    equal: [
      {
        what: 'the end of one',
        requests: async (stage: Stage) => {
          const id = await scheduleId(stage);
          return () => end(stage, id);
        },
        refused: [400, 404, 409],
      },
    ],
    conflicting: [
      {
        what: 'racing another job',
        requests: async (stage: Stage) => {
          const id = await scheduleId(stage);
          return (at: number) =>
            at % 2 === 0 ? end(stage, id) : post(stage, `${path}/${id}/reschedule`, { 'job.month': '1' });
        },
        refused: [400, 404, 409],
      },
    ],
  } as const;
}

/** Every run that was made is one payment, and none was made twice. */
async function onePaymentEach({ own, store }: Stage): Promise<readonly string[]> {
  const [schedule] = await store.find('schedules', 'entity', [own.channel]);
  const runs = await store.findRange('scheduleRuns', 'time', { equals: [schedule?.id ?? ''] });
  const ids = new Set(runs.map(({ paymentId }) => paymentId));
  const payments = await store.findRange('payments', 'time', { equals: [own.channel] });
  const made = payments.filter(({ id }) => ids.has(id)).length;
  // One more: that which the card was kept with.
  return made === runs.length && payments.length === made + 1
    ? []
    : [`${runs.length} runs are ${made} payments, of ${payments.length - 1} that were made`];
}

/** Payments that a calendar repeats. */
export const SCHEDULE_CASES: ContentionTable = {
  ...schedules('/v1/schedules'),
  ...schedules('/scheduling/v1/schedules'),
  'POST /v1/schedules/{id}/run': {
    equal: [
      {
        what: 'the next run',
        requests: after(scheduleId, (stage, id) => post(stage, `/v1/schedules/${id}/run`)),
        refused: [400, 409],
        money: { authorization: [1, 'all'] },
        answersOther: true,
        check: onePaymentEach,
      },
    ],
    conflicting: [
      {
        what: 'racing another job and the end of it',
        requests: async (stage) => {
          const id = await scheduleId(stage);
          const turns = [
            post(stage, `/v1/schedules/${id}/run`),
            post(stage, `/v1/schedules/${id}/reschedule`, { 'job.month': '2' }),
            post(stage, `/v1/schedules/${id}/run`),
            post(stage, `/v1/schedules/${id}/deschedule`),
          ] as const;
          return (at) => turns[at % turns.length] ?? turns[0];
        },
        refused: [400, 409],
        money: { authorization: [0, 'all'] },
        answersOther: true,
        check: onePaymentEach,
      },
    ],
  },
};
