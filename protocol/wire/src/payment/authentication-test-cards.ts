/** A card of each scheme. */
type Pans = readonly [visa: string, master: string, maestro: string, amex: string];

/** Courses whose access control server wants the method call first. */
const WITH_METHOD_CALL = {
  frictionless: ['4200000000000091', '5200000000000007', '6761301000993772', '374500262001008'],
  attempt: ['4200000000000109', '5200000000000023', '6706981111111113', '377277081382243'],
  challenge: ['4200000000000042', '5200000000000015', '6799998900000060018', '343434343434343'],
  'challenge-fails': ['4200000000000018', '5200000000000064', '67034200554565015', '375987000169867'],
} as const satisfies Readonly<Record<string, Pans>>;

const WITHOUT_METHOD_CALL = {
  frictionless: ['4200000000000026', '5200000000000056', '6799851000000032', '375987000000062'],
  attempt: ['4200000000000059', '5200000000000106', '6007930123456780', '373953192351004'],
  fault: ['4012001037461114', '5434580000000006', '6761301000941201', '375987000169875'],
  refuse: ['4012001037141112', '5457350076543210', '6761301000946341', '375987000169883'],
  challenge: ['4200000000000067', '5200000000000049', '6773670009114879', '375987000000021'],
  'challenge-fails': ['4200000000000075', '5200000000000072', '6759888888888888', '371449635398431'],
} as const satisfies Readonly<Record<string, Pans>>;

/** Cards that do not take part. */
const OUTSIDE: Pans = ['4532497088771651', '5497260847316287', '6761257707836567', '343923092050144'];

/** What the simulated issuer does with a card. */
export type AuthenticationBehaviour = keyof typeof WITHOUT_METHOD_CALL;

/** A course of 3D Secure 2, and a card of each scheme for it. */
interface AuthenticationCourse {
  /** Absent: the cards do not take part. */
  readonly behaviour?: AuthenticationBehaviour;
  /** Does the access control server want the method call first? */
  readonly methodCall?: true;
  readonly pans: Pans;
}

/** The test cards of 3D Secure 2 (gateway/docs/test-mode.md). */
export const AUTHENTICATION_COURSES: readonly AuthenticationCourse[] = [
  ...coursesOf(WITH_METHOD_CALL, { methodCall: true }),
  ...coursesOf(WITHOUT_METHOD_CALL, {}),
  { pans: OUTSIDE },
];

function coursesOf(
  table: Readonly<Partial<Record<AuthenticationBehaviour, Pans>>>,
  call: Pick<AuthenticationCourse, 'methodCall'>,
): readonly AuthenticationCourse[] {
  return (Object.entries(table) as [AuthenticationBehaviour, Pans][]).map(([behaviour, pans]) => ({
    behaviour,
    ...call,
    pans,
  }));
}

const BY_PAN: ReadonlyMap<string, AuthenticationCourse> = new Map(
  AUTHENTICATION_COURSES.flatMap((course) => course.pans.map((pan) => [pan, course] as const)),
);

/** The course of a card; undefined for one that is in no row. */
export function findAuthenticationCourse(pan: string): AuthenticationCourse | undefined {
  return BY_PAN.get(pan);
}
