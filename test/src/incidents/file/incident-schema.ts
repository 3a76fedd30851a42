import type { AgentIncident } from '@tillbridge/agent/incident/agent-incident.js';
import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import { type TSchema, Type } from '@tillbridge/platform/schema/type.js';

const text = Type.String();
const whole = Type.Integer({ minimum: 0 });
const fields = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' });
const orNull = (type: string): TSchema => ({ type: [type, 'null'] });

const ROW = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  atMs: whole,
  kind: text,
  terminalId: text,
  sequence: whole,
  messageId: Type.Optional(text),
  statusOf: Type.Optional(text),
  data: fields,
});

/** The content of an agent's export. Rows are looked at as far as a replay reads them; their data are judged by the replay. */
export const AGENT_CONTENT = Type.Unsafe<AgentIncident>(
  Type.Object({
    agentId: text,
    generation: orNull('integer'),
    sinceMs: whole,
    headRow: whole,
    removedTo: whole,
    policy: fields,
    storePolicy: orNull('object'),
    sales: Type.Array(
      Type.Object({
        reference: Type.String({ minLength: 1 }),
        kept: Type.Optional(fields),
        rows: Type.Array(ROW, { minItems: 1 }),
      }),
    ),
    others: Type.Array(ROW),
    frames: Type.Array(Type.Object({ terminalId: text, lines: Type.Array(text) })),
  }),
);

const rowOf = (...names: readonly string[]) =>
  Type.Array(Type.Unsafe<object>({ type: 'object', required: [...names], properties: {} }));

/** The content of a gateway's export: rows as their tables have them. */
export const GATEWAY_CONTENT = Type.Unsafe<GatewayIncident>(
  Type.Object({
    paymentId: text,
    payments: rowOf('id', 'type', 'state', 'amountMinor', 'authorizedMinor', 'capturedMinor', 'createdAtMs'),
    intents: rowOf('id', 'paymentId', 'state', 'detail'),
    claims: rowOf('agentId', 'reference', 'paymentId', 'released'),
    tombstones: rowOf('agentId', 'messageId'),
    inbox: rowOf('agentId', 'messageId', 'result'),
    decisions: rowOf('paymentId', 'position', 'step'),
    waits: rowOf('paymentId', 'kind', 'untilMs', 'endedAtMs'),
    reviews: rowOf('paymentId', 'resultCode'),
    exchanges: rowOf('reference', 'state', 'lateApprovals'),
    events: rowOf('id', 'kind', 'paymentId'),
  }),
);

/** What stands in front of the content. */
export const HEAD = Type.Object({
  format: text,
  version: whole,
  kind: Type.Unsafe<'agent' | 'gateway'>({ type: 'string', enum: ['agent', 'gateway'] }),
  writtenBy: text,
  node: text,
  writtenAtMs: whole,
  leftOut: Type.Array(text),
  content: fields,
});
