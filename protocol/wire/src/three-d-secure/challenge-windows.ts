/** Sizes of the challenge window in pixels; `05` fills the screen (EMV 3DS table A.1, challengeWindowSize). */
export const CHALLENGE_WINDOWS = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  '05': undefined,
} as const;

export type ChallengeWindow = keyof typeof CHALLENGE_WINDOWS;

/** The window that `customer.browser.challengeWindow` (one digit) requests; full screen where it is absent. */
export function challengeWindowOf(digit: string | undefined): ChallengeWindow {
  const code = `0${digit ?? '5'}`;
  return code in CHALLENGE_WINDOWS ? (code as ChallengeWindow) : '05';
}
