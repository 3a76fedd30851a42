import { checker } from '@tillbridge/platform/schema/checker.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';
import { readSecretFile } from '../../../kernel/data-folder/secret-file.js';

const ID = Type.String({ pattern: '^[0-9a-f]{32}$' });
const DEMO_CREDENTIALS = Type.Object({
  entityId: ID,
  threeDSecureEntityId: ID,
  accessToken: Type.String({ pattern: '^tb_[\\w-]{43}$' }),
});
const isComplete = checker(DEMO_CREDENTIALS);

/** The credentials of the demo shop for the API. */
export type DemoCredentials = Readonly<Static<typeof DEMO_CREDENTIALS>>;

/** The credentials of the development merchant; undefined where the home is none of development (`seed`). @throws SecretFileError */
export function readDemoCredentials(file: string): DemoCredentials | undefined {
  const stored = readSecretFile(file);
  if (!stored) return undefined;
  try {
    const { entityId, threeDSecureEntityId, accessToken } = JSON.parse(stored.toString('utf8'));
    const read: unknown = { entityId, threeDSecureEntityId, accessToken };
    return isComplete(read) ? read : undefined;
  } catch {
    // The parser's message would quote the file.
    return undefined;
  }
}
