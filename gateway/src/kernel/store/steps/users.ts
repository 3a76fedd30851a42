/** Users of the console, and the chain of the records of what was done. */
export const USERS_STEP = {
  id: 4,
  name: 'users, and a chain of the audit',
  readableFrom: 1,
  sqlite: `
CREATE TABLE users (
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('invited', 'active', 'removed')),
  isOperator INTEGER NOT NULL CHECK (isOperator IN (0, 1)),
  password TEXT,
  sealed TEXT,
  keyId TEXT REFERENCES dataKeys (id) DEFERRABLE INITIALLY DEFERRED,
  codeStep INTEGER,
  recoveryCodes TEXT NOT NULL CHECK (json_valid(recoveryCodes)),
  rolesChangedAtMs INTEGER NOT NULL,
  lastSignInAtMs INTEGER,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (id)
) STRICT;
CREATE UNIQUE INDEX users_email ON users (email);
CREATE INDEX users_keyId ON users (keyId) WHERE keyId IS NOT NULL;
CREATE TABLE userRoles (
  userId TEXT NOT NULL REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED,
  entityId TEXT NOT NULL REFERENCES entities (id) DEFERRABLE INITIALLY DEFERRED,
  role TEXT NOT NULL CHECK (role IN ('view', 'support', 'finance', 'developer', 'admin')),
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (userId, entityId)
) STRICT, WITHOUT ROWID;
CREATE INDEX userRoles_entity ON userRoles (entityId);
CREATE TABLE userInvitations (
  userId TEXT NOT NULL REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED,
  hash TEXT NOT NULL,
  sealed TEXT NOT NULL,
  keyId TEXT NOT NULL REFERENCES dataKeys (id) DEFERRABLE INITIALLY DEFERRED,
  expiresAtMs INTEGER NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (userId)
) STRICT;
CREATE UNIQUE INDEX userInvitations_hash ON userInvitations (hash);
CREATE INDEX userInvitations_expiry ON userInvitations (expiresAtMs);
CREATE INDEX userInvitations_keyId ON userInvitations (keyId);
CREATE TABLE userSessions (
  hash TEXT NOT NULL,
  userId TEXT NOT NULL REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED,
  signedInAtMs INTEGER NOT NULL,
  seenAtMs INTEGER NOT NULL,
  endsAtMs INTEGER NOT NULL,
  createdAtMs INTEGER NOT NULL,
  version INTEGER NOT NULL,
  PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX userSessions_user ON userSessions (userId);
CREATE INDEX userSessions_expiry ON userSessions (endsAtMs);
ALTER TABLE audit ADD COLUMN endOf TEXT;
ALTER TABLE audit ADD COLUMN entityId TEXT;
ALTER TABLE audit ADD COLUMN sequence INTEGER;
ALTER TABLE audit ADD COLUMN link TEXT;
CREATE UNIQUE INDEX audit_sequence ON audit (sequence) WHERE sequence IS NOT NULL;
CREATE INDEX audit_entity ON audit (entityId, sequence) WHERE entityId IS NOT NULL AND sequence IS NOT NULL;
`,
  postgres: `
CREATE TABLE "users" (
  "id" text COLLATE "C" NOT NULL,
  "email" text COLLATE "C" NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL CHECK ("state" IN ('invited', 'active', 'removed')),
  "isOperator" bigint NOT NULL CHECK ("isOperator" IN (0, 1)),
  "password" text COLLATE "C",
  "sealed" text COLLATE "C",
  "keyId" text COLLATE "C" REFERENCES "dataKeys" ("id") DEFERRABLE INITIALLY DEFERRED,
  "codeStep" bigint,
  "recoveryCodes" text COLLATE "C" NOT NULL CHECK ("recoveryCodes" IS JSON),
  "rolesChangedAtMs" bigint NOT NULL,
  "lastSignInAtMs" bigint,
  "createdAtMs" bigint NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_email" ON "users" ("email");
CREATE INDEX "users_keyId" ON "users" ("keyId") WHERE "keyId" IS NOT NULL;
CREATE TABLE "userRoles" (
  "userId" text COLLATE "C" NOT NULL REFERENCES "users" ("id") DEFERRABLE INITIALLY DEFERRED,
  "entityId" text COLLATE "C" NOT NULL REFERENCES "entities" ("id") DEFERRABLE INITIALLY DEFERRED,
  "role" text COLLATE "C" NOT NULL CHECK ("role" IN ('view', 'support', 'finance', 'developer', 'admin')),
  "createdAtMs" bigint NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("userId", "entityId")
);
CREATE INDEX "userRoles_entity" ON "userRoles" ("entityId");
CREATE TABLE "userInvitations" (
  "userId" text COLLATE "C" NOT NULL REFERENCES "users" ("id") DEFERRABLE INITIALLY DEFERRED,
  "hash" text COLLATE "C" NOT NULL,
  "sealed" text COLLATE "C" NOT NULL,
  "keyId" text COLLATE "C" NOT NULL REFERENCES "dataKeys" ("id") DEFERRABLE INITIALLY DEFERRED,
  "expiresAtMs" bigint NOT NULL,
  "createdAtMs" bigint NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("userId")
);
CREATE UNIQUE INDEX "userInvitations_hash" ON "userInvitations" ("hash");
CREATE INDEX "userInvitations_expiry" ON "userInvitations" ("expiresAtMs");
CREATE INDEX "userInvitations_keyId" ON "userInvitations" ("keyId");
CREATE TABLE "userSessions" (
  "hash" text COLLATE "C" NOT NULL,
  "userId" text COLLATE "C" NOT NULL REFERENCES "users" ("id") DEFERRABLE INITIALLY DEFERRED,
  "signedInAtMs" bigint NOT NULL,
  "seenAtMs" bigint NOT NULL,
  "endsAtMs" bigint NOT NULL,
  "createdAtMs" bigint NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("hash")
);
CREATE INDEX "userSessions_user" ON "userSessions" ("userId");
CREATE INDEX "userSessions_expiry" ON "userSessions" ("endsAtMs");
ALTER TABLE "audit" ADD COLUMN "endOf" text COLLATE "C";
ALTER TABLE "audit" ADD COLUMN "entityId" text COLLATE "C";
ALTER TABLE "audit" ADD COLUMN "sequence" bigint;
ALTER TABLE "audit" ADD COLUMN "link" text COLLATE "C";
CREATE UNIQUE INDEX "audit_sequence" ON "audit" ("sequence") WHERE "sequence" IS NOT NULL;
CREATE INDEX "audit_entity" ON "audit" ("entityId", "sequence") WHERE "entityId" IS NOT NULL AND "sequence" IS NOT NULL;
`,
} as const;
