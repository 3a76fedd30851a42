/** Versions of the standard, by the first digit of a message type. */
const VERSIONS: Readonly<Record<string, string>> = {
  '0': 'ISO 8583:1987',
  '1': 'ISO 8583:1993',
  '2': 'ISO 8583:2003',
  '8': 'national use',
  '9': 'private use',
};

/** Classes, by the second digit. */
const CLASSES: Readonly<Record<string, string>> = {
  '1': 'authorization',
  '2': 'financial',
  '3': 'file action',
  '4': 'reversal or chargeback',
  '5': 'reconciliation',
  '6': 'administrative',
  '7': 'fee collection',
  '8': 'network management',
};

/** Functions, by the third digit. An even one is answered by the next one. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  '0': 'request',
  '1': 'response to a request',
  '2': 'advice',
  '3': 'response to an advice',
  '4': 'notification',
  '5': 'acknowledgement of a notification',
  '6': 'instruction',
  '7': 'acknowledgement of an instruction',
};

/** Who sends, by the fourth digit. An odd one repeats a message of the one before. */
const ORIGINS: Readonly<Record<string, string>> = {
  '0': 'acquirer',
  '1': 'acquirer, repeat',
  '2': 'issuer',
  '3': 'issuer, repeat',
  '4': 'other',
  '5': 'other, repeat',
};

/** The meaning of a message type, for a person; undefined where a digit has no meaning in the standard. */
export function describeMti(mti: string): string | undefined {
  const [version = '', kind = '', task = '', origin = ''] = mti;
  const words = [VERSIONS[version], CLASSES[kind], FUNCTIONS[task], ORIGINS[origin]];
  if (mti.length !== 4 || words.includes(undefined)) return undefined;
  return `${words[1]}, ${words[2]}, from ${words[3]} (${words[0]})`;
}

/** Whether a message type answers another. */
export function isResponse(mti: string): boolean {
  return Number(mti[2]) % 2 === 1;
}

/** Whether a message type repeats a message that was sent before. */
export function isRepeat(mti: string): boolean {
  return Number(mti[3]) % 2 === 1;
}
