import { createHmac, timingSafeEqual } from 'node:crypto';

/** One-time codes as authenticator apps make them (RFC 6238 with the defaults that all apps know). */
export const CODE_RULES = {
  /** A time step, in milliseconds. */
  stepMs: 30_000,
  /** Digits of a code. */
  digits: 6,
  /** Steps before and after the present one whose code is taken: clocks of telephones differ. */
  window: 1,
  /** Bytes of a secret: as many as the hash has (RFC 4226 §4). */
  secretBytes: 20,
} as const;

/** The code of a time step (RFC 4226 §5.3): HMAC-SHA-1, dynamically truncated. */
export function codeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** CODE_RULES.digits).padStart(CODE_RULES.digits, '0');
}

/**
 * The time step whose code was typed; undefined where it is none of the window, or was used before. All codes of the window are compared.
 * @param usedStep the step of the last code that was taken
 */
export function stepOfCode(
  secret: Uint8Array,
  typed: string,
  { nowMs, usedStep }: { readonly nowMs: number; readonly usedStep: number | null },
): number | undefined {
  const code = Buffer.from(typed.replace(/\s/g, ''));
  const now = Math.floor(nowMs / CODE_RULES.stepMs);
  let found: number | undefined;
  for (let step = now - CODE_RULES.window; step <= now + CODE_RULES.window; step += 1) {
    const due = Buffer.from(codeOf(secret, step));
    const isSame = due.length === code.length && timingSafeEqual(due, code);
    if (isSame && step > (usedStep ?? -1)) found ??= step;
  }
  return found;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base 32 without padding (RFC 4648 §6). */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

/** The address by which an authenticator app takes a secret. */
export function codeAddress(secret: Uint8Array, account: string): string {
  const label = `${encodeURIComponent('tillbridge')}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=tillbridge`;
}
