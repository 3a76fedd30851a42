import { readdirSync, readFileSync } from 'node:fs';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { afterAll, describe, expect, test } from 'vitest';
import { CASES, type ContractCase } from '../terminals/cases.js';
import { IssuerHost } from '../terminals/issuer-host.js';
import { can } from '../terminals/lines.js';
import type { Maker } from '../terminals/maker.js';
import { MAKERS } from '../terminals/makers.js';
import { runCase } from '../terminals/run-case.js';
import { openTerminalHarness } from '../terminals/terminal-harness.js';
import { abecsCommands } from './gertec.js';
import { neoCommands, neoCommandsHid } from './idtech.js';
import { mmsCommandsHid, mmsCommandsSlip } from './magtek.js';
import { miuraCommands } from './miura.js';
import { newlandCommands } from './newland.js';
import { sdiCommandsA, sdiCommandsB } from './verifone.js';

// The driver's own bytes of whole sales, read by decoders that share no code with the codecs of driver and simulated terminal.

const host = new IssuerHost();
afterAll(() => host.close());

/** A byte in the first frames that no reading can do without. */
const LOST_AT = 8;

type Reader = (written: Uint8Array) => string[];
interface Row {
  readonly deviceType: Maker['deviceType'];
  readonly transport: Transport;
  readonly read: Reader;
  /** Commands of a chip sale, of a tap, in their order; others may stand between them. */
  readonly chip: readonly string[];
  readonly tap: readonly string[];
}

const GERTEC = ['CAN', 'OPN', 'GIX', 'GCX', 'GTK', 'GOX', 'FCX', 'RMC', 'CLX'];
const IDTECH_CHIP = ['1201', '0240', '6011', '6012', '0501', '2C18'];
const MAGTEK = ['D101', '1001', '1004'];
const SDI = ['201A', '3900', '2301', '3910', '3911', '7000', '2900', '7001', '3912', '2302'];
const SDI_TAP = [
  '201A',
  '4000',
  '4010',
  '2301',
  '4011',
  '2201',
  '7000',
  '7008',
  '7001',
  '7000',
  '2900',
  '4012',
  '2302',
];
const MIURA_CHIP = [
  'ABORT',
  'RESET',
  'P2PE STATUS',
  'KEYBOARD STATUS',
  'CARD STATUS',
  'START CONTACTLESS',
  'START',
];
const MIURA_END = ['CONTINUE', 'ABORT', 'CARD STATUS', 'DISPLAY'];
const NEWLAND = ['TERMINATE', 'PERFORM', 'CALLBACK'];

const ROWS: readonly Row[] = [
  { deviceType: 'GERTEC_PPC930', transport: 'serial', read: abecsCommands, chip: GERTEC, tap: GERTEC },
  {
    deviceType: 'IDTECH_VP6800',
    transport: 'hid',
    read: neoCommandsHid,
    chip: IDTECH_CHIP,
    tap: ['1201', '0240', '0501'],
  },
  {
    deviceType: 'IDTECH_VP6800',
    transport: 'serial',
    read: neoCommands,
    chip: IDTECH_CHIP,
    tap: ['1201', '0240', '0501'],
  },
  { deviceType: 'MAGTEK_DYNAFLEX', transport: 'hid', read: mmsCommandsHid, chip: MAGTEK, tap: MAGTEK },
  { deviceType: 'MAGTEK_DYNAFLEX', transport: 'serial', read: mmsCommandsSlip, chip: MAGTEK, tap: MAGTEK },
  {
    deviceType: 'MIURA_M020',
    transport: 'serial',
    read: miuraCommands,
    chip: [...MIURA_CHIP, ...MIURA_END],
    tap: [...MIURA_CHIP.slice(0, -1), ...MIURA_END],
  },
  {
    deviceType: 'NEWLAND_P180',
    transport: 'serial',
    read: newlandCommands,
    chip: [...NEWLAND, 'GET TLV LIST', 'GET DATA', 'COMPLETE', 'TERMINATE'],
    tap: [...NEWLAND, 'GET TLV LIST', 'GET DATA', 'TERMINATE'],
  },
  { deviceType: 'VERIFONE_P400', transport: 'serial', read: sdiCommandsA, chip: SDI, tap: SDI_TAP },
  { deviceType: 'VERIFONE_P400', transport: 'tcp', read: sdiCommandsB, chip: SDI, tap: SDI_TAP },
];

