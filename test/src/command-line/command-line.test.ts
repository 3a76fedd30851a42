import { describe, expect, it } from 'vitest';
import { type CommandSpec, helpText, parseArguments, UsageError, wholeNumber } from './command-line.js';

const SPEC: CommandSpec = {
  call: 'npm run bake --',
  forms: ['[--loaves N] [--crisp] [KIND…]', '--list'],
  summary: 'Bakes bread.',
  operands: {
    title: 'Kinds',
    rows: [
      ['rye', 'dark'],
      ['a-kind-with-a-long-name', 'light'],
    ],
  },
  options: {
    '--loaves': { value: 'N', help: 'how many' },
    '--crisp': { help: 'longer in the oven' },
    '--list': { help: 'what there is' },
  },
};
const { operands: _none, ...BARE } = SPEC;

function refusal(args: readonly string[], spec: CommandSpec = SPEC): string {
  try {
    parseArguments(spec, args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`${args.join(' ')} was taken`);
}

describe('arguments', () => {
  it('are read by the table', () => {
    expect(parseArguments(SPEC, ['rye', '--loaves', '3', 'wheat', '--crisp'])).toEqual({
      options: new Map([
        ['--loaves', '3'],
        ['--crisp', ''],
      ]),
      operands: ['rye', 'wheat'],
    });
    expect(parseArguments(SPEC, ['--loaves=3'])).toMatchObject({ options: new Map([['--loaves', '3']]) });
    expect(parseArguments(SPEC, [])).toEqual({ options: new Map(), operands: [] });
  });

  it.each([[['--help']], [['-h']], [['rye', '--help']], [['--wrong', '--help']]])(
    'are a request for help in %j',
    (args) => {
      expect(parseArguments(SPEC, args)).toBe('help');
    },
  );

  it.each([
    [['--loavs', '3'], '--loavs is no option; did you mean --loaves?'],
    [['--hepl'], '--hepl is no option; did you mean --help?'],
    [['--butter'], '--butter is no option\n'],
    [['--constructor'], '--constructor is no option\n'],
    [['--crisp', '--crisp'], '--crisp is given twice'],
    [['--crisp=yes'], '--crisp takes no value'],
    [['--loaves'], '--loaves needs a value: --loaves N'],
    [['--loaves', '--crisp'], '--loaves needs a value: --loaves N'],
  ])('%j are refused with the reason, the likely intent and the usage', (args, reason) => {
    const text = refusal(args);
    expect(text).toContain(reason);
    expect(text).toContain('usage: npm run bake -- [--loaves N]');
  });

  it('names a word that stands where none may', () => {
    expect(refusal(['crips'], BARE)).toContain('"crips" is not expected; did you mean --crisp?');
  });

  it('take whole numbers within their limits', () => {
    const limits = { min: 1, max: 9, preset: 4 };
    const read = (...args: string[]) => {
      const parsed = parseArguments(SPEC, args);
      if (parsed === 'help') throw new Error('help');
      return wholeNumber(SPEC, parsed, '--loaves', limits);
    };
    expect(read()).toBe(4);
    expect(read('--loaves', '9')).toBe(9);
    for (const wrong of ['0', '10', '1.5', '-1', '', '1e3'])
      expect(() => read('--loaves', wrong)).toThrow(/--loaves takes a whole number from 1 to 9; it is "/);
  });
});

it('explains every option, operand and exit code', () => {
  expect(helpText(SPEC).split('\n')).toEqual([
    'usage: npm run bake -- [--loaves N] [--crisp] [KIND…]',
    '       npm run bake -- --list',
    '',
    'Bakes bread.',
    '',
    'Kinds:',
    '  rye               dark',
    '  a-kind-with-a-long-name',
    '                    light',
    '',
    'Options:',
    '  --loaves N        how many',
    '  --crisp           longer in the oven',
    '  --list            what there is',
    '  -h, --help        this text',
    '',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, wrong configuration or a port in use.',
  ]);
});
