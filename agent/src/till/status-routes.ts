import type { Static, TSchema } from '@tillbridge/platform/schema/type.js';
import type { FastifyInstance } from 'fastify';
import { maySee } from '../access/rights.js';
import type { LineFault } from '../drivers/open-terminal.js';
import type { CopyView } from '../journal/copy/copy-view.js';
import { DEFAULT_STORE, type StoreConfig } from '../sale/receipts/store.js';
import type { ConditionView, SaleService, TerminalView } from '../sale/service/sale-service.js';
import type { LinkDetail } from '../uplink/bridge-uplink.js';
import type { StoreTodo } from '../uplink/store-todos.js';
import {
  CONDITION_ANSWER,
  DEVICE_ANSWER,
  QUEUE_ANSWER,
  responses,
  STATUS_ANSWER,
  TERMINALS_ANSWER,
} from './answers.js';
import { ACKNOWLEDGEMENT_BODY, acknowledgedBy, NO_BODY, SALE_PARAMS, TERMINAL_PARAMS } from './bodies.js';
import { queueAnswer } from './queue-answer.js';
import type { RequestFaultsView } from './request-faults.js';
import { demand } from './sign-in.js';

/** The link to the gateway as tills may see and shake it. */
export interface LinkView {
  detail(): LinkDetail;
  /** Has a link that goes silent noticed soon, until the returned function is called; absent: with its heartbeats alone. */
  watch?(): () => void;
  /** Tries again now where waiting is all that stands in the way. */
  nudge(): void;
}

/** A terminal with what stands between it and the agent. */
export interface TerminalAnswer extends TerminalView {
  /** What staff calls it. */
  readonly name?: string;
  /** Why nothing can be sold on it, as a code. */
  readonly fault?: LineFault['code'];
  /** The same for a person. */
  readonly reason?: string;
}

/** What a person has to do at the gateway so that it takes sales of a terminal again. `since` is of the gateway's clock, ISO 8601. */
export type TodoAnswer = Omit<StoreTodo, 'sinceMs'> & { readonly since: string };

/** A terminal and its condition now. */
export interface ConditionAnswer extends TerminalAnswer {
  readonly condition: ConditionView;
}

/** What a person should know of the journal, in addition to whether it takes rows. */
export interface JournalDetail {
  /** Counts restores of the journal. */
  readonly generation: number;
  /** A word of `journal/standing.ts`, `good` when nothing is wrong. */
  readonly standing: string;
  readonly standingDetail?: string;
  /** What to do about the standing. */
  readonly advice?: string;
  /** The newest row that the gateway keeps the hash of. */
  readonly gatewayRow?: number;
  /** The sale that keeps older rows from being removed. */
  readonly compactionHeldBy?: string;
  readonly copy?: CopyView;
}

/** What the status routes show. */
export interface StatusDeps {
  readonly service: SaleService;
  readonly link: LinkView;
  /** What a person has to do at the gateway; absent: nothing. */
  readonly todos?: () => readonly StoreTodo[];
  /** Absent where no keeper runs for the journal. */
  readonly journal?: () => JournalDetail;
  /** Zone, language and what stands on receipts. */
  readonly store?: StoreConfig;
  /** Why a terminal's line is not open; undefined while it is. */
  readonly lineProblem: (terminalId: string) => LineFault | undefined;
  /** What staff calls a terminal; absent: none has a name. */
  readonly terminalName?: (terminalId: string) => string | undefined;
}

/** {@link StatusDeps}, and what the server itself knows. */
interface StatusRouteDeps extends StatusDeps {
  /** Requests that failed by a fault of the agent. */
  readonly requestFaults: () => RequestFaultsView;
}

const shows = (tag: string, summary: string, answer: TSchema) => ({
  schema: { tags: [tag], summary, response: responses(answer) },
});

