/** The methods of a CVM code: its low six bits (EMV Book 3 Annex C3). */
const CVM_METHODS: Readonly<Record<number, string>> = {
  0: 'Fail CVM processing',
  1: 'Plaintext PIN verification performed by ICC',
  2: 'Enciphered PIN verified online',
  3: 'Plaintext PIN verification performed by ICC and signature',
  4: 'Enciphered PIN verification performed by ICC',
  5: 'Enciphered PIN verification performed by ICC and signature',
  6: 'Facial biometric verified offline (by ICC)',
  7: 'Facial biometric verified online',
  8: 'Finger biometric verified offline (by ICC)',
  9: 'Finger biometric verified online',
  10: 'Palm biometric verified offline (by ICC)',
  11: 'Palm biometric verified online',
  12: 'Iris biometric verified offline (by ICC)',
  13: 'Iris biometric verified online',
  14: 'Voice biometric verified offline (by ICC)',
  15: 'Voice biometric verified online',
  30: 'Signature (paper)',
  31: 'No CVM required',
  63: 'No CVM performed',
};

/** The conditions of a CVM rule (EMV Book 3 Annex C3). */
const CVM_CONDITIONS: Readonly<Record<number, string>> = {
  0: 'Always',
  1: 'If unattended cash',
  2: 'If not unattended cash, not manual cash and not purchase with cashback',
  3: 'If terminal supports the CVM',
  4: 'If manual cash',
  5: 'If purchase with cashback',
  6: 'If transaction is in the application currency and is under X value',
  7: 'If transaction is in the application currency and is over X value',
  8: 'If transaction is in the application currency and is under Y value',
  9: 'If transaction is in the application currency and is over Y value',
};

/** The results byte of tag 9F34 (EMV Book 4 Annex A4). */
export type CvmOutcome = 'unknown' | 'failed' | 'successful';

/** The outcomes by their byte. */
const CVM_OUTCOMES: readonly CvmOutcome[] = ['unknown', 'failed', 'successful'];

/** Cardholder verification method results, tag 9F34. */
interface CvmResults {
  /** CVM performed: the code of the list, with its "apply next" bit. */
  readonly code: number;
  readonly condition: number;
  readonly outcome: CvmOutcome;
}

/** Bytes of tag 9F34. */
const CVM_RESULTS_BYTES = 3;

/** Reads tag 9F34; `undefined` when it is not three bytes or its result is none of the three. */
export function readCvmResults(bytes: Uint8Array): CvmResults | undefined {
  const [code, condition, result] = bytes;
  const outcome = CVM_OUTCOMES[result ?? -1];
  if (bytes.length !== CVM_RESULTS_BYTES || code === undefined || condition === undefined) return undefined;
  return outcome === undefined ? undefined : { code, condition, outcome };
}

/** The three bytes of tag 9F34. */
export function encodeCvmResults({ code, condition, outcome }: CvmResults): Buffer {
  return Buffer.from([code, condition, CVM_OUTCOMES.indexOf(outcome)]);
}

/** The name of a CVM code, with or without its "apply next" bit. */
export function cvmMethodName(code: number): string {
  return CVM_METHODS[code & 0x3f] ?? `Reserved or proprietary method ${hexByte(code & 0x3f)}`;
}

/** The name of a condition code. */
export function cvmConditionName(condition: number): string {
  return CVM_CONDITIONS[condition] ?? `Reserved or proprietary condition ${hexByte(condition)}`;
}

/** The content of CVM results, in words. */
export function cvmResultsNames(bytes: Uint8Array): string[] {
  const results = readCvmResults(bytes);
  if (results === undefined) return ['Not of the form of CVM results'];
  return [cvmMethodName(results.code), cvmConditionName(results.condition), `Result: ${results.outcome}`];
}

function hexByte(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}
