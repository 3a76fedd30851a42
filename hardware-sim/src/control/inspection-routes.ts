import type { FastifyInstance } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { apduObjects, apduView } from '../inspection/apdu-log.js';
import { entriesWithTag } from '../inspection/entries-with-tag.js';
import { frameObjects } from '../inspection/wire-log.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { type ById, terminalFinder } from './find-terminal.js';

interface Listed extends ById {
  readonly Querystring: { readonly after?: number };
}
interface One {
  readonly Params: { readonly id: string; readonly number: number };
  readonly Querystring: { readonly unmasked?: 'true' | 'false' };
}

const NUMBER = { type: 'string', pattern: '^\\d{1,12}$', expected: 'a number of the log' } as const;
const LIST_QUERY = { type: 'object', properties: { after: NUMBER } } as const;
const TAG_QUERY = {
  type: 'object',
  required: ['tag'],
  properties: { tag: { type: 'string', pattern: '^[0-9A-Za-z_]{1,20}$', expected: 'a tag, such as 9F26' } },
} as const;
const ONE = {
  params: { type: 'object', properties: { id: { type: 'string' }, number: NUMBER } },
  querystring: {
    type: 'object',
    properties: { unmasked: { type: 'string', enum: ['true', 'false'], expected: 'true or false' } },
  },
} as const;

/** Frames on the lines, commands to cards, and decisions of kernels. */
export function inspectionRoutes(app: FastifyInstance, { terminals }: SimulatedTerminals): void {
  const find = terminalFinder(terminals);

  app.get<Listed>('/terminals/:id/frames', { schema: { querystring: LIST_QUERY } }, ({ params, query }) => {
    const { wire } = find(params.id);
    const { after = 0 } = query;
    return wire.frames.entries
      .filter(({ number }) => number > Number(after))
      .map((frame) => wire.view(frame));
  });
  app.get<One>('/terminals/:id/frames/:number', { schema: ONE }, ({ params, query }) => {
    const { wire } = find(params.id);
    const frame = wire.frames.find(Number(params.number)) ?? forgotten('frame', params.number);
    return { ...wire.view(frame, query.unmasked === 'true'), objects: frameObjects(frame) };
  });
  app.get<Listed>('/terminals/:id/apdus', { schema: { querystring: LIST_QUERY } }, ({ params, query }) => {
    const { apdus } = find(params.id);
    const { after = 0 } = query;
    return apdus.exchanges.entries
      .filter(({ number }) => number > Number(after))
      .map((apdu) => apduView(apdu));
  });
  app.get<One>('/terminals/:id/apdus/:number', { schema: ONE }, ({ params, query }) => {
    const { apdus } = find(params.id);
    const apdu = apdus.exchanges.find(Number(params.number)) ?? forgotten('exchange', params.number);
    return { ...apduView(apdu, query.unmasked === 'true'), ...apduObjects(apdu) };
  });
  app.get<ById>('/terminals/:id/sales', ({ params }) => find(params.id).sales.sales);
  app.get<ById & { Querystring: { tag: string } }>(
    '/terminals/:id/entries',
    { schema: { querystring: TAG_QUERY } },
    ({ params, query }) => {
      const { wire, apdus } = find(params.id);
      return entriesWithTag(query.tag.toUpperCase(), wire, apdus);
    },
  );
  app.get<ById>('/terminals/:id/kernel', ({ params }) => find(params.id).kernel.transactions);
}

function forgotten(what: string, number: number): never {
  throw new ControlError(
    'unknown-entry',
    `there is no ${what} ${number}: it is forgotten, or was never there`,
  );
}
