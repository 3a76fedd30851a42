import { createReadStream, existsSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  RECONCILIATION_FILE_PARAMETERS,
  RECONCILIATION_LIST_PARAMETERS,
} from '../../../kernel/api/catalogue/reporting.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done, RequestRefused } from '../../../kernel/http/request/envelope.js';
import { queryForm } from '../../../kernel/http/request/form.js';
import { REPORTS } from '../../../kernel/http/request/route-kinds.js';
import { validValues } from '../../../kernel/http/request/valid-values.js';
import type { ReconciliationFileRow } from '../../../kernel/store/rows.js';
import { fileOf } from '../reconciliation-files.js';
import type { SettlementDeps } from '../service.js';

/** What the routes of reconciliation files work with. */
interface ReconciliationDeps extends HttpDeps {
  readonly settlement: SettlementDeps;
}

/** Files of a page. */
const PAGE = 100;

/** Additions of ours: the files that a merchant reconciles with (docs/reconciliation.md). They contain all channels: a channel alone gets none. */
export function reconciliationRoutes(server: FastifyInstance, deps: ReconciliationDeps): void {
  server.get('/v1/reconciliation', REPORTS, async (request) => {
    const values = validValues(queryForm(request), RECONCILIATION_LIST_PARAMETERS);
    const [merchantId] = await readable(request, values.get('entityId'));
    const page = Number(values.get('pageNo') ?? 1);
    const found = await deps.store.findRange('reconciliationFiles', 'merchant', {
      equals: [merchantId ?? ''],
      descending: true,
      skip: (page - 1) * PAGE,
      limit: PAGE + 1,
    });
    if (found.length === 0) throw new RequestRefused('nothing-found');
    const pages = page + (found.length > PAGE ? 1 : 0);
    return done(deps, { files: found.slice(0, PAGE).map(fileView), pages });
  });
  server.get<{ Params: { name: string } }>('/v1/reconciliation/:name', REPORTS, async (request, reply) => {
    const values = validValues(queryForm(request), RECONCILIATION_FILE_PARAMETERS);
    const owners = await readable(request, values.get('entityId'));
    const row = await deps.store.get('reconciliationFiles', [request.params.name]);
    if (!row || !owners.includes(row.merchantId)) throw new RequestRefused('nothing-found');
    const path = await fileOf(deps.settlement, row, existsSync);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${row.name}"`)
      .send(createReadStream(path));
  });
}

/** The entities that the caller reads: of a merchant it is the first. */
function readable(request: FastifyRequest, named: string | undefined): Promise<readonly string[]> {
  return callerOf(request).readableEntities(named);
}

function fileView({ name, merchantId, recordCount, createdAtMs }: ReconciliationFileRow): object {
  return {
    name,
    merchantEntityId: merchantId,
    records: recordCount,
    createdAt: new Date(createdAtMs).toISOString(),
  };
}
