import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp } from './columns.js';

/** Commands to agents. */
export const AGENT_COMMANDS_TABLES = tables({
  /** A command to an agent, in the commit of the decision for it: sent with every session until its result has come (gateway/src/core/bridge/commands). */
  agentCommands: shape(
    {
      /** UUIDv7: the id of the message on the wire. */
      id: column.text(),
      agentId: column.idOf('agents'),
      /** Whose agent it is. */
      entityId: column.idOf('entities'),
      action: column.oneOf('ping', 'flush', 'status', 'cancel-sale'),
      /** The till's reference of a sale: to cancel, or to report with the status; null without one. */
      reference: column.optional(column.text()),
      state: column.oneOf('waiting', 'done', 'refused', 'expired'),
      /** What the agent answered. */
      result: column.optional(column.json()),
      /** Who requested it. */
      requestedBy: column.text(),
      /** It is sent no more from then on. */
      expiresAtMs: column.integer(),
      endedAtMs: column.optional(column.integer()),
      ...stamp,
    },
    {
      indexes: {
        state: ['state'],
        agent: ['agentId', 'state'],
        entity: ['entityId'],
        age: ['createdAtMs'],
        sale: ['agentId', 'reference'],
      },
    },
  ),
});
