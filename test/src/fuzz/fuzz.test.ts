import { describe, expect, test } from 'vitest';
import { helpText, parseArguments, UsageError } from '../command-line/command-line.js';
import { CurrentInput } from './current-input.js';
import { type FuzzSeams, fuzzTarget, HEAP_GROWTH_LIMIT_BYTES, SLOW_INPUT_MS } from './fuzz.js';
import { MAX_INPUT_BYTES, mutate, SeededRandom } from './mutate.js';
import { FUZZ_COMMAND, fuzzOptions } from './options.js';
import { type FuzzTarget, PropertyError, tryInput } from './target.js';
import { FUZZ_TARGETS } from './targets.js';

class TypedError extends Error {}

const CORPUS = [Buffer.from('0123456789'), Buffer.from('abcdef')];

function target(run: (input: Uint8Array) => unknown): FuzzTarget {
  return { name: 'made/here', corpus: CORPUS, refusals: [TypedError], run };
}

/** A clock that moves a millisecond with each look, and a heap that grows by the given step. */
function seams(heapStep = 0): FuzzSeams & { ms: number } {
  let heap = 0;
  const context = {
    ms: 0,
    nowMs: () => {
      context.ms += 1;
      return context.ms;
    },
    heapBytes: () => {
      heap += heapStep;
      return Promise.resolve(heap);
    },
  };
  return context;
}

describe('the mutator', () => {
  const inputs = (seed: number): string[] => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 200 }, () => mutate(random, CORPUS).toString('hex'));
  };

  test('gives the same inputs for the same seed, others for another', () => {
    expect(inputs(1)).toEqual(inputs(1));
    expect(inputs(1)).not.toEqual(inputs(2));
    expect(new Set(inputs(1)).size).toBeGreaterThan(150);
  });

  test('keeps inputs within their limit and the corpus as it is', () => {
    const random = new SeededRandom(3);
    const long = [Buffer.alloc(MAX_INPUT_BYTES, 7)];
    for (let i = 0; i < 300; i += 1) expect(mutate(random, long).length).toBeLessThanOrEqual(MAX_INPUT_BYTES);
    expect(long[0]?.every((byte) => byte === 7)).toBe(true);
  });
});

describe('a target', () => {
  test('that takes and refuses is fuzzed for its time', async () => {
    const parity = target((input) => {
      if (input.length % 2 === 1) throw new TypedError();
    });
    const { inputs, refused, finding } = await fuzzTarget(parity, 1, 1_000, seams());
    expect(finding).toBeUndefined();
    expect(inputs).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(inputs);
  });

  test.each([
    ['an untyped error', new TypeError('x is undefined')],
    ['a broken promise', new PropertyError('not the same')],
  ])('with %s is found, with the input to blame', async (_what, error) => {
    const brittle = target((input) => {
      if (input.includes(0x80)) throw error;
    });
    const { finding } = await fuzzTarget(brittle, 5, 100_000, seams());
    expect(finding).toMatchObject({ target: 'made/here', kind: 'crash' });
    expect(finding?.detail).toContain(error.message);
    expect(() => tryInput(brittle, Buffer.from(finding?.inputHex ?? '', 'hex'))).toThrow(error);
  });

  test('that answers later is fuzzed as well', async () => {
    const parity = target(async (input) => {
      if (input.length % 2 === 1) throw new TypedError();
    });
    const { inputs, refused, finding } = await fuzzTarget(parity, 1, 1_000, seams());
    expect(finding).toBeUndefined();
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(inputs);
    const brittle = target(async (input) => {
      if (input.includes(0x80)) throw new TypeError('later');
    });
    expect((await fuzzTarget(brittle, 5, 100_000, seams())).finding?.detail).toContain('TypeError: later');
  });

  test('that is too slow is found', async () => {
    const context = seams();
    const slow = target((input) => {
      if (input.length === 0) context.ms += SLOW_INPUT_MS;
    });
    expect((await fuzzTarget(slow, 1, 100_000, context)).finding).toMatchObject({
      kind: 'hang',
      inputHex: '',
    });
  });

  test('whose heap grows is found, one whose does not is not', async () => {
    const idle = target(() => undefined);
    const growing = await fuzzTarget(idle, 1, 20, seams(HEAP_GROWTH_LIMIT_BYTES + 1));
    expect(growing.finding?.kind).toBe('heap growth');
    const steady = await fuzzTarget(idle, 1, 20, seams(HEAP_GROWTH_LIMIT_BYTES));
    expect(steady.finding).toBeUndefined();
  });
});

test('the input of a worker can be read from outside', () => {
  const inside = new CurrentInput();
  const outside = new CurrentInput(inside.buffer);
  expect(outside.count()).toBe(0);
  inside.note(3, Buffer.from('0123'));
  inside.note(4, Buffer.from('ab'));
  expect(outside.count()).toBe(2);
  expect(outside.last()).toEqual({ target: 4, input: Buffer.from('ab') });
});

describe('the command line', () => {
  const read = (...args: string[]) => {
    const parsed = parseArguments(FUZZ_COMMAND, args);
    if (parsed === 'help') throw new Error('parsed as a request for help');
    return fuzzOptions(parsed, 9);
  };
  const named = (...args: string[]) => read(...args).targets.map((index) => FUZZ_TARGETS[index]?.name);

  test('has defaults, and takes time, seed and beginnings of names', () => {
    expect(read()).toMatchObject({ seconds: 60, seed: 9 });
    expect(named()).toHaveLength(FUZZ_TARGETS.length);
    expect(read('--seconds', '5', 'emv/', '--seed', '0')).toMatchObject({ seconds: 5, seed: 0 });
    expect(named('miura/c', 'emv/tlv')).toEqual(['emv/tlv', 'miura/command']);
  });

  test.each([
    [['--seconds'], '--seconds needs a value'],
    [['--seconds', '0'], '--seconds takes a whole number from 1'],
    [['--seconds', '1.5'], '--seconds takes a whole number'],
    [['--secnds', '1'], 'did you mean --seconds?'],
    [['emv/', 'emw/'], 'no target begins with "emw/"; did you mean emv/?'],
    [['printer'], 'no target begins with "printer"; there are emv/tlv, '],
  ])('refuses %j with the rule and the usage', (args, rule) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(rule);
    expect(() => read(...args)).toThrow('usage: npm run fuzz --');
  });

  test('names every target in its help', () => {
    const help = helpText(FUZZ_COMMAND);
    for (const { name } of FUZZ_TARGETS) for (const part of name.split('/')) expect(help).toContain(part);
  });
});

describe('every parser', () => {
  test('has a unique name', () => {
    expect(new Set(FUZZ_TARGETS.map(({ name }) => name)).size).toBe(FUZZ_TARGETS.length);
  });

  test.each(FUZZ_TARGETS.map((parser) => [parser.name, parser] as const))(
    '%s stands 150 inputs',
    async (_name, parser) => {
      const random = new SeededRandom(20_261_120);
      for (const sample of parser.corpus) await tryInput(parser, sample);
      for (let i = 0; i < 150; i += 1) await tryInput(parser, mutate(random, parser.corpus));
    },
  );
});
