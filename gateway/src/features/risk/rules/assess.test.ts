import { describe, expect, it } from 'vitest';
import { assessRules, type RiskFacts, type ScreeningResult, type WhenSilent } from './assess.js';
import type { RiskRule, RiskRules } from './risk-rules.js';

const FACTS: RiskFacts = { amount: { minor: 5_000, currency: 'EUR' }, countries: {}, attempts: {} };
const PASS = { verdict: 'pass', score: 0, findings: [] };
const REFUSED = '100.400.020';

function assess(
  rules: readonly RiskRule[],
  facts: Partial<RiskFacts> = {},
  more: Partial<RiskRules> & { screening?: ScreeningResult; whenSilent?: WhenSilent } = {},
) {
  const { screening, whenSilent = 'pass', ...of } = more;
  return assessRules({ rules, refuseFrom: 100, ...of }, { ...FACTS, ...facts }, screening, whenSilent);
}

const effect = (points = 10, action?: RiskRule['action']) => ({
  ...{ name: 'rule', points },
  ...(action && { action }),
});
const MUCH: RiskRule = { ...effect(), kind: 'amount', currency: 'EUR', aboveMinor: 4_999 };
const list = (
  of: 'card' | 'email' | 'ip' | 'bin' | 'country',
  values: string[],
  action?: 'allow' | 'refuse',
) => ({ ...effect(10, action), kind: 'list', of, values }) satisfies RiskRule;

describe('a rule fits', () => {
  it.each<[string, RiskRule, Partial<RiskFacts>, boolean]>([
    ['an amount above it', MUCH, {}, true],
    ['no amount up to it', { ...MUCH, aboveMinor: 5_000 }, {}, false],
    ['no amount of another currency', { ...MUCH, currency: 'USD' }, {}, false],
    ...([2, 3] as const).map((used): [string, RiskRule, Partial<RiskFacts>, boolean] => [
      `${used} attempts`,
      { ...effect(), kind: 'velocity', by: 'card', count: 2, minutes: 60 },
      { attempts: { rule: used, other: 9 } },
      used === 3,
    ]),
    ['no attempt', { ...effect(), kind: 'velocity', by: 'card', count: 1, minutes: 60 }, {}, false],
    ...(
      [
        [{ billing: 'DE', ip: 'FR' }, true],
        [{ billing: 'DE', ip: 'DE' }, false],
        [{ billing: 'DE' }, false],
        [{ ip: 'DE' }, false],
        [{ billing: 'DE', shipping: 'FR' }, false],
      ] as const
    ).map(([countries, doesFit]): [string, RiskRule, Partial<RiskFacts>, boolean] => [
      `the countries ${JSON.stringify(countries)}`,
      { ...effect(), kind: 'country-mismatch', between: ['billing', 'ip'] },
      { countries },
      doesFit,
    ]),
    ['a listed card', list('card', ['x', 'f00d']), { card: 'F00D' }, true],
    ['no other card', list('card', ['x', 'f00d']), { card: 'f00e' }, false],
    ['no unknown card', list('card', ['f00d']), {}, false],
    ['a listed e-mail address', list('email', ['jane@example.com']), { email: 'Jane@Example.com' }, true],
    ['a listed IP address', list('ip', ['10.0.0.1']), { ip: '10.0.0.1' }, true],
    ['no card that is listed as an address', list('ip', ['f00d']), { card: 'f00d' }, false],
    ['a country of any kind', list('country', ['fr']), { countries: { billing: 'DE', card: 'FR' } }, true],
    ['no other country', list('country', ['fr']), { countries: { billing: 'DE' } }, false],
    ['the beginning of a card number', list('bin', ['42']), { bin: '420000' }, true],
    ['a longer beginning by its six digits', list('bin', ['42000012']), { bin: '420000' }, true],
    ['no other beginning', list('bin', ['43']), { bin: '420000' }, false],
    ['no unknown beginning', list('bin', ['42']), {}, false],
    ['no answer of the issuer, which comes later', { ...effect(), kind: 'avs', answers: ['N'] }, {}, false],
    ['no check of the code, which comes later', { ...effect(), kind: 'cvv', answers: ['N'] }, {}, false],
  ])('%s', (_what, rule, facts, doesFit) => {
    const finding = { rule: 'rule', points: 10 };
    expect(assess([rule], facts)).toEqual(doesFit ? { ...PASS, score: 10, findings: [finding] } : PASS);
  });
});

describe('what rules refuse has the code', () => {
  it.each<[RiskRule, Partial<RiskFacts>, string]>([
    ...(
      [
        ['card', '800.120.101'],
        ['ip', '800.120.102'],
        ['email', '800.120.103'],
      ] as const
    ).map(([by, code]): [RiskRule, Partial<RiskFacts>, string] => [
      { ...effect(0, 'refuse'), kind: 'velocity', by, count: 1, minutes: 1 },
      { attempts: { rule: 2 } },
      code,
    ]),
    [list('card', ['f00d'], 'refuse'), { card: 'f00d' }, '800.300.101'],
    [list('country', ['fr'], 'refuse'), { countries: { ip: 'FR' } }, '800.300.102'],
    [list('email', ['a@b'], 'refuse'), { email: 'a@b' }, '800.300.200'],
    [list('ip', ['10.0.0.1'], 'refuse'), { ip: '10.0.0.1' }, '800.300.301'],
    [list('bin', ['42'], 'refuse'), { bin: '420000' }, '800.300.401'],
    [
      { ...effect(0, 'refuse'), kind: 'country-mismatch', between: ['billing', 'ip'] },
      ...([{ countries: { billing: 'DE', ip: 'FR' } }, '100.400.021'] as const),
    ],
    [{ ...MUCH, action: 'refuse' }, {}, REFUSED],
  ])('of %j', (rule, facts, resultCode) => {
    const { verdict, findings, ...about } = assess([rule], facts);
    expect([verdict, about.resultCode]).toEqual(['refuse', resultCode]);
    expect(findings).toEqual([{ rule: 'rule', points: rule.points, action: 'refuse', resultCode }]);
  });
});

