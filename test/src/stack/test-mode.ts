/** Where payments of mode test go: to the simulator inside the gateway, or to the acquirer's host. */
const TEST_MODES = ['INTERNAL', 'EXTERNAL'] as const;
export type TestMode = (typeof TEST_MODES)[number];

/** What approved payments are answered. */
export const APPROVED_CODES = {
  INTERNAL: '000.100.110',
  EXTERNAL: '000.100.112',
} as const satisfies Readonly<Record<TestMode, string>>;

/** Names the test mode of the journeys' payments. */
export const TEST_MODE_VARIABLE = 'TILLBRIDGE_TEST_MODE';

/** The test mode that the environment names; INTERNAL without one. @throws Error for any other name */
export function namedTestMode(env: NodeJS.ProcessEnv = process.env): TestMode {
  const named = env[TEST_MODE_VARIABLE] || 'INTERNAL';
  const mode = TEST_MODES.find((each) => each === named);
  if (mode) return mode;
  throw new Error(`${TEST_MODE_VARIABLE} must be ${TEST_MODES.join(' or ')}; it is "${named}"`);
}
