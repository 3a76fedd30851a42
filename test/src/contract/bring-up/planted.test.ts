import { type Difference, differencesOf } from '@tillbridge/agent/bring-up/compare.js';
import { expectationOf } from '@tillbridge/agent/bring-up/expectations.js';
import { STEPS, type StepName } from '@tillbridge/agent/bring-up/steps.js';
import { describe, expect, test } from 'vitest';
import type { Maker } from '../terminals/maker.js';
import { FRAMINGS, MAKERS } from '../terminals/makers.js';
import { type Change, editedLine, otherBytes, otherText } from './edited-line.js';
import { type WalkOptions, walkThrough } from './walk-through.js';

// Devices that differ from what is expected of their model: each difference must be found and named, and nothing else.

async function differences(
  options: Omit<WalkOptions, 'skips'>,
  ...steps: readonly StepName[]
): Promise<readonly Difference[]> {
  const skips = new Set(STEPS.map(({ name }) => name).filter((name) => !steps.includes(name)));
  const { walked } = await walkThrough({ ...options, skips });
  return differencesOf(expectationOf(options.maker.deviceType), walked);
}

/** A difference in the bytes of a device, the step in which it shows, and how it is named. */
interface Planted {
  readonly what: string;
  readonly change: Change;
  readonly step: StepName;
  /** Steps without which it does not show. */
  readonly before?: readonly StepName[];
  readonly named: readonly Omit<Difference, 'step'>[];
}

/** What stands in place of something else in a list. */
function instead(what: string, expected: string, found: string): Planted['named'] {
  return [
    { what, expected, found: 'missing' },
    { what, expected: 'nothing', found },
  ];
}

/** Every maker's device has these: terminal capabilities are not in the request, one key serves two cards. */
const OF_ALL: readonly Planted[] = [
  {
    what: 'no terminal capabilities',
    change: otherBytes(/9F3303(E0F8C8)/, '9F7A03$1'),
    step: 'chip',
    named: [{ what: 'EMV tag before the answer', expected: '9F33', found: 'missing' }],
  },
  {
    what: 'one key for two cards',
    change: otherBytes(/(FFFF9877543210E000)../, '$101'),
    step: 'decline',
    before: ['chip'],
    named: [
      {
        what: 'key serial number of the card data',
        expected: '10 bytes, new',
        found: '10 bytes, used before',
      },
    ],
  },
];

function anotherModel(maker: string, model: string, other: string): Planted {
  return {
    what: 'another model',
    change: otherText(new RegExp(model), other),
    step: 'identify',
    named: [{ what: 'identity', expected: `${maker} ${model}`, found: `${maker} ${other}` }],
  };
}

function anotherMessage(step: StepName, change: Change, expected: string, found: string): Planted {
  return { what: `another message: ${found}`, change, step, named: instead('message', expected, found) };
}

function anotherMask(step: StepName, change: Change, expected: string, found: string): Planted {
  const named = instead('form of masked card data', expected, found);
  return { what: `another mask: ${found}`, change, step, named };
}

const GERTEC_GCX = 'GCX 000 {804F,8051,8052,8053,8042,8055,805B,805C,805D,8054}';
const MAGTEK_BATCH = 'notification 0101 10080302 F9{FA{F0{F1{},F8{},F7{}}},F2{}}';
const MIURA_PIN = 'notification 9000 E6{C3,C4,DFA101,DFA102}';

