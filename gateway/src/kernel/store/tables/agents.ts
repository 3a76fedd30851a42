import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp, version } from './columns.js';

/** Agents, the state sent to them and their messages. */
export const AGENTS_TABLES = tables({
  /** A store's agent. */
  agents: shape(
    {
      id: column.text(),
      entityId: column.idOf('entities'),
      /** `revoked`: no key of it is taken until it is replaced. */
      state: column.oneOf('active', 'revoked'),
      /** Ed25519 public key, SPKI PEM. */
      publicKey: column.text(),
      /** The key that takes its place with its first proof. Until then both are taken. */
      nextPublicKey: column.optional(column.text()),
      /** The key before this one: its use is an alert. */
      formerPublicKey: column.optional(column.text()),
      /** Array of terminal ids. */
      terminals: column.json(),
      /** Highest generation ever proven; lower ones are fenced. */
      generation: column.integer(),
      /** The one higher generation that an operator allows, and until when. */
      allowedGeneration: column.optional(column.integer()),
      allowedUntilMs: column.optional(column.integer()),
      /** Grows with every session. */
      epoch: column.integer(),
      /** The node that has the session of this epoch, which stands as long as the node's lease; null once the session has ended. */
      nodeId: column.optional(column.text()),
      ...stamp,
    },
    { indexes: { entity: ['entityId'], state: ['state', 'createdAtMs'] } },
  ),

  /** A session of an agent, from its proof to its end: when its store could be reached, and by which process. */
  agentSessions: shape(
    {
      agentId: column.idOf('agents'),
      epoch: column.integer('> 0'),
      /** Of the agent's process. */
      bootId: column.text(),
      /** The node that had it; null where there is one alone. */
      nodeId: column.optional(column.text()),
      /** Null: it stands, or its node has ended without a word. */
      endedAtMs: column.optional(column.integer()),
      ...stamp,
    },
    { key: ['agentId', 'epoch'], indexes: { age: ['createdAtMs'] } },
  ),

  /** A one-time code by which an agent becomes known: the public half of the key that the code stands for. */
  enrolmentCodes: shape(
    {
      /** 10 hex digits, part of the code. */
      id: column.text(),
      /** Ed25519 public key, SPKI PEM. The code cannot be had from it. */
      publicKey: column.text(),
      purpose: column.oneOf('new-agent', 'new-key', 'replacement'),
      agentId: column.text(),
      entityId: column.idOf('entities'),
      /** Array of terminal ids. */
      terminals: column.json(),
      /** The generation that the agent's journal begins or goes on with. */
      generation: column.integer('> 0'),
      /** Requests that named this code and were not by it. */
      failures: column.integer(),
      expiresAtMs: column.integer(),
      /** The agent's key that it was used for, SPKI PEM; null while it was not. */
      usedFor: column.optional(column.text()),
      ...stamp,
    },
    { indexes: { agent: ['agentId'], age: ['createdAtMs'] } },
  ),

  /** The stored answer to an agent's message. */
  inbox: shape(
    {
      agentId: column.idOf('agents'),
      messageId: column.text(),
      /** The result; bytes as hex. */
      result: column.json(),
      /** Keyed hash of the message's content, hex: separates a repeat from an id used twice. */
      contentHash: column.optional(column.text()),
      ...stamp,
    },
    { key: ['agentId', 'messageId'], isWide: true },
  ),

  /** A message id that was reversed before it arrived: refused for ever. */
  tombstones: shape(
    { agentId: column.idOf('agents'), messageId: column.text(), ...stamp },
    { key: ['agentId', 'messageId'], indexes: { age: ['createdAtMs'] } },
  ),

  /** How far a terminal's stream was taken. */
  streams: shape(
    {
      agentId: column.idOf('agents'),
      terminalId: column.text(),
      nextSequence: column.integer('> 0'),
      version,
    },
    { key: ['agentId', 'terminalId'], indexes: { agent: ['agentId'] } },
  ),

  /** What a terminal's offline records came to that waited together (payments/decide/offline-window.ts). */
  offlineWindows: shape(
    {
      agentId: column.idOf('agents'),
      terminalId: column.text(),
      /** When the first of them arrived. */
      sinceMs: column.integer(),
      /** When the latest of them arrived. */
      latestMs: column.integer(),
      /** Object: count, and sums in minor units by currency, of all and of the deferred ones. */
      taken: column.json(),
      version,
    },
    { key: ['agentId', 'terminalId'] },
  ),

  /** The head of an agent's journal that the gateway keeps: what the agent may forget, and this may not. */
  journalHeads: shape(
    {
      agentId: column.idOf('agents'),
      /** The generation of the journal; a later one begins anew. */
      generation: column.integer(),
      /** The last row that the agent reported. */
      lastRow: column.integer('>= 0'),
      /** Its hash in the chain, hex. */
      hash: column.text(),
      /** A head that contradicted this one came in this generation; it stays until a person begins the next. */
      alarm: column.optional(column.oneOf('behind', 'forked')),
      /** The row of the head that contradicted first. */
      alarmRow: column.optional(column.integer()),
      alarmAtMs: column.optional(column.integer()),
      /** The last row of this generation whose head the gateway has countersigned. */
      countersignedRow: column.optional(column.integer()),
      updatedAtMs: column.integer(),
      version,
    },
    { key: ['agentId'] },
  ),

  /** A head of an agent's journal that the gateway has countersigned: what proofs of its sales rest on. */
  countersignedHeads: shape(
    {
      agentId: column.idOf('agents'),
      generation: column.integer(),
      /** The last row: so many leaves has the digest tree. */
      lastRow: column.integer('> 0'),
      /** Its hash in the chain, and the root of the tree, hex. */
      hash: column.text(),
      root: column.text(),
      /** The key that signed, SPKI, and its signature, hex. */
      key: column.text(),
      signature: column.text(),
      ...stamp,
    },
    { key: ['agentId', 'generation', 'lastRow'], isWide: true, indexes: { age: ['createdAtMs'] } },
  ),

  /** A message that will never be accepted; a person has to look at it. */
  parked: shape(
    {
      agentId: column.idOf('agents'),
      messageId: column.text(),
      terminalId: column.text(),
      /** Body of the bridge that it is, such as `offlineRecord`. */
      kind: column.text(),
      /** Its place in the terminal's stream, and the till reference of its sale; null where it cannot be read. */
      sequence: column.optional(column.integer()),
      reference: column.optional(column.text()),
      reasonCode: column.text(),
      reason: column.text(),
      /** `retry`: a person wants another try. `resolved`: that try was answered. `dropped`: a person has dealt with it otherwise. */
      state: column.oneOf('waiting', 'retry', 'resolved', 'dropped'),
      /** The person's note, or the outcome of the retry. */
      note: column.optional(column.text()),
      /** The message as it came, sealed, hex, and the data key that seals it; null once it is needed no more. */
      message: column.optional(column.text()),
      keyId: column.optional(column.idOf('dataKeys')),
      ...stamp,
    },
    {
      key: ['agentId', 'messageId'],
      isWide: true,
      indexes: { agent: ['agentId'], state: ['state'], sale: ['agentId', 'reference'], keyId: ['keyId'] },
    },
  ),
});