/** The driver's writes of cases, one line after the other. */
async function bytesOf(row: Row, cases: readonly ContractCase[]): Promise<Buffer[]> {
  const maker = makerOf(row);
  const lines: Buffer[][] = [];
  const wrap = (pipe: BytePipe): BytePipe => {
    const writes: Buffer[] = [];
    lines.push(writes);
    return {
      name: pipe.name,
      write: (bytes) => {
        writes.push(Buffer.from(bytes));
        return pipe.write(bytes);
      },
      onData: (listener) => pipe.onData(listener),
      onClose: (listener) => pipe.onClose(listener),
      close: () => pipe.close(),
    };
  };
  const harness = await openTerminalHarness(maker, { wire: 'memory', transport: row.transport, wrap });
  try {
    for (const each of cases) await runCase(harness, host, each);
  } finally {
    await harness.close();
  }
  return lines.map((writes) => Buffer.concat(writes));
}

function makerOf({ deviceType }: Row): Maker {
  const maker = MAKERS.find((each) => each.deviceType === deviceType);
  if (!maker) throw new Error(`no maker ${deviceType}`);
  return maker;
}

function caseNamed(name: string): ContractCase {
  const found = CASES.find((each) => each.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return found;
}

/** Whether the wanted commands stand among the others in their order. */
function missing(commands: readonly string[], wanted: readonly string[]): readonly string[] {
  let at = 0;
  for (const command of commands) if (command === wanted[at]) at += 1;
  return wanted.slice(at);
}

describe.each(ROWS.map((row) => [`${row.deviceType} over ${row.transport}`, row] as const))(
  '%s',
  (_, row) => {
    test.each([
      ['chip', 'chip with online PIN'],
      ['tap', 'tap with online PIN above the limit'],
    ] as const)('every byte of a %s sale is a frame of the protocol, in its order', async (way, name) => {
      const [bytes = Buffer.alloc(0), ...more] = await bytesOf(row, [caseNamed(name)]);
      expect(more, 'lines that were opened anew').toEqual([]);
      const commands = row.read(bytes);
      expect(missing(commands, row[way]), commands.join(' ')).toEqual([]);
    });

    test('every byte of every sale of the contract is a frame of the protocol', async () => {
      const cases = CASES.filter(({ needs }) => can(makerOf(row), needs));
      for (const bytes of await bytesOf(row, cases))
        expect(row.read(bytes).length).toBeGreaterThan(cases.length);
    });

    test('a changed byte, a lost byte and a byte too many are noticed', async () => {
      const [bytes = Buffer.alloc(0)] = await bytesOf(row, [caseNamed('chip, approved online')]);
      const last = bytes.length - 1;
      const bent = Buffer.from(bytes);
      bent[last] = (bent[last] ?? 0) ^ 0x20;
      expect(() => row.read(bent)).toThrow();
      expect(() =>
        row.read(Buffer.concat([bytes.subarray(0, LOST_AT), bytes.subarray(LOST_AT + 1)])),
      ).toThrow();
      expect(() => row.read(Buffer.concat([bytes, Buffer.of(0x41)]))).toThrow();
    });
  },
);

test('the decoders import nothing but each other', () => {
  for (const name of readdirSync(import.meta.dirname)) {
    if (name.endsWith('.test.ts')) continue;
    const imports = readFileSync(`${import.meta.dirname}/${name}`, 'utf8').matchAll(/from '([^']+)'/g);
    for (const [, from = ''] of imports) expect(from, name).toMatch(/^\.\/[a-z-]+\.js$/);
  }
});
