import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import {
  type ApplicationData,
  decodeAid,
  decodeApplicationData,
  encodeAidList,
  encodeApplicationObjects,
  riskOf,
} from '@tillbridge/wire/terminals/idtech/application-data.js';
import { commandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import {
  encodeFrame,
  INITIAL_FRAME_STATE,
  type NeoFrame,
  parseFrames,
} from '@tillbridge/wire/terminals/idtech/frame.js';
import type { SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import { STATUSES } from '@tillbridge/wire/terminals/idtech/statuses.js';
import { beforeEach, expect, test } from 'vitest';
import type { TerminalRisk } from '../core/driver.js';
import { NeoLink } from './link.js';
import { RiskLimits } from './risk-limits.js';

const NOTHING = Buffer.alloc(0);
const AIDS = ['A0000000031010', 'A0000000041010'] as const;
const RISK: TerminalRisk = {
  floorLimitMinor: 5_000,
  randomSelectionThresholdMinor: 2_500,
  randomSelectionTargetPercent: 20,
  randomSelectionMaxPercent: 40,
};
/** Each application has its own version, which must stay. */
const VERSIONS: Readonly<Record<string, string>> = { A0000000031010: '0096', A0000000041010: '0002' };

let written: ApplicationData[];
let requested: (string | undefined)[];
let repeats: boolean;
let refuses: string | undefined;
let limits: RiskLimits;

function objectsOf(aid: string): readonly SecureObject[] {
  const last = written.filter((each) => each.aid === aid).at(-1);
  const version = Buffer.from(VERSIONS[aid] ?? '', 'hex');
  return last?.objects ?? [{ tag: '9F09', disclosure: 'plain', value: version }];
}

function dataFor(name: string | undefined, data: Buffer): Buffer {
  if (name === 'aidList') return encodeAidList(AIDS);
  if (name === 'applicationData') return encodeApplicationObjects(objectsOf(decodeAid(data)));
  if (name === 'setApplicationData') written.push(decodeApplicationData(data));
  return NOTHING;
}

beforeEach(() => {
  [written, requested, repeats, refuses] = [[], [], false, undefined];
  const [host, device] = memoryPipe();
  let last: Buffer | undefined;
  const answer = ({ command, second, data }: NeoFrame): void => {
    const name = commandName(command, second);
    requested.push(name);
    const refused = name === refuses;
    const status = refused ? STATUSES.notAllowed.code : STATUSES.ok.code;
    const frame = { command, second: status, data: refused ? NOTHING : dataFor(name, data) };
    const bytes = encodeFrame('device', frame);
    // What was answered last comes once more when the next command is already on its way.
    if (repeats && last) void device.write(last);
    void device.write(bytes);
    last = bytes;
  };
  device.onData((bytes) => {
    for (const event of parseFrames('host', INITIAL_FRAME_STATE, bytes).events) {
      if (event.kind === 'frame') answer(event.frame);
    }
  });
  limits = new RiskLimits(new NeoLink(host, new VirtualClock(0), 'serial'));
});

const EXPECTED = {
  floorLimitMinor: 5_000,
  thresholdMinor: 2_500,
  targetPercent: 20,
  maxTargetPercent: 40,
};

test.each([false, true])(
  'every application gets the limits and keeps its own objects (answers repeated: %s)',
  async (twice) => {
    repeats = twice;
    expect(await limits.load(RISK)).toBe('loaded');
    expect(written.map(({ aid }) => aid)).toEqual(AIDS);
    for (const { aid, objects } of written) {
      expect(riskOf(objects)).toEqual(EXPECTED);
      const version = objects.find(({ tag }) => tag === '9F09')?.value ?? NOTHING;
      expect(Buffer.from(version).toString('hex'), aid).toBe(VERSIONS[aid]);
    }
  },
);

test('the same limits are not read again, and not written where the device has them', async () => {
  await limits.load(RISK);
  requested = [];
  expect(await limits.load({ ...RISK })).toBe('loaded');
  expect(requested).toEqual([]);
  await limits.load({ ...RISK, floorLimitMinor: 0 });
  written = written.slice(0, 2);
  const before = written.length;
  expect(await limits.load(RISK)).toBe('loaded');
  expect(written).toHaveLength(before);
});

test.each(['aidList', 'applicationData', 'setApplicationData'] as const)(
  'a device that refuses %s keeps its limits, and is reported until other ones are wanted',
  async (name) => {
    refuses = name;
    expect(await limits.load(RISK)).toBe('refused');
    requested = [];
    expect(await limits.load(RISK)).toBe('refused');
    expect(requested).toEqual([]);
    refuses = undefined;
    expect(await limits.load({ ...RISK, floorLimitMinor: 1 })).toBe('loaded');
  },
);

test('limits beyond four bytes are the highest that fit', async () => {
  await limits.load({ ...RISK, floorLimitMinor: 2 ** 40 });
  expect(riskOf(written[0]?.objects ?? []).floorLimitMinor).toBe(2 ** 32 - 1);
});
