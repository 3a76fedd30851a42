import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Parameters of scrypt (RFC 7914), by the names that they have there. */
export interface ScryptParameters {
  /** Cost; memory is 128 · N · r bytes. */
  readonly N: number;
  /** Block size. */
  readonly r: number;
  /** Parallelization. */
  readonly p: number;
}

/** What new passwords are hashed with: 32 MiB, about 0.1 s of one core. Raised here, a password is hashed anew when its user signs in. */
export const PRESENT_PARAMETERS: ScryptParameters = { N: 32_768, r: 8, p: 1 };

/** Highest cost that a stored text may name. */
const MAX_N = 1_048_576;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^scrypt\$N=(\d{1,7}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** A password as it is stored: `scrypt$N=…,r=…,p=…$salt$hash`. */
export async function hashPassword(
  password: string,
  parameters: ScryptParameters = PRESENT_PARAMETERS,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, salt, parameters);
  return `scrypt$${namesOf(parameters)}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/**
 * Whether the password is that of the stored text. Without one it is not, after the same work.
 * @param present parameters of that work
 * @throws Error for a text that this function did not make
 */
export async function isPassword(
  password: string,
  stored: string | null,
  present: ScryptParameters = PRESENT_PARAMETERS,
): Promise<boolean> {
  const compared = stored ?? `scrypt$${namesOf(present)}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const [, N, r, p, salt = '', hash = ''] = STORED.exec(compared) ?? [];
  const parameters = { N: Number(N), r: Number(r), p: Number(p) };
  if (!(parameters.N <= MAX_N)) throw new Error('a stored password is not of the form that it must have');
  const found = await derived(password, Buffer.from(salt, 'base64url'), parameters);
  const isSame = timingSafeEqual(found, Buffer.from(hash, 'base64url'));
  return isSame && stored !== null;
}

/** Whether the text was made with other parameters than the present ones. */
export function isOutdated(stored: string, present: ScryptParameters = PRESENT_PARAMETERS): boolean {
  return !stored.startsWith(`scrypt$${namesOf(present)}$`);
}

function namesOf({ N, r, p }: ScryptParameters): string {
  return `N=${N},r=${r},p=${p}`;
}

function derived(password: string, salt: Buffer, { N, r, p }: ScryptParameters): Promise<Buffer> {
  const options = { N, r, p, maxmem: 256 * N * r };
  // Several ways to type the same character are one password (NIST SP 800-63B §5.1.1.2).
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
