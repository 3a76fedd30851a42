import { cvmConditionName, cvmMethodName } from './cvm-results.js';

/** Methods that the evaluation knows; the low six bits of a CVM code (EMV Book 3 Annex C3). */
export const CVM = {
  fail: 0x00,
  plaintextPin: 0x01,
  onlinePin: 0x02,
  plaintextPinAndSignature: 0x03,
  encipheredPin: 0x04,
  encipheredPinAndSignature: 0x05,
  signature: 0x1e,
  noCvm: 0x1f,
  notPerformed: 0x3f,
} as const;

/** One rule of a CVM list. */
interface CvmRule {
  /** Method, the low six bits of the code. */
  readonly method: number;
  /** Whether the next rule applies when this method fails (bit 7 of the code). */
  readonly applyNext: boolean;
  readonly condition: number;
}

/** Tag 8E: two amounts in minor units of the application currency, and the rules in order. */
export interface CvmList {
  readonly amountX: number;
  readonly amountY: number;
  readonly rules: readonly CvmRule[];
}

/** A list is two amounts, and two bytes a rule. */
const AMOUNTS_BYTES = 8;

/** Reads tag 8E; `undefined` when it has no rule or an odd number of bytes behind the amounts (EMV Book 3 §10.5). */
export function parseCvmList(bytes: Uint8Array): CvmList | undefined {
  if (bytes.length < AMOUNTS_BYTES + 2 || bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rules: CvmRule[] = [];
  for (let at = AMOUNTS_BYTES; at < bytes.length; at += 2) {
    const code = view.getUint8(at);
    rules.push({ method: code & 0x3f, applyNext: (code & 0x40) !== 0, condition: view.getUint8(at + 1) });
  }
  return { amountX: view.getUint32(0), amountY: view.getUint32(4), rules };
}

/** What the conditions of a list are judged by. */
export interface CvmContext {
  readonly kind: 'purchase' | 'purchaseWithCashback' | 'unattendedCash' | 'manualCash';
  /** Amount, authorised, in minor units of the transaction currency. */
  readonly amountMinor: number;
  /** Whether the transaction currency is the application currency (tags 5F2A and 9F42). */
  readonly inApplicationCurrency: boolean;
  /** Methods that the terminal supports, from its capabilities. */
  readonly supportedMethods: ReadonlySet<number>;
}

/** What to do next: one method, or the end of the list. */
type CvmStep =
  | {
      readonly kind: 'perform';
      readonly method: number;
      readonly condition: number;
      readonly applyNext: boolean;
      /** Place in the list; pass it to `nextCvm` when the method fails and `applyNext` stands. */
      readonly index: number;
    }
  | {
      /** A rule met its condition but its method is unknown or unsupported, and the rule ends the list. */
      readonly kind: 'unsupported';
      readonly method: number;
      readonly condition: number;
      readonly index: number;
      /** Unknown to this evaluation: bit "unrecognised CVM" of the TVR. */
      readonly unrecognised: boolean;
    }
  | {
      /** No rule is left whose condition is met. */
      readonly kind: 'exhausted';
      /** A rule on the way had an unknown method. */
      readonly unrecognised: boolean;
    };

/**
 * The first rule from `from` on whose condition is met and whose method the terminal supports (EMV Book 3 §10.5.1). Pure: the
 * terminal performs the method and calls this again from `index + 1` when it failed and `applyNext` stands.
 */
export function nextCvm(list: CvmList, context: CvmContext, from: number = 0): CvmStep {
  let unrecognised = false;
  for (let index = from; index < list.rules.length; index += 1) {
    const rule = list.rules[index];
    if (rule === undefined || !conditionMet(rule, list, context)) continue;
    if (isAvailable(rule.method, context)) return { kind: 'perform', index, ...rule };
    const unknown = !KNOWN_METHODS.has(rule.method);
    unrecognised ||= unknown;
    if (!rule.applyNext) {
      return { kind: 'unsupported', method: rule.method, condition: rule.condition, index, unrecognised };
    }
  }
  return { kind: 'exhausted', unrecognised };
}

const KNOWN_METHODS: ReadonlySet<number> = new Set(
  Object.values(CVM).filter((method) => method !== CVM.notPerformed),
);

function isAvailable(method: number, context: CvmContext): boolean {
  if (method === CVM.fail) return true;
  return KNOWN_METHODS.has(method) && context.supportedMethods.has(method);
}

function conditionMet(rule: CvmRule, list: CvmList, context: CvmContext): boolean {
  const { kind, amountMinor, inApplicationCurrency } = context;
  switch (rule.condition) {
    case 0x00:
      return true;
    case 0x01:
      return kind === 'unattendedCash';
    case 0x02:
      return kind === 'purchase';
    case 0x03:
      return isAvailable(rule.method, context);
    case 0x04:
      return kind === 'manualCash';
    case 0x05:
      return kind === 'purchaseWithCashback';
    case 0x06:
      return inApplicationCurrency && amountMinor < list.amountX;
    case 0x07:
      return inApplicationCurrency && amountMinor > list.amountX;
    case 0x08:
      return inApplicationCurrency && amountMinor < list.amountY;
    case 0x09:
      return inApplicationCurrency && amountMinor > list.amountY;
    default:
      return false;
  }
}

/** Bits of tag 9F33 byte 2, each with the methods it allows (EMV Book 4 Annex A2). */
const CAPABILITY_METHODS: readonly (readonly [mask: number, methods: readonly number[]])[] = [
  [0x80, [CVM.plaintextPin]],
  [0x40, [CVM.onlinePin]],
  [0x20, [CVM.signature]],
  [0x10, [CVM.encipheredPin]],
  [0x08, [CVM.noCvm]],
];

/** The methods that terminal capabilities (tag 9F33) allow; PIN with signature needs both of its parts. */
export function supportedCvms(terminalCapabilities: Uint8Array): ReadonlySet<number> {
  const byte = terminalCapabilities[1] ?? 0;
  const methods = new Set(
    CAPABILITY_METHODS.filter(([mask]) => (byte & mask) !== 0).flatMap(([, codes]) => codes),
  );
  if (methods.has(CVM.signature)) {
    if (methods.has(CVM.plaintextPin)) methods.add(CVM.plaintextPinAndSignature);
    if (methods.has(CVM.encipheredPin)) methods.add(CVM.encipheredPinAndSignature);
  }
  return methods;
}

/** The rules of tag 8E in words, one line each. */
export function cvmListNames(bytes: Uint8Array): string[] {
  const list = parseCvmList(bytes);
  if (list === undefined) return ['Not of the form of a CVM list'];
  const rules = list.rules.map(
    ({ method, condition, applyNext }) =>
      `${cvmMethodName(method)}; ${cvmConditionName(condition)}; if unsuccessful: ${applyNext ? 'apply next' : 'fail'}`,
  );
  return [`Amount X ${list.amountX}, amount Y ${list.amountY}`, ...rules];
}
