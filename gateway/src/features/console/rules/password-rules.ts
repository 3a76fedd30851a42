/** What a password must be (NIST SP 800-63B §5.1.1: length counts, and no rules on kinds of characters). */
export const PASSWORD_RULES = {
  minCharacters: 12,
  maxCharacters: 128,
  /** Different characters at least. */
  minDifferent: 5,
} as const;

/** Beginnings that guesses begin with. */
const GUESSED = [
  'password',
  'passwort',
  'qwertz',
  'qwerty',
  '123456',
  'abcdef',
  'tillbridge',
  'letmein',
  'admin',
];

/** What is wrong with a password for a user; undefined where it may be used. Pure. */
export function passwordFault(password: string, email: string): string | undefined {
  const characters = [...password];
  const { minCharacters, maxCharacters, minDifferent } = PASSWORD_RULES;
  if (characters.length < minCharacters) return `must have at least ${minCharacters} characters`;
  if (characters.length > maxCharacters) return `must have at most ${maxCharacters} characters`;
  if (new Set(characters).size < minDifferent)
    return `must have at least ${minDifferent} different characters`;
  const small = password.toLowerCase();
  const [account = ''] = email.split('@');
  if (account.length >= 4 && small.includes(account)) return 'must not hold the e-mail address';
  if (GUESSED.some((guess) => small.startsWith(guess)))
    return 'must not begin with what is guessed first; take four words that do not belong together';
  return undefined;
}
