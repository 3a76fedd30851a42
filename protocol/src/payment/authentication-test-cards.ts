/** What the simulated issuer does with a card. */
export type AuthenticationBehaviour =
  | 'frictionless'
  | 'attempt'
  | 'fault'
  | 'refuse'
  | 'challenge'
  | 'challenge-fails';

/** A course of 3D Secure 2, and a card of each scheme for it: VISA, MASTER, MAESTRO, AMEX. */
export interface AuthenticationCourse {
  /** Absent: the cards do not take part. */
  readonly behaviour?: AuthenticationBehaviour;
  /** Does the access control server want the method call first? */
  readonly methodCall?: true;
  readonly pans: readonly [visa: string, master: string, maestro: string, amex: string];
}

const METHOD = { methodCall: true } as const;

/** The test cards of 3D Secure 2 (reference §5.2). */
export const AUTHENTICATION_COURSES: readonly AuthenticationCourse[] = [
  {
    behaviour: 'frictionless',
    ...METHOD,
    pans: ['4200000000000091', '5200000000000007', '6761301000993772', '374500262001008'],
  },
  {
    behaviour: 'frictionless',
    pans: ['4200000000000026', '5200000000000056', '6799851000000032', '375987000000062'],
  },
  {
    behaviour: 'attempt',
    ...METHOD,
    pans: ['4200000000000109', '5200000000000023', '6706981111111113', '377277081382243'],
  },
  {
    behaviour: 'attempt',
    pans: ['4200000000000059', '5200000000000106', '6007930123456780', '373953192351004'],
  },
  {
    behaviour: 'fault',
    pans: ['4012001037461114', '5434580000000006', '6761301000941201', '375987000169875'],
  },
  {
    behaviour: 'refuse',
    pans: ['4012001037141112', '5457350076543210', '6761301000946341', '375987000169883'],
  },
  { pans: ['4532497088771651', '5497260847316287', '6761257707836567', '343923092050144'] },
  {
    behaviour: 'challenge',
    ...METHOD,
    pans: ['4200000000000042', '5200000000000015', '6799998900000060018', '343434343434343'],
  },
  {
    behaviour: 'challenge',
    pans: ['4200000000000067', '5200000000000049', '6773670009114879', '375987000000021'],
  },
  {
    behaviour: 'challenge-fails',
    ...METHOD,
    pans: ['4200000000000018', '5200000000000064', '67034200554565015', '375987000169867'],
  },
  {
    behaviour: 'challenge-fails',
    pans: ['4200000000000075', '5200000000000072', '6759888888888888', '371449635398431'],
  },
];

const BY_PAN: ReadonlyMap<string, AuthenticationCourse> = new Map(
  AUTHENTICATION_COURSES.flatMap((course) => course.pans.map((pan) => [pan, course] as const)),
);

/** The course of a card; undefined for one that is in no row. */
export function findAuthenticationCourse(pan: string): AuthenticationCourse | undefined {
  return BY_PAN.get(pan);
}
