import { type Difference, differencesOf } from '@tillbridge/agent/bring-up/compare.js';
import { expectationOf } from '@tillbridge/agent/bring-up/expectations/expectations.js';
import { STEPS, type StepName } from '@tillbridge/agent/bring-up/steps.js';
import { decodeTlv, encodeTlv, type TlvNode } from '@tillbridge/protocol/emv/tlv.js';
import { overPipe } from '@tillbridge/protocol/seams/base-pipe.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import {
  encodeMessagePackets,
  INITIAL_PACKET_STATE,
  parsePackets,
} from '@tillbridge/protocol/terminals/miura/packet.js';
import { describe, expect, test } from 'vitest';
import { FRAMINGS, MAKERS } from '../terminals/makers.js';
import { type WalkOptions, walkThrough } from './walk-through.js';

// Devices that differ from what is expected of their model: each difference must be found and named, and nothing else.

async function differences(
  options: Omit<WalkOptions, 'skips'>,
  ...steps: readonly StepName[]
): Promise<readonly Difference[]> {
  const skips = new Set(STEPS.map(({ name }) => name).filter((name) => !steps.includes(name)));
  const { walked } = await walkThrough({ ...options, skips });
  return differencesOf(await expectationOf(options.maker.deviceType), walked);
}

const [MIURA] = MAKERS.filter(({ deviceType }) => deviceType === 'MIURA_M020');

/** A device that sends other objects. */
function otherObjects(
  change: (nodes: readonly TlvNode[]) => readonly TlvNode[],
): (pipe: BytePipe) => BytePipe {
  return (pipe) => {
    let state = INITIAL_PACKET_STATE;
    const changed = (bytes: Uint8Array): Buffer => {
      const parsed = parsePackets(state, bytes);
      state = parsed.state;
      return Buffer.concat(
        parsed.events.flatMap((event) => {
          if (event.kind !== 'message') throw new Error('a damaged packet');
          const { apdu } = event.message;
          const body = encodeTlv(change(decodeTlv(apdu.subarray(0, -2))));
          return encodeMessagePackets({ ...event.message, apdu: Buffer.concat([body, apdu.subarray(-2)]) });
        }),
      );
    };
    return overPipe(pipe, {
      onData: (listener) =>
        pipe.onData((bytes) => {
          const out = changed(bytes);
          if (out.length > 0) listener(out);
        }),
    });
  };
}

/** Every object, those in templates too; undefined takes it out. */
function each(change: (node: TlvNode) => TlvNode | undefined): (nodes: readonly TlvNode[]) => TlvNode[] {
  const all = (nodes: readonly TlvNode[]): TlvNode[] =>
    nodes.flatMap((node) => {
      const changed = change('children' in node ? { ...node, children: all(node.children) } : node);
      return changed ? [changed] : [];
    });
  return all;
}

const text = (node: TlvNode): string => ('value' in node ? Buffer.from(node.value).toString('latin1') : '');

function replaced(tag: string, from: string | RegExp, to: string): (pipe: BytePipe) => BytePipe {
  return otherObjects(
    each((node) =>
      node.tag === tag ? { tag, value: Buffer.from(text(node).replace(from, to), 'latin1') } : node,
    ),
  );
}

const PIN_STATUS = 'notification 9000 E6{C3,C4,DFA101,DFA102}';

/** What is planted, how, in which step, and how it is named. */
const PLANTED: readonly (readonly [
  string,
  (pipe: BytePipe) => BytePipe,
  StepName,
  readonly Omit<Difference, 'step'>[],
])[] = [
  [
    'another model',
    replaced('DF0D', 'M020', 'M010'),
    'identify',
    [{ what: 'identity', expected: 'Miura M020', found: 'Miura M010' }],
  ],
  [
    'no terminal capabilities in the request',
    otherObjects(each((node) => (node.tag === '9F33' ? undefined : node))),
    'chip',
    [{ what: 'EMV tag before the answer', expected: '9F33', found: 'missing' }],
  ],
  [
    'the status of a PIN entry in another template',
    otherObjects(each((node) => (node.tag === 'E6' && 'children' in node ? { ...node, tag: 'E1' } : node))),
    'pin',
    [
      { what: 'message', expected: PIN_STATUS, found: 'missing' },
      { what: 'message', expected: 'nothing', found: PIN_STATUS.replace('E6', 'E1') },
    ],
  ],
  [
    'a track with a hidden service code',
    replaced('DFAE22', /=(\d{4})\d{3}/, '=$1***'),
    'swipe',
    [
      { what: 'form of masked card data', expected: ';d6*d4=d7*?*', found: 'missing' },
      { what: 'form of masked card data', expected: 'nothing', found: ';d6*d4=d4*?*' },
    ],
  ],
  [
    'one key for two cards',
    otherObjects(
      each((node) =>
        node.tag === 'DFAE03' ? { ...node, value: Buffer.from('FFFF9877543210E00001', 'hex') } : node,
      ),
    ),
    'decline',
    [
      {
        what: 'key serial number of the card data',
        expected: '10 bytes, new',
        found: '10 bytes, used before',
      },
    ],
  ],
];

test.each(PLANTED)('%s is found in a Miura and named', async (_, edit, step, named) => {
  if (!MIURA) throw new Error('no such maker');
  const found = await differences({ maker: MIURA, transport: MIURA.transports[0], edit }, 'chip', step);
  expect(found).toEqual(named.map((difference) => ({ step, ...difference })));
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
