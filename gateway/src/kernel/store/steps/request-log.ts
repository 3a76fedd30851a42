/** What clients sent over REST, for their developers. */
export const REQUEST_LOG_STEP = {
  id: 5,
  name: 'log of requests',
  readableFrom: 1,
  sqlite: `
CREATE TABLE requestLog (
  id TEXT NOT NULL,
  entityId TEXT NOT NULL REFERENCES entities (id) DEFERRABLE INITIALLY DEFERRED,
  actor TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  paymentId TEXT,
  madeId TEXT,
  status INTEGER NOT NULL,
  resultCode TEXT,
  outcome TEXT,
  ndc TEXT,
  durationUs INTEGER NOT NULL CHECK (durationUs >= 0),
  parameters TEXT NOT NULL CHECK (json_valid(parameters)),
  leftOut INTEGER NOT NULL CHECK (leftOut >= 0),
  errors TEXT NOT NULL CHECK (json_valid(errors)),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (id)
) STRICT;
CREATE INDEX requestLog_entity ON requestLog (entityId, createdAtMs);
CREATE INDEX requestLog_payment ON requestLog (paymentId, createdAtMs) WHERE paymentId IS NOT NULL;
CREATE INDEX requestLog_age ON requestLog (createdAtMs);
`,
  postgres: `
CREATE TABLE "requestLog" (
  "id" text COLLATE "C" NOT NULL,
  "entityId" text COLLATE "C" NOT NULL REFERENCES "entities" ("id") DEFERRABLE INITIALLY DEFERRED,
  "actor" text COLLATE "C" NOT NULL,
  "method" text COLLATE "C" NOT NULL,
  "path" text COLLATE "C" NOT NULL,
  "paymentId" text COLLATE "C",
  "madeId" text COLLATE "C",
  "status" bigint NOT NULL,
  "resultCode" text COLLATE "C",
  "outcome" text COLLATE "C",
  "ndc" text COLLATE "C",
  "durationUs" bigint NOT NULL CHECK ("durationUs" >= 0),
  "parameters" text COLLATE "C" NOT NULL CHECK ("parameters" IS JSON),
  "leftOut" bigint NOT NULL CHECK ("leftOut" >= 0),
  "errors" text COLLATE "C" NOT NULL CHECK ("errors" IS JSON),
  "createdAtMs" bigint NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("id")
);
CREATE INDEX "requestLog_entity" ON "requestLog" ("entityId", "createdAtMs");
CREATE INDEX "requestLog_payment" ON "requestLog" ("paymentId", "createdAtMs") WHERE "paymentId" IS NOT NULL;
CREATE INDEX "requestLog_age" ON "requestLog" ("createdAtMs");
`,
} as const;
