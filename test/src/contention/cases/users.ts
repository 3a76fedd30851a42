import type { ContentionTable, Stage } from './contention-case.js';
import { post } from './requests.js';

const USERS = '/v1/users';
/** A person of this merchant alone: an address is that of one user. */
const about = ({ own }: Stage, at: string) => ({
  ...{ email: `user${at}@${own.merchant}.example`, name: `User ${at}`, role: 'view' },
});

/** Makes a user; gives its id. */
async function invited(stage: Stage): Promise<string> {
  const { user } = await stage.send(post(stage, USERS, about(stage, '-before')));
  return (user as { readonly id: string }).id;
}

/** Steps of one user in turn. */
const inTurn =
  (...steps: readonly (readonly [name: string, form?: Record<string, string>])[]) =>
  async (stage: Stage) => {
    const id = await invited(stage);
    return (at: number) => {
      const [name, form = {}] = steps[at % steps.length] ?? ['reset'];
      return post(stage, `${USERS}/${id}/${name}`, form);
    };
  };

/** A route for browsers refuses a client with neither session nor page. */
const ofBrowsers = (path: string) => ({
  equal: [
    {
      what: 'without a page of the gateway',
      requests: (stage: Stage) => () => post(stage, path),
      ...{ refused: [400, 401, 403], accepted: 0 },
    },
  ] as const,
  conflicting: [
    {
      what: 'with different forms',
      requests: (stage: Stage) => (at: number) => post(stage, path, { email: `user${at}@shop.example` }),
      ...{ refused: [400, 401, 403], accepted: 0 },
    },
  ] as const,
});

/** Users of the console. */
export const USER_CASES: ContentionTable = {
  'POST /v1/users': {
    equal: [
      {
        what: 'the same address',
        requests: (stage) => () => post(stage, USERS, about(stage, '-of-all')),
        refused: [409],
        rows: { users: 1, userRoles: 1, userInvitations: 1 },
      },
    ],
    conflicting: [
      {
        what: 'the same address for different roles',
        requests: (stage) => (at) =>
          post(stage, USERS, { ...about(stage, '-of-all'), role: at % 2 === 0 ? 'view' : 'admin' }),
        refused: [409],
        rows: { users: 1, userRoles: 1, userInvitations: 1 },
      },
    ],
  },
  'POST /v1/users/{id}/role': {
    equal: [{ what: 'the same role', requests: inTurn(['role', { role: 'admin' }]), refused: [409] }],
    conflicting: [
      {
        what: 'racing a removal',
        requests: inTurn(['role', { role: 'admin' }], ['removal']),
        refused: [403, 404, 409],
      },
    ],
  },
  'POST /v1/users/{id}/reset': {
    equal: [{ what: 'of one user', requests: inTurn(['reset']), refused: [409] }],
    conflicting: [
      { what: 'racing a removal', requests: inTurn(['reset'], ['removal']), refused: [403, 404, 409] },
    ],
  },
  'POST /v1/users/{id}/removal': {
    equal: [{ what: 'of one user', requests: inTurn(['removal']), refused: [403, 404, 409] }],
    conflicting: [
      {
        what: 'racing other roles',
        requests: inTurn(['removal'], ['role', { role: 'support' }]),
        refused: [403, 404, 409],
      },
    ],
  },
  'POST /v1/sessions': ofBrowsers('/v1/sessions'),
  'POST /v1/sessions/removal': ofBrowsers('/v1/sessions/removal'),
  'POST /v1/sessions/current/removal': ofBrowsers('/v1/sessions/current/removal'),
  'POST /v1/invitations': ofBrowsers('/v1/invitations'),
  'POST /v1/invitations/acceptance': ofBrowsers('/v1/invitations/acceptance'),
};
