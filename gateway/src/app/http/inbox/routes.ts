import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance } from 'fastify';
import { parkedMessages } from '../../../core/bridge/parked/inbox-source.js';
import { withOtherAlerts } from '../../../core/inbox/alert-source.js';
import type { InboxCall, InboxSource } from '../../../core/inbox/inbox-source.js';
import { lateDeclines } from '../../../core/inbox/late-declines.js';
import { readInbox } from '../../../core/inbox/read-inbox.js';
import {
  INBOX_LIST_PARAMETERS,
  INBOX_RESOLUTION_PARAMETERS,
} from '../../../kernel/api/catalogue/administration/inbox.js';
import { recordedStore } from '../../../kernel/audit/recorded-command.js';
import { type Administration, readAdministration } from '../../../kernel/http/request/administration.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { limitOf } from '../../../kernel/http/request/list-page.js';
import { ADMINISTRATION } from '../../../kernel/http/request/route-kinds.js';
import { withCommit } from '../../../kernel/store/with-commit.js';
import { differences } from '../../ledger-check/inbox-source.js';

interface OfOne {
  Params: { kind: string; id: string };
}

/** Additions of ours: what needs a person, of all stores and merchants of the caller, and the one action on each. */
export function inboxRoutes(
  server: FastifyInstance,
  deps: HttpDeps,
  ofFeatures: readonly InboxSource[],
): void {
  const own = [parkedMessages(deps), lateDeclines(deps), differences(deps)];
  const sources = withOtherAlerts(deps, [...own, ...ofFeatures]);
  server.get('/v1/inbox', ADMINISTRATION.read, async (request) => {
    const { values, owners } = await readAdministration(request, INBOX_LIST_PARAMETERS, 'all');
    const [kind, agentId, severity, after] = ['kind', 'agentId', 'severity', 'after'].map((name) =>
      values.get(name),
    );
    const filter = { limit: limitOf(values), ...present({ kind, agentId, severity, after }) };
    return done(deps, await readInbox(sources, present({ owners }), filter));
  });
  server.post<OfOne>('/v1/inbox/:kind/:id/resolution', ADMINISTRATION.change, async (request) => {
    const { kind, id } = request.params;
    const administration = await readAdministration(request, INBOX_RESOLUTION_PARAMETERS, 'all');
    const caller = callerOf(request);
    const require: InboxCall['require'] = (right) => {
      if (!caller.has(right)) throw caller.lacks(right);
    };
    return done(deps, await resolve(deps, sources, { ...administration, kind, id, require }));
  });
}

/** Carries out the action on one thing, with an audit record in the commit of its effect. @throws RequestRefused */
async function resolve(
  deps: HttpDeps,
  sources: readonly InboxSource[],
  {
    kind,
    id,
    actor,
    owners,
    values,
    require,
  }: Administration<'all'> & Pick<InboxCall, 'id' | 'require'> & { readonly kind: string },
): Promise<object> {
  let isDone = false;
  const watched = withCommit(deps.store, async (changes) => {
    await deps.store.commit(changes);
    isDone = true;
  });
  const detail = Object.fromEntries(values);
  const entry = { actor, action: `inbox ${kind}`, subject: id, detail };
  const attempt = (source: InboxSource) => {
    const store = recordedStore(watched, deps, () => entry);
    return source.resolve({ id, values, actor, store, require, ...present({ owners }) });
  };
  for (const source of sources.filter((each) => each.kind === kind)) {
    const state = await attempt(source).catch((error: unknown) => {
      if (isDone || !(error instanceof RequestRefused)) throw error;
      // Another person may have been quicker: the thing is then found as it stands by now, and else refused again.
      return attempt(source);
    });
    if (state !== undefined) return { kind, id, outcome: isDone ? 'done' : 'already', state };
  }
  throw new RequestRefused('nothing-found');
}
