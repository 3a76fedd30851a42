import type { Random } from '@tillbridge/protocol/seams/random.js';
import { newId } from '../payments/flow/payment-context.js';
import { readSecretFile, SecretFileError, writeSecretFile } from '../security/keys/secret-file.js';
import { newAccessToken } from '../security/tokens/access-tokens.js';

/** What `seed` gives out: the same at every run on one home. */
export interface Credentials {
  readonly merchantEntityId: string;
  readonly entityId: string;
  readonly accessToken: string;
  /** Reads the acquirer simulator's record, and nothing else. */
  readonly simulatorToken: string;
  /** A channel whose clients speak as older integrations do; they may show a user id and password in place of a token. */
  readonly legacy: LegacyCredentials;
}

/** Credentials of such a channel. */
export interface LegacyCredentials {
  readonly entityId: string;
  readonly accessToken: string;
  readonly userId: string;
  readonly password: string;
}

/**
 * The credentials of a home, made first when there are none. The file comes before the rows: a crash between the two is mended by the
 * next run.
 * @throws SecretFileError
 */
export function ensureCredentials(file: string, random: Random): Credentials {
  const stored = readSecretFile(file);
  if (stored) {
    const known = parse(file, stored.toString('utf8'));
    if (known.legacy) return { ...known, legacy: known.legacy };
    return write(file, { ...known, legacy: newLegacy(random) });
  }
  return write(file, {
    merchantEntityId: newId(random),
    entityId: newId(random),
    accessToken: newAccessToken(random),
    simulatorToken: newAccessToken(random),
    legacy: newLegacy(random),
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

function write(file: string, made: Credentials): Credentials {
  writeSecretFile(file, Buffer.from(`${JSON.stringify(made, undefined, 2)}\n`));
  return made;
}

/** What the file holds; a file of an older build has no legacy channel yet. */
function parse(file: string, text: string): Omit<Credentials, 'legacy'> & Partial<Credentials> {
  const fail = (): never => {
    throw new SecretFileError(
      `${file} does not hold the credentials of this gateway; restore it, or use a new home`,
    );
  };
  let value: Partial<Record<keyof Credentials, unknown>>;
  try {
    value = JSON.parse(text) as typeof value;
  } catch {
    return fail();
  }
  const { merchantEntityId, entityId, accessToken, simulatorToken } = value ?? {};
  const legacy = value?.legacy as Partial<LegacyCredentials> | null | undefined;
  if (legacy === null) fail();
  const ids = [merchantEntityId, entityId, ...(legacy ? [legacy.entityId, legacy.userId] : [])];
  const tokens = [accessToken, simulatorToken, ...(legacy ? [legacy.accessToken, legacy.password] : [])];
  for (const id of ids) if (!/^[0-9a-f]{32}$/.test(String(id))) fail();
  for (const token of tokens) if (!/^tb_[\w-]{43}$/.test(String(token))) fail();
  return value as Credentials;
}
