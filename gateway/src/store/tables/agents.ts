import {
  idOf,
  integer,
  json,
  oneOf,
  optional,
  table,
  text,
} from '@tillbridge/protocol/platform/sqlite/table.js';
import { createdAtMs, version } from './columns.js';

/** Agents and what they were told and sent. */
export const AGENTS_TABLES = {
  /** A store's agent. */
  agents: table('agents', {
    key: ['id'],
    indexes: { entity: ['entityId'], state: ['state'] },
    columns: {
      id: text(),
      entityId: idOf('entities'),
      /** `revoked`: no key of it is taken until it is replaced. */
      state: oneOf('active', 'revoked'),
      /** Ed25519 public key, SPKI PEM. */
      publicKey: text(),
      /** The key that takes its place with its first proof. Until then both are taken. */
      nextPublicKey: optional(text()),
      /** The key before this one: its use is an alert. */
      formerPublicKey: optional(text()),
      /** Array of terminal ids. */
      terminals: json(),
      /** Highest generation ever proven; lower ones are fenced. */
      generation: integer(),
      /** The one higher generation that an operator allows, and until when. */
      allowedGeneration: optional(integer()),
      allowedUntilMs: optional(integer()),
      /** Grows with every session. */
      epoch: integer(),
      createdAtMs,
      version,
    },
  }),

  /** A one-time code by which an agent becomes known: the public half of the key that the code stands for. */
  enrolmentCodes: table('enrolmentCodes', {
    key: ['id'],
    indexes: { agent: ['agentId'], age: ['createdAtMs'] },
    columns: {
      /** 10 hex digits, part of the code. */
      id: text(),
      /** Ed25519 public key, SPKI PEM. The code cannot be had from it. */
      publicKey: text(),
      purpose: oneOf('new-agent', 'new-key', 'replacement'),
      agentId: text(),
      entityId: idOf('entities'),
      /** Array of terminal ids. */
      terminals: json(),
      /** The generation that the agent's journal begins or goes on with. */
      generation: integer('> 0'),
      /** Requests that named this code and were not by it. */
      failures: integer(),
      expiresAtMs: integer(),
      /** The agent's key that it was used for, SPKI PEM; null while it was not. */
      usedFor: optional(text()),
      createdAtMs,
      version,
    },
  }),

  /** The stored answer to an agent's message. */
  inbox: table('inbox', {
    key: ['agentId', 'messageId'],
    isWide: true,
    columns: {
      agentId: idOf('agents'),
      messageId: text(),
      /** The result; bytes as hex. */
      result: json(),
      /** Keyed hash of what the message said, hex: tells a repeat from an id used twice. */
      contentHash: optional(text()),
      createdAtMs,
      version,
    },
  }),

  /** A message id that was reversed before it arrived: refused for ever. */
  tombstones: table('tombstones', {
    key: ['agentId', 'messageId'],
    indexes: { age: ['createdAtMs'] },
    columns: { agentId: idOf('agents'), messageId: text(), createdAtMs, version },
  }),

  /** How far a terminal's stream was taken. */
  streams: table('streams', {
    key: ['agentId', 'terminalId'],
    indexes: { agent: ['agentId'] },
    columns: { agentId: idOf('agents'), terminalId: text(), nextSequence: integer('> 0'), version },
  }),

  /** What a terminal's offline records came to that waited together (payments/decide/offline-window.ts). */
  offlineWindows: table('offlineWindows', {
    key: ['agentId', 'terminalId'],
    columns: {
      agentId: idOf('agents'),
      terminalId: text(),
      /** When the first of them arrived. */
      sinceMs: integer(),
      /** Object: count, and sums in minor units by currency, of all and of the deferred ones. */
      taken: json(),
      version,
    },
  }),

  /** The head of an agent's journal that the gateway keeps: what the agent may forget, and this may not. */
  journalHeads: table('journalHeads', {
    key: ['agentId'],
    columns: {
      agentId: idOf('agents'),
      /** The generation of the journal; a later one begins anew. */
      generation: integer(),
      /** The last row that was told. */
      lastRow: integer('>= 0'),
      /** Its hash in the chain, hex. */
      hash: text(),
      /** A head that contradicted this one came in this generation; it stays until a person begins the next. */
      alarm: optional(oneOf('behind', 'forked')),
      /** The row of the head that contradicted first. */
      alarmRow: optional(integer()),
      alarmAtMs: optional(integer()),
      updatedAtMs: integer(),
      version,
    },
  }),

  /** A message that will never be accepted; a person has to look at it. */
  parked: table('parked', {
    key: ['agentId', 'messageId'],
    isWide: true,
    indexes: {
      agent: ['agentId'],
      state: ['state'],
      sale: ['agentId', 'reference'],
      keyId: ['keyId'],
    },
    columns: {
      agentId: idOf('agents'),
      messageId: text(),
      terminalId: text(),
      /** Body of the bridge that it is, such as `offlineRecord`. */
      kind: text(),
      /** Its place in the terminal's stream, and the till reference of its sale; null where it cannot be read. */
      sequence: optional(integer()),
      reference: optional(text()),
      reasonCode: text(),
      reason: text(),
      /** `retry`: a person wants another try. `settled`: that try was answered. `dropped`: a person has dealt with it otherwise. */
      state: oneOf('waiting', 'retry', 'settled', 'dropped'),
      /** What the person said, or what the retry came to. */
      note: optional(text()),
      /** The message as it came, sealed, hex, and the data key that seals it; null once nobody needs it any more. */
      message: optional(text()),
      keyId: optional(idOf('dataKeys')),
      createdAtMs,
      version,
    },
  }),
};
