import type { Expectation, Observation, Pace } from './observation.js';
import type { StepName } from './steps.js';

/** Where a device differs from what its simulated terminal does. */
export interface Difference {
  readonly step: StepName;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** A step that was walked. */
export interface Walked {
  readonly step: StepName;
  readonly seen: Observation;
}

const NOTHING = 'nothing';
const PACES: readonly Pace[] = ['prompt', 'slow', 'late'];

/** Fields that must be the same. */
const SAME = {
  outcome: 'outcome',
  identity: 'identity',
  keys: 'condition of the keys',
  entryMode: 'entry mode',
  dataKeySerial: 'key serial number of the card data',
  pinKeySerial: 'key serial number of the PIN',
} as const satisfies Partial<Record<keyof Observation, string>>;

/** Lists of which nothing may be missing; what comes in addition hangs on the card. */
const PRESENT = {
  cardFacts: 'card data that can be read',
  tags: 'EMV tag before the answer',
  finalTags: 'EMV tag behind the answer',
} as const satisfies Partial<Record<keyof Observation, string>>;

/** Tags that a card may lack: their absence is no difference of the terminal. */
const OF_SOME_CARDS: ReadonlySet<string> = new Set([
  '50',
  '5F34',
  '9F07',
  '9F12',
  '9F24',
  '9F53',
  '9F5B',
  '9F6C',
  '9F6E',
]);

/** The differences of all steps. */
export function differencesOf(expectation: Expectation, walked: readonly Walked[]): readonly Difference[] {
  return walked.flatMap(({ step, seen }) => {
    const expected = expectation[step];
    return expected ? compareStep(expected, seen).map((difference) => ({ step, ...difference })) : [];
  });
}

type Found = Omit<Difference, 'step'>;

function compareStep(expected: Observation, seen: Observation): readonly Found[] {
  const differences: Found[] = [];
  for (const [field, what] of entries(SAME)) {
    const [wanted = NOTHING, found = NOTHING] = [expected[field], seen[field]];
    if (wanted !== found) differences.push({ what, expected: wanted, found });
  }
  for (const [field, what] of entries(PRESENT)) {
    const found = new Set(namesIn(seen[field]));
    const missing = namesIn(expected[field]).filter((name) => !found.has(name) && !OF_SOME_CARDS.has(name));
    differences.push(...missing.map((name) => ({ what, expected: name, found: 'missing' })));
  }
  if (expected.pace && seen.pace && PACES.indexOf(seen.pace) > PACES.indexOf(expected.pace))
    differences.push({ what: 'time of the answer', expected: expected.pace, found: seen.pace });
  return [
    ...differences,
    ...listDifferences('message', withoutRaces(expected.messages), withoutRaces(seen.messages)),
    ...listDifferences('form of masked card data', expected.masked, seen.masked),
  ];
}

/**
 * Answers between which a race decides, each by the one that stands for both. Miura: a swipe ends the wait for a tap, or the host's
 * abort does. ID TECH: the chip left its seat before the power was cut, or after.
 */
const RACES: ReadonlyMap<string, string> = new Map([
  ['answer 9F44', 'answer 9F41'],
  ['2C status 0A', '2C status 00'],
]);

function withoutRaces(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.map((form) => RACES.get(form) ?? form))];
}

/** What a device sends by itself. The order of answers is that of the host's commands, which follow what people do. */
const UNSOLICITED = /^(notification|request)/;

/** What is missing, what is more, and whether what both send by themselves comes in the same order. */
function listDifferences(
  what: string,
  expected: readonly string[],
  found: readonly string[],
): readonly Found[] {
  const missing = expected.filter((form) => !found.includes(form));
  const more = found.filter((form) => !expected.includes(form));
  const differences = [
    ...missing.map((form) => ({ what, expected: form, found: 'missing' })),
    ...more.map((form) => ({ what, expected: NOTHING, found: form })),
  ];
  const common = expected.filter((form) => found.includes(form) && UNSOLICITED.test(form)).join(' → ');
  const order = found.filter((form) => expected.includes(form) && UNSOLICITED.test(form)).join(' → ');
  return common === order
    ? differences
    : [...differences, { what: `order of the ${what}s`, expected: common, found: order }];
}

function entries<K extends string>(fields: Readonly<Record<K, string>>): readonly (readonly [K, string])[] {
  return Object.entries(fields) as [K, string][];
}

function namesIn(text = ''): readonly string[] {
  return text.split(' ').filter((name) => name !== '');
}
