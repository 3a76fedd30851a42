import { AUTHENTICATION_COURSES } from './authentication-test-cards.js';
import { TEST_CARDS } from './test-cards.js';

/** Card numbers that makers of test systems publish: plain ones, and those with a wrong check digit left out. */
const PLAIN = `
  4200000000000000 4111111111111111 4242424242424242 5454545454545454 5105105105105100 377777777777770
  36961903000009 30082246403846 6011587918359498 3541599999092431 6799851000000032 5019717010103742
  4917300800000000 4822000000000000003 5555555555554444 6062825624254001 4022751585445574 4090700500869563`;

/** Those of the old list of cards that are enrolled for 3D Secure. */
const ENROLLED = `
  4711100000000000 4012888888881881 4012001036275556 5212345678901234 375987000000005`;

/** Those that many payment systems share, in addition to the ones above. */
const COMMON = `
  4000056655665556 5200828282828210 378282246310005 6011111111111117 6011000990139424 38520000023237
  30569309025904 3530111333300000 3566002020360505`;

const PUBLISHED: ReadonlySet<string> = new Set([
  ...[PLAIN, ENROLLED, COMMON].flatMap((list) => list.trim().split(/\s+/)),
  ...AUTHENTICATION_COURSES.flatMap(({ pans }) => pans),
  ...Object.values(TEST_CARDS).map(({ pan }) => pan),
]);

/** Is the card number one that is published for tests? No issuer has given it to anybody: live it is an error or an attempt. */
export function isPublishedTestCard(pan: string): boolean {
  return PUBLISHED.has(pan);
}