/** What is planted in one maker's device alone. The public sources name no place where a Newland states its model. */
const PLANTED: Readonly<Record<Maker['deviceType'], readonly Planted[]>> = {
  GERTEC_PPC930: [
    anotherModel('GERTEC', 'PPC-930', 'PPC-920'),
    anotherMessage(
      'chip',
      otherBytes(/805C0003/, '805E0003'),
      GERTEC_GCX,
      GERTEC_GCX.replace('805C', '805E'),
    ),
    anotherMask('swipe', otherText(/(\*{6}\d{4}=\d{4})\d{3}/, '$1***'), 'd6*d4=d7', 'd6*d4=d4*'),
  ],
  IDTECH_VP6800: [
    anotherModel('ID TECH', 'VP6800', 'VP3300'),
    anotherMessage('chip', otherBytes(/^F200/, 'F201'), 'F2 status 00', 'F2 status 01'),
    anotherMask('chip', otherBytes(/0000D3112C/, '0000DCCCCC'), 'd6Cd4Dd4C', 'd6Cd4DC'),
  ],
  MAGTEK_DYNAFLEX: [
    anotherModel('MagTek', 'DynaFlex II PED', 'DynaFlex II Pro'),
    anotherMessage(
      'chip',
      otherBytes(/F7(..DFDF4D)/, 'F6$1'),
      MAGTEK_BATCH,
      MAGTEK_BATCH.replace('F7', 'F6'),
    ),
    anotherMask('swipe', otherText(/=\*{4}/, '=3112'), ';d6*d4=*?', ';d6*d4=d4*?'),
  ],
  MIURA_M020: [
    anotherModel('Miura', 'M020', 'M010'),
    anotherMessage('pin', otherBytes(/E6(..C3)/, 'E1$1'), MIURA_PIN, MIURA_PIN.replace('E6', 'E1')),
    anotherMask('swipe', otherText(/(=\d{4})\d{3}/, '$1***'), ';d6*d4=d7*?*', ';d6*d4=d4*?*'),
  ],
  NEWLAND_P180: [
    {
      what: 'a missing key',
      change: otherBytes(/^33352F3030(FFFF9876)/, '33352F3031$1'),
      step: 'identify',
      named: [
        {
          what: 'condition of the keys',
          expected: 'data loaded, PIN loaded',
          found: 'data loaded, PIN missing',
        },
        { what: 'message', expected: 'nothing', found: '35 code 01' },
      ],
    },
    {
      what: 'a slot that does not report its card',
      change: otherBytes(/^424E2F3030/, '424E2F3035'),
      step: 'chip',
      named: [
        ...instead('message', 'BN code 00', 'BN code 05'),
        { what: 'message', expected: 'nothing', found: '39 code 00' },
      ],
    },
    anotherMask('swipe', otherText(/\*{6}/, 'XXXXXX'), 'd6*d4', 'd6Xd4'),
  ],
  VERIFONE_P400: [
    anotherModel('Verifone', 'P400', 'P630'),
    anotherMessage('chip', otherBytes(/^6600F000/, '6400F000'), 'answer 6600 F0{}', 'answer 6400 F0{}'),
    anotherMask('swipe', otherText(/00XXXXXX/, 'XXXXXXXX'), 'd6Xd4', 'd4Xd4'),
  ],
};

describe.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))('in a %s', (deviceType, maker) => {
  const rows = [...OF_ALL, ...PLANTED[deviceType]].map((planted) => [planted.what, planted] as const);
  test.each(rows)(
    '%s is found and named, and nothing else',
    async (_, { before = [], change, step, named }) => {
      const edit = editedLine(deviceType, change);
      const found = await differences({ maker, transport: maker.transports[0], edit }, ...before, step);
      expect(found).toEqual(named.map((difference) => ({ step, ...difference })));
    },
  );

  test('all of them together are found', async () => {
    const edit = editedLine(deviceType, (message) =>
      rows.reduce((changed, [, { change }]) => Buffer.from(change(changed)), message),
    );
    const steps = rows.map(([, { step }]) => step);
    const found = await differences({ maker, transport: maker.transports[0], edit }, 'chip', ...steps);
    for (const [, { step, named }] of rows)
      expect(found).toEqual(expect.arrayContaining(named.map((difference) => ({ step, ...difference }))));
  });
});

test('a tap that a Gertec ends with the data of GOX is found and named', async () => {
  const captured = FRAMINGS.find(([, { form }]) => form === 'captured');
  if (!captured) throw new Error('no such form');
  const [, maker, transport] = captured;
  const [missing, more] = ['FCX 000 {8058,8054 empty}', 'FCX 000 {8058,8054}'];
  expect(await differences({ maker, transport }, 'tap')).toEqual([
    { step: 'tap', what: 'message', expected: missing, found: 'missing' },
    { step: 'tap', what: 'message', expected: 'nothing', found: more },
  ]);
});

describe.each(FRAMINGS)('%s', (_, maker, transport) => {
  test('names the step in which the device answers late', async () => {
    const found = await differences(
      {
        maker,
        transport,
        before: (step, { faults }) => {
          if (step === 'identify')
            faults.lay([{ name: 'delay', skip: 0, times: 1, delayMs: 3_000, seed: 1 }]);
        },
      },
      'identify',
      'display',
    );
    expect(found).toEqual([
      { step: 'identify', what: 'time of the answer', expected: 'prompt', found: 'slow' },
    ]);
  });
});
