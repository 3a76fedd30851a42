import type { KeyUsage } from '../../security/keys/key-store.js';

interface ScopeRule {
  readonly pattern: RegExp;
  readonly expected: string;
}

/** KSNs are compared as uppercase hex; the longest, of AES DUKPT, has 12 bytes. */
const KSN: ScopeRule = {
  pattern: /^[0-9A-F]{0,24}$/,
  expected: 'the leading hex digits of the KSNs, in capitals, such as FFFF98',
};
const PAN: ScopeRule = { pattern: /^\d{0,19}$/, expected: 'the leading digits of the PANs, such as 4200' };
const PVKI: ScopeRule = {
  pattern: /^\d:\d{0,19}$/,
  expected: 'the PVKI, a colon and the leading digits of the PANs, such as 1:4200',
};
const NAME: ScopeRule = { pattern: /^.+$/, expected: 'the whole name of the partner' };

const RULES: Readonly<Record<KeyUsage, ScopeRule>> = {
  'bdk-data': KSN,
  'bdk-pin': KSN,
  'bdk-mac': KSN,
  'imk-ac': PAN,
  'imk-smi': PAN,
  'imk-smc': PAN,
  pvk: PVKI,
  'pvk-ibm': PAN,
  cvk: PAN,
  'zone-pin': NAME,
  mac: NAME,
  kbpk: NAME,
  zmk: NAME,
  'vault-kek': NAME,
};

/** Why no operation would find a key of this scope; undefined when the scope is right. */
export function scopeProblem(usage: KeyUsage, scope: string): string | undefined {
  const { pattern, expected } = RULES[usage];
  return pattern.test(scope) ? undefined : `--scope "${scope}" of a ${usage} key must be ${expected}`;
}
