/** One step of the schema; steps are numbered from 1, applied once, never changed afterwards. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
  /** Puts a new table in the place of one that others refer to: carried out without foreign keys, which are checked before the end. */
  readonly rebuilds?: true;
}

/** The schema of the SQLite engine, step by step. Column names are those of rows.ts. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    name: 'entities, tokens, agents',
    sql: `
CREATE TABLE entities (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('merchant', 'channel')),
  parentId TEXT REFERENCES entities (id),
  name TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX entities_parent ON entities (parentId);
CREATE INDEX entities_kind ON entities (kind);

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  entityId TEXT NOT NULL REFERENCES entities (id),
  label TEXT NOT NULL,
  rights TEXT NOT NULL CHECK (json_valid(rights)),
  createdAtMs INTEGER NOT NULL,
  lastUsedAtMs INTEGER,
  revokedAtMs INTEGER,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tokens_hash ON tokens (hash);
CREATE INDEX tokens_entity ON tokens (entityId);

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  entityId TEXT NOT NULL REFERENCES entities (id),
  publicKey TEXT NOT NULL,
  terminals TEXT NOT NULL CHECK (json_valid(terminals)),
  generation INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX agents_entity ON agents (entityId);
`,
  },
  {
    id: 2,
    name: 'vault, intents, payments, claims',
    sql: `
CREATE TABLE vault (
  id TEXT PRIMARY KEY,
  keyId TEXT NOT NULL,
  nonce TEXT NOT NULL,
  ciphertext TEXT NOT NULL,
  tag TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX vault_keyId ON vault (keyId);

CREATE TABLE intents (
  id TEXT PRIMARY KEY,
  paymentId TEXT NOT NULL,
  entityId TEXT NOT NULL REFERENCES entities (id),
  agentId TEXT REFERENCES agents (id),
  messageId TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'done')),
  kind TEXT NOT NULL,
  rootId TEXT REFERENCES payments (id),
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX intents_message ON intents (agentId, messageId) WHERE messageId IS NOT NULL;
CREATE INDEX intents_state ON intents (state);
CREATE INDEX intents_payment ON intents (paymentId);

CREATE TABLE payments (
  id TEXT PRIMARY KEY,
  entityId TEXT NOT NULL REFERENCES entities (id),
  type TEXT NOT NULL CHECK (type IN ('PA', 'DB', 'CD', 'CP', 'RF', 'RV')),
  state TEXT NOT NULL CHECK (state IN ('authorized', 'captured', 'credited', 'completed', 'declined', 'reversed')),
  referencedId TEXT REFERENCES payments (id),
  rootId TEXT REFERENCES payments (id),
  amountMinor INTEGER NOT NULL CHECK (amountMinor >= 0),
  currency TEXT NOT NULL,
  authorizedMinor INTEGER NOT NULL CHECK (authorizedMinor >= 0),
  capturedMinor INTEGER NOT NULL CHECK (capturedMinor BETWEEN 0 AND authorizedMinor),
  refundedMinor INTEGER NOT NULL CHECK (refundedMinor BETWEEN 0 AND capturedMinor),
  reversedMinor INTEGER NOT NULL CHECK (reversedMinor BETWEEN 0 AND authorizedMinor),
  captureCount INTEGER NOT NULL,
  maxCaptures INTEGER,
  capturesClosed INTEGER NOT NULL CHECK (capturesClosed IN (0, 1)),
  lockedBy TEXT REFERENCES intents (id),
  resultCode TEXT NOT NULL,
  description TEXT NOT NULL,
  approvalCode TEXT,
  responseCode TEXT,
  iccDataResponse TEXT,
  brand TEXT,
  bin TEXT,
  last4Digits TEXT,
  holder TEXT,
  expiryMonth TEXT,
  expiryYear TEXT,
  vaultId TEXT REFERENCES vault (id),
  acquirer TEXT NOT NULL,
  acquirerReference TEXT,
  agentId TEXT REFERENCES agents (id),
  messageId TEXT,
  terminalId TEXT,
  reference TEXT,
  offline TEXT CHECK (offline IN ('card-approved', 'deferred')),
  echo TEXT NOT NULL CHECK (json_valid(echo)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX payments_message ON payments (agentId, messageId) WHERE messageId IS NOT NULL;
CREATE INDEX payments_root ON payments (rootId) WHERE rootId IS NOT NULL;
CREATE INDEX payments_entity ON payments (entityId);

CREATE TABLE claims (
  agentId TEXT NOT NULL REFERENCES agents (id),
  reference TEXT NOT NULL,
  paymentId TEXT NOT NULL,
  released INTEGER NOT NULL CHECK (released IN (0, 1)),
  version INTEGER NOT NULL,
  PRIMARY KEY (agentId, reference)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 3,
    name: 'inbox, tombstones, streams, parked, events',
    sql: `
CREATE TABLE inbox (
  agentId TEXT NOT NULL REFERENCES agents (id),
  messageId TEXT NOT NULL,
  result TEXT NOT NULL CHECK (json_valid(result)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (agentId, messageId)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstones (
  agentId TEXT NOT NULL REFERENCES agents (id),
  messageId TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (agentId, messageId)
) STRICT, WITHOUT ROWID;

CREATE TABLE streams (
  agentId TEXT NOT NULL REFERENCES agents (id),
  terminalId TEXT NOT NULL,
  nextSequence INTEGER NOT NULL CHECK (nextSequence > 0),
  version INTEGER NOT NULL,
  PRIMARY KEY (agentId, terminalId)
) STRICT, WITHOUT ROWID;

CREATE TABLE parked (
  agentId TEXT NOT NULL REFERENCES agents (id),
  messageId TEXT NOT NULL,
  terminalId TEXT NOT NULL,
  reasonCode TEXT NOT NULL,
  reason TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (agentId, messageId)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  entityId TEXT NOT NULL REFERENCES entities (id),
  kind TEXT NOT NULL,
  paymentId TEXT,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX events_entity ON events (entityId);
CREATE INDEX events_payment ON events (paymentId) WHERE paymentId IS NOT NULL;
`,
  },
  {
    id: 4,
    name: 'payments: rebills and receipts, further answers of the acquirer',
    rebuilds: true,
    sql: `
CREATE TABLE payments_new (
  id TEXT PRIMARY KEY,
  entityId TEXT NOT NULL REFERENCES entities (id),
  type TEXT NOT NULL CHECK (type IN ('PA', 'DB', 'CD', 'CP', 'RF', 'RV', 'RB', 'RC')),
  state TEXT NOT NULL CHECK (state IN ('authorized', 'captured', 'credited', 'completed', 'declined', 'reversed')),
  referencedId TEXT REFERENCES payments (id),
  rootId TEXT REFERENCES payments (id),
  amountMinor INTEGER NOT NULL CHECK (amountMinor >= 0),
  currency TEXT NOT NULL,
  authorizedMinor INTEGER NOT NULL CHECK (authorizedMinor >= 0),
  capturedMinor INTEGER NOT NULL CHECK (capturedMinor BETWEEN 0 AND authorizedMinor),
  refundedMinor INTEGER NOT NULL CHECK (refundedMinor BETWEEN 0 AND capturedMinor),
  reversedMinor INTEGER NOT NULL CHECK (reversedMinor BETWEEN 0 AND authorizedMinor),
  captureCount INTEGER NOT NULL,
  maxCaptures INTEGER,
  capturesClosed INTEGER NOT NULL CHECK (capturesClosed IN (0, 1)),
  lockedBy TEXT REFERENCES intents (id),
  resultCode TEXT NOT NULL,
  description TEXT NOT NULL,
  approvalCode TEXT,
  responseCode TEXT,
  iccDataResponse TEXT,
  answer TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(answer)),
  brand TEXT,
  bin TEXT,
  last4Digits TEXT,
  holder TEXT,
  expiryMonth TEXT,
  expiryYear TEXT,
  vaultId TEXT REFERENCES vault (id),
  acquirer TEXT NOT NULL,
  acquirerReference TEXT,
  agentId TEXT REFERENCES agents (id),
  messageId TEXT,
  terminalId TEXT,
  reference TEXT,
  offline TEXT CHECK (offline IN ('card-approved', 'deferred')),
  echo TEXT NOT NULL CHECK (json_valid(echo)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO payments_new (
  id, entityId, type, state, referencedId, rootId, amountMinor, currency, authorizedMinor,
  capturedMinor, refundedMinor, reversedMinor, captureCount, maxCaptures, capturesClosed, lockedBy,
  resultCode, description, approvalCode, responseCode, iccDataResponse, brand, bin, last4Digits,
  holder, expiryMonth, expiryYear, vaultId, acquirer, acquirerReference, agentId, messageId,
  terminalId, reference, offline, echo, createdAtMs, version
) SELECT
  id, entityId, type, state, referencedId, rootId, amountMinor, currency, authorizedMinor,
  capturedMinor, refundedMinor, reversedMinor, captureCount, maxCaptures, capturesClosed, lockedBy,
  resultCode, description, approvalCode, responseCode, iccDataResponse, brand, bin, last4Digits,
  holder, expiryMonth, expiryYear, vaultId, acquirer, acquirerReference, agentId, messageId,
  terminalId, reference, offline, echo, createdAtMs, version
FROM payments;
DROP TABLE payments;
ALTER TABLE payments_new RENAME TO payments;
CREATE UNIQUE INDEX payments_message ON payments (agentId, messageId) WHERE messageId IS NOT NULL;
CREATE INDEX payments_root ON payments (rootId) WHERE rootId IS NOT NULL;
CREATE INDEX payments_entity ON payments (entityId);
`,
  },
  {
    id: 5,
    name: 'idempotency',
    sql: `
CREATE TABLE idempotency (
  entityId TEXT NOT NULL REFERENCES entities (id),
  idempotencyKey TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  paymentId TEXT NOT NULL,
  httpStatus INTEGER,
  answer TEXT CHECK (answer IS NULL OR json_valid(answer)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (entityId, idempotencyKey)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 6,
    name: 'payments by reference',
    sql: `
CREATE INDEX payments_reference ON payments (entityId, reference) WHERE reference IS NOT NULL;
`,
  },
  {
    id: 7,
    name: 'compatibility of entities',
    sql: `
ALTER TABLE entities ADD COLUMN compatibility TEXT NOT NULL DEFAULT 'specification'
  CHECK (compatibility IN ('specification', 'legacy'));
`,
  },
  {
    id: 8,
    name: 'sealed tokens',
    sql: `
ALTER TABLE tokens ADD COLUMN sealed TEXT;
`,
  },
  {
    id: 9,
    name: 'dispatching to channels, mode of the database, age of idempotency keys',
    sql: `
CREATE TABLE dispatching (
  merchantId TEXT PRIMARY KEY REFERENCES entities (id),
  rules TEXT NOT NULL CHECK (json_valid(rules)),
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- What was used before there was another mode was used in test mode.
INSERT INTO settings SELECT 'mode', 'test', 1 WHERE EXISTS (SELECT 1 FROM entities);

CREATE INDEX idempotency_age ON idempotency (createdAtMs);
`,
  },
  {
    id: 10,
    name: 'content of messages, use of cards, parked messages for people, explanations',
    sql: `
ALTER TABLE inbox ADD COLUMN contentHash TEXT;

CREATE TABLE cardUses (
  card TEXT NOT NULL,
  counter INTEGER NOT NULL,
  sale TEXT NOT NULL,
  paymentId TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (card, counter)
) STRICT, WITHOUT ROWID;
CREATE INDEX cardUses_age ON cardUses (createdAtMs);
CREATE INDEX tombstones_age ON tombstones (createdAtMs);

ALTER TABLE parked ADD COLUMN kind TEXT NOT NULL DEFAULT 'unknown';
ALTER TABLE parked ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting'
  CHECK (state IN ('waiting', 'retry', 'settled', 'dropped'));
ALTER TABLE parked ADD COLUMN note TEXT;
ALTER TABLE parked ADD COLUMN message TEXT;
CREATE INDEX parked_state ON parked (state);

CREATE TABLE explanations (
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  note TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;
`,
  },
  {
    id: 11,
    name: 'captures of PA.CP',
    sql: `
ALTER TABLE payments ADD COLUMN captureReference TEXT;
`,
  },
  {
    id: 12,
    name: 'heads of journals',
    sql: `
CREATE TABLE journalHeads (
  agentId TEXT PRIMARY KEY REFERENCES agents (id),
  generation INTEGER NOT NULL,
  lastRow INTEGER NOT NULL CHECK (lastRow >= 0),
  hash TEXT NOT NULL,
  alarm TEXT CHECK (alarm IN ('behind', 'forked')),
  alarmRow INTEGER,
  alarmAtMs INTEGER,
  updatedAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX journalHeads_alarm ON journalHeads (alarm) WHERE alarm IS NOT NULL;
`,
  },
  {
    id: 13,
    name: 'sales of parked messages',
    sql: `
ALTER TABLE parked ADD COLUMN sequence INTEGER;
ALTER TABLE parked ADD COLUMN reference TEXT;
CREATE INDEX parked_sale ON parked (agentId, reference) WHERE reference IS NOT NULL;
`,
  },
];
