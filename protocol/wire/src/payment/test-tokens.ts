/** A simulated token service's state of a token. */
export type TokenState = 'active' | 'suspended' | 'expired' | 'unverified' | 'unknown';

/** A token of test mode. */
interface TestToken {
  readonly number: string;
  readonly type: 'EXTERNAL' | 'NETWORK';
  readonly state: TokenState;
}

/** Tokens of test mode. Every other number with a right check digit is active. */
export const TEST_TOKENS: readonly TestToken[] = [
  { number: '4895370000000015', type: 'NETWORK', state: 'active' },
  { number: '4895370000000023', type: 'NETWORK', state: 'suspended' },
  { number: '4895370000000031', type: 'NETWORK', state: 'expired' },
  { number: '4895370000000049', type: 'NETWORK', state: 'unverified' },
  { number: '9000000000000019', type: 'EXTERNAL', state: 'active' },
  { number: '9000000000000027', type: 'EXTERNAL', state: 'unknown' },
];

const BY_NUMBER: ReadonlyMap<string, TestToken> = new Map(TEST_TOKENS.map((each) => [each.number, each]));

/** The token with this number and type; undefined when it is none of ours. */
export function findTestToken(number: string, type: TestToken['type']): TestToken | undefined {
  const found = BY_NUMBER.get(number);
  return found?.type === type ? found : undefined;
}
