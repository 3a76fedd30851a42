/** Sessions of agents and ends of nodes for the timeline of a payment; slices of payments for their search. */
export const SESSIONS_AND_SLICES_STEP = {
  id: 3,
  name: 'sessions of agents, ends of nodes, slices of payments',
  readableFrom: 1,
  sqlite: `
    CREATE TABLE agentSessions (
      agentId TEXT NOT NULL REFERENCES agents (id) DEFERRABLE INITIALLY DEFERRED,
      epoch INTEGER NOT NULL CHECK (epoch > 0), bootId TEXT NOT NULL, nodeId TEXT, endedAtMs INTEGER,
      createdAtMs INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (agentId, epoch)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX agentSessions_age ON agentSessions (createdAtMs);
    CREATE TABLE nodeEnds (
      id TEXT NOT NULL, startedAtMs INTEGER NOT NULL, renewedAtMs INTEGER NOT NULL,
      ending TEXT NOT NULL CHECK (ending IN ('stopped', 'lost')),
      createdAtMs INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX nodeEnds_age ON nodeEnds (createdAtMs);
    CREATE INDEX agentCommands_sale ON agentCommands (agentId, reference) WHERE reference IS NOT NULL;
    CREATE TABLE paymentSlices (
      entityId TEXT NOT NULL REFERENCES entities (id) DEFERRABLE INITIALLY DEFERRED,
      fromMs INTEGER NOT NULL, toMs INTEGER NOT NULL, count INTEGER NOT NULL CHECK (count >= 0),
      totals TEXT NOT NULL CHECK (json_valid(totals)), terms TEXT NOT NULL, version INTEGER NOT NULL,
      PRIMARY KEY (entityId, fromMs)
    ) STRICT;
    CREATE TABLE latePayments (
      paymentId TEXT NOT NULL, entityId TEXT NOT NULL REFERENCES entities (id) DEFERRABLE INITIALLY DEFERRED,
      atMs INTEGER NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (paymentId)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX latePayments_time ON latePayments (entityId, atMs);`,
  postgres: `
    CREATE TABLE "agentSessions" (
      "agentId" text COLLATE "C" NOT NULL REFERENCES "agents" ("id") DEFERRABLE INITIALLY DEFERRED,
      "epoch" bigint NOT NULL CHECK ("epoch" > 0), "bootId" text COLLATE "C" NOT NULL,
      "nodeId" text COLLATE "C", "endedAtMs" bigint, "createdAtMs" bigint NOT NULL, "version" bigint NOT NULL,
      PRIMARY KEY ("agentId", "epoch")
    );
    CREATE INDEX "agentSessions_age" ON "agentSessions" ("createdAtMs");
    CREATE TABLE "nodeEnds" (
      "id" text COLLATE "C" NOT NULL, "startedAtMs" bigint NOT NULL, "renewedAtMs" bigint NOT NULL,
      "ending" text COLLATE "C" NOT NULL CHECK ("ending" IN ('stopped', 'lost')),
      "createdAtMs" bigint NOT NULL, "version" bigint NOT NULL, PRIMARY KEY ("id")
    );
    CREATE INDEX "nodeEnds_age" ON "nodeEnds" ("createdAtMs");
    CREATE INDEX "agentCommands_sale" ON "agentCommands" ("agentId", "reference") WHERE "reference" IS NOT NULL;
    CREATE TABLE "paymentSlices" (
      "entityId" text COLLATE "C" NOT NULL REFERENCES "entities" ("id") DEFERRABLE INITIALLY DEFERRED,
      "fromMs" bigint NOT NULL, "toMs" bigint NOT NULL, "count" bigint NOT NULL CHECK ("count" >= 0),
      "totals" text COLLATE "C" NOT NULL CHECK ("totals" IS JSON), "terms" text COLLATE "C" NOT NULL,
      "version" bigint NOT NULL, PRIMARY KEY ("entityId", "fromMs")
    );
    CREATE TABLE "latePayments" (
      "paymentId" text COLLATE "C" NOT NULL,
      "entityId" text COLLATE "C" NOT NULL REFERENCES "entities" ("id") DEFERRABLE INITIALLY DEFERRED,
      "atMs" bigint NOT NULL, "version" bigint NOT NULL, PRIMARY KEY ("paymentId")
    );
    CREATE INDEX "latePayments_time" ON "latePayments" ("entityId", "atMs");`,
};
