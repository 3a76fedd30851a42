import type { FastifyInstance } from 'fastify';
import { USER_PARAMETERS } from '../../../kernel/api/catalogue/administration/users.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done } from '../../../kernel/http/request/envelope.js';
import { formOf } from '../../../kernel/http/request/form.js';
import { limitOf } from '../../../kernel/http/request/list-page.js';
import { validValues } from '../../../kernel/http/request/valid-values.js';
import type { AuditRow } from '../../../kernel/store/rows.js';
import type { Found, Range, Store } from '../../../kernel/store/store.js';

/** An addition of ours: what was done about a merchant with its channels, and by whom; to an operator of all, everything. */
export function auditRoutes(server: FastifyInstance, deps: HttpDeps): void {
  server.get('/v1/audit', { config: { right: 'users', throttle: 'reads' } }, async (request) => {
    const values = validValues(formOf(request), USER_PARAMETERS.audit);
    const caller = callerOf(request);
    const named = values.get('entityId');
    const isWhole = named === undefined && caller.credential.entityId === null;
    const owners = isWhole ? undefined : await caller.readableEntities(named);
    const limit = limitOf(values);
    const before = values.get('before');
    const rows = await newest(deps.store, owners, {
      ...(before !== undefined && { below: Number(before) }),
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1)?.sequence;
    const next = rows.length > limit && last ? { next: last } : {};
    return done(deps, { records: shown.map(recordView), ...next });
  });
}

/** The newest records about the entities; absent: of all. */
async function newest(
  store: Pick<Store, 'findRange'>,
  owners: readonly string[] | undefined,
  page: Pick<Range<'audit'>, 'below'> & { readonly limit: number },
): Found<'audit'> {
  const range = { ...page, from: 1, descending: true };
  if (!owners) return store.findRange('audit', 'sequence', range);
  const found = await Promise.all(
    owners.map((entityId) => store.findRange('audit', 'entity', { ...range, equals: [entityId] })),
  );
  return found
    .flat()
    .sort((a, b) => (b.sequence ?? 0) - (a.sequence ?? 0))
    .slice(0, page.limit);
}

function recordView({
  sequence,
  createdAtMs,
  actor,
  action,
  subject,
  outcome,
  entityId,
  detail,
}: AuditRow): object {
  return {
    ...{ sequence, at: new Date(createdAtMs).toISOString(), actor, action, subject, outcome },
    ...(entityId !== null && { entityId }),
    detail: JSON.parse(detail) as unknown,
  };
}
