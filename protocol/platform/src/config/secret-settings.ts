import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../read-file.js';
import { placeText } from '../schema/fault.js';
import { systemCode } from '../system-code.js';
import type { Problems } from './problems.js';
import { type Node, settingsOf } from './settings.js';

/** Rights of anyone but the owner. */
const OTHERS = 0o077;
/** Most bytes of a file with one secret. */
const MAX_SECRET_BYTES = 65_536;

/**
 * The value of a secret setting whose variable is not set: out of the file that `VARIABLE_FILE` names, or of the credential of systemd that has
 * the variable's name (systemd.exec(5), `LoadCredential=`). Undefined where there is neither.
 */
export function secretOf(
  { env: variable, secret }: Node,
  env: NodeJS.ProcessEnv,
  problems: Problems,
): string | undefined {
  if (variable === undefined || !secret) return undefined;
  const named = env[`${variable}_FILE`];
  const folder = env.CREDENTIALS_DIRECTORY;
  const path = named || (folder ? join(folder, variable) : undefined);
  if (!path) return undefined;
  try {
    const content = readIfThere(path);
    if (content === undefined && !named) return undefined;
    if (content === undefined || content.length > MAX_SECRET_BYTES) throw new Error();
    return content.toString().trim();
  } catch (error) {
    problems.add(
      `${variable}_FILE ${path} cannot be read (${systemCode(error)}): name a file with the value alone`,
    );
    return undefined;
  }
}

/** Refuses a file with a secret in it that others may read, as a key file is refused. */
export function refuseOpenSecrets(file: string, root: Node, written: object, problems: Problems): void {
  // Windows has no such mode bits.
  if (process.platform === 'win32') return;
  const mode = statSync(file).mode & 0o777;
  if ((mode & OTHERS) === 0) return;
  for (const { node, path } of settingsOf(root)) {
    if (!node.secret || !isSecret(valueAt(written, path))) continue;
    problems.add(
      `${file} has mode ${mode.toString(8)} and holds ${placeText(path)}: others could read it; run chmod 600 on the file, or give the value by ${node.env ?? 'another file'}`,
    );
  }
}

/** An address without a password is none. */
function isSecret(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return !URL.canParse(value) || new URL(value).password !== '';
}

function valueAt(root: object, path: readonly string[]): unknown {
  let at: unknown = root;
  for (const step of path)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined;
  return at;
}
