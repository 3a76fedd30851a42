import { checker } from '@tillbridge/platform/schema/checker.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { toLowerHex } from '@tillbridge/wire/bytes.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { readSecretFile, SecretFileError, writeSecretFile } from '../../kernel/data-folder/secret-file.js';
import { newId } from '../../kernel/store/new-id.js';
import { newAccessToken } from '../../security/tokens/access-tokens.js';

const ID = Type.String({ pattern: '^[0-9a-f]{32}$' });
const TOKEN = Type.String({ pattern: '^tb_[\\w-]{43}$' });
/** An endpoint without a URL, for `listen`. */
const WEBHOOK = Type.Object({ id: ID, key: Type.String({ pattern: '^[0-9a-f]{64}$' }) });
/** A user of the console. */
const USER = Type.Object({ id: ID, user: Type.String(), password: Type.String() });
const LEGACY = Type.Object({ entityId: ID, accessToken: TOKEN, userId: ID, password: TOKEN });
/** A file of an older build has no legacy channel, no webhook endpoint and no user yet. */
const STORED = Type.Object({
  merchantEntityId: ID,
  entityId: ID,
  accessToken: TOKEN,
  /** Reads the acquirer simulator's record, and nothing else. */
  simulatorToken: TOKEN,
  legacy: Type.Optional(LEGACY),
  /** The channel with 3D Secure. */
  threeDSecureEntityId: Type.Optional(ID),
  /** The channel of test mode EXTERNAL. */
  externalEntityId: Type.Optional(ID),
  webhook: Type.Optional(WEBHOOK),
  console: Type.Optional(USER),
});

const isStored = checker(STORED);

/** Credentials of a channel whose clients send what older integrations send: a user id and password may stand for the token. */
export type LegacyCredentials = Readonly<Static<typeof LEGACY>>;

/** What `seed` gives out: the same at every run on one home. */
export type Credentials = Readonly<Required<Static<typeof STORED>>>;

/**
 * The credentials of a home, made first when there are none. The file comes before the rows: the next run repairs a crash between
 * the two.
 * @throws SecretFileError
 */
export function ensureCredentials(file: string, random: Random): Credentials {
  const stored = readSecretFile(file);
  if (stored) {
    const known = parse(file, stored.toString('utf8'));
    const { legacy, threeDSecureEntityId, externalEntityId, webhook, console } = known;
    if (legacy && threeDSecureEntityId && externalEntityId && webhook && console)
      return { ...known, legacy, threeDSecureEntityId, externalEntityId, webhook, console };
    return write(file, {
      ...known,
      legacy: legacy ?? newLegacy(random),
      threeDSecureEntityId: threeDSecureEntityId ?? newId(random),
      externalEntityId: externalEntityId ?? newId(random),
      webhook: webhook ?? newWebhook(random),
      console: console ?? newUser(random),
    });
  }
  return write(file, {
    merchantEntityId: newId(random),
    entityId: newId(random),
    accessToken: newAccessToken(random),
    simulatorToken: newAccessToken(random),
    legacy: newLegacy(random),
    threeDSecureEntityId: newId(random),
    externalEntityId: newId(random),
    webhook: newWebhook(random),
    console: newUser(random),
  });
}

function newLegacy(random: Random): LegacyCredentials {
  return {
    entityId: newId(random),
    accessToken: newAccessToken(random),
    userId: newId(random),
    password: newAccessToken(random),
  };
}

/** Without one-time codes: in test mode alone such a user signs in. */
function newUser(random: Random): Static<typeof USER> {
  const password = Buffer.from(random.bytes(18)).toString('base64url');
  return { id: newId(random), user: 'demo@tillbridge.example', password };
}

function newWebhook(random: Random): Static<typeof WEBHOOK> {
  return { id: newId(random), key: toLowerHex(random.bytes(32)) };
}

function write(file: string, made: Credentials): Credentials {
  writeSecretFile(file, Buffer.from(`${JSON.stringify(made, undefined, 2)}\n`));
  return made;
}

function parse(file: string, text: string): Static<typeof STORED> {
  try {
    const value: unknown = JSON.parse(text);
    if (isStored(value)) return value;
  } catch {
    // Falls through: the parser's own message would quote the file.
  }
  throw new SecretFileError(
    `${file} does not hold the credentials of this gateway; restore it, or use a new home`,
  );
}