/** Routes that show the store and its queue (interfaces, "Agent REST"). */
export function statusRoutes(server: FastifyInstance, deps: StatusRouteDeps): void {
  const { service, link, todos, journal, requestFaults, store = DEFAULT_STORE } = deps;
  terminalRoutes(server, deps);
  queueRoutes(server, deps);
  const withReason = reasonsOf(deps);
  server.get('/v1/status', shows('operation', 'How the store stands.', STATUS_ANSWER), async ({ caller }) => {
    const status = service.status();
    const own = ({ till }: { readonly till?: string }) => maySee(caller, till === undefined ? {} : { till });
    return {
      ...status,
      requestFaults: requestFaults(),
      open: status.open.filter(own).map(({ reference }) => reference),
      parked: status.parked.filter(own),
      todos: (todos?.() ?? []).map(todoAnswer),
      gateway: { ...status.gateway, ...link.detail() },
      journal: { ...status.journal, ...journal?.() },
      terminals: status.terminals.map(withReason),
      store: {
        timeZone: store.timeZone,
        language: store.language,
        ...(store.name !== undefined && { name: store.name }),
        ...(store.currency !== undefined && { currency: store.currency }),
      },
    };
  });
}

function todoAnswer({ sinceMs, ...todo }: StoreTodo): TodoAnswer {
  return { ...todo, since: new Date(sinceMs).toISOString() };
}

function reasonsOf({
  lineProblem,
  terminalName,
}: Pick<StatusDeps, 'lineProblem' | 'terminalName'>): (terminal: TerminalView) => TerminalAnswer {
  return (terminal) => {
    const problem = lineProblem(terminal.id);
    const name = terminalName?.(terminal.id);
    return {
      ...terminal,
      ...(name !== undefined && { name }),
      ...(problem && { fault: problem.code, reason: problem.text }),
    };
  };
}

function terminalRoutes(server: FastifyInstance, deps: StatusRouteDeps): void {
  const { service } = deps;
  const withReason = reasonsOf(deps);
  server.get(
    '/v1/terminals',
    shows('terminals', 'The terminals and their state.', TERMINALS_ANSWER),
    async () => service.terminals().map(withReason),
  );

  server.get<{ Params: Static<typeof TERMINAL_PARAMS> }>(
    '/v1/terminals/:id/condition',
    {
      schema: {
        tags: ['terminals'],
        summary: 'The condition that a terminal reports now.',
        params: TERMINAL_PARAMS,
        response: responses(CONDITION_ANSWER),
      },
    },
    async ({ params: { id } }): Promise<ConditionAnswer> => {
      const condition = await service.condition(id);
      const terminal = service.terminals().find((each) => each.id === id);
      if (!terminal) throw new Error('a terminal that has a condition has a view');
      return { ...withReason(terminal), condition };
    },
  );

  server.post<{ Params: Static<typeof TERMINAL_PARAMS> }>(
    '/v1/terminals/:id/reset',
    {
      schema: {
        tags: ['terminals'],
        summary: 'Restart a terminal, where its maker’s protocol has that and no sale runs on it.',
        params: TERMINAL_PARAMS,
        body: NO_BODY,
        response: responses(DEVICE_ANSWER),
      },
    },
    (request) => {
      demand(request, 'resolve');
      return service.device(request.params.id, { kind: 'reset' });
    },
  );
}

function queueRoutes(server: FastifyInstance, { service, link }: StatusRouteDeps): void {
  server.get('/v1/queue', shows('queue', 'What waits for the gateway.', QUEUE_ANSWER), async (request) => {
    demand(request, 'report');
    return queueAnswer(service.queue());
  });

  server.post<{ Params: Static<typeof SALE_PARAMS>; Body: Static<typeof ACKNOWLEDGEMENT_BODY> }>(
    '/v1/queue/:reference/acknowledgement',
    {
      schema: {
        tags: ['queue'],
        summary: 'Take note of an offline sale that was declined later or expired.',
        params: SALE_PARAMS,
        body: ACKNOWLEDGEMENT_BODY,
        response: responses('Sale'),
      },
    },
    async (request) => {
      demand(request, 'resolve');
      const by = acknowledgedBy(request.body) ?? request.caller.till;
      return service.acknowledge(request.params.reference, by);
    },
  );

  server.post(
    '/v1/queue/flush',
    shows('queue', 'Try to send what waits now.', QUEUE_ANSWER),
    async (request) => {
      demand(request, 'report');
      link.nudge();
      return queueAnswer(await service.flush());
    },
  );
}
