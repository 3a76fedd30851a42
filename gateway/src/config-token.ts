import { resolve } from 'node:path';

/** A PKCS#11 token that holds the symmetric keys. */
export interface TokenConfig {
  /** The maker's library. */
  readonly library: string;
  /** Label of the token. */
  readonly label: string;
  /** File of mode 0600 with the user's PIN of the token, one line. */
  readonly pinFile: string;
}

type Values = ReadonlyMap<string, string | number>;

const KEYS = ['pkcs11.library', 'pkcs11.token', 'pkcs11.pinFile'] as const;

/** The token, where one is configured as a whole. */
export function tokenOf(values: Values): TokenConfig | undefined {
  const [library, label, pinFile] = KEYS.map((key) => values.get(key));
  if (library === undefined || label === undefined || pinFile === undefined) return undefined;
  return { library: resolve(String(library)), label: String(label), pinFile: resolve(String(pinFile)) };
}

/** What is wrong between the values: one line each. */
export function tokenProblems(values: Values): string[] {
  const missing = KEYS.filter((key) => !values.has(key));
  if (missing.length === 0 || missing.length === KEYS.length) return [];
  return [`${missing.join(' and ')} must be set too: a token needs ${KEYS.join(', ')}`];
}

/** A token's label: up to 32 printable characters (PKCS#11 CK_TOKEN_INFO). */
export function asTokenLabel(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x20-\x7e]{1,32}$/.test(value) ? value : undefined;
}
