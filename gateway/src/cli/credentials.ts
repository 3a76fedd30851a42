import type { Random } from '@tillbridge/protocol/seams/random.js';
import { newId } from '../payments/desk-context.js';
import { newAccessToken } from '../security/access-tokens.js';
import { readSecretFile, SecretFileError, writeSecretFile } from '../security/secret-file.js';

/** What `seed` gives out: the same at every run on one home. */
export interface Credentials {
  readonly merchantEntityId: string;
  readonly entityId: string;
  readonly accessToken: string;
  /** Reads the acquirer simulator's record, and nothing else. */
  readonly simulatorToken: string;
}

/**
 * The credentials of a home, made first when there are none. The file comes before the rows: a crash between the two is mended by the
 * next run.
 * @throws SecretFileError
 */
export function ensureCredentials(file: string, random: Random): Credentials {
  const stored = readSecretFile(file);
  if (stored) return parse(file, stored.toString('utf8'));
  const made: Credentials = {
    merchantEntityId: newId(random),
    entityId: newId(random),
    accessToken: newAccessToken(random),
    simulatorToken: newAccessToken(random),
  };
  writeSecretFile(file, Buffer.from(`${JSON.stringify(made, undefined, 2)}\n`));
  return made;
}

function parse(file: string, text: string): Credentials {
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
  for (const id of [merchantEntityId, entityId]) if (!/^[0-9a-f]{32}$/.test(String(id))) fail();
  for (const token of [accessToken, simulatorToken]) if (!/^tb_[\w-]{43}$/.test(String(token))) fail();
  return value as Credentials;
}