describe('the verdict', () => {
  const ALLOW = { ...list('email', ['a@b'], 'allow'), name: 'allow', points: 1 };
  const BY_EMAIL = { email: 'a@b' };

  it('refuses from a score on, and has a person decide from another one on', () => {
    const scored = (points: number) => assess([{ ...MUCH, points }], {}, { reviewFrom: 50 });
    expect([49, 50, 99, 100].map((points) => scored(points).verdict)).toEqual([
      ...['pass', 'review', 'review', 'refuse'],
    ]);
    expect(scored(100).resultCode).toBe(REFUSED);
    expect(scored(99)).not.toHaveProperty('resultCode');
    // Without the second one no score is enough for it.
    expect(assess([{ ...MUCH, points: 99 }]).verdict).toBe('pass');
  });

  it('is of all rules that fit, within its bounds', () => {
    const two = [
      { ...MUCH, points: 60 },
      { ...MUCH, points: 50, name: 'other' },
    ];
    expect(assess(two)).toMatchObject({ score: 110, verdict: 'refuse' });
    expect(assess([{ ...MUCH, points: -60 }])).toMatchObject({ score: -60, verdict: 'pass' });
    expect(assess([...two, { ...MUCH, points: 99_990 }]).score).toBe(99_999);
  });

  it('is that of a person where a rule says so, whatever the score', () => {
    expect(assess([{ ...MUCH, points: 0, action: 'review' }])).toEqual({
      ...{ verdict: 'review', score: 0, findings: [{ rule: 'rule', points: 0, action: 'review' }] },
    });
  });

  it('lets pass what a list allows, whatever else fits but a refusal', () => {
    const review = { ...MUCH, points: 200, action: 'review' } as const;
    expect(assess([review, ALLOW], BY_EMAIL)).toEqual({
      ...{ verdict: 'pass', score: 1, findings: [{ rule: 'allow', points: 1, action: 'allow' }] },
    });
    const refuse = { ...MUCH, points: 5, action: 'refuse' } as const;
    const refused = assess([refuse, ALLOW], BY_EMAIL);
    expect([refused.verdict, refused.score, refused.findings.length]).toEqual(['refuse', 6, 2]);
  });
});

describe('the answer of a screening', () => {
  const screened = (screening: ScreeningResult, whenSilent: WhenSilent = 'pass', rules: RiskRule[] = []) =>
    assess(rules, { email: 'a@b' }, { screening, whenSilent });

  it.each([
    [{ decision: 'accept' }, 'pass', undefined, [{ rule: 'screening', points: 0 }]],
    [{ decision: 'accept', score: 7 }, 'pass', undefined, [{ rule: 'screening', points: 7 }]],
    [{ decision: 'accept', score: 100 }, 'refuse', REFUSED, [{ rule: 'screening', points: 100 }]],
    [
      { decision: 'review', score: 7 },
      'review',
      undefined,
      [{ rule: 'screening', points: 7, action: 'review' }],
    ],
    [
      { decision: 'deny', score: 1 },
      ...(['refuse', '100.400.319'] as const),
      [{ rule: 'screening', points: 1, action: 'refuse', resultCode: '100.400.319' }],
    ],
  ] as const)('%j: %s with %s', (screening, verdict, resultCode, findings) => {
    const found = screened(screening);
    expect([found.verdict, found.resultCode, found.findings]).toEqual([verdict, resultCode, findings]);
  });

  it.each([
    ['pass', 'pass', undefined, {}],
    ['flag', 'pass', '000.400.082', {}],
    ['review', 'review', undefined, { action: 'review' }],
    ['refuse', 'refuse', '100.400.325', { action: 'refuse', resultCode: '100.400.325' }],
  ] as const)('that does not come: with %s it is %s with %s', (whenSilent, verdict, resultCode, more) => {
    const found = screened({ decision: 'silent' }, whenSilent);
    expect([found.verdict, found.resultCode, found.findings]).toEqual([
      ...[verdict, resultCode, [{ rule: 'screening-silent', points: 0, ...more }]],
    ]);
  });

  it('that came flags nothing', () => {
    expect(screened({ decision: 'accept' }, 'flag')).not.toHaveProperty('resultCode');
  });

  it('refuses also what a list allows', () => {
    const allowed = [list('email', ['a@b'], 'allow')];
    expect(screened({ decision: 'deny' }, 'pass', allowed).verdict).toBe('refuse');
    expect(screened({ decision: 'silent' }, 'review', allowed).verdict).toBe('pass');
  });
});
